// SPDX-License-Identifier: Apache-2.0
// Wheels turn many times between two frames, so their recorded attitude, interpolated, shows any spin
// but the true one. Where the wheel's speed was recorded too, the wheel is drawn from that instead:
// its axis fixed in the parent, its angle the integral of the speed, slowed until the eye can follow.
import { Quaternion, Vector3 } from 'three';
import { type Block, type Body, type Run, Series, lastBefore } from './data';
import type { Poses } from './poses';
import { quaternion } from './craft';

const fastest = Math.PI; // [rad per s of wall clock] half a turn: beyond it a disc of two marks aliases

export class Spin {
  private readonly swing = new Quaternion(); // wheel axes at zero angle → parent axes
  private readonly twist = new Quaternion();

  private constructor(
    readonly parent: number,
    private readonly axis: Vector3, // in the wheel
    private readonly time: Float64Array,
    private readonly speed: Float64Array,
    private readonly angle: Float64Array, // integral of the speed
    private readonly top: number,
  ) {}

  /** Null when the wheel has no parent, no disc or no recorded speed. */
  static find(index: number, body: Body, poses: Poses, run: Run, block: Block): Spin | null {
    const disc = body.shapes.find((s) => s.kind === 'cylinder');
    if (body.kind !== 'wheel' || body.parent < 0 || !disc || poses.time.length === 0) return null;
    const series = Series.find(run, block, `${body.name}.rate`) ?? Series.find(run, block, `${body.name}.speed`);
    if (!series || series.t.length === 0) return null;
    const time = series.t;
    const speed = series.parts[0]!.map((v) => (Number.isFinite(v) ? v : 0));
    const angle = new Float64Array(time.length);
    let top = 0;
    for (let i = 0; i < time.length; i++) {
      if (i > 0) angle[i] = angle[i - 1]! + 0.5 * (speed[i]! + speed[i - 1]!) * (time[i]! - time[i - 1]!);
      top = Math.max(top, Math.abs(speed[i]!));
    }
    const axis = new Vector3(1, 0, 0).applyQuaternion(quaternion(disc.q));
    const spin = new Spin(body.parent, axis, time, speed, angle, top);
    spin.findSwing(index, poses);
    return spin;
  }

  /** Attitude of the wheel, given its parent's, when a second of wall clock is `pace` seconds of the run. */
  rotation(t: number, pace: number, parent: Quaternion, out: Quaternion): void {
    const i = Math.max(lastBefore(this.time, t), 0);
    const angle = this.angle[i]! + this.speed[i]! * (t - this.time[i]!);
    const slow = this.top > 0 ? Math.min(1, fastest / (this.top * pace)) : 1;
    this.twist.setFromAxisAngle(this.axis, (slow * angle) % (2 * Math.PI));
    out.copy(parent).multiply(this.swing).multiply(this.twist);
  }

  /** At the first frame parent⁻¹ · wheel = swing · twist; the twist about the axis is taken out. */
  private findSwing(index: number, poses: Poses): void {
    poses.seekFrame(0);
    const q = poses.rotation(index, new Quaternion());
    q.premultiply(poses.rotation(this.parent, new Quaternion()).invert());
    const along = this.axis.dot(new Vector3(q.x, q.y, q.z));
    const twist = new Quaternion(this.axis.x * along, this.axis.y * along, this.axis.z * along, q.w);
    if (twist.lengthSq() < 1e-12) twist.identity();
    else twist.normalize();
    this.swing.copy(q).multiply(twist.invert());
  }
}
