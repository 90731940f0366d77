// SPDX-License-Identifier: Apache-2.0
// Contact forces as arrows, with a legend in newtons.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { figure } from './ticks';

export type ForceScale = 'log' | 'linear';

const decades = 4; // a log arrow is gone at 1e-4 of the greatest force

export class ForceArrow {
  readonly object = new Group();
  newtons = 0;
  private readonly shaft: Mesh;
  private readonly tip: Mesh;

  constructor(readonly name: string, readonly unit: string, color: string) {
    // Contact happens inside cones and hubs: forces are drawn over everything.
    const material = new MeshBasicMaterial({ color, depthTest: false, transparent: true });
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), material);
    this.tip = new Mesh(new ConeGeometry(1, 1, 14).translate(0, -0.5, 0), material);
    this.object.add(this.shaft, this.tip);
    this.object.renderOrder = this.shaft.renderOrder = this.tip.renderOrder = 10;
  }

  recolor(color: string): void {
    (this.shaft.material as MeshBasicMaterial).color.set(color);
  }

  /** `full` is the length [m] of the greatest force `largest` [N]. */
  set(point: Vector3, force: Vector3, largest: number, full: number, scale: ForceScale): void {
    this.newtons = force.length();
    const share = this.newtons / largest;
    const length = full * (scale === 'linear' ? share : Math.max(0, 1 + Math.log10(share) / decades));
    this.object.visible = length > 1e-3 * full; // also false for NaN
    if (!this.object.visible) return;
    const head = Math.min(0.14 * full, 0.5 * length);
    this.object.position.copy(point);
    this.object.quaternion.setFromUnitVectors(up, force.clone().divideScalar(this.newtons));
    this.shaft.scale.set(0.014 * full, length - head, 0.014 * full);
    this.tip.scale.set(0.05 * full, head, 0.05 * full);
    this.tip.position.y = length;
  }
}

const up = new Vector3(0, 1, 0);

/** What a length means, in words. */
export function scaleText(largest: number, unit: string, scale: ForceScale): string {
  if (scale === 'linear') return `full length ${figure(largest)} ${unit}, in proportion`;
  return `full length ${figure(largest)} ${unit}, a quarter less per decade`;
}
