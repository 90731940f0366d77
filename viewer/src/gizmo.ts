// SPDX-License-Identifier: Apache-2.0
// The small cross of directions in the corner of the scene: the axes of the view, and the Earth.
import type { Quaternion } from 'three';
import { Vector3 } from 'three';
import { svg } from './dom';

const reach = 34; // [px]

export interface Direction { label: string; along: Vector3; strong: boolean }

export class Gizmo {
  readonly element = svg('svg', { class: 'gizmo', viewBox: '-75 -52 150 104', 'aria-hidden': 'true' });
  private readonly lines = new Map<string, { line: SVGLineElement; text: SVGTextElement }>();

  /** Directions are in world axes; `camera` turns camera axes into world axes. */
  draw(directions: readonly Direction[], camera: Quaternion): void {
    const inverse = camera.clone().invert();
    const seen = new Set<string>();
    for (const { label, along, strong } of directions) {
      seen.add(label);
      let parts = this.lines.get(label);
      if (!parts) {
        const kind = strong ? 'strong' : '';
        parts = { line: svg('line', { class: kind, x1: 0, y1: 0 }), text: svg('text', { class: kind }, label) };
        this.lines.set(label, parts);
        this.element.append(parts.line, parts.text);
      }
      const { x, y, z } = along.clone().applyQuaternion(inverse);
      parts.line.setAttribute('x2', (reach * x).toFixed(1));
      parts.line.setAttribute('y2', (-reach * y).toFixed(1));
      // Text begins where the line ends, on whichever side that is.
      parts.text.setAttribute('text-anchor', x > 0.3 ? 'start' : x < -0.3 ? 'end' : 'middle');
      parts.text.setAttribute('x', (reach * x + 4 * Math.sign(x) * Number(Math.abs(x) > 0.3)).toFixed(1));
      parts.text.setAttribute('y', (-(reach + 9) * y + 4).toFixed(1));
      // What points away from the viewer is paler.
      for (const part of [parts.line, parts.text]) part.setAttribute('opacity', (0.7 + 0.3 * z).toFixed(2));
    }
    for (const [label, { line, text }] of this.lines) {
      if (seen.has(label)) continue;
      line.remove();
      text.remove();
      this.lines.delete(label);
    }
  }
}
