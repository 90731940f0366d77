// SPDX-License-Identifier: Apache-2.0
// The path of every craft as seen from the one in focus: all of it faint, what has passed strong.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, type Quaternion, Vector3 } from 'three';
import { lastBefore } from './data';
import type { Poses } from './poses';

export class Trails {
  readonly object = new Group();
  private past: Line[] = [];

  /** `find` sets `origin` and `turn` of the view for the frame the poses stand at. */
  build(
    poses: Poses,
    crafts: readonly { body: number; color: string }[],
    origin: Vector3,
    turn: Quaternion,
    find: () => void,
  ): void {
    this.clear();
    const p = new Vector3();
    const paths = crafts.map(() => new Float32Array(3 * poses.time.length));
    for (let frame = 0; frame < poses.time.length; frame++) {
      poses.seekFrame(frame);
      find();
      crafts.forEach(({ body }, c) => {
        const path = paths[c]!;
        poses.position(body, p).sub(origin).applyQuaternion(turn);
        // Where a run has diverged the path ends: its last point is repeated, since graphics choke on NaN.
        if (Number.isFinite(p.lengthSq())) p.toArray(path, 3 * frame);
        else if (frame > 0) path.copyWithin(3 * frame, 3 * frame - 3, 3 * frame);
      });
    }
    crafts.forEach(({ color }, c) => {
      for (const passed of [false, true]) {
        const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(paths[c]!, 3));
        const line = new Line(geometry, new LineBasicMaterial({ color, transparent: true, opacity: passed ? 0.95 : 0.3 }));
        this.object.add(line);
        if (passed) this.past.push(line);
      }
    });
  }

  follow(poses: Poses, t: number): void {
    const passed = lastBefore(poses.time, t) + 1;
    for (const line of this.past) line.geometry.setDrawRange(0, passed);
  }

  clear(): void {
    for (const line of [...this.object.children] as Line[]) {
      line.geometry.dispose();
      (line.material as LineBasicMaterial).dispose();
    }
    this.object.clear();
    this.past = [];
  }
}
