// SPDX-License-Identifier: Apache-2.0
// The head of the page: what was run, how it went, the numbers that say so.
import { runLabels } from './curves';
import type { Head, KeyNumber, Level, Run } from './data';
import { el } from './dom';

// Colour never speaks alone.
const symbols: Record<Level, string> = { good: '✓', warn: '!', bad: '✕', '': '' };
const words: Record<Level, string> = { good: 'good', warn: 'warning', bad: 'bad', '': '' };

function mark(level: Level): HTMLElement | null {
  if (!level) return null;
  return el('span', { class: `mark ${level}`, role: 'img', 'aria-label': words[level] }, symbols[level]);
}

export function buildSummary(head: Head): HTMLElement {
  const { runs } = head;
  const labels = runLabels(runs);
  const header = el('header', { class: 'summary' }, el('h1', {}, head.title || runs[0]?.title || 'A run of berth'));
  runs.forEach((run, i) => {
    const { level, text } = run.verdict;
    header.append(el('p', { class: `verdict ${level}` }, mark(level),
      el('span', {}, runs.length > 1 && el('span', { class: 'file' }, `${labels[i]} — `), text || 'No verdict.')));
  });
  if (runs.length === 1 && runs[0]!.numbers.length > 0) header.append(cards(runs[0]!.numbers));
  header.append(el('div', { class: 'findings' },
    runs.length > 1 && table(runs, labels),
    ...(runs.length > 1 ? runs.map((run, i) => el('div', {}, ...remarks(run, labels[i]!))) : remarks(runs[0], ''))));
  return header;
}

function cards(numbers: readonly KeyNumber[]): HTMLElement {
  return el('ul', { class: 'cards' }, ...numbers.map((n) =>
    el('li', { class: `card ${n.level}`, title: n.note },
      el('span', { class: 'label' }, n.label),
      el('span', { class: 'value' }, mark(n.level), n.value, n.unit && el('span', { class: 'unit' }, ` ${n.unit}`)),
      n.note && el('span', { class: 'note' }, n.note))));
}

/** Several runs: one row per number, one column per run. */
function table(runs: readonly Run[], labels: readonly string[]): HTMLElement {
  const rows = [...new Set(runs.flatMap((r) => r.numbers.map((n) => n.label)))];
  return el('div', { class: 'scroll' }, el('table', { class: 'numbers' },
    el('thead', {}, el('tr', {}, el('th', {}, ''), ...labels.map((l) => el('th', { scope: 'col' }, l)))),
    el('tbody', {}, ...rows.map((label) =>
      el('tr', {}, el('th', { scope: 'row' }, label), ...runs.map((run) => {
        const n = run.numbers.find((m) => m.label === label);
        return n
          ? el('td', { class: n.level, title: n.note }, mark(n.level), n.value, n.unit && el('span', { class: 'unit' }, ` ${n.unit}`))
          : el('td', {}, '–');
      }))))));
}

/** Warnings and expectations; failed ones are in view, met ones can be unfolded. */
function remarks(run: Run | undefined, label: string): HTMLElement[] {
  if (!run) return [];
  const of = label ? ` of ${label}` : '';
  const out: HTMLElement[] = [];
  if (run.warnings.length > 0) {
    out.push(el('ul', { class: 'remarks', 'aria-label': `Warnings${of}` },
      ...run.warnings.map((w) => el('li', {}, mark('warn'), el('span', {}, label ? `${label}: ${w}` : w)))));
  }
  if (run.expectations.length > 0) {
    const failed = run.expectations.filter((e) => !e.met).length;
    const met = run.expectations.length - failed;
    const list = el('ul', { class: 'remarks' }, ...run.expectations.map((e) =>
      el('li', {}, mark(e.met ? 'good' : 'bad'), el('span', {}, e.text))));
    out.push(el('details', { class: 'expectations', open: failed > 0 },
      el('summary', {}, mark(failed ? 'bad' : 'good'), `Expectations${of}: ${met} met`, failed > 0 && `, ${failed} failed`), list));
  }
  return out;
}
