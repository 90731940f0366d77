// SPDX-License-Identifier: Apache-2.0
// A rolling plot, as a chart recorder draws it: the newest at the right edge. Points are the extremes the program has
// kept, at their own times; between messages nothing is drawn.
import uPlot from 'uplot';
import { type Curve, align } from '../curves';
import { el, setText } from '../dom';
import { theme } from '../theme';
import { figure, logTicks, niceStep, tickTexts, ticks } from '../ticks';
import type { Maybe } from './data';
import type { Store, Trace } from './store';

const font = '11px system-ui, sans-serif';
const least = 0.1; // of a logarithmic axis, in its unit

/** A level [SI] drawn across the plot, where it is within reach. */
export interface Line { value: number; label: string; kind: 'zero' | 'limit' }

/** What the axis may count in, the largest first: name, and factor from SI. */
export type Unit = readonly [string, number];

export interface Definition {
  name: string;
  title: string;
  units: readonly Unit[];
  log?: boolean;
  from?: number; // [SI] what the axis has in it always
  curves: { label: string; trace: Trace; color: number }[];
  lines: Line[];
  warns?: (value: Maybe) => boolean; // drawn, filled and said in the warning colour
  note: () => { text: string; warns: boolean }; // beside the title
}

export class Strip {
  readonly element: HTMLElement;
  private readonly frame = el('div', { class: 'strip-frame' });
  private readonly note = el('span', { class: 'strip-note' });
  private readonly readings: HTMLElement[];
  private readonly unitText = el('span', { class: 'unit' });
  private unit: Unit;
  private chart: uPlot | null = null;
  private range: [number, number] = [0, 1]; // of time
  private values: [number, number] = [0, 1];

  /** `last`: it has the time axis. */
  constructor(private readonly store: Store, private readonly definition: Definition, private readonly last: boolean) {
    const { title, units, curves, name } = definition;
    this.unit = units.find(([, factor]) => factor >= 1) ?? units[0]!;
    this.unitText.textContent = ` [${this.unit[0]}]`;
    this.readings = curves.map(() => el('span', { class: 'reading' }));
    const keys = curves.map((curve, i) => el('span', { class: 'strip-key' }, curves.length > 1 && el('i', { class: 'swatch' }), curves.length > 1 && curve.label, this.readings[i]));
    this.element = el('figure', { class: `live-strip${last ? ' last' : ''}`, 'data-strip': name },
      el('figcaption', {}, el('h3', {}, title, this.unitText), ...keys, this.note), this.frame);
    new ResizeObserver(() => this.fit()).observe(this.frame);
    theme.subscribe(() => { this.paint(); this.chart?.redraw(false); });
    this.paint();
  }

  /** The stretch of simulated time [s] on show ends at the newest frame. */
  draw(from: number, to: number): void {
    this.range = [from, to];
    this.chooseUnit();
    const curves = this.definition.curves.map(({ label, trace, color }) => this.cut(label, trace, color));
    this.values = this.reach(curves);
    const [time, ...columns] = align(curves);
    const { warns } = this.definition;
    const factor = this.unit[1];
    // The part that warns is drawn over the rest.
    if (warns) columns.push(columns[0]!.map((v) => (v === null || v === undefined ? v : warns(v / factor) ? v : null)));
    const data = [time, ...columns] as uPlot.AlignedData;
    if (this.chart) this.chart.setData(data);
    else this.build(data);
  }

  /** Figures and words; also while the plot is held. */
  read(values: readonly Maybe[]): void {
    const { note } = this.definition;
    const factor = this.unit[1];
    this.readings.forEach((node, i) => {
      const value = values[i] ?? null;
      setText(node, value === null ? '–' : this.figure(factor * value));
    });
    const { text, warns } = note();
    setText(this.note, text);
    this.note.classList.toggle('warns', warns);
  }

  /** As fine as it can be read from the axis: what is left of a rounding is nothing. */
  private figure(value: number): string {
    if (this.definition.log) return figure(Number(value.toPrecision(3)));
    const step = niceStep((this.values[1] - this.values[0]) * 1e-4);
    return figure(Number((Math.round(value / step) * step).toPrecision(6)) + 0);
  }

  /** Another unit where figures have become too long; not before, since the eye has learnt the axis. */
  private chooseUnit(): void {
    const { units, curves } = this.definition;
    if (units.length < 2) return;
    let largest = 0;
    for (const { trace } of curves) for (const v of trace.value) if (Math.abs(v ?? 0) > largest) largest = Math.abs(v ?? 0);
    const shown = largest * this.unit[1];
    if (largest === 0 || (shown >= 0.2 && shown < 2000)) return;
    this.unit = units.find(([, factor]) => largest * factor >= 0.8) ?? units.at(-1)!;
    setText(this.unitText, ` [${this.unit[0]}]`);
  }

  /** What is on show, and one point before it: the curve begins at the edge. */
  private cut(label: string, { t, value }: Trace, color: number): Curve {
    const { log } = this.definition;
    const factor = this.unit[1];
    let i = 0;
    while (i + 1 < t.length && t[i + 1]! <= this.range[0]) i++;
    const n = t.length - i;
    const times = new Float64Array(n);
    const values = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      const v = value[i + k];
      times[k] = t[i + k]!;
      values[k] = v === null || v === undefined ? NaN : log ? Math.max(factor * v, least) : factor * v;
    }
    return { label, color, dash: [], t: times, y: values };
  }

  /** The range of values, in round steps: an axis that follows every point cannot be read. */
  private reach(curves: readonly Curve[]): [number, number] {
    const { log, lines } = this.definition;
    const factor = this.unit[1];
    const from = this.definition.from === undefined ? undefined : factor * this.definition.from;
    let low = from ?? Infinity;
    let high = from ?? -Infinity;
    for (const { y } of curves) {
      for (const v of y) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (low > high) return log ? [1, 1000] : [0, 1];
    for (const line of lines) {
      const value = factor * line.value;
      // A limit is worth its room once it is near.
      if (log ? value < 10 * high : value < 1.6 * high) high = Math.max(high, value * (log ? 1 : 1.05));
    }
    if (log) return [10 ** Math.floor(Math.log10(low) + 1e-9), 10 ** Math.max(Math.ceil(Math.log10(high) - 1e-9), Math.floor(Math.log10(low)) + 1)];
    if (high - low < 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-6)) {
      const room = Math.max(0.1 * Math.abs(high), 1e-6);
      low = Math.min(low, from ?? low - room);
      high += room;
    }
    const step = niceStep((high - low) / 5);
    const air = 0.04 * (high - low);
    return [low === from ? Math.floor(low / step + 1e-9) * step : Math.floor((low - air) / step) * step, high === from ? high + air : Math.ceil((high + air) / step) * step];
  }

  private build(data: uPlot.AlignedData): void {
    const { log, curves, warns } = this.definition;
    let common = '';
    const grid = { stroke: () => theme.colors.grid, width: 1 };
    const marks = { stroke: () => theme.colors.grid, size: 4, width: 1 };
    const room = (pixels: number, each: number) => Math.max(2, Math.floor(pixels / devicePixelRatio / each));
    this.chart = new uPlot({
      width: Math.max(this.frame.clientWidth, 60),
      height: Math.max(this.frame.clientHeight, 40),
      legend: { show: false },
      cursor: { show: false },
      padding: [5, 8, this.last ? 0 : 4, 0],
      scales: { x: { time: false, auto: false, range: () => this.range }, y: { distr: log ? 3 : 1, range: () => this.values } },
      axes: [
        {
          show: true, size: this.last ? 22 : 2, gap: 3, font, labelFont: font, stroke: () => theme.colors.faint, grid, ticks: this.last ? marks : { show: false },
          ...(this.last ? { label: 'simulated time t [s]', labelSize: 15, labelGap: 0 } : {}),
          splits: (u, _axis, min, max) => ticks(min, max, room(u.bbox.width, 64)),
          values: (_u, splits) => (this.last ? tickTexts(splits).texts.map((text, i) => text + (i === 0 ? tickTexts(splits).common : '')) : splits.map(() => '')),
        },
        {
          font, gap: 3, size: 50, stroke: () => theme.colors.faint, grid, ticks: marks,
          splits: (u, _axis, min, max) => (log ? logTicks : ticks)(min, max, room(u.bbox.height, 26)),
          filter: (_u, splits) => splits,
          values: (_u, splits) => {
            if (log) return splits.map((v) => (v >= 1e4 ? `${v / 1e3} k` : figure(v)));
            const { texts, common: shared } = tickTexts(splits);
            common = shared.trim();
            return texts;
          },
        },
      ],
      series: [
        {},
        ...curves.map((curve): uPlot.Series => ({ stroke: () => theme.colors.lines[curve.color]!, width: 1.5, points: { show: false } })),
        ...(warns ? [{ stroke: () => warning(), fill: () => `${warning()}55`, fillTo: 0, width: 2.5, points: { show: false } } as uPlot.Series] : []),
      ],
      hooks: {
        drawClear: [(u) => this.drawContact(u)],
        draw: [(u) => { this.drawLines(u); if (common) this.drawCommon(u, common); }],
      },
    }, data, this.frame);
  }

  /** While the contact touches, the plot is shaded. */
  private drawContact(u: uPlot): void {
    const { t, value } = this.store.trace('touching');
    const { ctx, bbox } = u;
    ctx.save();
    ctx.fillStyle = theme.mode === 'dark' ? '#ffffff14' : '#0067b012';
    for (let i = 0; i < t.length;) {
      if (value[i] !== 1) { i++; continue; }
      let k = i + 1;
      while (k < t.length && value[k] === 1) k++;
      const end = Math.min(t[k] ?? this.store.now?.t ?? 0, this.range[1]);
      const begin = Math.max(t[i]!, this.range[0]);
      if (end > begin) {
        const [a, b] = [u.valToPos(begin, 'x', true), u.valToPos(end, 'x', true)];
        ctx.fillRect(a, bbox.top, Math.max(b - a, 1), bbox.height);
      }
      i = k;
    }
    ctx.restore();
  }

  private drawLines(u: uPlot): void {
    const { ctx, bbox } = u;
    const px = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${11 * px}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    for (const { value: level, label, kind } of this.definition.lines) {
      const value = this.unit[1] * level;
      if (value < this.values[0] || value > this.values[1]) continue;
      const y = Math.round(u.valToPos(value, 'y', true)) + 0.5;
      ctx.strokeStyle = kind === 'limit' ? warning() : theme.colors.text;
      ctx.lineWidth = px;
      ctx.setLineDash(kind === 'limit' ? [5 * px, 4 * px] : []);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      if (!label) continue;
      const above = y - bbox.top > 15 * px;
      ctx.textBaseline = above ? 'bottom' : 'top';
      const wide = ctx.measureText(label).width;
      ctx.fillStyle = theme.colors.background;
      ctx.globalAlpha = 0.75;
      ctx.fillRect(bbox.left + 3 * px, above ? y - 14 * px : y + px, wide + 4 * px, 13 * px);
      ctx.globalAlpha = 1;
      ctx.fillStyle = kind === 'limit' ? warning() : theme.colors.faint;
      ctx.fillText(label, bbox.left + 5 * px, above ? y - px : y + 2 * px);
    }
    ctx.restore();
  }

  /** What the labels of the axis have in common. */
  private drawCommon(u: uPlot, text: string): void {
    const { ctx, bbox } = u;
    const px = devicePixelRatio;
    ctx.save();
    ctx.font = `${11 * px}px system-ui, sans-serif`;
    ctx.textBaseline = 'top';
    ctx.textAlign = 'right';
    ctx.fillStyle = theme.colors.faint;
    ctx.fillText(text, bbox.left + bbox.width - 4 * px, bbox.top + 2 * px);
    ctx.restore();
  }

  private paint(): void {
    this.element.querySelectorAll<HTMLElement>('.swatch').forEach((swatch, i) => { swatch.style.background = theme.colors.lines[this.definition.curves[i]!.color]!; });
  }

  private fit(): void {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (!this.chart || width < 40 || height < 30 || (width === this.chart.width && height === this.chart.height)) return;
    this.chart.setSize({ width, height });
  }
}

/** The warning colour of style.css, for canvases. */
const warning = () => (theme.mode === 'dark' ? '#f0b84c' : '#8a5700');
