// SPDX-License-Identifier: Apache-2.0
// One plot. It is a titled, empty frame until it comes into view, and becomes one again when it
// leaves: a run may have 300 channels, a screen shows a dozen.
import uPlot from 'uplot';
import { type Curve, type Signal, align, extent, padded, readCurves, reading } from './curves';
import { type Comparison, deviationTable } from './comparison';
import type { Block, Run } from './data';
import { el } from './dom';
import { csv, savePng, saveText, svgPlot } from './export';
import type { Player } from './player';
import { theme } from './theme';
import { figure, logTicks, tickTexts, ticks } from './ticks';
import type { View } from './view';

const font = '11px system-ui, sans-serif';

export class Plot {
  readonly element: HTMLElement;
  private readonly frame = el('div', { class: 'frame' });
  private readonly legend = el('div', { class: 'legend' });
  private readonly notes = el('p', { class: 'notes' });
  private readonly nowLine = el('div', { class: 'now-line' });
  private readonly hoverLine = el('div', { class: 'hover-line' });
  private readonly readings: HTMLElement[] = [];
  private curves: Curve[] = [];
  private shown: boolean[] = []; // outlives the drawing
  private chart: uPlot | null = null;
  private built = false;
  private readonly resized = new ResizeObserver(() => this.fit());

  constructor(
    readonly signal: Signal,
    private readonly runs: readonly Run[],
    private readonly block: Block,
    private readonly player: Player,
    private readonly view: View,
    private readonly comparison: Comparison,
  ) {
    const { owner, quantity, unit, frame, description } = signal;
    const action = (text: string, title: string, run: () => void) =>
      el('button', { type: 'button', title: `${title} of ${signal.name}`, onclick: run }, text);
    this.element = el('figure', { class: 'plot', 'data-channel': signal.name },
      el('figcaption', {},
        el('h4', {},
          el('span', { class: 'owner' }, owner === 'run' ? '' : `${owner}.`), quantity,
          el('span', { class: 'unit' }, ` [${unit || '-'}]`),
          frame ? el('span', { class: 'unit', title: 'frame of the components' }, ` in ${frame}`) : null),
        el('div', { class: 'exports' },
          action('CSV', 'Table', () => saveText(`${signal.name}.csv`, 'text/csv', csv(this.picture()))),
          action('PNG', 'Picture', () => savePng(`${signal.name}.png`, this.picture())),
          action('SVG', 'Drawing', () => saveText(`${signal.name}.svg`, 'image/svg+xml', svgPlot(this.picture()))))),
      el('p', { class: 'description' }, description),
      this.frame, this.legend, deviationTable(signal, player), this.notes);
  }

  get isBuilt(): boolean {
    return this.built;
  }

  build(): void {
    if (this.built) return;
    this.built = true;
    const { curves, notes } = readCurves(this.comparison.pick(this.signal), this.block);
    this.curves = curves;
    if (this.shown.length !== curves.length) this.shown = curves.map(() => true);
    this.buildLegend();
    const drawable = curves.some((c) => c.y.some((v) => !Number.isNaN(v)));
    if (!drawable) this.frame.append(el('p', { class: 'nothing' }, curves.length > 0 || !this.comparison.difference ? 'Nothing to draw.' : 'Only one of the runs has this channel.'));
    else this.buildChart();
    this.notes.textContent = notes.join(' ');
    this.resized.observe(this.frame);
    this.read();
  }

  destroy(): void {
    if (!this.built) return;
    this.built = false;
    this.resized.disconnect();
    this.chart?.destroy();
    this.chart = null;
    this.curves = [];
    this.frame.replaceChildren();
  }

  /** Overlay and difference have other curves. */
  rebuild(): void {
    this.destroy();
    this.shown = [];
    this.build();
  }

  /** Follows the clock and the mouse: moves two lines, redraws nothing. */
  moveNow(): void {
    this.moveLine(this.nowLine, this.player.now);
  }

  moveHover(): void {
    this.moveLine(this.hoverLine, this.view.hover);
  }

  /** Figures of the legend, at the mouse or else at the playback time. */
  read(): void {
    const t = this.view.hover ?? this.player.now;
    this.readings.forEach((node, i) => {
      const text = figure(this.curves[i] && reading(this.curves[i], t));
      if (node.textContent !== text) node.textContent = text;
    });
  }

  rezoom(): void {
    const [min, max] = this.view.range;
    this.chart?.setScale('x', { min, max });
  }

  recolor(): void {
    if (!this.built) return;
    this.chart?.redraw(false);
    this.paintKeys();
  }

  private get visible(): Curve[] {
    return this.curves.filter((_, i) => this.shown[i]);
  }

  /** What the plot shows, for the exports, which work before it is drawn too. */
  private picture() {
    const signal = this.comparison.pick(this.signal);
    const curves = this.built ? this.visible : readCurves(signal, this.block).curves;
    return { signal, curves, range: this.view.range };
  }

  private buildChart(): void {
    const { view } = this;
    const signal = this.comparison.pick(this.signal);
    const unit = `${this.comparison.difference ? 'Δ ' : ''}[${signal.unit || '-'}]`;
    // uPlot labels no axis beyond 17 digits: a run that diverged, or a residual of 1e-20, is drawn in
    // other units and labelled in its own.
    const whole = extent(this.curves, -Infinity, Infinity) ?? [0, 1];
    const size = Math.max(Math.abs(whole[0]), Math.abs(whole[1]));
    const power = !signal.log && (size > 1e12 || (size > 0 && size < 1e-12)) ? Math.floor(Math.log10(size)) : 0;
    const factor = 10 ** Math.max(power, -300);
    // What the tick labels of an axis have in common stands beside its unit.
    let commonX = '';
    let commonY = '';
    const room = (pixels: number, each: number) => Math.max(2, Math.floor(pixels / each));
    const options: uPlot.Options = {
      width: Math.max(this.frame.clientWidth, 100),
      height: this.frame.clientHeight || 180,
      legend: { show: false },
      padding: [6, 10, 0, 0],
      cursor: {
        x: false, // the shared line shows it
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => { view.setZoom(null); return null; } },
      },
      scales: {
        x: { time: false, auto: false, range: () => [...view.range] },
        // The curve that is switched off must not stretch the axis, so the extent is found here.
        y: {
          distr: signal.log ? 3 : 1,
          range: () => {
            const found = extent(this.visible, ...view.range) ?? extent(this.curves, -Infinity, Infinity);
            const [low, high] = padded(found ?? [signal.log ? 1 : 0, 1], signal.log);
            return [low / factor, high / factor];
          },
        },
      },
      axes: [
        {
          label: () => `t [s]${commonX}`, labelSize: 16, labelGap: 0, size: 24, gap: 3, font, labelFont: font,
          stroke: () => theme.colors.faint,
          grid: { stroke: () => theme.colors.grid, width: 1 },
          ticks: { stroke: () => theme.colors.grid, size: 4, width: 1 },
          splits: (u, _axis, min, max) => ticks(min, max, room(u.bbox.width / devicePixelRatio, 64)),
          values: (_u, splits) => {
            const { texts, common } = tickTexts(splits);
            commonX = common;
            return texts;
          },
        },
        {
          label: () => unit + commonY, labelSize: 16, labelGap: 2, gap: 3, font, labelFont: font,
          stroke: () => theme.colors.faint,
          grid: { stroke: () => theme.colors.grid, width: 1 },
          ticks: { stroke: () => theme.colors.grid, size: 4, width: 1 },
          size: (_u, values) => 12 + 6.2 * Math.max(3, ...(values ?? []).map((v) => v?.length ?? 0)),
          splits: (u, _axis, min, max) =>
            (signal.log ? logTicks : ticks)(min, max, room(u.bbox.height / devicePixelRatio, 32)),
          values: (_u, splits) => {
            if (signal.log) return splits.map(figure);
            const { texts, common } = tickTexts(splits.map((v) => v * factor));
            commonY = common;
            return texts;
          },
        },
      ],
      series: [
        {},
        ...this.curves.map((curve, i): uPlot.Series => ({
          label: curve.label,
          show: this.shown[i]!,
          stroke: () => lineColor(curve),
          width: 1.4,
          dash: [...curve.dash],
          points: { size: 4, space: 12 },
        })),
      ],
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const from = u.posToVal(u.select.left, 'x');
          const to = u.posToVal(u.select.left + u.select.width, 'x');
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          view.setZoom([from, to]);
        }],
        setCursor: [(u) => {
          const left = u.cursor.left ?? -1;
          view.setHover(left < 0 ? null : u.posToVal(left, 'x'));
        }],
        // uPlot lays out when it draws, not when it is asked to: only then do times have places.
        draw: [() => { this.moveNow(); this.moveHover(); }],
        // Events go through all plots, behind the curves.
        drawClear: [(u) => this.drawEvents(u)],
      },
    };
    const [time, ...columns] = align(this.curves);
    const scaled = factor === 1 ? columns : columns.map((c) => c.map((v) => (v === null || v === undefined ? v : v / factor)));
    this.nowLine.hidden = this.hoverLine.hidden = true;
    this.chart = new uPlot(options, [time, ...scaled] as uPlot.AlignedData, this.frame);
    this.chart.over.append(this.nowLine, this.hoverLine);
    this.listenForClicks(this.chart);
  }

  private drawEvents(u: uPlot): void {
    const [from, to] = this.view.range;
    const seen = this.runs[0]!.events.filter((e) => e.t >= from && e.t <= to);
    if (seen.length > 200) return;
    u.ctx.save();
    u.ctx.strokeStyle = theme.colors.event;
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const t of new Set(seen.map((e) => e.t))) {
      const x = Math.round(u.valToPos(t, 'x', true)) + 0.5;
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }

  /** A click that is not the beginning of a drag sets the time. */
  private listenForClicks(chart: uPlot): void {
    let pressedAt = NaN;
    chart.over.addEventListener('mousedown', (e) => { pressedAt = e.clientX; });
    chart.over.addEventListener('mouseup', (e) => {
      if (e.button !== 0 || Math.abs(e.clientX - pressedAt) > 3) return;
      this.player.set(chart.posToVal(e.clientX - chart.over.getBoundingClientRect().left, 'x'));
    });
  }

  private buildLegend(): void {
    this.readings.length = 0;
    this.legend.replaceChildren(...this.curves.map((curve, i) => {
      const value = el('span', { class: 'reading' });
      this.readings.push(value);
      const button = el('button', { type: 'button', 'aria-pressed': String(this.shown[i]), title: 'show or hide' },
        el('span', { class: 'key' }), curve.label, value);
      button.addEventListener('click', () => {
        this.shown[i] = !this.shown[i];
        button.setAttribute('aria-pressed', String(this.shown[i]));
        this.chart?.setSeries(i + 1, { show: this.shown[i]! });
      });
      return button;
    }));
    this.paintKeys();
  }

  private paintKeys(): void {
    this.legend.querySelectorAll<HTMLElement>('.key').forEach((key, i) => {
      const curve = this.curves[i];
      if (!curve) return;
      key.style.borderTopColor = lineColor(curve);
      key.style.borderTopStyle = curve.dash.length === 0 ? 'solid' : curve.dash[0]! > 3 ? 'dashed' : 'dotted';
    });
  }

  private moveLine(line: HTMLElement, t: number | null): void {
    const chart = this.chart;
    if (!chart) return;
    const [min, max] = this.view.range;
    const inside = t !== null && t >= min && t <= max;
    if (line.hidden === inside) line.hidden = !inside;
    // Whole pixels: a line that has not visibly moved must not make the browser paint.
    const place = inside ? `translateX(${Math.round(chart.valToPos(t, 'x'))}px)` : line.style.transform;
    if (line.style.transform !== place) line.style.transform = place;
  }

  private fit(): void {
    const width = this.frame.clientWidth;
    if (!this.chart || width < 50 || width === this.chart.width) return;
    this.chart.setSize({ width, height: this.chart.height });
  }
}

function lineColor(curve: Curve): string {
  const { lines } = theme.colors;
  return lines[curve.color % lines.length]!;
}
