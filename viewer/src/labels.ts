// SPDX-License-Identifier: Apache-2.0
// Names on the picture: beside their craft, or, where a craft is outside, at the edge with an arrow and the
// distance; and the impulses of impacts where they happen. None covers another, nor what else stands on the picture:
// it moves down, or up, line by line, and where there is no room it is left out.
import { type PerspectiveCamera, Vector3 } from 'three';
import { el } from './dom';
import type { Stage } from './stage';
import { units } from './units';

/** [px] from the upper left corner of the picture. */
export interface Box { left: number; top: number; right: number; bottom: number }

const line = 16; // [px]

export class Labels {
  readonly element = el('div', { class: 'names', 'aria-hidden': 'true' });

  /** `craft`: whether names of craft are wanted; `taken`: what else stands on the picture. */
  place(stage: Stage, camera: PerspectiveCamera, width: number, height: number, craft: boolean, taken: readonly Box[]): void {
    const wanted = [
      ...(craft && stage.roots().length > 1 ? stage.roots().map((i) => this.craftLabel(stage, i)) : []),
      ...stage.forces.sparks().map((s) => ({ ...s, above: 0, spark: true, far: 0 })),
    ];
    const nodes = this.element.children;
    while (nodes.length < wanted.length) this.element.append(el('span'));
    const placed: Box[] = [...taken];
    [...nodes].forEach((node, i) => {
      const span = node as HTMLElement;
      const label = wanted[i];
      const p = label?.at.clone().project(camera);
      if (p && p.z > 1) p.multiplyScalar(-100); // behind the viewer: projected upside down
      const inside = !!p && Math.abs(p.x) < 1 && Math.abs(p.y) < 1;
      span.hidden = !p || !label || Number.isNaN(p.x) || (label.spark && !inside);
      if (!p || !label || span.hidden) return;
      const arrow = Math.abs(p.x) > Math.abs(p.y) ? (p.x > 0 ? '→' : '←') : p.y > 0 ? '↑' : '↓';
      const text = inside ? label.text : `${arrow} ${label.text}  ${units.text(label.far, 'm')}`;
      if (span.textContent !== text) span.textContent = text;
      span.className = label.spark ? 'spark' : inside ? '' : 'away';
      const long = 7.2 * text.length + 10;
      if (!inside) p.divideScalar(Math.max(Math.abs(p.x), Math.abs(p.y)));
      const x = Math.max(Math.min(((p.x + 1) / 2) * width - (inside ? long / 2 : 0), width - long - 8), 8);
      const metre = height / (2 * Math.tan((camera.fov * Math.PI) / 360) * Math.max(camera.position.distanceTo(label.at), 1e-6));
      const rise = inside ? Math.min(label.above * metre + 14, 0.3 * height) : 0;
      const level = Math.min(Math.max(((1 - p.y) / 2) * height - 10 - rise, 8), height - 60);
      const free = (at: number) => at >= 4 && at < height - line && !placed.some((o) => x < o.right && x + long > o.left && at < o.bottom && at + line > o.top);
      const ways = Array.from({ length: 50 }, (_, k) => level + (k % 2 ? 1 : -1) * Math.ceil(k / 2) * line);
      const y = ways.find(free);
      span.hidden = y === undefined;
      if (y === undefined) return;
      placed.push({ left: x, top: y, right: x + long, bottom: y + line });
      span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  private craftLabel(stage: Stage, root: number) {
    const at = stage.bodies[root]!.getWorldPosition(new Vector3());
    return { text: stage.scene.bodies[root]!.name, at, above: 0.55 * stage.radii[root]!, spark: false, far: at.length() };
  }
}
