// SPDX-License-Identifier: Apache-2.0
// The craft of further runs, translucent, where they are at the same instant.
//
// Positions of a run are measured from its own moving origin o(t), which the page knows from the reference
// point both runs share: a ghost stands at p + o − o₁ beside the run that is shown.
import { Color, Group, type LineBasicMaterial, type LineSegments, type Mesh, Vector3 } from 'three';
import { buildBody, vector } from './craft';
import type { Block, Run } from './data';
import { el, toggle } from './dom';
import { type Light, buildMaterial } from './materials';
import { Poses } from './poses';
import { ghostColors } from './theme';

export class Ghost {
  readonly object = new Group();
  readonly color: string;
  readonly poses: Poses;
  shown = true;
  private readonly bodies: Group[];

  /** `index`: which of the page's runs it is; gives its colour, as in the plots. */
  constructor(readonly run: Run, readonly label: string, index: number, block: Block, light: Light) {
    const scene = run.scene!;
    this.color = ghostColors[index % ghostColors.length]!;
    this.poses = new Poses(scene, block);
    const material = buildMaterial('glass', new Color(this.color), light, 0.34);
    const declared = new Set(run.facts.shaped);
    this.bodies = scene.bodies.map((body) => {
      const { group } = buildBody(body, body.craft, declared.has(body.name), [], light,
        scene.ports.filter((p) => scene.bodies[p.body] === body).map((p) => vector(p.at)));
      for (const part of group.children as (Mesh | LineSegments)[]) {
        if ((part as Mesh).isMesh) part.material = material;
        else (part.material as LineBasicMaterial).color.set(this.color);
        part.renderOrder = 5; // over solids
      }
      return group;
    });
    this.object.add(...this.bodies);
  }

  /** Whether this run has a picture at a time. */
  covers(t: number): boolean {
    const { time } = this.poses;
    return time.length > 0 && t >= time[0]! && t <= time[time.length - 1]!;
  }

  /** `main` stands at the same time already; `origin` is that of the view, from the main run's. */
  update(t: number, main: Poses, origin: Vector3): void {
    this.object.visible = this.shown && this.covers(t);
    if (!this.object.visible) return;
    this.poses.seek(t);
    const apart = this.poses.origin(new Vector3()).sub(main.origin(new Vector3())).sub(origin);
    this.bodies.forEach((body, i) => {
      this.poses.position(i, body.position).add(apart);
      this.poses.rotation(i, body.quaternion);
      body.visible = Number.isFinite(body.position.lengthSq());
    });
  }
}

/** Which run is solid and which are ghosts; each of these can be switched off. */
export function listGhosts(list: HTMLElement, main: string, ghosts: readonly Ghost[], changed: () => void): void {
  if (ghosts.length === 0) return;
  list.hidden = false;
  list.append(el('p', {}, el('span', { class: 'solid' }), el('span', {}, main)), ...ghosts.map((ghost) => {
    const entry = toggle(ghost.label, true, (on) => { ghost.shown = on; changed(); });
    entry.firstChild!.after(el('span', { class: 'swatch', style: `background:${ghost.color}` }));
    return entry;
  }));
}

/** Runs that have ended by a time, or not begun, are struck out. */
export function markGhosts(list: HTMLElement, ghosts: readonly Ghost[], t: number): void {
  ghosts.forEach((ghost, i) => list.children[i + 1]!.classList.toggle('over', !ghost.covers(t)));
}
