// SPDX-License-Identifier: Apache-2.0
// One case: its inputs and outputs, how to run it again, its scene where it was run; and the worst of them.
import { button, el, menu, svg } from '../dom';
import { saveText } from '../export';
import { theme } from '../theme';
import { figure } from '../ticks';
import { styles } from './colors';
import { type Column, label, readingOrder, toCsv, varies, whole } from './data';
import { unitText } from './scatter';
import type { State } from './state';

/** A small picture of a class's mark, for words beside it. */
export function chip(state: State, k: number): HTMLElement {
  const style = styles(state.sweep.head.classes)[k]!;
  const shapes = {
    dot: 'M6 2a4 4 0 1 0 .01 0z', square: 'M2 2h8v8h-8z', triangle: 'M6 1l5 9h-10z', diamond: 'M6 1l5 5-5 5-5-5z',
    cross: 'M2 2l8 8M10 2l-8 8', plus: 'M6 1v10M1 6h10',
  };
  const line = style.mark === 'cross' || style.mark === 'plus';
  return el('span', { class: 'chip' }, svg('svg', { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': 'true' },
    svg('path', { d: shapes[style.mark], fill: line ? 'none' : style.color, stroke: line ? style.color : 'none', 'stroke-width': 2.4 })));
}

/** A name that may break after its dots and underscores. */
export const breakable = (name: string): (Node | string)[] => name.split(/(?<=[._])/).flatMap((part) => [part, el('wbr')]);

export const pageName = (state: State, number: number): string => `${state.sweep.head.stem}_case${number}.html`;
export const pageAddress = (state: State, number: number): string => `./${encodeURIComponent(pageName(state, number))}`;

export class CasePanel {
  readonly element: HTMLElement;
  private readonly body = el('div', { class: 'case-body' });
  private readonly said = el('p', { class: 'said', role: 'status' });
  private readonly field: HTMLInputElement;

  constructor(private readonly state: State) {
    const { head } = state.sweep;
    this.field = el('input', { type: 'number', min: 0, max: head.cases - 1, step: 1, inputmode: 'numeric', 'aria-label': `Number of the case, 0 to ${head.cases - 1}` });
    this.field.addEventListener('change', () => this.go(Number(this.field.value)));
    this.element = el('section', { class: 'panel case', 'aria-labelledby': 'case-title' },
      el('div', { class: 'case-head' }, el('h2', { id: 'case-title' }, 'Case'), this.field,
        button('‹', 'Previous case (P)', () => this.step(-1)), button('›', 'Next case (N)', () => this.step(1)),
        button('next failure', 'Next case that is not as expected (F)', () => this.nextFailure())),
      this.said, this.body);
    state.subscribe((change) => { if (change === 'case') this.draw(); });
    theme.subscribe(() => this.draw());
    document.addEventListener('keydown', (e) => {
      const inside = e.target as HTMLElement;
      if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(inside.tagName)) return;
      const key = e.key.toLowerCase();
      if (key === 'n') this.step(1);
      else if (key === 'p') this.step(-1);
      else if (key === 'f') this.nextFailure();
    });
  }

  /** To a case by its number. */
  go(number: number): void {
    const { head } = this.state.sweep;
    const point = this.state.find(number);
    if (point >= 0) { this.state.select(point); return; }
    const exists = Number.isInteger(number) && number >= 0 && number < head.cases;
    this.said.textContent = exists
      ? `Case ${number} is not among the points of this page; it was as expected. Run it with: ${this.command(number)}`
      : `There is no such case: they are numbered 0 … ${head.cases - 1}.`;
    this.field.value = String(this.state.number);
  }

  private step(by: number): void {
    this.state.select(Math.min(Math.max(this.state.point + by, 0), this.state.sweep.numbers.length - 1));
  }

  private nextFailure(): void {
    const { classes, head } = this.state.sweep;
    const n = classes.length;
    for (let k = 1; k <= n; k++) {
      const i = (this.state.point + k + n) % n;
      if (!head.classes[classes[i]!]!.good) { this.state.select(i); return; }
    }
    this.said.textContent = 'All cases are as expected.';
  }

  private command(number: number): string {
    return `berth run --case ${number} ${this.state.sweep.head.shell_file}`;
  }

  private draw(): void {
    const { state } = this;
    const { sweep, point } = state;
    if (point < 0) return;
    const number = state.number;
    const k = sweep.classes[point]!;
    const c = sweep.head.classes[k]!;
    const message = sweep.messages(point);
    this.field.value = String(number);
    this.said.textContent = '';
    const command = this.command(number);
    const copied = el('span', { class: 'copied', role: 'status' });
    const copy = button('copy', 'Copy the command', () => {
      navigator.clipboard?.writeText(command).then(() => { copied.textContent = 'copied'; }, () => { copied.textContent = 'select it and copy'; });
    });
    const known = sweep.head.case_pages.includes(number);
    const rows = (role: Column['role']) => sweep.columns.filter((column) => column.role === role).map((column) => this.row(column, point));
    this.body.replaceChildren(
      el('p', { class: c.good ? 'ended good' : 'ended bad' }, chip(state, k), el('b', {}, c.name), el('span', { class: 'count' }, c.good ? 'as expected' : 'not as expected')),
      ...(message ? [el('p', { class: 'message' }, message)] : []),
      el('div', { class: 'command' }, el('code', {}, command), copy, copied),
      el('p', { class: 'page-link' }, el('a', { href: pageAddress(state, number) }, known ? 'Open its page' : pageName(state, number)), !known && el('span', { class: 'count' }, 'is there once that has been run')),
      el('table', { class: 'values' }, el('colgroup', {}, el('col'), el('col', { class: 'number' }), el('col', { class: 'where' })), el('tbody', {},
        el('tr', {}, el('th', { colspan: 3, class: 'group', scope: 'colgroup' }, 'Inputs')), ...rows('input'),
        el('tr', {}, el('th', { colspan: 3, class: 'group', scope: 'colgroup' }, 'Outputs')), ...rows('output'))));
  }

  /** A value, and where it lies between the least and the largest of all cases. */
  private row(column: Column, point: number): HTMLElement {
    const v = column.values[point]!;
    if (column.text) return el('tr', {}, el('th', { scope: 'row', title: column.name }, ...breakable(column.short)), el('td', { colspan: 2 }, column.labels?.[v] ?? '–'));
    const { min, max, p05, p95 } = column.statistics ?? {};
    const of = column.log ? Math.log10 : (x: number) => x;
    const at = (x: number) => 2 + (96 * (of(x) - of(min!))) / (of(max!) - of(min!) || 1);
    const gauge = svg('svg', { viewBox: '0 0 100 12', class: 'gauge', 'aria-hidden': 'true', preserveAspectRatio: 'none' });
    if (min !== undefined && max !== undefined && max > min && Number.isFinite(v)) {
      gauge.append(svg('line', { x1: 2, x2: 98, y1: 6, y2: 6, class: 'whisker' }),
        svg('rect', { x: at(p05!), y: 3, width: Math.max(at(p95!) - at(p05!), 1), height: 6, class: 'most' }),
        svg('rect', { x: at(v) - 1.5, y: 0, width: 3, height: 12, class: 'needle' }));
    }
    return el('tr', {}, el('th', { scope: 'row', title: `${column.name}: ${column.description}` }, ...breakable(column.short)),
      el('td', { class: 'number' }, figure(v) + unitText(column.unit)), el('td', { class: 'where' }, gauge));
  }
}

/** The scene of the case in hand, where its page lies beside this one. */
export function buildScene(state: State): HTMLElement {
  const place = el('section', { class: 'panel scene', hidden: true, 'aria-label': 'Scene of the case' });
  let shown = -1;
  const draw = () => {
    const { number } = state;
    const known = state.sweep.head.case_pages.includes(number);
    place.hidden = !known;
    if (!known || number === shown) return;
    shown = number;
    const show = el('button', { type: 'button', onclick: () => show.replaceWith(el('iframe', { src: pageAddress(state, number), title: `Page of case ${number}` })) }, `Show the scene of case ${number}`);
    place.replaceChildren(show);
  };
  state.subscribe((change) => { if (change === 'case') draw(); });
  return place;
}

export function buildWorst(state: State): HTMLElement {
  const { sweep } = state;
  const numeric = [...sweep.columns.keys()].filter((i) => !sweep.columns[i]!.text);
  const loads = readingOrder(sweep.columns).filter(varies);
  let by = loads.length > 0 ? sweep.columns.indexOf(loads[0]!) : numeric[0] ?? -1;
  let end: 'largest' | 'smallest' = 'largest';
  const table = el('table', { class: 'worst' });
  const inputs = sweep.columns.filter((c) => c.role === 'input' && !c.text);
  const list = () => (by < 0 ? [] : sweep.columns[by]![end] ?? []);
  const draw = () => {
    if (by < 0) { table.replaceChildren(); return; }
    const column = sweep.columns[by]!;
    const head = el('tr', {}, el('th', { scope: 'col' }, 'case'), el('th', { scope: 'col' }, label(column)), el('th', { scope: 'col' }, 'ended'),
      ...inputs.filter((c) => c !== column).map((c) => el('th', { scope: 'col', title: c.name }, label(c))));
    table.replaceChildren(el('thead', {}, head), el('tbody', {}, ...list().map((point) => {
      const k = sweep.classes[point]!;
      const number = sweep.numbers[point]!;
      const row = el('tr', { class: point === state.point ? 'here' : undefined, 'data-point': point },
        el('td', {}, el('button', { type: 'button', class: 'link', title: `Case ${number}` }, String(number)),
          sweep.head.case_pages.includes(number) && el('a', { href: pageAddress(state, number) }, 'scene')),
        el('td', { class: 'number' }, figure(column.values[point])),
        el('td', {}, chip(state, k), sweep.head.classes[k]!.name),
        ...inputs.filter((c) => c !== column).map((c) => el('td', { class: 'number' }, figure(c.values[point]))));
      row.addEventListener('click', (e) => { if (!(e.target instanceof HTMLAnchorElement)) state.select(point); });
      return row;
    })));
  };
  state.subscribe((change) => {
    if (change !== 'case') return;
    table.querySelector('tr.here')?.classList.remove('here');
    table.querySelector(`tr[data-point="${state.point}"]`)?.classList.add('here');
  });
  theme.subscribe(draw);
  draw();
  const save = () => saveText(`${sweep.head.stem}_worst.csv`, 'text/csv', toCsv(
    ['case', 'class', ...sweep.columns.filter((c) => !c.text).map((c) => label({ short: c.name, unit: c.unit }))],
    list().map((p) => [sweep.numbers[p]!, sweep.head.classes[sweep.classes[p]!]!.name, ...sweep.columns.filter((c) => !c.text).map((c) => c.values[p]!)])));
  return el('section', { class: 'panel', 'aria-labelledby': 'worst-title' },
    el('h2', { id: 'worst-title' }, 'Worst cases', el('span', { class: 'count' }, `of all ${whole(sweep.head.cases)}; a row opens its case`)),
    el('div', { class: 'bar' },
      el('label', {}, 'by ', menu('Worst by', numeric.map((i) => [String(i), label(sweep.columns[i]!)] as const), String(by), (v) => { by = Number(v); draw(); })),
      el('label', {}, menu('End', [['largest', 'largest'], ['smallest', 'smallest']], end, (v) => { end = v as typeof end; draw(); }), ' first'),
      el('button', { type: 'button', title: 'These cases, as a table', onclick: save }, 'CSV')),
    el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of the worst cases' }, table));
}
