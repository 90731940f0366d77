// SPDX-License-Identifier: Apache-2.0
// A small histogram of times, of all ticks since the start: heights are logarithmic, so that one late tick among a
// million is a bar.
import { el, setText, svg } from '../dom';
import { count, duration } from './numbers';

const high = 56;
const wide = 240; // [units of the drawing]

/** Upper end of the bin below which a share of all counts lies [s]; `ends` are those of all bins. */
export function percentile(counts: readonly number[], ends: readonly number[], share: number): number | null {
  const total = counts.reduce((a, b) => a + b, 0);
  let sum = 0;
  for (let k = 0; k < counts.length && total > 0; k++) {
    sum += counts[k]!;
    if (sum >= share * total) return ends[k] ?? null;
  }
  return null;
}

export class Histogram {
  readonly element: HTMLElement;
  private readonly drawing = svg('svg', { class: 'histogram', viewBox: `0 0 ${wide} ${high + 14}`, role: 'img' });
  private readonly text = el('p', { class: 'row note' });
  private shown = '';

  /** `line`: a time [s] worth a mark, and its name. */
  constructor(private readonly name: string, private readonly ends: readonly number[], private readonly line: { value: number; label: string } | null) {
    this.drawing.setAttribute('aria-label', `Histogram of ${name}`);
    this.element = el('div', { class: 'histogram-place' }, this.drawing, this.text);
  }

  update(counts: readonly number[]): void {
    const total = counts.reduce((a, b) => a + b, 0);
    if (String(counts) === this.shown) return;
    this.shown = String(counts);
    if (total === 0) {
      this.drawing.replaceChildren();
      setText(this.text, 'none yet');
      return;
    }
    const { ends } = this;
    const used = counts.flatMap((n, k) => (n > 0 ? [k] : []));
    const ratio = (ends[1] ?? 2) / (ends[0] ?? 1);
    // Whole decades, two at least.
    const places = [...used.flatMap((k) => [ends[k]! / ratio, ends[k]!]), ...(this.line ? [this.line.value] : [])].map(Math.log10);
    const from = Math.floor(Math.min(...places) + 1e-6);
    const to = Math.max(Math.ceil(Math.max(...places) - 1e-6), from + 2);
    const x = (seconds: number) => ((Math.log10(seconds) - from) / (to - from)) * wide;
    const top = Math.log10(1 + Math.max(...counts));
    const parts: SVGElement[] = used.map((k) => {
      const tall = Math.max(2, (high * Math.log10(1 + counts[k]!)) / top);
      const left = x(ends[k]! / ratio);
      return svg('rect', { class: 'bin', x: (left + 0.5).toFixed(1), y: (high - tall).toFixed(1), width: Math.max(x(ends[k]!) - left - 1, 1).toFixed(1), height: tall.toFixed(1) });
    });
    parts.push(svg('line', { class: 'base', x1: 0, x2: wide, y1: high, y2: high }));
    for (let decade = from; decade <= to; decade++) {
      const at = ((decade - from) / (to - from)) * wide;
      parts.push(svg('line', { class: 'base', x1: at, x2: at, y1: high, y2: high + 3 }),
        svg('text', { x: at, y: high + 13, 'text-anchor': decade === from ? 'start' : decade === to ? 'end' : 'middle' }, duration(Number(`1e${decade}`))));
    }
    if (this.line) {
      const at = x(this.line.value);
      const right = at > 0.6 * wide;
      parts.push(svg('line', { class: 'mark-line', x1: at, x2: at, y1: 0, y2: high }),
        svg('text', { class: 'mark-text', x: at + (right ? -3 : 3), y: 9, 'text-anchor': right ? 'end' : 'start' }, this.line.label));
    }
    this.drawing.replaceChildren(...parts);
    const within = (share: number) => duration(percentile(counts, ends, share));
    const words = `half within ${within(0.5)}, 99 % within ${within(0.99)}, of ${count(total)}`;
    setText(this.text, `${words}; heights logarithmic`);
    this.drawing.setAttribute('aria-label', `Histogram of ${this.name}: ${words}`);
  }
}
