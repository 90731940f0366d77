// SPDX-License-Identifier: Apache-2.0
// Two axes with ticks and labels, drawn as wide as there is room, and again when that changes.
import { el, svg } from '../dom';
import { theme } from '../theme';
import { figure, logTicks, tickTexts, ticks } from '../ticks';

export interface AxisRange { label: string; low: number; high: number; log?: boolean; text?: (v: number) => string }

/** Where values lie in the picture, in pixels. */
export interface Axes {
  picture: SVGSVGElement;
  x: (v: number) => number;
  y: (v: number) => number;
  left: number; right: number; top: number; bottom: number;
}

export interface ChartOptions { name: string; height: number; x: AxisRange; y: AxisRange; draw: (axes: Axes) => void }

export function chart({ name, height, x, y, draw }: ChartOptions): HTMLElement {
  const place = el('div', { class: 'chart', style: `height: ${height}px` });
  const redraw = () => {
    const width = place.clientWidth;
    if (width < 80) return;
    const picture = svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': name });
    const yMarks = marks(y, Math.max(3, Math.floor(height / 50)));
    const left = 24 + 6.2 * Math.max(2, ...yMarks.texts.map((t) => t.length));
    const axes: Axes = { picture, left, right: width - 12, top: 10, bottom: height - 36, x: () => 0, y: () => 0 };
    const xMarks = marks(x, Math.max(2, Math.floor((width - left) / 90)));
    axes.x = scale(x, axes.left, axes.right);
    axes.y = scale(y, axes.bottom, axes.top);
    drawAxes(axes, x.label + xMarks.common, y.label + yMarks.common, xMarks, yMarks);
    draw(axes);
    place.replaceChildren(picture);
  };
  let before = 0;
  new ResizeObserver(() => { if (place.clientWidth !== before) { before = place.clientWidth; redraw(); } }).observe(place);
  theme.subscribe(redraw);
  return place;
}

/** A range around values, a little wider than they are. */
export function rangeOf(values: readonly number[], log = false): { low: number; high: number } {
  const of = log ? Math.log10 : (v: number) => v;
  const known = values.map(of).filter(Number.isFinite);
  if (known.length === 0) return { low: log ? 1 : 0, high: log ? 10 : 1 };
  const low = known.reduce((a, b) => Math.min(a, b));
  const high = known.reduce((a, b) => Math.max(a, b));
  const margin = high > low ? 0.04 * (high - low) : log ? 0.5 : Math.abs(low || 1) * 0.5;
  return log ? { low: 10 ** (low - margin), high: 10 ** (high + margin) } : { low: low - margin, high: high + margin };
}

interface Marks { list: number[]; texts: string[]; common: string }

function marks(axis: AxisRange, count: number): Marks {
  let list: number[] = [];
  // Two at least, or it is no scale.
  for (let wanted = count; list.length < 2 && wanted < 4 * count; wanted++) list = (axis.log ? logTicks : ticks)(axis.low, axis.high, wanted);
  if (axis.text) return { list, texts: list.map(axis.text), common: '' };
  return { list, ...(axis.log ? { texts: list.map(figure), common: '' } : tickTexts(list)) };
}

function scale({ low, high, log }: AxisRange, from: number, to: number): (v: number) => number {
  const of = log ? Math.log10 : (v: number) => v;
  return (v) => from + ((of(v) - of(low)) / (of(high) - of(low) || 1)) * (to - from);
}

function drawAxes({ picture, left, right, top, bottom, x, y }: Axes, across: string, up: string, xs: Marks, ys: Marks): void {
  xs.list.forEach((v, i) => {
    // The outer ones stay inside.
    const half = 3.2 * xs.texts[i]!.length;
    const at = Math.min(x(v), right + 10 - half);
    picture.append(svg('line', { x1: x(v), x2: x(v), y1: top, y2: bottom, class: 'grid' }), svg('text', { x: at, y: bottom + 14, 'text-anchor': 'middle' }, xs.texts[i]!));
  });
  ys.list.forEach((v, i) => picture.append(
    svg('line', { x1: left, x2: right, y1: y(v), y2: y(v), class: 'grid' }), svg('text', { x: left - 5, y: y(v) + 4, 'text-anchor': 'end' }, ys.texts[i]!)));
  const middle = (top + bottom) / 2;
  picture.append(
    svg('rect', { x: left, y: top, width: right - left, height: bottom - top, class: 'box' }),
    fitted(svg('text', { x: (left + right) / 2, y: bottom + 31, 'text-anchor': 'middle', class: 'name' }, across), across, right - left),
    fitted(svg('text', { x: 11, y: middle, 'text-anchor': 'middle', transform: `rotate(-90 11 ${middle})`, class: 'name' }, up), up, bottom - top + 30));
}

/** A name too long for its axis is drawn narrower. */
function fitted(text: SVGTextElement, words: string, room: number): SVGTextElement {
  if (words.length * 6 > room) {
    text.setAttribute('textLength', String(room));
    text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
  }
  return text;
}

/** A path through points, in pixels. */
export function pathOf(points: readonly (readonly [number, number])[], closed = false): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('') + (closed ? 'Z' : '');
}
