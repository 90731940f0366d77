// SPDX-License-Identifier: Apache-2.0
// Puts the page of a sweep together: how many ended as expected, where, and which ones did not.
import '../base.css';
import './sweep.css';
import { Damaged } from '../data';
import { button, el } from '../dom';
import { theme } from '../theme';
import { buildBands } from './bands';
import { buildBoundary } from './boundary';
import { CasePanel, buildScene, buildWorst } from './cases';
import { type Head, readHead, readSweep, whole } from './data';
import { buildInputs, buildOutputs } from './distributions';
import { buildEffects } from './effects';
import { EnvelopeMap } from './map';
import { buildOptimum } from './optimum';
import { buildRare } from './rare';
import { Scatter } from './scatter';
import { State } from './state';
import { isBoundary, isOptimum, isRare, isUntil } from './study';
import { buildVerdict } from './verdict';

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
      buildRare(state), buildBoundary(state), buildOptimum(state),
      el('div', { class: sweep.maps.length > 0 ? 'first' : 'first no-map' }, new EnvelopeMap(state).element, scatter.element, panel.element),
      buildScene(state),
      buildEffects(state),
      buildOutputs(state),
      buildBands(state),
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
  const how = `${inputs} input${inputs === 1 ? '' : 's'} varied ${head.random ? `${drawText(head)}, seed ${head.seed}` : 'over a grid'}`;
  return el('header', {},
    el('div', {}, el('h1', {}, head.title), el('p', { class: 'sub' }, `${head.file} · ${whole(head.cases)} cases of ${head.scenario_file} · ${how}${head.settings.length > 0 ? ` · set ${head.settings.join(', ')}` : ''}`)),
    button('◐', 'Light or dark', () => theme.toggle()));
}

/** How the cases came to be. */
function drawText(head: Head): string {
  const { study, samples, design = 'random' } = head;
  if (isRare(study)) return `by subset simulation, ${whole(samples)} samples a level`;
  if (isBoundary(study)) return `along a boundary, ${whole(samples)} draws a node`;
  if (isOptimum(study)) return 'by an optimisation';
  const how = { random: 'at random', lhs: 'over Latin hypercubes', sobol: 'over Sobol’s sequence', halton: 'over Halton’s sequence' }[design] ?? design;
  return `${how}, ${whole(samples)} draws${isUntil(study) ? ' until sure' : ''}`;
}

/** Where intervals of shares come from. */
function intervalText({ design = 'random', study }: Head): string {
  if (isUntil(study)) return 'The interval of the verdict holds at every look together, so that looking decides nothing; those of pieces are for a fixed number of draws (exact, Clopper and Pearson). ';
  if (design === 'random') return 'Intervals hold the probability with 95 % confidence (exact, Clopper and Pearson). ';
  return 'Intervals hold the probability with 95 % confidence: that of the verdict from independent randomisations of the design, those of classes and pieces as for random draws (Clopper and Pearson), which is rather too wide. ';
}

function buildFoot(head: Head): HTMLElement {
  return el('footer', {},
    el('details', {}, el('summary', {}, 'How to read this page'),
      el('p', {}, 'As expected: the run was completed and every expectation of its scenario was met. ' + intervalText(head) + 'Shares, maps, histograms and quantiles are of all cases. '
        + 'Pieces of the map with few draws are pale. The effect of inputs is the share of the variance of “as expected” that lies between the pieces of their range (correlation ratio, less what chance would give).'),
      el('p', {}, 'Keys: N and P next and previous case, F next failure; in the scatter arrow keys go to the nearest case, in the map from piece to piece. The address keeps the case: #case=17.'),
      !head.points.exact && el('p', {}, 'Numbers of points are rounded to seven digits; the file has all of them.')),
    el('details', {}, el('summary', {}, 'Scenario at the first values'), el('pre', { tabindex: 0 }, head.scenario)),
    el('p', { class: 'program' }, head.program));
}

start();
