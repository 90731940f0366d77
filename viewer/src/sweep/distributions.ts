// SPDX-License-Identifier: Apache-2.0
// What came out, column by column: a histogram of all cases, coloured by how they ended, above a strip of
// quantiles on the same scale. Of inputs, how often all was as expected over their range.
import { el, svg } from '../dom';
import { saveText } from '../export';
import { theme } from '../theme';
import { figure } from '../ticks';
import { styles } from './colors';
import { type Column, type Statistics, label, percent, readingOrder, short, toCsv, varies, whole } from './data';
import { pieces } from './map';
import { unitText } from './scatter';
import type { State } from './state';
import type { Interval, OutputAnswer } from './study';

const width = 300;
const height = 62;
const strip = 16;

export function buildOutputs(state: State): HTMLElement {
  const outputs = readingOrder(state.sweep.columns).filter((c) => !c.text);
  const same = outputs.filter((c) => !varies(c) && c.statistics!.count > 0);
  const list = el('div', { class: 'distributions' });
  const draw = () => list.replaceChildren(...outputs.filter((c) => !same.includes(c)).map((c) => outputCard(state, c)));
  theme.subscribe(draw);
  draw();
  const save = () => saveText(`${state.sweep.head.stem}_quantiles.csv`, 'text/csv', toCsv(['column', 'unit', ...quantiles.map(([, name]) => name), 'count', 'case of largest'],
    outputs.map((c) => [c.name, c.unit, ...quantiles.map(([key]) => c.statistics?.[key] ?? NaN), c.statistics?.count ?? 0, c.statistics?.max_case ?? NaN])));
  return el('section', { class: 'panel', 'aria-labelledby': 'outputs-title' },
    el('h2', { id: 'outputs-title' }, 'Loads and other outputs', el('span', { class: 'count' }, `all ${whole(state.sweep.head.cases)} cases${state.sweep.search ? ' of the search' : ''}: histogram; strip from least to largest, box 5 … 95 %, dark 25 … 75 %, line at the median${state.sweep.head.answers ? '; below percentiles their 95 % intervals' : ''}`)),
    outputs.length > 0
      ? el('div', {}, list, same.length > 0 && el('p', { class: 'same' }, `The same in all cases: ${same.map((c) => `${c.short} ${figure(c.statistics!.min)}${unitText(c.unit)}`).join(', ')}.`), el('div', { class: 'bar' }, el('button', { type: 'button', title: 'The quantiles, as a table', onclick: save }, 'CSV of quantiles')))
      : el('p', { class: 'nothing' }, 'Nothing was collected: berth sweep --collect says what.'));
}

const quantiles = [['min', 'least'], ['p05', '5 %'], ['p25', '25 %'], ['median', 'median'], ['mean', 'mean'], ['p75', '75 %'], ['p95', '95 %'], ['p99', '99 %'], ['max', 'largest']] as const;

function outputCard(state: State, column: Column): HTMLElement {
  const s: Statistics = column.statistics ?? { count: 0 };
  const missing = state.sweep.head.cases - s.count;
  const answer = state.sweep.head.answers?.outputs[column.name];
  const caseButton = (number: number | undefined) => number !== undefined && el('button', {
    type: 'button', class: 'link', title: `Case ${number}`, onclick: () => state.select(state.find(number)),
  }, `case ${number}`);
  return el('figure', { class: 'distribution' },
    el('figcaption', { title: column.description }, el('b', {}, label(column))),
    s.count > 0 && histogram(state, column, true),
    s.count > 0
      ? el('dl', { class: 'quantiles' }, ...([['median', s.median, answer?.p50], ['95 %', s.p95, answer?.p95], ['99 %', s.p99, answer?.p99]] as const).map(([name, v, interval]) => el('div', {}, el('dt', {}, name), el('dd', {}, short(interval?.value ?? v)), interval && intervalOf(interval))),
        el('div', {}, el('dt', {}, 'largest'), el('dd', {}, short(s.max)), el('dd', {}, caseButton(s.max_case))))
      : el('p', { class: 'nothing' }, 'No case has a number here.'),
    answer && s.count > 0 && boundText(answer, s.count, column),
    s.count > 0 && missing > 0 && el('p', { class: 'notes' }, `${whole(missing)} cases have no number here`));
}

/** Of a percentile; an end beyond all cases is not known. */
function intervalOf({ low, high }: Interval): HTMLElement {
  const text = low === null && high === null ? 'too few cases' : low === null ? `below ${short(high!)}` : high === null ? `above ${short(low)}` : `${short(low)} … ${short(high)}`;
  return el('dd', { class: 'percentile-interval', title: '95 % interval' }, text);
}

const tolerance = 299; // cases at least: 0.99²⁹⁹ < 5 %

/** Where 99 % of all cases lie below (Wilks). */
function boundText({ p99_95: bound }: OutputAnswer, count: number, column: Column): HTMLElement | null {
  if (bound !== null && bound !== undefined) return el('p', { class: 'bound' }, `99 % below ${figure(Number(bound.toPrecision(4)))}${unitText(column.unit)} with 95 % confidence`);
  return count < tolerance ? el('p', { class: 'bound count' }, `99 % with 95 % confidence takes ${tolerance} cases`) : null;
}

/** Bars stacked by class; below them, where asked for, the strip of quantiles. */
function histogram(state: State, column: Column, withStrip: boolean): SVGElement {
  const edges = column.edges ?? [];
  const n = Math.max(edges.length - 1, 1);
  const { classes } = state.sweep.head;
  const list = styles(classes);
  const totals = Array.from({ length: n }, (_, i) => classes.reduce((sum, _c, k) => sum + column.bins[k * n + i]!, 0));
  const most = Math.max(...totals, 1);
  const of = column.log ? Math.log10 : (v: number) => v;
  const low = of(edges[0]!);
  const high = of(edges[n]!);
  const px = (v: number) => 4 + ((of(v) - low) / (high - low || 1)) * (width - 8);
  const top = 4;
  const bottom = height;
  const total = bottom + (withStrip ? strip : 0) + 14;
  const s = column.statistics!;
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${total}`, class: 'histogram', role: 'img',
    'aria-label': `Histogram of ${label(column)}: least ${figure(s.min)}, median ${figure(s.median)}, 95 % below ${figure(s.p95)}, largest ${figure(s.max)}`,
  });
  for (let i = 0; i < n; i++) {
    let y = bottom;
    const x0 = px(edges[i]!);
    const x1 = px(edges[i + 1]!);
    classes.forEach((_c, k) => {
      const count = column.bins[k * n + i]!;
      if (count === 0) return;
      const h = (count / most) * (bottom - top);
      y -= h;
      picture.append(svg('rect', { x: x0, y, width: Math.max(x1 - x0 - 0.6, 0.6), height: h, fill: list[k]!.color }));
    });
    const words = classes.map((c, k) => `${whole(column.bins[k * n + i]!)} ${c.name}`).join(', ');
    picture.append(svg('rect', { x: x0, y: top, width: Math.max(x1 - x0, 1), height: bottom - top, fill: 'transparent' },
      svg('title', {}, `${figure(edges[i])} … ${figure(edges[i + 1])}: ${words}`)));
  }
  picture.append(svg('line', { x1: 2, x2: width - 2, y1: bottom + 0.5, y2: bottom + 0.5, class: 'rule' }));
  if (withStrip) {
    const y = bottom + strip / 2 + 2;
    const bar = (a: number, b: number, h: number, kind: string) => svg('rect', { x: px(a), y: y - h / 2, width: Math.max(px(b) - px(a), 1), height: h, class: kind });
    picture.append(
      svg('line', { x1: px(s.min!), x2: px(s.max!), y1: y, y2: y, class: 'whisker' }),
      bar(s.p05!, s.p95!, 8, 'most'), bar(s.p25!, s.p75!, 8, 'half'),
      svg('line', { x1: px(s.median!), x2: px(s.median!), y1: y - 6, y2: y + 6, class: 'median' }),
      svg('line', { x1: px(s.p99!), x2: px(s.p99!), y1: y - 4, y2: y + 4, class: 'whisker' }));
  }
  picture.append(
    svg('text', { x: 2, y: total - 2 }, figure(edges[0])),
    svg('text', { x: width - 2, y: total - 2, 'text-anchor': 'end' }, figure(edges[n])),
    svg('text', { x: width / 2, y: total - 2, 'text-anchor': 'middle' }, column.log ? 'logarithmic' : ''));
  return picture;
}

export function buildInputs(state: State): HTMLElement {
  const inputs = state.sweep.columns.filter((c) => c.role === 'input').sort((a, b) => (b.effect ?? 0) - (a.effect ?? 0));
  const list = el('div', { class: 'distributions' });
  const draw = () => list.replaceChildren(...inputs.map((c) => inputCard(state, c)));
  theme.subscribe(draw);
  draw();
  const { prefix } = state.sweep;
  return el('section', { class: 'panel', 'aria-labelledby': 'inputs-title' },
    el('h2', { id: 'inputs-title' }, 'Inputs', el('span', { class: 'count' }, `${prefix && `of ${prefix.slice(0, -1)}; `}${state.sweep.search ? 'share of the cases of the search as expected [%] over the range of each' : 'share as expected [%] over the range of each, its 95 % intervals'}, and in grey the number of cases${state.sweep.search ? '' : '; those with most effect first'}`)),
    list);
}

function inputCard(state: State, column: Column): HTMLElement {
  const effect = 100 * (column.effect ?? 0);
  return el('figure', { class: 'distribution' },
    el('figcaption', { title: `${column.name}: ${column.description}` }, el('b', {}, label(column)),
      el('span', { class: 'count' }, (column.vary ?? '').slice(column.name.length + 1))),
    column.shares && sharePlot(state, column),
    column.shares && !state.sweep.search && state.sweep.head.classes.some((c) => c.good) && state.sweep.head.classes.some((c) => !c.good) && el('p', { class: 'effect', title: 'Correlation ratio: share of the variance of “as expected” between the pieces of this input' },
      `explains ${effect < 0.1 ? '< 0.1' : effect.toPrecision(2)} % alone`),
    column.text && el('p', { class: 'nothing' }, `${column.labels?.length ?? 0} texts`));
}

function sharePlot(state: State, column: Column): SVGElement {
  const list = pieces(column);
  const shares = column.shares!;
  const total = height + 14;
  const px = (i: number) => 26 + ((i + 0.5) / list.length) * (width - 30);
  const py = (share: number) => 6 + (1 - share) * (height - 12);
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${total}`, class: 'histogram', role: 'img',
    'aria-label': `As expected over ${label(column)}: ${list.map((p, i) => `${p.text}: ${percent(shares[i]!.fraction, 0.2)}`).join(', ')}`,
  });
  for (const share of [0, 0.5, 1]) {
    picture.append(
      svg('line', { x1: 26, x2: width - 4, y1: py(share), y2: py(share), class: 'rule' }),
      svg('text', { x: 22, y: py(share) + 3, 'text-anchor': 'end' }, String(100 * share)));
  }
  const most = Math.max(...shares.map((s) => s.count), 1);
  const step = (width - 30) / list.length;
  let path = '';
  list.forEach((p, i) => {
    const s = shares[i]!;
    // Behind it, how many cases lie there.
    const h = (s.count / most) * (height - 12);
    picture.append(svg('rect', { x: px(i) - 0.45 * step, y: py(0) - h, width: 0.9 * step, height: h, class: 'cases' }));
    if (s.count === 0) return;
    path += `${path ? 'L' : 'M'}${px(i)} ${py(s.fraction)}`;
    if (state.sweep.drawn) picture.append(svg('line', { x1: px(i), x2: px(i), y1: py(s.low), y2: py(s.high), class: 'interval' }));
    picture.append(svg('circle', { cx: px(i), cy: py(s.fraction), r: 3, class: 'share' },
      svg('title', {}, `${p.long}: ${percent(s.fraction, 0.2)} of ${whole(s.count)} cases as expected${state.sweep.drawn ? ` (${percent(s.low, 0.2)} … ${percent(s.high, 0.2)})` : ''}`)));
  });
  picture.append(svg('path', { d: path || 'M0 0', class: 'curve' }),
    svg('text', { x: px(0), y: total - 2, 'text-anchor': 'middle' }, list[0]?.text ?? ''),
    svg('text', { x: px(list.length - 1), y: total - 2, 'text-anchor': 'end' }, list.at(-1)?.text ?? ''));
  return picture;
}
