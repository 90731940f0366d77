// SPDX-License-Identifier: Apache-2.0
// The first line of the page: what was run, how it went, and the tools. Several runs are compared in a table.
import { mark } from './cards';
import { runLabels } from './curves';
import type { Head, Run } from './data';
import { button, el } from './dom';
import { theme } from './theme';
import { timeText } from './ticks';
import { units } from './units';

export function buildSummary(head: Head, help: HTMLDialogElement): HTMLElement {
  const { runs } = head;
  const unitButton = button('mm', 'Millimetres and degrees, or SI', () => units.toggle());
  units.subscribe(() => { unitButton.textContent = units.system === 'mm' ? 'mm' : 'SI'; });
  const title = head.title || runs[0]?.title || 'A run of berth';
  return el('header', { class: 'summary' },
    el('h1', { title }, title),
    runs.length === 1 && verdict(runs[0]!, ''),
    el('div', { class: 'tools' }, unitButton, button('◐', 'Light or dark', () => theme.toggle()),
      button('?', 'Keys and mouse (?)', () => help.showModal()), help));
}

/** Below the first line, of several runs: a verdict each, and their numbers side by side. */
export function buildComparison(runs: readonly Run[]): HTMLElement {
  const labels = runLabels(runs);
  const rows = [...new Set(runs.flatMap((r) => r.numbers.map((n) => n.label)))];
  return el('section', { class: 'comparison', 'aria-label': 'Comparison' },
    ...runs.map((run, i) => verdict(run, labels[i]!)),
    el('div', { class: 'scroll' }, el('table', { class: 'numbers' },
      el('thead', {}, el('tr', {}, el('th', {}, ''), ...labels.map((l) => el('th', { scope: 'col' }, l)))),
      el('tbody', {}, ...rows.map((label) =>
        el('tr', {}, el('th', { scope: 'row' }, label), ...runs.map((run) => {
          const n = run.numbers.find((m) => m.label === label);
          return n
            ? el('td', { class: n.level, title: n.note }, mark(n.level), n.value, n.unit && el('span', { class: 'unit' }, ` ${n.unit}`))
            : el('td', {}, '–');
        })))))));
}

/** In one word where there is one: captured, and when; the whole sentence is its title. */
function verdict(run: Run, label: string): HTMLElement {
  const { level, text } = run.verdict;
  const hard = run.facts.captures.find((c) => c.hard)?.hard;
  const word = run.facts.verdict.replaceAll('_', ' ');
  const when = hard ? ` t+${timeText(hard.t, run.to - run.from)} s` : '';
  return el('p', { class: `verdict ${level}`, title: text }, mark(level),
    el('span', {}, label && el('span', { class: 'file' }, `${label} — `), word && !label && level !== 'bad' && el('span', { class: 'word' }, word),
      word && !label && level !== 'bad' ? when : text || 'No verdict.'));
}
