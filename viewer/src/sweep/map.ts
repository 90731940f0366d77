// SPDX-License-Identifier: Apache-2.0
// The envelope: over two inputs, how many cases lie in each piece and how many of them ended as asked for.
import { el, menu } from '../dom';
import { saveText } from '../export';
import { theme } from '../theme';
import { figure } from '../ticks';
import { type Fill, shareFill, valueFill } from './colors';
import { type Column, label, percent, readingOrder, short, toCsv, varies, whole } from './data';
import { unitText } from './scatter';
import type { State } from './state';

const z2 = 1.96 ** 2; // draws that are added for the colour, half of them as asked for (Agresti and Coull)
const roomy = 10; // pieces that leave room for a second line

interface Piece { from: number; to: number; text: string; long: string }

export class EnvelopeMap {
  readonly element: HTMLElement;
  private readonly place = el('div', { class: 'map-place' });
  private readonly reading = el('p', { class: 'reading', 'aria-live': 'polite' });
  private of = 'good'; // what is counted: as expected, or a class; or "max3", the largest of a column
  private range = { low: 0, high: 1, log: false }; // of what is largest

  constructor(private readonly state: State) {
    const { classes, map_outputs: outputs } = state.sweep.head;
    const load = readingOrder(state.sweep.columns).find((c) => varies(c) && outputs.includes(state.sweep.columns.indexOf(c)));
    // Where all ended the same way, loads are what differs.
    if (classes.length === 1 && load) this.of = `max${state.sweep.columns.indexOf(load)}`;
    const choice = menu('In each piece', [['good', 'share as expected [%]'], ...classes.map((c, i) => [String(i), `share of ${c.name} [%]`] as const),
      ...outputs.map((i) => [`max${i}`, `largest ${label(state.sweep.columns[i]!)}`] as const)], this.of, (v) => { this.of = v; this.draw(); });
    this.element = el('section', { class: 'panel map', 'aria-labelledby': 'map-title' },
      el('h2', { id: 'map-title' }, 'Envelope', el('span', { class: 'count' }, `all ${whole(state.sweep.head.cases)} cases`)),
      el('div', { class: 'bar' }, el('label', {}, 'each piece ', choice),
        el('button', { type: 'button', title: 'Cases of every piece, as a table', onclick: () => this.save() }, 'CSV')),
      this.place, this.reading);
    state.subscribe((change) => { if (change === 'axes') this.draw(); else if (change === 'case') this.markCase(); });
    theme.subscribe(() => this.draw());
    this.draw();
  }

  private column(axis: 'x' | 'y'): Column {
    return this.state.column(this.state[axis])!;
  }

  /** Cases of a piece: all, those counted, and the interval where the program has one. */
  private count(ix: number, iy: number): { all: number; some: number; low: number; high: number; most: number } {
    const { map, turned } = this.state.map()!;
    const nx = pieces(this.state.column(map.x)!).length;
    const ny = pieces(this.state.column(map.y)!).length;
    const at = turned ? ix * nx + iy : iy * nx + ix;
    const cells = nx * ny;
    let all = 0;
    let some = 0;
    this.state.sweep.head.classes.forEach((c, k) => {
      const n = map.counts[k * cells + at]!;
      all += n;
      if (this.of === 'good' ? c.good : this.of === String(k)) some += n;
    });
    const output = this.state.sweep.head.map_outputs.findIndex((i) => this.of === `max${i}`);
    return { all, some, low: map.low[at]!, high: map.high[at]!, most: map.largest[output * cells + at] ?? NaN };
  }

  /** The column whose largest values are shown, if any. */
  private largestOf(): Column | null {
    return this.of.startsWith('max') ? this.state.column(Number(this.of.slice(3))) : null;
  }

  private findRange(): void {
    const column = this.largestOf();
    const output = this.state.sweep.head.map_outputs.findIndex((i) => this.of === `max${i}`);
    if (!column || output < 0) return;
    const { largest, counts } = this.state.map()!.map;
    const cells = counts.length / this.state.sweep.head.classes.length;
    const known = [...largest.slice(output * cells, (output + 1) * cells)].filter(Number.isFinite);
    this.range = { low: Math.min(...known), high: Math.max(...known), log: column.log ?? false };
  }

  private fillOf(value: number): Fill {
    const { low, high, log } = this.range;
    const of = log ? Math.log10 : (v: number) => v;
    const share = (of(value) - of(low)) / (of(high) - of(low) || 1);
    return Number.isFinite(share) ? valueFill(share) : { back: 'transparent', text: 'inherit' };
  }

  private draw(): void {
    this.reading.textContent = '';
    if (!this.state.map()) {
      this.place.replaceChildren(el('p', { class: 'nothing' }, 'The map is over two of the inputs: choose them as the axes of the scatter.'));
      return;
    }
    const x = this.column('x');
    const y = this.column('y');
    const xs = pieces(x);
    const ys = pieces(y);
    this.findRange();
    const dense = Math.max(xs.length, ys.length) > roomy;
    const body = el('tbody');
    for (let iy = ys.length - 1; iy >= 0; iy--) {
      const row = el('tr', {}, el('th', { scope: 'row', title: ys[iy]!.long }, iy % every(ys.length) === 0 && ys[iy]!.text));
      for (let ix = 0; ix < xs.length; ix++) row.append(this.cell(ix, iy, xs[ix]!, ys[iy]!, dense));
      body.append(row);
    }
    // As many labels as have room beside one another.
    const longest = Math.max(...xs.map((p) => p.text.length));
    const across = Math.max(every(xs.length), Math.ceil((xs.length * 7 * (longest + 1)) / Math.max(this.place.clientWidth - 60, 200)));
    const foot = el('tr', {}, el('td', { class: 'corner' }), ...xs.map((p, i) => el('th', { scope: 'col', title: p.long }, i % across === 0 && p.text)));
    const table = el('table', { class: dense ? 'cells dense' : 'cells', role: 'grid', 'aria-label': `Map over ${label(x)} across and ${label(y)} up` }, body, el('tfoot', {}, foot));
    table.addEventListener('keydown', (e) => this.move(e, table));
    table.addEventListener('pointerleave', () => { if (!table.contains(document.activeElement)) this.leave(); });
    table.addEventListener('focusout', () => this.leave());
    (table.querySelector('td.cell') as HTMLElement | null)?.setAttribute('tabindex', '0');
    this.place.replaceChildren(el('div', { class: 'up' }, label(y)), table, el('div', { class: 'across' }, label(x)));
    this.reading.textContent = hint;
    this.markCase();
  }

  private cell(ix: number, iy: number, px: Piece, py: Piece, dense: boolean): HTMLElement {
    const { all, some, low, high, most } = this.count(ix, iy);
    const cell = el('td', { class: 'cell', tabindex: -1, role: 'gridcell', 'data-x': ix, 'data-y': iy });
    const column = this.largestOf();
    if (all > 0) {
      const share = some / all;
      const good = this.of === 'good' || (this.state.sweep.head.classes[Number(this.of)]?.good ?? true);
      // Few draws say little and are pale: the colour is that of the share with two more draws of either kind.
      const middle = this.state.sweep.drawn ? (some + z2 / 2) / (all + z2) : share;
      const { back, text } = column ? this.fillOf(most) : shareFill(good ? middle : 1 - middle);
      cell.style.background = back;
      cell.style.color = text;
      cell.append(el('b', {}, column ? short(most) : roundShare(share)));
      if (!dense) cell.append(el('small', {}, whole(all)));
    } else {
      cell.classList.add('none');
      cell.append(el('b', {}, '·'));
    }
    const cases = `${whole(all)} case${all === 1 ? '' : 's'}`;
    const interval = this.of === 'good' && this.state.sweep.drawn ? ` (with 95 % confidence ${percent(low, 0.2)} … ${percent(high, 0.2)})` : '';
    const what = all === 0 ? 'no case' : column ? `largest ${column.short} ${figure(most)}${unitText(column.unit)} of ${cases}` : `${percent(some / all, 0.2)} of ${cases}${interval}`;
    const sentence = `${px.long}, ${py.long}: ${what}`;
    cell.setAttribute('aria-label', sentence);
    const show = () => {
      this.reading.textContent = sentence;
      this.state.setCell({ x: [px.from, px.to], y: [py.from, py.to] });
    };
    cell.addEventListener('pointerenter', show);
    cell.addEventListener('focus', show);
    return cell;
  }

  private leave(): void {
    this.reading.textContent = hint;
    this.state.setCell(null);
  }

  /** Arrow keys: one cell is in the tab order at a time. */
  private move(e: KeyboardEvent, table: HTMLElement): void {
    const way = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] } as const)[e.key as 'ArrowLeft'];
    const from = document.activeElement as HTMLElement | null;
    if (!way || !from?.classList.contains('cell')) return;
    e.preventDefault();
    const to = table.querySelector<HTMLElement>(`td[data-x="${Number(from.dataset.x) + way[0]}"][data-y="${Number(from.dataset.y) + way[1]}"]`);
    if (!to) return;
    from.setAttribute('tabindex', '-1');
    to.setAttribute('tabindex', '0');
    to.focus();
  }

  /** A frame around the piece the case in hand lies in. */
  private markCase(): void {
    this.place.querySelector('.cell.here')?.classList.remove('here');
    if (!this.state.map() || this.state.point < 0) return;
    const find = (axis: 'x' | 'y') => {
      const column = this.column(axis);
      const value = column.values[this.state.point]!;
      return pieces(column).findIndex((p) => value >= p.from && value <= p.to);
    };
    this.place.querySelector(`td[data-x="${find('x')}"][data-y="${find('y')}"]`)?.classList.add('here');
  }

  private save(): void {
    if (!this.state.map()) return;
    const x = this.column('x');
    const y = this.column('y');
    const { classes, map_outputs: outputs } = this.state.sweep.head;
    const { map, turned } = this.state.map()!;
    const nx = pieces(this.state.column(map.x)!).length;
    const cells = nx * pieces(this.state.column(map.y)!).length;
    const rows: (string | number)[][] = [];
    pieces(y).forEach((py, iy) => pieces(x).forEach((px, ix) => {
      const at = turned ? ix * nx + iy : iy * nx + ix;
      rows.push([px.from, px.to, py.from, py.to, ...classes.map((_, k) => map.counts[k * cells + at]!), ...outputs.map((_, k) => Number(map.largest[k * cells + at]!.toPrecision(7)))]);
    }));
    const name = (c: Column) => label({ short: c.name, unit: c.unit });
    saveText(`${this.state.sweep.head.stem}_map.csv`, 'text/csv',
      toCsv([`${name(x)} from`, 'to', `${name(y)} from`, 'to', ...classes.map((c) => `${c.name} (${c.good ? '' : 'not '}as expected)`), ...outputs.map((i) => `largest ${name(this.state.column(i)!)}`)], rows));
  }
}

const every = (count: number) => Math.ceil(count / 12); // of so many pieces one has its label

/** Whole percents; 0 and 100 are none and all. */
const roundShare = (share: number) => (share > 0.995 && share < 1 ? '>99' : share > 0 && share < 0.005 ? '<1' : (100 * share).toFixed(0));

const hint = 'Below each figure the number of cases. The frame is the piece of the case in hand.';

/** The pieces of an input: intervals, the outer ones open; or single values, each with its surroundings. */
export function pieces(column: Column): Piece[] {
  const { edges, values } = column.axis ?? {};
  const unit = unitText(column.unit);
  const short = (v: number) => figure(Number(v.toPrecision(3)));
  if (values) {
    return values.map((v, i) => ({
      from: i > 0 ? (values[i - 1]! + v) / 2 : -Infinity, to: i + 1 < values.length ? (v + values[i + 1]!) / 2 : Infinity,
      text: short(v), long: `${column.short} ${figure(v)}${unit}`,
    }));
  }
  if (!edges) return [];
  return edges.slice(1).map((to, i) => {
    const from = edges[i]!;
    const last = i + 2 === edges.length;
    return {
      from: i > 0 ? from : -Infinity, to: last ? Infinity : to,
      text: short((from + to) / 2), long: `${column.short} ${short(from)} … ${short(to)}${unit}`,
    };
  });
}
