// SPDX-License-Identifier: Apache-2.0
// How a rare event was reached: thresholds level by level, each about a tenth as probable as the one before.
import { el, svg } from '../dom';
import { chart, pathOf, rangeOf } from './chart';
import { columnOf, short } from './data';
import { unitText } from './scatter';
import type { State } from './state';
import { isRare, powerOfTen, readCriterion } from './study';

const plainPower = (v: number) => (v === 1 ? '1' : powerOfTen(v).replace('1.0·', ''));
const tenth = 0.1; // probability of a level inside the one before

export function buildRare(state: State): HTMLElement | null {
  const { head } = state.sweep;
  const { study } = head;
  if (!isRare(study)) return null;
  const { name, limit } = readCriterion(study.rare);
  const unit = unitText(columnOf(head, name)?.unit ?? '');
  const steps = study.thresholds.map((value, k) => ({ value, probability: tenth ** (k + 1) }));
  const least = Math.min(...steps.map((s) => s.probability), ...[study.low, study.high, study.probability].filter((p) => p > 0));
  const reached = [...steps.map((s) => s.value), ...(limit === null ? [] : [limit])];
  const end = limit ?? steps.at(-1)?.value ?? 0;
  const ladder = chart({
    name: `Probability over ${name}: ${steps.map((s) => `${plainPower(s.probability)} beyond ${short(s.value)}${unit}`).join(', ')}`,
    height: 280,
    x: { label: `${name}${unit && ` [${unit.trim()}]`}`, ...rangeOf(reached) },
    y: { label: `probability of ${study.rare.includes('<') ? 'less' : 'more'}`, low: least / 3, high: 1, log: true, text: plainPower },
    draw: ({ picture, x, y, top, bottom, left, right }) => {
      const whisker = (a: number, b: number) => svg('line', { x1: x(end), x2: x(end), y1: y(a), y2: b > 0 ? y(b) : bottom, class: 'limit-reach' });
      picture.append(
        svg('line', { x1: x(end), x2: x(end), y1: top, y2: bottom, class: 'limit' }),
        svg('path', { d: pathOf(steps.map((s) => [x(s.value), y(s.probability)] as const)) || 'M0 0', class: 'curve' }),
        ...steps.map((s, k) => svg('circle', { cx: x(s.value), cy: y(s.probability), r: 3.5, class: 'share' }, svg('title', {}, `level ${k + 1}: ${short(s.value)}${unit}`))),
        ...study.estimates.filter((p) => p >= least / 3).map((p) => svg('line', { x1: x(end) - 12, x2: x(end) + 12, y1: y(p), y2: y(p), class: 'estimate' })),
        whisker(study.high, study.low));
      if (study.probability > 0) picture.append(svg('circle', { cx: x(end), cy: y(study.probability), r: 4, class: 'answer' }));
      if (limit === null) return;
      const before = x(end) > (left + right) / 2;
      picture.append(svg('text', { x: x(end) + (before ? -8 : 8), y: top + 14, 'text-anchor': before ? 'end' : 'start', class: 'name' }, `limit ${short(limit)}${unit}`));
    },
  });
  const rows = steps.map((s, k) => el('tr', {}, el('th', { scope: 'row' }, String(k + 1)), el('td', {}, plainPower(s.probability)), el('td', {}, short(s.value))));
  return el('section', { class: 'panel', 'aria-labelledby': 'rare-title' },
    el('h2', { id: 'rare-title' }, 'Levels', el('span', { class: 'count' }, 'each threshold is passed by about a tenth of the level before; short lines are the estimates of the replicates, the bar is the interval of their mean')),
    el('div', { class: 'ladder' }, ladder,
      rows.length > 0 && el('table', { class: 'worst levels' },
        el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'level'), el('th', { scope: 'col' }, 'about'), el('th', { scope: 'col' }, `threshold${unit && ` [${unit.trim()}]`}`))),
        el('tbody', {}, ...rows))));
}
