// SPDX-License-Identifier: Apache-2.0
// The answer as one big number with its interval, and what the cases came to.
import { el } from '../dom';
import { theme } from '../theme';
import { chip } from './cases';
import { styles } from './colors';
import { type CaseClass, type Head, percent, short, unitOf, whole } from './data';
import type { State } from './state';
import { type Boundary, type Optimum, type Rare, type Until, isBoundary, isOptimum, isRare, isSearch, isUntil, powerOfTen, powerRange } from './study';

interface Answer { figure: string; what: string; lines: string[]; doubts?: string[] }

export function buildVerdict(state: State): HTMLElement {
  const { head } = state.sweep;
  const { figure, what, lines, doubts: own = [] } = findAnswer(head);
  const doubts = head.warning ? [...own, head.warning] : own;
  return el('section', { class: 'verdict', 'aria-label': 'Verdict' },
    el('div', { class: 'big' },
      el('strong', {}, figure),
      el('div', {}, el('b', {}, what), ...lines.map((line) => el('span', {}, line)), ...doubts.map((doubt) => el('span', { class: 'doubt' }, doubt)))),
    buildEndings(state));
}

function findAnswer(head: Head): Answer {
  const { study } = head;
  if (isUntil(study)) return answerUntil(study, head);
  if (isRare(study)) return answerRare(study, head);
  if (isBoundary(study)) return answerBoundary(study);
  if (isOptimum(study)) return answerOptimum(study, head);
  const { as_expected: share } = head;
  const width = head.random ? share.high - share.low : 0.02;
  return {
    figure: percent(share.fraction, width), what: 'as expected',
    lines: [head.random ? `with 95 % confidence ${percent(share.low, width)} … ${percent(share.high, width)}` : 'of the cases of the grid', countText(head)],
  };
}

const countText = (head: Head) => `${whole(head.as_expected.count)} of ${whole(head.cases)} cases${isUntil(head.study) ? ' as expected' : ''}`;
const confidenceText = (confidence: number) => `with ${Number((100 * confidence).toPrecision(4))} % confidence`;

function answerUntil(study: Until, head: Head): Answer {
  const width = study.high - study.low;
  const [criterion, wanted] = study.until.split(/±|\+-/).map((part) => part.trim());
  return {
    figure: percent(study.fraction, width),
    what: criterion === 'as_expected' ? 'as expected' : criterion ?? '',
    lines: [`${confidenceText(study.confidence)} ${percent(study.low, width)} … ${percent(study.high, width)}`, `holds however often it is checked (${whole(study.checks)} check${study.checks === 1 ? '' : 's'})`, countText(head)],
    doubts: study.is_sure ? [] : [`wider than ±${wanted ?? ''}: ${whole(head.cases)} cases were the most`],
  };
}

/** A probability of a percent or more as percents, else with its power of ten. */
function answerRare(study: Rare, head: Head): Answer {
  const { probability, low, high, estimates, without_failure: without } = study;
  const small = Math.max(probability, high / 10) < 1e-3;
  const one = (v: number) => (small ? powerOfTen(v) : percent(v, Math.max(v, 1e-4)));
  const doubts: string[] = [];
  if (without > 0 && probability > 0) doubts.push(`${without} of ${estimates.length} replicates found no failure: the interval begins at 0`);
  if (study.refused > 0) doubts.push(`${whole(study.refused)} cases without a number count as no failure`);
  return {
    figure: probability > 0 ? one(probability) : `< ${one(high)}`,
    what: study.rare + unitOf(head, study.rare),
    lines: [
      probability > 0
        ? `${confidenceText(study.confidence)} ${small ? powerRange(low, high, probability) : `${one(low)} … ${one(high)}`}`
        : `${confidenceText(study.confidence)}; none of ${estimates.length} replicates found a failure`,
      `${whole(study.cases)} cases, ${study.levels} level${study.levels === 1 ? '' : 's'}, ${estimates.length} replicates`,
    ],
    doubts,
  };
}

function answerBoundary(study: Boundary): Answer {
  const found = study.contours.filter((c) => c.lines.length > 0).map((c) => `${Number((100 * c.level).toPrecision(4))}`);
  return {
    figure: whole(study.nodes.length), what: 'nodes along the boundary',
    lines: [found.length > 0 ? `contours of ${found.join(', ')} % as expected` : 'no contour was found', `${whole(study.cases)} cases`],
  };
}

function answerOptimum(study: Optimum, head: Head): Answer {
  const { goals, samples } = study.optimise;
  const goal = goals[0] ?? '';
  const unit = unitOf(head, goal);
  const violation = study.best.violation ?? 0;
  const doubts = violation > 0 ? [`its constraints are not met (by ${short(violation)})`] : [];
  const effort = `${whole(study.cases)} cases of ${whole(study.designs.length)} designs${samples > 1 ? `, ${whole(samples)} or more each` : ''}`;
  if (goals.length > 1) return { figure: whole(study.front.length), what: `designs on the front of ${goals.length} goals`, lines: [...goals, effort], doubts: study.front.length === 0 ? doubts : [] };
  return { figure: `${short(study.best.values[0] ?? undefined)}${unit}`, what: goal, lines: [`from ${short(study.start.values[0] ?? undefined)}${unit} at the start`, effort], doubts };
}

/** How cases ended; of a search as counts alone, since its cases are no fair draws. */
function buildEndings(state: State): HTMLElement {
  const { head } = state.sweep;
  const { classes } = head;
  const search = isSearch(head.study);
  const words = (c: CaseClass) => (search ? `${c.name} ${whole(c.count)} cases` : `${c.name} ${percent(c.fraction)}`);
  const bar = el('div', { class: 'verdict-bar', role: 'img', 'aria-label': classes.map(words).join(', ') });
  const legend = el('ul', { class: 'legend' });
  const draw = () => {
    const list = styles(classes);
    bar.replaceChildren(...classes.map((c, k) => el('span', { style: `flex-grow: ${c.count}; background: ${list[k]!.color}`, title: `${c.name}: ${whole(c.count)}` })));
    legend.replaceChildren(...classes.map((c, k) => el('li', {}, el('button', {
      type: 'button', 'aria-pressed': String(!state.hidden[k]), title: `Show or hide ${c.name} among the points`, onclick: () => state.toggleClass(k),
    }, chip(state, k), el('b', {}, c.name), ...shareOf(head, c)))));
  };
  draw();
  theme.subscribe(draw);
  state.subscribe((change) => {
    if (change === 'classes') legend.querySelectorAll('button').forEach((b, k) => b.setAttribute('aria-pressed', String(!state.hidden[k])));
  });
  return el('div', { class: 'endings' }, bar, legend,
    search && el('p', { class: 'count search-note' }, 'The cases of a search gather where it searches. Their shares, maps and histograms describe the search; they are no probabilities.'));
}

/** Share and count of a class. An interval of a fixed number of draws does not hold where looking decided when to stop. */
function shareOf(head: Head, c: CaseClass): HTMLElement[] {
  if (isSearch(head.study)) return [el('span', { class: 'count' }, `${whole(c.count)} cases`)];
  const exact = head.random && !head.study;
  return [
    el('span', { class: 'share' }, percent(c.fraction, head.random ? c.high - c.low : 0.02)),
    el('span', { class: 'count' }, exact ? `${percent(c.low, c.high - c.low)} … ${percent(c.high, c.high - c.low)} · ${whole(c.count)}` : whole(c.count)),
  ];
}
