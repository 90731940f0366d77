// SPDX-License-Identifier: Apache-2.0
// Where every body is at any time: the frames of the block, interpolated.
import { Quaternion, Vector3 } from 'three';
import { type Block, Damaged, type Scene, lastBefore } from './data';

export class Poses {
  readonly time: Float64Array;
  private readonly positions: Float64Array[];
  private readonly rotations: Float64Array[];
  private readonly lvlh: Float64Array | null;
  private readonly origins: Float64Array | null;
  private readonly arrows: { point: Float64Array; vector: Float64Array }[];
  private frame = 0; // the two frames around the present are `frame` and `next`,
  private next = 0;
  private u = 0; // and it lies at this fraction between them

  constructor(scene: Scene, block: Block) {
    this.time = block.read(scene.time);
    const n = this.time.length;
    const read = (ref: Parameters<Block['read']>[0], width: number) => {
      const numbers = block.read(ref);
      if (numbers.length !== width * n) throw new Damaged('a motion has another number of frames than the scene');
      return numbers;
    };
    if (scene.ports.some((p) => !scene.bodies[p.body])) throw new Damaged('a port is on no body');
    this.positions = scene.bodies.map((b) => read(b.position, 3));
    this.rotations = scene.bodies.map((b) => read(b.rotation, 4));
    this.lvlh = scene.lvlh && read(scene.lvlh, 4);
    this.origins = scene.origin ? read(scene.origin, 3) : null;
    this.arrows = scene.arrows.map((a) => ({ point: read(a.point, 3), vector: read(a.vector, 3) }));
  }

  /**
   * Of a live run, which has one frame: the newest, as a row of numbers in the order the program writes them
   * (src/berth/scenario/scene.h).
   */
  write(t: number, row: ArrayLike<number>): void {
    this.time[0] = t;
    let at = 3; // what positions are measured from is for comparing runs
    const take = (to: Float64Array) => { for (let i = 0; i < to.length; i++) to[i] = row[at++] ?? NaN; };
    if (this.lvlh) take(this.lvlh);
    this.positions.forEach(take);
    this.rotations.forEach(take);
    for (const { point } of this.arrows) take(point);
    for (const { vector } of this.arrows) take(vector);
  }

  /** Moves to time t; the questions below are about that time. */
  seek(t: number): void {
    const last = this.time.length - 1;
    this.frame = Math.min(Math.max(lastBefore(this.time, t), 0), last);
    this.next = Math.min(this.frame + 1, last);
    const gap = this.time[this.next]! - this.time[this.frame]!;
    this.u = gap > 0 ? Math.min(Math.max((t - this.time[this.frame]!) / gap, 0), 1) : 0;
  }

  seekFrame(frame: number): void {
    this.frame = this.next = frame;
    this.u = 0;
  }

  position(body: number, out: Vector3): Vector3 {
    return this.vector(this.positions[body]!, out);
  }

  rotation(body: number, out: Quaternion): Quaternion {
    return this.quaternion(this.rotations[body]!, out);
  }

  /** What positions are measured from; zero where that was not written. */
  origin(out: Vector3): Vector3 {
    return this.origins ? this.vector(this.origins, out) : out.set(0, 0, 0);
  }

  /** Orbit frame → inertial; false when there is no orbit. */
  orbit(out: Quaternion): boolean {
    if (!this.lvlh) return false;
    this.quaternion(this.lvlh, out);
    return true;
  }

  arrow(index: number, point: Vector3, vector: Vector3): void {
    this.vector(this.arrows[index]!.point, point);
    this.vector(this.arrows[index]!.vector, vector);
  }

  /** The greatest force of the run, over all arrows [N]. */
  largestArrow(): number {
    let largest = 0;
    for (const { vector } of this.arrows) {
      for (let i = 0; i + 2 < vector.length; i += 3) {
        const size = Math.hypot(vector[i]!, vector[i + 1]!, vector[i + 2]!);
        if (size > largest) largest = size; // false for NaN
      }
    }
    return largest;
  }

  private vector(from: Float64Array, out: Vector3): Vector3 {
    const { u } = this;
    const a = 3 * this.frame;
    const b = 3 * this.next;
    const mix = (i: number) => from[a + i]! + u * (from[b + i]! - from[a + i]!);
    return out.set(mix(0), mix(1), mix(2));
  }

  /** Straight line between quaternions, normalised: frames are close enough for it to be slerp. */
  private quaternion(from: Float64Array, out: Quaternion): Quaternion {
    const { u } = this;
    const a = 4 * this.frame;
    const b = 4 * this.next;
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += from[a + i]! * from[b + i]!;
    const near = dot < 0 ? -u : u; // q and −q are one attitude; take the near one
    const mix = (i: number) => (1 - u) * from[a + i]! + near * from[b + i]!;
    out.set(mix(1), mix(2), mix(3), mix(0));
    return out.lengthSq() > 1e-12 ? out.normalize() : out.identity();
  }
}
