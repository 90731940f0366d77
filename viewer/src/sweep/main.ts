// SPDX-License-Identifier: Apache-2.0
// Puts the page of a sweep together: how many ended as expected, where, and which ones did not.
import '../base.css';
import './sweep.css';
import { Damaged } from '../data';
import { button, el } from '../dom';
import { theme } from '../theme';
import { CasePanel, buildScene, buildWorst, chip } from './cases';
import { styles } from './colors';
import { type Head, percent, readHead, readSweep, whole } from './data';
import { buildInputs, buildOutputs } from './distributions';
import { EnvelopeMap } from './map';
import { Scatter } from './scatter';
import { State } from './state';

const page = document.getElementById('page')!;
const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';

function start(): void {
  try {
    fill(readHead(textOf('berth-head')));
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    page.replaceChildren(el('p', { class: 'complaint', role: 'alert' }, error.message));
  }
}

function fill(head: Head): void {
  const sweep = readSweep(head, textOf('berth-data'));
  const state = new State(sweep);
  const scatter = new Scatter(state);
  const panel = new CasePanel(state);
  page.replaceChildren(
    buildHead(head),
    buildVerdict(state),
    el('main', {},
      el('div', { class: sweep.maps.length > 0 ? 'first' : 'first no-map' }, new EnvelopeMap(state).element, scatter.element, panel.element),
      buildScene(state),
      buildOutputs(state),
      buildWorst(state),
      buildInputs(state)),
    buildFoot(head));

  // The case of the address, else one that needs attention.
  const fromAddress = (): number | null => { const m = /^#case=(\d+)$/.exec(location.hash); return m ? Number(m[1]) : null; };
  const first = [...sweep.classes].findIndex((k) => !head.classes[k]!.good);
  state.select(Math.max(first, 0), true);
  const asked = fromAddress();
  if (asked !== null) panel.go(asked);
  window.addEventListener('hashchange', () => { const n = fromAddress(); if (n !== null && n !== state.number) panel.go(n); });

  // For tests, and for the curious at the console.
  Object.assign(window, { berth: { head, state, scatter } });
}

function buildHead(head: Head): HTMLElement {
  const inputs = head.columns.filter((c) => c.role === 'input').length;
  const how = head.random ? `${inputs} input${inputs === 1 ? '' : 's'} varied, ${whole(head.samples)} draws, seed ${head.seed}` : `${inputs} input${inputs === 1 ? '' : 's'} varied over a grid`;
  return el('header', {},
    el('div', {}, el('h1', {}, head.title), el('p', { class: 'sub' }, `${head.file} · ${whole(head.cases)} cases of ${head.scenario_file} · ${how}${head.settings.length > 0 ? ` · set ${head.settings.join(', ')}` : ''}`)),
    button('◐', 'Light or dark', () => theme.toggle()));
}

/** One big number with its interval, and what the cases came to. */
function buildVerdict(state: State): HTMLElement {
  const { head } = state.sweep;
  const { as_expected: share, classes } = head;
  const width = head.random ? share.high - share.low : 0.02;
  const bar = el('div', { class: 'verdict-bar', role: 'img', 'aria-label': classes.map((c) => `${c.name} ${percent(c.fraction)}`).join(', ') });
  const legend = el('ul', { class: 'legend' });
  const draw = () => {
    const list = styles(classes);
    bar.replaceChildren(...classes.map((c, k) => el('span', { style: `flex-grow: ${c.count}; background: ${list[k]!.color}`, title: `${c.name}: ${whole(c.count)}` })));
    legend.replaceChildren(...classes.map((c, k) => el('li', {}, el('button', {
      type: 'button', 'aria-pressed': String(!state.hidden[k]), title: `Show or hide ${c.name} among the points`, onclick: () => state.toggleClass(k),
    }, chip(state, k), el('b', {}, c.name), el('span', { class: 'share' }, percent(c.fraction, head.random ? c.high - c.low : 0.02)),
      el('span', { class: 'count' }, head.random ? `${percent(c.low, c.high - c.low)} … ${percent(c.high, c.high - c.low)} · ${whole(c.count)}` : whole(c.count))))));
  };
  draw();
  theme.subscribe(draw);
  state.subscribe((change) => {
    if (change === 'classes') legend.querySelectorAll('button').forEach((b, k) => b.setAttribute('aria-pressed', String(!state.hidden[k])));
  });
  return el('section', { class: 'verdict', 'aria-label': 'Verdict' },
    el('div', { class: 'big' },
      el('strong', {}, percent(share.fraction, width)),
      el('div', {}, el('b', {}, 'as expected'),
        el('span', {}, head.random ? `with 95 % confidence ${percent(share.low, width)} … ${percent(share.high, width)}` : 'of the cases of the grid'),
        el('span', { class: 'count' }, `${whole(share.count)} of ${whole(head.cases)} cases`))),
    el('div', { class: 'endings' }, bar, legend));
}

function buildFoot(head: Head): HTMLElement {
  return el('footer', {},
    el('details', {}, el('summary', {}, 'How to read this page'),
      el('p', {}, 'As expected: the run was completed and every expectation of its scenario was met. Intervals hold the probability with 95 % confidence (exact, Clopper and Pearson). Shares, maps, histograms and quantiles are of all cases. '
        + 'Pieces of the map with few draws are pale. The effect of inputs is the share of the variance of “as expected” that lies between the pieces of their range (correlation ratio, less what chance would give).'),
      el('p', {}, 'Keys: N and P next and previous case, F next failure; in the scatter arrow keys go to the nearest case, in the map from piece to piece. The address keeps the case: #case=17.'),
      !head.points.exact && el('p', {}, 'Numbers of points are rounded to seven digits; the file has all of them.')),
    el('details', {}, el('summary', {}, 'Scenario at the first values'), el('pre', { tabindex: 0 }, head.scenario)),
    el('p', { class: 'program' }, head.program));
}

start();
