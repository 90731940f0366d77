// SPDX-License-Identifier: Apache-2.0
// What an optimisation found: the best design beside the start, how it got there, and the front of two goals.
import { el, svg } from '../dom';
import { saveText } from '../export';
import { type Axes, chart, pathOf, rangeOf } from './chart';
import { breakable } from './cases';
import { short, toCsv, unitOf, whole } from './data';
import type { State } from './state';
import { type Design, type Optimum, type Point, isOptimum } from './study';

const known = (v: number | null | undefined): v is number => v !== null && v !== undefined && Number.isFinite(v);

export function buildOptimum(state: State): HTMLElement | null {
  const { study } = state.sweep.head;
  if (!isOptimum(study)) return null;
  const { goals, constraints, worst, samples } = study.optimise;
  const save = () => saveText(`${state.sweep.head.stem}_designs.csv`, 'text/csv', toCsv(
    [...study.optimise.inputs.map((i) => `${i.key} [${i.unit || '-'}]`), ...goals, 'violation', 'samples', 'on the front'],
    study.designs.map((d, k) => [...d.x, ...d.values.map((v) => v ?? NaN), d.violation ?? NaN, d.samples ?? NaN, study.front.includes(k) ? 1 : 0])));
  return el('section', { class: 'panel', 'aria-labelledby': 'optimum-title' },
    el('h2', { id: 'optimum-title' }, 'Best design', el('span', { class: 'count' },
      [goals.join('; '), constraints.length > 0 ? `where ${constraints.join(', ')}` : '', samples > 1 ? `the ${worst ? 'worst' : 'mean'} of ${whole(samples)} draws or more` : '', study.why ? `ended: ${study.why}` : ''].filter(Boolean).join(' · '))),
    el('div', { class: 'optimum' },
      el('div', {}, buildTable(state, study), el('div', { class: 'bar' }, el('button', { type: 'button', title: 'Every design that was tried, as a table', onclick: save }, 'CSV of designs'))),
      buildProgress(state, study), buildFront(state, study)));
}

/** Inputs, then goals: start, best, and for inputs where they lie in their range. */
function buildTable(state: State, study: Optimum): HTMLElement {
  const { inputs, goals } = study.optimise;
  const row = (name: string, unit: string, from: number | null | undefined, to: number | null | undefined, where: Node | null) => el('tr', {},
    el('th', { scope: 'row' }, ...breakable(name), unit && el('span', { class: 'count' }, ` [${unit}]`)),
    el('td', { class: 'number' }, short(from ?? undefined)), el('td', { class: 'number' }, el('b', {}, short(to ?? undefined))), el('td', { class: 'where' }, where));
  const nameOf = (key: string) => (key.startsWith(state.sweep.prefix) ? key.slice(state.sweep.prefix.length) : key);
  const met = (d: Design) => ((d.violation ?? 0) > 0 ? `missed by ${short(d.violation ?? 0)}` : 'met');
  return el('table', { class: 'values design' },
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'input'), el('th', { scope: 'col', class: 'number' }, 'start'), el('th', { scope: 'col', class: 'number' }, 'best'), el('th', { scope: 'col', class: 'where' }, 'in its range'))),
    el('tbody', {},
      ...inputs.map((input, j) => row(nameOf(input.key), input.unit === '-' ? '' : input.unit, study.start.x[j], study.best.x[j], rangeBar(input, study.start.x[j], study.best.x[j]))),
      ...goals.map((goal, j) => row(goal, unitOf(state.sweep.head, goal).trim(), study.start.values[j], study.best.values[j], null)),
      study.optimise.constraints.length > 0 && el('tr', {}, el('th', { scope: 'row' }, 'constraints'),
        el('td', { class: 'number' }, known(study.start.violation) ? met(study.start) : ''), el('td', { class: 'number' }, el('b', {}, met(study.best))), el('td', {}))));
}

function rangeBar({ low, high }: { low: number; high: number }, start: number | undefined, best: number | undefined): SVGElement {
  const at = (v: number) => 6 + (88 * (Math.min(Math.max(v, low), high) - low)) / (high - low || 1);
  return svg('svg', { viewBox: '0 0 100 26', class: 'range', role: 'img', 'aria-label': `from ${short(low)} to ${short(high)}` },
    svg('line', { x1: 6, x2: 94, y1: 8, y2: 8, class: 'whisker' }), svg('line', { x1: 6, x2: 6, y1: 4, y2: 12, class: 'whisker' }), svg('line', { x1: 94, x2: 94, y1: 4, y2: 12, class: 'whisker' }),
    start !== undefined && svg('circle', { cx: at(start), cy: 8, r: 4, class: 'from' }), best !== undefined && svg('circle', { cx: at(best), cy: 8, r: 4, class: 'share' }),
    svg('text', { x: 2, y: 24 }, short(low)), svg('text', { x: 98, y: 24, 'text-anchor': 'end' }, short(high)));
}

/** Best and median of each generation; a restart begins a new line. */
function buildProgress(state: State, study: Optimum): HTMLElement | null {
  const { history, optimise: { goals } } = study;
  const values = history.flatMap((h) => [h.best, h.median]).filter(known);
  if (history.length < 2 || values.length === 0) return null;
  const log = Math.min(...values) > 0 && Math.max(...values) > 100 * Math.min(...values);
  const unit = goals.length === 1 ? unitOf(state.sweep.head, goals[0]!).trim() : '';
  const what = goals.length === 1 ? goals[0]! : 'both goals as one (Chebyshev)';
  const runs = [...new Set(history.map((h) => h.run))];
  const last = history.at(-1)!;
  const picture = chart({
    name: `Progress: best ${short(history[0]!.best ?? undefined)} at first, ${short(last.best ?? undefined)} after ${whole(last.evaluations)} evaluations`, height: 260,
    x: { label: 'evaluations', low: 0, high: Math.max(...history.map((h) => h.evaluations)) }, y: { label: unit ? `${what} [${unit}]` : what, ...rangeOf(values, log), log },
    draw: ({ picture: p, x, y, top, bottom }) => {
      for (const run of runs) {
        const of = history.filter((h) => h.run === run);
        const line = (key: 'best' | 'median') => pathOf(of.filter((h) => known(h[key])).map((h): Point => [x(h.evaluations), y(h[key]!)])) || 'M0 0';
        if (run !== runs[0]) p.append(svg('line', { x1: x(of[0]!.evaluations), x2: x(of[0]!.evaluations), y1: top, y2: bottom, class: 'limit' }));
        p.append(svg('path', { d: line('median'), class: 'curve median-line' }), svg('path', { d: line('best'), class: 'curve best-line' }));
      }
    },
  });
  return el('figure', { class: 'distribution' }, el('figcaption', {}, el('b', {}, 'Progress'), el('span', { class: 'keys' }, key('best-line', 'best of a generation'), key('median-line', 'median'),
    runs.length > 1 && el('span', { class: 'count' }, `${runs.length - 1} restart${runs.length > 2 ? 's' : ''} at dashed lines`))), picture);
}

const key = (kind: string, text: string) => el('span', { class: 'line-key' }, svg('svg', { width: 24, height: 10, 'aria-hidden': 'true' }, svg('path', { d: 'M0 5H24', class: `curve ${kind}` })), text);

/** Designs over two goals; those that none beats in both are joined. */
function buildFront(state: State, study: Optimum): HTMLElement | null {
  const { goals } = study.optimise;
  if (goals.length !== 2) return null;
  const point = (d: Design | undefined): Point | null => (d && known(d.values[0]) && known(d.values[1]) ? [d.values[0], d.values[1]] : null);
  const front = study.front.map((k) => point(study.designs[k])).filter((p): p is Point => p !== null).sort((a, b) => a[0] - b[0]);
  const start = point(study.start);
  const best = point(study.best);
  const marked = [...front, ...(start ? [start] : []), ...(best ? [best] : [])];
  const all = study.designs.map((d) => ({ p: point(d), bad: (d.violation ?? 0) > 0 })).filter((d): d is { p: Point; bad: boolean } => d.p !== null);
  // The first designs may lie far off; the front decides what is shown.
  const range = (k: 0 | 1) => {
    const { low, high } = rangeOf((marked.length > 2 ? marked : all.map((d) => d.p)).map((p) => p[k]));
    return { low: low - 0.1 * (high - low), high: high + 0.1 * (high - low) };
  };
  const ranges = [range(0), range(1)] as const;
  const inside = all.filter(({ p }) => p.every((v, k) => v >= ranges[k as 0 | 1].low && v <= ranges[k as 0 | 1].high));
  const outside = all.length - inside.length;
  const axis = (k: 0 | 1) => ({ label: goals[k]! + (unitOf(state.sweep.head, goals[k]!) && ` [${unitOf(state.sweep.head, goals[k]!).trim()}]`), ...ranges[k] });
  const picture = chart({
    name: `Front of two goals, ${goals[0]} across and ${goals[1]} up: ${front.slice(0, 20).map((p) => `${short(p[0])} and ${short(p[1])}`).join(', ')}`, height: 300, x: axis(0), y: axis(1),
    draw: (axes) => drawFront(axes, inside, front, start, best),
  });
  return el('figure', { class: 'distribution' }, el('figcaption', {}, el('b', {}, 'Front of the two goals'),
    el('span', { class: 'count' }, `${whole(front.length)} of ${whole(study.designs.length)} designs are beaten by none in both; crosses miss a constraint${outside > 0 ? `; ${outside === 1 ? '1 lies' : `${whole(outside)} lie`} outside` : ''}`)), picture);
}

function drawFront({ picture, x, y, left, right }: Axes, designs: readonly { p: Point; bad: boolean }[], front: readonly Point[], start: Point | null, best: Point | null): void {
  // One path each: there may be thousands. A line without length is a dot.
  const all = (bad: boolean, mark: (a: number, b: number) => string) => designs.filter((d) => d.bad === bad).map(({ p: [a, b] }) => mark(x(a), y(b))).join('') || 'M0 0';
  picture.append(svg('path', { d: all(false, (a, b) => `M${a.toFixed(1)} ${b.toFixed(1)}h0`), class: 'tried' }),
    svg('path', { d: all(true, (a, b) => `M${(a - 3).toFixed(1)} ${(b - 3).toFixed(1)}l6 6m0 -6l-6 6`), class: 'missed' }),
    svg('path', { d: pathOf(front.map((p): Point => [x(p[0]), y(p[1])])) || 'M0 0', class: 'curve best-line' }),
    ...front.map((p) => svg('circle', { cx: x(p[0]), cy: y(p[1]), r: 4, class: 'share' }, svg('title', {}, `${short(p[0])}, ${short(p[1])}`))));
  const mark = (p: Point | null, text: string, shape: SVGElement) => {
    if (!p) return;
    const before = x(p[0]) > (left + right) / 2;
    picture.append(shape, svg('text', { x: x(p[0]) + (before ? -9 : 9), y: y(p[1]) - 7, 'text-anchor': before ? 'end' : 'start', class: 'contour-label' }, text));
  };
  if (best) mark(best, 'best', svg('circle', { cx: x(best[0]), cy: y(best[1]), r: 6.5, class: 'answer' }));
  if (start) mark(start, 'start', svg('rect', { x: x(start[0]) - 5, y: y(start[1]) - 5, width: 10, height: 10, class: 'from' }));
}
