// SPDX-License-Identifier: Apache-2.0
// The cases as points over two columns. Marks are stamped from small pictures, one per class or colour,
// and found again by a grid of the pixels, so that neither drawing nor a click depends on their number.
import { el, menu } from '../dom';
import { saveText } from '../export';
import { theme } from '../theme';
import { figure, logTicks, tickTexts, ticks } from '../ticks';
import { type Style, components, isStroked, styles, trace, valueColor } from './colors';
import { label, toCsv, whole } from './data';
import type { State } from './state';

const shades = 32; // of a ramp
const square = 20; // [px] of the grid
const reach = 28; // [px] of a click

interface Axis { low: number; high: number; log: boolean; to: (v: number) => number } // to pixels

export class Scatter {
  readonly element: HTMLElement;
  private readonly base = el('canvas', { class: 'layer' });
  private readonly points = el('canvas', { class: 'layer' });
  private readonly over = el('canvas', {
    class: 'layer', tabindex: 0, role: 'application',
    'aria-label': 'Scatter of the cases. Arrow keys go to the nearest case in that direction, N and P to the next and previous number, F to the next failure.',
  });
  private readonly frame = el('div', { class: 'scatter-frame' }, this.base, this.points, this.over);
  private readonly tip = el('div', { class: 'tip', hidden: true });
  private readonly key = el('div', { class: 'ramp-key' });
  private image: ImageData | null = null;
  private sharp = 1; // pixels of the screen in a px
  private width = 0;
  private height = 0;
  private readonly px: Float32Array;
  private readonly py: Float32Array;
  private heads = new Int32Array();
  private readonly next: Int32Array;
  private columns = 0;
  private box = { left: 0, right: 0, top: 0, bottom: 0 };
  private axes: { x: Axis; y: Axis } | null = null;
  drawn = 0; // [ms] the last time

  constructor(private readonly state: State) {
    const { sweep } = state;
    const n = sweep.numbers.length;
    this.px = new Float32Array(n);
    this.py = new Float32Array(n);
    this.next = new Int32Array(n);
    const numeric = [...sweep.columns.keys()].filter((i) => !sweep.columns[i]!.text);
    const names = [...numeric.map((i) => [String(i), label(sweep.columns[i]!)] as const), ['-1', 'number of the case'] as const];
    const xMenu = menu('Across', names, String(state.x), (v) => state.setAxes(Number(v), state.y));
    const yMenu = menu('Up', names, String(state.y), (v) => state.setAxes(state.x, Number(v)));
    const colorMenu = menu('Colour', [['-1', 'verdict'], ...numeric.map((i) => [String(i), label(sweep.columns[i]!)] as const)], String(state.color), (v) => state.setColor(Number(v)));
    this.frame.append(this.tip);
    const pairs = sweep.search ? [] : sweep.maps.slice(0, 3).filter((m) => m.effect > 0.005);
    this.element = el('section', { class: 'panel scatter', 'aria-labelledby': 'scatter-title' },
      el('h2', { id: 'scatter-title' }, 'Cases', el('span', { class: 'count' }, sampleText(state))),
      el('div', { class: 'bar' },
        el('label', {}, 'across ', xMenu), el('label', {}, 'up ', yMenu), el('label', {}, 'colour ', colorMenu),
        el('button', { type: 'button', title: 'The cases shown, as a table', onclick: () => this.save() }, 'CSV')),
      pairs.length > 1 && el('div', { class: 'bar pairs' }, el('span', { class: 'count', title: 'Share of the variance of “as expected” that two inputs together explain' }, 'pairs with most effect'),
        ...pairs.map((m) => el('button', { type: 'button', class: 'pair', onclick: () => state.setAxes(m.x, m.y) },
          `${sweep.columns[m.x]!.short} × ${sweep.columns[m.y]!.short} ${(100 * m.effect).toFixed(0)} %`))),
      this.frame, this.key);
    state.subscribe((change) => {
      if (change === 'case' || change === 'cell') { this.drawOver(); return; }
      xMenu.value = String(state.x);
      yMenu.value = String(state.y);
      this.draw();
    });
    theme.subscribe(() => this.draw());
    new ResizeObserver(() => this.resize()).observe(this.frame);
    this.over.addEventListener('pointermove', (e) => this.hover(e));
    this.over.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    this.over.addEventListener('click', (e) => {
      const found = this.nearest(e.offsetX, e.offsetY);
      if (found >= 0) state.select(found);
    });
    this.over.addEventListener('keydown', (e) => {
      const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const)[e.key as 'ArrowLeft'];
      if (!way || e.ctrlKey || e.altKey || e.metaKey) return;
      e.preventDefault();
      const found = this.towards(way[0], way[1]);
      if (found >= 0) state.select(found);
    });
  }

  /** Where a point is drawn, on the canvas. */
  place(point: number): [number, number] {
    return [this.px[point]!, this.py[point]!];
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.frame;
    if (clientWidth === this.width && clientHeight === this.height) return;
    this.width = clientWidth;
    this.height = clientHeight;
    const sharp = window.devicePixelRatio || 1;
    this.sharp = sharp;
    for (const canvas of [this.base, this.points, this.over]) {
      canvas.width = Math.round(clientWidth * sharp);
      canvas.height = Math.round(clientHeight * sharp);
      canvas.getContext('2d')!.setTransform(sharp, 0, 0, sharp, 0, 0);
    }
    this.image = this.points.getContext('2d')!.createImageData(Math.max(this.points.width, 1), Math.max(this.points.height, 1));
    this.draw();
  }

  private draw(): void {
    if (this.width < 50) return;
    const begun = performance.now();
    const g = this.base.getContext('2d')!;
    const { colors } = theme;
    const { state, box } = this;
    g.clearRect(0, 0, this.width, this.height);
    g.font = '11px system-ui, sans-serif';
    box.left = 52;
    box.right = this.width - 10;
    box.top = 8;
    box.bottom = this.height - 36;
    const x = this.makeAxis(state.x, box.left, box.right);
    const y = this.makeAxis(state.y, box.bottom, box.top);
    this.axes = { x, y };
    this.drawAxes(g, x, y);

    // Places of all points, and lists of those in each square.
    const xs = state.values(state.x);
    const ys = state.values(state.y);
    this.columns = Math.ceil(this.width / square) + 1;
    this.heads = new Int32Array(this.columns * (Math.ceil(this.height / square) + 1)).fill(-1);
    const n = xs.length;
    for (let i = 0; i < n; i++) {
      const px = x.to(xs[i]!);
      const py = y.to(ys[i]!);
      this.px[i] = px;
      this.py[i] = py;
      if (!Number.isFinite(px) || !Number.isFinite(py) || !state.isShown(i)) { this.next[i] = -2; continue; }
      const at = this.square(px, py);
      this.next[i] = this.heads[at]!;
      this.heads[at] = i;
    }
    this.stampAll(n);
    g.strokeStyle = colors.faint;
    g.lineWidth = 1;
    g.strokeRect(box.left + 0.5, box.top + 0.5, box.right - box.left, box.bottom - box.top);
    this.drawn = performance.now() - begun;
    this.drawKey();
    this.drawOver();
  }

  /** Marks go straight into the pixels: a call of the canvas for each would take ten times as long. */
  private stampAll(n: number): void {
    const { state } = this;
    const { classes } = state.sweep;
    const list = styles(state.sweep.head.classes);
    const size = n > 30000 ? 1.6 : n > 3000 ? 2.2 : n > 500 ? 3 : 4;
    const alpha = n > 3000 ? 0.65 : 0.9;
    const column = state.column(state.color);
    const range = column ? this.range(column.values, column.log ?? false) : null;
    const stamps = (range
      ? Array.from({ length: shades + 1 }, (_, k) => list.map((s) => ({ mark: s.mark, color: k === shades ? theme.colors.faint : valueColor(k / (shades - 1)) })))
      : [list]).map((row) => row.map((style) => makeStamp(style, size, alpha)));
    const values = column?.values;
    const { image } = this;
    image!.data.fill(0);
    // In the order of their numbers, which hides none behind another class; rare ones last.
    const rare = state.sweep.head.classes.map((c) => c.count < 0.05 * state.sweep.head.cases);
    for (const last of [false, true]) {
      for (let i = 0; i < n; i++) {
        const k = classes[i]!;
        if (this.next[i] === -2 || rare[k] !== last) continue;
        let shade = 0;
        if (range) {
          const share = (range.of(values![i]!) - range.low) / (range.high - range.low || 1);
          shade = Number.isFinite(share) ? Math.min(Math.max(Math.floor(share * shades), 0), shades - 1) : shades;
        }
        blend(image!, stamps[shade]![k]!, this.px[i]! * this.sharp, this.py[i]! * this.sharp);
      }
    }
    this.points.getContext('2d')!.putImageData(image!, 0, 0);
  }

  private range(values: Float64Array, log: boolean): { low: number; high: number; of: (v: number) => number } {
    const of = log ? Math.log10 : (v: number) => v;
    let low = Infinity;
    let high = -Infinity;
    for (const v of values) {
      const w = of(v);
      if (w < low && w !== -Infinity) low = w;
      if (w > high && w !== Infinity) high = w;
    }
    return { low, high, of };
  }

  private makeAxis(index: number, from: number, to: number): Axis {
    const log = this.state.column(index)?.log ?? false;
    const { low, high, of } = this.range(this.state.values(index), log);
    const known = low <= high;
    const margin = high > low ? 0.02 * (high - low) : Math.abs(low || 1) * 0.5;
    const a = known ? low - margin : 0;
    const b = known ? high + margin : 1;
    return {
      low: log ? 10 ** a : a, high: log ? 10 ** b : b, log,
      to: (v) => from + ((of(v) - a) / (b - a)) * (to - from),
    };
  }

  private drawAxes(g: CanvasRenderingContext2D, x: Axis, y: Axis): void {
    const { box, state } = this;
    const { colors } = theme;
    const marks = (axis: Axis, count: number) => {
      let list: number[] = [];
      for (let wanted = count; list.length < 2 && wanted < 4 * count; wanted++) list = (axis.log ? logTicks : ticks)(axis.low, axis.high, wanted);
      return { list, ...(axis.log ? { texts: list.map(figure), common: '' } : tickTexts(list)) };
    };
    const xMarks = marks(x, Math.max(3, Math.floor(this.width / 90)));
    const yMarks = marks(y, Math.max(3, Math.floor(this.height / 60)));
    g.strokeStyle = colors.grid;
    g.fillStyle = colors.faint;
    g.lineWidth = 1;
    g.textAlign = 'center';
    g.textBaseline = 'top';
    g.beginPath();
    xMarks.list.forEach((v, i) => {
      const at = Math.round(x.to(v)) + 0.5;
      g.moveTo(at, box.top);
      g.lineTo(at, box.bottom);
      g.fillText(xMarks.texts[i]!, at, box.bottom + 4);
    });
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    yMarks.list.forEach((v, i) => {
      const at = Math.round(y.to(v)) + 0.5;
      g.moveTo(box.left, at);
      g.lineTo(box.right, at);
      g.fillText(yMarks.texts[i]!, box.left - 5, at);
    });
    g.stroke();
    const name = (index: number) => { const c = state.column(index); return c ? label(c) : 'number of the case'; };
    g.fillStyle = colors.text;
    g.textAlign = 'center';
    g.textBaseline = 'bottom';
    g.fillText(name(state.x) + xMarks.common, (box.left + box.right) / 2, this.height - 2, box.right - box.left);
    g.save();
    g.translate(2, (box.top + box.bottom) / 2);
    g.rotate(-Math.PI / 2);
    g.textBaseline = 'top';
    g.fillText(name(state.y) + yMarks.common, 0, 0, box.bottom - box.top);
    g.restore();
  }

  private drawKey(): void {
    const column = this.state.column(this.state.color);
    this.key.hidden = !column;
    if (!column) return;
    const { low, high } = this.range(column.values, column.log ?? false);
    const text = (v: number) => figure(column.log ? 10 ** v : v);
    const stops = Array.from({ length: 9 }, (_, i) => valueColor(i / 8)).join(', ');
    this.key.replaceChildren(el('span', {}, text(low)), el('span', { class: 'ramp', style: `background: linear-gradient(to right, ${stops})` }), el('span', {}, text(high)), el('span', { class: 'count' }, label(column)));
  }

  private drawOver(): void {
    const g = this.over.getContext('2d')!;
    g.clearRect(0, 0, this.width, this.height);
    const { state, box, axes } = this;
    if (!axes) return;
    g.strokeStyle = theme.colors.text;
    if (state.cell) {
      const clamp = (v: number, low: number, high: number) => Math.min(Math.max(v, low), high);
      const x0 = clamp(axes.x.to(state.cell.x[0]), box.left, box.right);
      const x1 = clamp(axes.x.to(state.cell.x[1]), box.left, box.right);
      const y0 = clamp(axes.y.to(state.cell.y[0]), box.top, box.bottom);
      const y1 = clamp(axes.y.to(state.cell.y[1]), box.top, box.bottom);
      g.lineWidth = 1.5;
      g.setLineDash([4, 3]);
      g.strokeRect(x0, y1, x1 - x0, y0 - y1);
      g.setLineDash([]);
    }
    const px = this.px[state.point] ?? NaN;
    const py = this.py[state.point] ?? NaN;
    if (!Number.isFinite(px) || !Number.isFinite(py)) return;
    g.lineWidth = 2;
    g.beginPath();
    g.arc(px, py, 7, 0, 2 * Math.PI);
    g.moveTo(px - 13, py);
    g.lineTo(px - 7, py);
    g.moveTo(px + 7, py);
    g.lineTo(px + 13, py);
    g.moveTo(px, py - 13);
    g.lineTo(px, py - 7);
    g.moveTo(px, py + 7);
    g.lineTo(px, py + 13);
    g.stroke();
  }

  private square(x: number, y: number): number {
    return Math.floor(y / square) * this.columns + Math.floor(x / square);
  }

  /** The nearest point within reach, −1 when there is none. */
  nearest(x: number, y: number): number {
    const around = Math.ceil(reach / square);
    let best = -1;
    let least = reach * reach;
    for (let dy = -around; dy <= around; dy++) {
      for (let dx = -around; dx <= around; dx++) {
        const column = Math.floor(x / square) + dx;
        const row = Math.floor(y / square) + dy;
        if (column < 0 || column >= this.columns || row < 0) continue;
        for (let i = this.heads[row * this.columns + column] ?? -1; i >= 0; i = this.next[i]!) {
          const d = (this.px[i]! - x) ** 2 + (this.py[i]! - y) ** 2;
          if (d < least) { least = d; best = i; }
        }
      }
    }
    return best;
  }

  /** The nearest point in a direction, within 45° of it. */
  private towards(wx: number, wy: number): number {
    const { point } = this.state;
    const px = this.px[point] ?? NaN;
    const py = this.py[point] ?? NaN;
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < this.px.length; i++) {
      if (i === point || this.next[i] === -2) continue;
      if (!Number.isFinite(px)) return i;
      const dx = this.px[i]! - px;
      const dy = this.py[i]! - py;
      const along = dx * wx + dy * wy;
      const aside = Math.abs(dx * wy) + Math.abs(dy * wx);
      if (along <= 0 || aside > along) continue;
      const d = along + aside;
      if (d < least) { least = d; best = i; }
    }
    return best;
  }

  private hover(e: PointerEvent): void {
    const found = this.nearest(e.offsetX, e.offsetY);
    this.tip.hidden = found < 0;
    this.over.style.cursor = found < 0 ? 'default' : 'pointer';
    if (found < 0) return;
    const { state } = this;
    const line = (index: number) => { const c = state.column(index); return c && el('div', {}, `${c.short} ${figure(c.values[found])}${unitText(c.unit)}`); };
    this.tip.replaceChildren(
      el('b', {}, `Case ${state.sweep.numbers[found]!}`), ` ${state.sweep.head.classes[state.sweep.classes[found]!]!.name}`,
      line(state.x) ?? '', line(state.y) ?? '', (state.color >= 0 && state.color !== state.x && state.color !== state.y && line(state.color)) || '');
    const left = Math.min(this.px[found]! + 12, this.width - this.tip.offsetWidth - 4);
    const top = this.py[found]! + 12 + this.tip.offsetHeight > this.height ? this.py[found]! - 12 - this.tip.offsetHeight : this.py[found]! + 12;
    this.tip.style.transform = `translate(${Math.max(left, 2)}px, ${Math.max(top, 2)}px)`;
  }

  private save(): void {
    const { state } = this;
    const { sweep } = state;
    const exact = sweep.head.points.exact;
    const number = (v: number) => (exact ? v : Number(v.toPrecision(7)));
    const header = ['case', ...sweep.columns.map((c) => label({ short: c.name, unit: c.unit })), 'outcome', 'class', 'as_expected', 'message'];
    const rows: (string | number)[][] = [];
    for (let i = 0; i < sweep.numbers.length; i++) {
      if (!state.isShown(i)) continue;
      const c = sweep.head.classes[sweep.classes[i]!]!;
      rows.push([sweep.numbers[i]!, ...sweep.columns.map((column) => (column.text ? column.labels![column.values[i]!] ?? '' : number(column.values[i]!))), sweep.outcomes(i), c.name, c.good ? 1 : 0, sweep.messages(i)]);
    }
    saveText(`${sweep.head.stem}_cases.csv`, 'text/csv', toCsv(header, rows));
  }
}

interface Stamp { size: number; cover: Float32Array; rgb: readonly number[] }
const covers = new Map<string, { size: number; cover: Float32Array }>();

/** A mark as the share of each pixel it covers. */
function makeStamp(style: Style, r: number, alpha: number): Stamp {
  const sharp = window.devicePixelRatio || 1;
  const key = `${style.mark} ${r} ${alpha} ${sharp}`;
  let shape = covers.get(key);
  if (!shape) {
    const canvas = document.createElement('canvas');
    const size = Math.ceil((2 * r + 3) * sharp);
    canvas.width = canvas.height = size;
    const g = canvas.getContext('2d', { willReadFrequently: true })!;
    g.scale(sharp, sharp);
    g.lineWidth = 1.2;
    trace(g, style.mark, size / sharp / 2, size / sharp / 2, r);
    if (isStroked(style.mark)) g.stroke();
    else g.fill();
    const { data } = g.getImageData(0, 0, size, size);
    shape = { size, cover: Float32Array.from({ length: size * size }, (_, i) => (alpha * data[4 * i + 3]!) / 255) };
    covers.set(key, shape);
  }
  return { ...shape, rgb: components(style.color) };
}

/** A stamp over what is there. */
function blend(image: ImageData, stamp: Stamp, x: number, y: number): void {
  const { data, width, height } = image;
  const { size, cover } = stamp;
  const [red, green, blue] = stamp.rgb as [number, number, number];
  const left = Math.round(x - size / 2);
  const top = Math.round(y - size / 2);
  for (let j = Math.max(0, -top); j < size && top + j < height; j++) {
    for (let i = Math.max(0, -left); i < size && left + i < width; i++) {
      const a = cover[j * size + i]!;
      if (a === 0) continue;
      const at = 4 * ((top + j) * width + left + i);
      const under = (data[at + 3]! / 255) * (1 - a);
      const sum = a + under;
      data[at] = (red * a + data[at]! * under) / sum;
      data[at + 1] = (green * a + data[at + 1]! * under) / sum;
      data[at + 2] = (blue * a + data[at + 2]! * under) / sum;
      data[at + 3] = 255 * sum;
    }
  }
}

export const unitText = (unit: string): string => (unit && unit !== '-' ? ` ${unit}` : '');

function sampleText(state: State): string {
  const { points, cases } = state.sweep.head;
  if (points.count === cases) return `all ${whole(cases)}`;
  const failures = points.failures === points.all_failures ? `all ${whole(points.failures)} failures` : `${whole(points.failures)} of ${whole(points.all_failures)} failures`;
  return `${failures} and ${whole(points.count - points.failures)} of the ${whole(cases - points.all_failures)} others`;
}
