// SPDX-License-Identifier: Apache-2.0
// The overlay of the port camera, as docking displays have it: crosshair on the axis of the port, a diamond
// where the other port is, and range, closing velocity, offset, tilt and roll.
//
// All numbers are channels of the capture (or measure) between the two ports at the last row that is not
// later than the clock; signs are those of docs/reading_results.md. Without such channels there is none. A live run
// has its own.
import { type PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { type Block, type Run, Series } from './data';
import { el, svg } from './dom';
import type { Stage } from './stage';
import { units } from './units';

export const quantities: readonly (readonly [string, string, string])[] = [
  ['gap', 'range', 'm'], ['closing', 'closing', 'm/s'], ['lateral', 'offset', 'm'], ['tilt', 'tilt', 'rad'], ['roll', 'roll', 'rad'],
];

/** A number of the display: what it is called, and what it is at a time [SI]. */
export interface Reading { key: string; label: string; unit: string; channel: string; at(t: number): number | null }

/** Those of a recorded run. */
export function readingsOf(run: Run, block: Block): Reading[] {
  const owner = run.facts.captures.find((c) => c.touch) ?? run.facts.captures[0];
  return quantities.flatMap(([key, label, unit]) => {
    const channel = `${owner?.name ?? ''}.${key}`;
    const series = owner ? Series.find(run, block, channel) : null;
    return series ? [{ key, label, unit, channel, at: (t: number) => series.at(t) }] : [];
  });
}

export class Readouts {
  readonly element = el('div', { class: 'readouts' });
  private readonly rows: { reading: Reading; value: HTMLElement }[] = [];
  private readonly diamond = svg('path', { d: 'M0 -9 L9 0 L0 9 L-9 0 Z', class: 'diamond' });
  private readonly cross = svg('svg', { class: 'crosshair', viewBox: '-100 -100 200 200', 'aria-hidden': 'true' });
  private readonly mark = svg('svg', { class: 'aim', 'aria-hidden': 'true' }, this.diamond);

  constructor(readings: readonly Reading[]) {
    const list = el('dl', {});
    for (const reading of readings) {
      const value = el('dd', { 'data-readout': reading.channel });
      this.rows.push({ reading, value });
      list.append(el('dt', {}, reading.label), value);
    }
    for (const [x1, y1, x2, y2] of [[-90, 0, -12, 0], [12, 0, 90, 0], [0, -90, 0, -12], [0, 12, 0, 90]]) {
      this.cross.append(svg('line', { x1, y1, x2, y2 }));
    }
    this.cross.append(svg('circle', { r: 45 }));
    this.element.append(this.cross, this.mark, ...(this.rows.length > 0 ? [list] : []));
  }

  /** What the readouts show, in SI. */
  values(t: number): Record<string, number | null> {
    return Object.fromEntries(this.rows.map(({ reading }) => [reading.key, reading.at(t)]));
  }

  update(t: number, stage: Stage, camera: PerspectiveCamera, other: number, width: number, height: number): void {
    for (const { reading, value } of this.rows) {
      const text = units.text(reading.at(t), reading.unit);
      if (value.textContent !== text) value.textContent = text;
    }
    const place = stage.scene.ports[other] ? stage.findPlace(stage.scene.ports[other]!.name) : null;
    this.diamond.style.display = place ? '' : 'none';
    if (!place) return;
    const at = new Vector3();
    stage.portPose(place, at, new Quaternion());
    at.project(camera);
    if (at.z > 1 || Number.isNaN(at.x)) this.diamond.style.display = 'none';
    else this.diamond.setAttribute('transform', `translate(${(((at.x + 1) / 2) * width).toFixed(1)} ${(((1 - at.y) / 2) * height).toFixed(1)})`);
  }
}
