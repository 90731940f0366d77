// SPDX-License-Identifier: Apache-2.0
// Several runs in one page: what the plots show of them (all of them, or what further ones do more than the
// first), how differences are made, and how large they are.
import { differenceLabel, runLabels, type Signal } from './curves';
import type { Deviation, Head } from './data';
import { el } from './dom';
import type { Player } from './player';
import { figure, timeText } from './ticks';

/** One switch for all plots. */
export class Comparison {
  private readonly listeners: (() => void)[] = [];

  constructor(public difference: boolean) {}

  set(difference: boolean): void {
    if (difference === this.difference) return;
    this.difference = difference;
    for (const listener of this.listeners) listener();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** What a plot draws of a channel. */
  pick(signal: Signal): Signal {
    if (!this.difference) return signal;
    return signal.difference ?? { ...signal, sources: [] };
  }
}

export function comparisonSwitch(comparison: Comparison): HTMLElement {
  const choices = [['Overlay', 'All runs, one over the other', false], ['Difference', 'What further runs do more than the first', true]] as const;
  const buttons = choices.map(([text, title, on]) =>
    el('button', { type: 'button', title, 'aria-pressed': String(on === comparison.difference), onclick: () => comparison.set(on) }, text));
  comparison.subscribe(() => choices.forEach(([, , on], i) => buttons[i]!.setAttribute('aria-pressed', String(on === comparison.difference))));
  return el('div', { class: 'choice', role: 'group', 'aria-label': 'What plots show of several runs' }, ...buttons);
}

/** How the differences of this page are made, in sentences. */
export function explainDifferences({ runs, differences }: Head): HTMLElement {
  const labels = runLabels(runs);
  return el('div', { class: 'how' }, ...differences.map(({ run, rows, interpolated }) =>
    el('p', {}, `${differenceLabel(labels, run)}: at the ${rows} rows of ${labels[run]} while both ran; `
      + (interpolated === 0 ? `${labels[0]} has a row at each of these times.`
        : `${labels[0]} is interpolated linearly at the ${interpolated} of them at which it has no row.`))),
  el('p', {}, 'Rows before and after an event stay apart. RMS is over time. Figures are from all rows, curves from those that are kept on the page.'));
}

interface Line { label: string; deviation: Deviation }

/** The lines of a table: one for each difference and part. */
function linesOf(signal: Signal): Line[] {
  return (signal.difference?.sources ?? []).flatMap(({ label, channel }) => (channel.deviations ?? []).map((deviation, part) => ({
    label: [channel.parts[part], signal.difference!.sources.length > 1 ? label : ''].filter(Boolean).join(' · '), deviation,
  })));
}

/** max |Δ|, when, and RMS of a channel; nothing where there is no difference. */
export function deviationTable(signal: Signal, player: Player): HTMLElement | null {
  const lines = linesOf(signal);
  if (lines.length === 0) return null;
  return el('table', { class: 'deviations', 'aria-label': `Differences of ${signal.name}` },
    el('thead', {}, el('tr', {}, ...['', 'max |Δ|', 'at', 'RMS'].map((text) => el(text ? 'th' : 'td', text ? { scope: 'col' } : {}, text)))),
    el('tbody', {}, ...lines.map(({ label, deviation }) => el('tr', {}, el('th', { scope: 'row' }, label), ...cells(deviation, player)))));
}

function cells({ largest, t, rms }: Deviation, player: Player): HTMLElement[] {
  const span = player.to - player.from;
  return [
    el('td', {}, figure(largest)),
    el('td', {}, t === null ? '–' : el('button', { type: 'button', class: 'go', title: 'Go there', onclick: () => player.set(t) }, `${timeText(t, span)} s`)),
    el('td', {}, figure(rms)),
  ];
}

/** Of every channel the part that differs most, for each further run. */
export function buildDifferences(head: Head, signals: readonly Signal[], player: Player): HTMLElement | null {
  const labels = runLabels(head.runs);
  const tables = head.differences.map(({ run }) => {
    const rows = signals.flatMap((signal) => {
      const channel = signal.difference?.sources.find((s) => s.run === run)?.channel;
      const worst = channel?.deviations?.reduce((a, b) => ((b.largest ?? -1) > (a.largest ?? -1) ? b : a));
      return worst ? [{ signal, worst }] : [];
    });
    return el('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Differences ${differenceLabel(labels, run)}` },
      el('table', { class: 'numbers' }, el('caption', {}, differenceLabel(labels, run)),
        el('thead', {}, el('tr', {}, ...['channel', 'unit', 'max |Δ|', 'at', 'RMS'].map((text) => el('th', { scope: 'col' }, text)))),
        el('tbody', {}, ...rows.map(({ signal, worst }) =>
          el('tr', {}, el('th', { scope: 'row' }, signal.name), el('td', { class: 'unit' }, signal.unit || '-'), ...cells(worst, player))))));
  });
  return tables.length > 0 ? el('details', { class: 'all-differences' }, el('summary', {}, 'Differences of all channels'), ...tables) : null;
}
