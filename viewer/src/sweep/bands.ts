// SPDX-License-Identifier: Apache-2.0
// Channels over time: percentiles of the cases that are still under way at each instant.
import 'uplot/dist/uPlot.min.css';
import uPlot from 'uplot';
import { el } from '../dom';
import { saveText } from '../export';
import { theme } from '../theme';
import { figure, tickTexts, ticks, timeText } from '../ticks';
import { components } from './colors';
import { type Band, bandKeys, short, toCsv, whole } from './data';
import { unitText } from './scatter';
import type { State } from './state';

const font = '11px system-ui, sans-serif';

export function buildBands(state: State): HTMLElement | null {
  const { bands } = state.sweep;
  if (bands.length === 0) return null;
  return el('section', { class: 'panel', 'aria-labelledby': 'bands-title' },
    el('h2', { id: 'bands-title' }, 'Over time', el('span', { class: 'count' }, 'of the cases still under way: median, bands of 25 … 75 % and 5 … 95 %, thin lines at the least and the largest; readings at the pointer, or by arrow keys')),
    el('div', { class: 'band-plots' }, ...bands.map((band) => new BandPlot(state, band).element)));
}

class BandPlot {
  readonly element: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly reading = el('p', { class: 'reading', 'aria-live': 'polite' });
  private chart: uPlot | null = null;
  private at = -1; // instant in hand

  constructor(private readonly state: State, private readonly band: Band) {
    const last = lastKnown(band);
    this.frame = el('div', {
      class: 'band-frame', tabindex: 0, role: 'application',
      'aria-label': `Percentiles of ${band.name} over time. Arrow keys read them. ${last < 0 ? '' : this.text(last)}`,
    });
    const save = () => saveText(`${state.sweep.head.stem}_${band.name}.csv`, 'text/csv', toCsv(['t [s]', 'cases under way', ...bandKeys.map((key) => `${key} [${band.unit || '-'}]`)],
      [...band.t].map((t, i) => [Number(t.toPrecision(7)), band.count[i]!, ...bandKeys.map((key) => Number(band[key][i]!.toPrecision(7)))])));
    this.element = el('figure', { class: 'band' },
      el('figcaption', { title: band.description }, el('b', {}, band.name), el('span', { class: 'count' }, band.description),
        el('button', { type: 'button', title: `Percentiles of ${band.name}, as a table`, onclick: save }, 'CSV')),
      this.frame, this.reading);
    new ResizeObserver(() => this.fit()).observe(this.frame);
    theme.subscribe(() => this.chart?.redraw());
    this.frame.addEventListener('keydown', (e) => this.move(e));
    this.frame.addEventListener('blur', () => this.read(-1));
  }

  private fit(): void {
    const width = this.frame.clientWidth;
    if (width < 80) return;
    if (!this.chart) this.build(width);
    else if (width !== this.chart.width) this.chart.setSize({ width, height: this.chart.height });
  }

  private build(width: number): void {
    const { band } = this;
    const numbers = (list: Float64Array) => [...list].map((v) => (Number.isFinite(v) ? v : null));
    const line = (thickness: number, color: () => string): uPlot.Series => ({ stroke: color, width: thickness, points: { show: false } });
    const thin = () => line(0.7, () => theme.colors.faint);
    const none = () => line(0, () => 'transparent');
    let common = '';
    let commonTime = '';
    const axis = { font, labelFont: font, stroke: () => theme.colors.faint, grid: { stroke: () => theme.colors.grid, width: 1 }, ticks: { stroke: () => theme.colors.grid, size: 4, width: 1 } };
    const room = (pixels: number, each: number) => Math.max(2, Math.floor(pixels / devicePixelRatio / each));
    this.chart = new uPlot({
      width, height: 210, legend: { show: false }, padding: [8, 12, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [
        { ...axis, label: () => `t [s]${commonTime}`, labelSize: 16, labelGap: 0, size: 24, gap: 3,
          splits: (u, _axis, min, max) => ticks(min, max, room(u.bbox.width, 48)),
          values: (_u, splits) => { const { texts, common: c } = tickTexts(splits); commonTime = c; return texts; } },
        { ...axis, label: () => `${band.name.split('.').at(-1)} [${band.unit || '-'}]${common}`, labelSize: 16, labelGap: 2, gap: 3,
          size: (_u, texts) => 12 + 6.2 * Math.max(3, ...(texts ?? []).map((t) => t?.length ?? 0)),
          splits: (u, _axis, min, max) => ticks(min, max, room(u.bbox.height, 32)),
          values: (_u, splits) => { const { texts, common: c } = tickTexts(splits); common = c; return texts; } },
      ],
      // In the order of bandKeys: low, p05, p25, p50, p75, p95, high.
      series: [{}, thin(), none(), none(), line(1.8, () => theme.colors.lines[0]!), none(), none(), thin()],
      bands: [{ series: [6, 2], fill: () => wash(0.16) }, { series: [5, 3], fill: () => wash(0.32) }],
      hooks: { setCursor: [(u) => this.read(u.cursor.left === undefined || u.cursor.left < 0 ? -1 : u.cursor.idx ?? -1)] },
    }, [[...band.t], ...bandKeys.map((key) => numbers(band[key]))] as uPlot.AlignedData, this.frame);
  }

  private move(e: KeyboardEvent): void {
    const step = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[e.key as 'ArrowLeft'];
    if (!step || !this.chart || e.ctrlKey || e.altKey || e.metaKey) return;
    e.preventDefault();
    const { t } = this.band;
    const next = this.at < 0 ? (step > 0 ? 0 : t.length - 1) : Math.min(Math.max(this.at + step * (e.shiftKey ? 10 : 1), 0), t.length - 1);
    this.chart.setCursor({ left: this.chart.valToPos(t[next]!, 'x'), top: 0 });
    this.read(next);
  }

  private read(i: number): void {
    this.at = i;
    this.reading.textContent = i < 0 ? '' : this.text(i);
  }

  private text(i: number): string {
    const { band } = this;
    const span = band.t[band.t.length - 1]! - band.t[0]!;
    const way = `${whole(band.count[i]!)} of ${whole(this.state.sweep.head.cases)} cases under way`;
    const time = `t ${timeText(band.t[i]!, 10 * span)} s`;
    if (!Number.isFinite(band.p50[i])) return `${time}: ${way}.`;
    const range = (a: number | undefined, b: number | undefined) => `${short(a)} … ${short(b)}`;
    return `${time}: median ${figure(Number(band.p50[i]!.toPrecision(4)))}${unitText(band.unit)}; 25 … 75 % ${range(band.p25[i], band.p75[i])}; 5 … 95 % ${range(band.p05[i], band.p95[i])}; all ${range(band.low[i], band.high[i])}; ${way}.`;
  }
}

/** The colour of the median, thinned. */
function wash(alpha: number): string {
  const [r, g, b] = components(theme.colors.lines[0]!);
  return `rgba(${r}, ${g}, ${b}, ${theme.mode === 'dark' ? 1.3 * alpha : alpha})`;
}

/** The last instant at which a case is under way. */
function lastKnown(band: Band): number {
  for (let i = band.t.length - 1; i >= 0; i--) if (Number.isFinite(band.p50[i])) return i;
  return -1;
}
