// SPDX-License-Identifier: Apache-2.0
// All plots: how craft met comes first; every other channel waits in a section per owner, behind a search.
// Only what is visible is drawn.
import { type Signal, collectSignals } from './curves';
import { Comparison, buildDifferences, comparisonSwitch, explainDifferences } from './comparison';
import type { Block, Head, Run } from './data';
import { el } from './dom';
import type { Player } from './player';
import { Plot } from './plot';
import { theme } from './theme';
import { timeText } from './ticks';
import type { View } from './view';

/** Channels that matter most, best first: of captures, contacts, docks, control. */
function pickFirst(signals: readonly Signal[], runs: readonly Run[]): Signal[] {
  const { captures, contacts, joins } = runs[0]!.facts;
  const touched = captures.find((c) => c.touch) ?? captures[0];
  const loads = new Set(runs[0]!.facts.loads.map((l) => l.name));
  const names = [
    ...(touched ? ['gap', 'closing'].map((q) => `${touched.name}.${q}`) : []),
    ...contacts.filter((c) => loads.has(c.name)).slice(0, 2).flatMap((c) => (touched ? [`${c.name}.force`] : [`${c.name}.gap`, `${c.name}.force`])),
    ...(touched ? ['tilt', 'lateral'].map((q) => `${touched.name}.${q}`) : []),
    ...joins.slice(0, 2).map((j) => `${j.name}.force`),
  ];
  const wanted = names.flatMap((n) => signals.filter((s) => s.name === n));
  const usual = signals.filter((s) => /\.(sigma_BR|omega_BN_B|rate|force|torque|angle|position|travel)$/.test(s.name));
  const list = [...new Set([...wanted, ...(wanted.length < 2 ? usual : [])])].slice(0, touched ? 6 : 4);
  return list.length > 0 ? list : signals.slice(0, 4);
}

export function buildPlots(head: Head, block: Block, player: Player, view: View): HTMLElement {
  const { runs, differences } = head;
  const signals = collectSignals(head);
  const comparison = new Comparison(differences.length > 0 && head.opens === 'difference');
  if (signals.length === 0) {
    return el('section', { class: 'plots', 'aria-label': 'Plots' },
      el('p', { class: 'nothing' }, 'No channels were recorded: there is nothing to plot.'));
  }

  // Every signal gets its frame now and its drawing when it scrolls into view.
  const plots = new Map<Element, Plot>();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const plot = plots.get(target);
        if (isIntersecting) plot?.build();
        else plot?.destroy();
      }
    },
    { rootMargin: '200px' },
  );
  const make = (signal: Signal) => {
    const plot = new Plot(signal, runs, block, player, view, comparison);
    plots.set(plot.element, plot);
    watcher.observe(plot.element);
    return plot;
  };
  const first = pickFirst(signals, runs);
  const meets = runs[0]!.facts.captures.length > 0 || runs[0]!.facts.contacts.length > 0;
  const groups: [string, Signal[]][] = [[meets ? 'Contact' : 'First', first], ...byOwner(signals.filter((s) => !first.includes(s)))];
  const sections = groups.map(([owner, members], i) => {
    const own = members.map(make);
    const count = el('span', { class: 'count' }, String(own.length));
    const details = el('details', { class: `owner-section${i === 0 ? ' first' : ''}`, open: i === 0 },
      el('summary', {}, owner, ' ', count),
      el('div', { class: 'plot-grid' }, ...own.map((p) => p.element)));
    return { details, plots: own, count, chosen: i === 0 };
  });

  const rest = sections.slice(1);
  const others = el('details', { class: 'others' },
    el('summary', {}, 'All other channels ', el('span', { class: 'count' }, String(signals.length - first.length))), ...rest.map((s) => s.details));

  const built = () => [...plots.values()].filter((p) => p.isBuilt);
  followClock(built, player, view);
  view.onZoom(() => built().forEach((p) => p.rezoom()));
  comparison.subscribe(() => built().forEach((p) => p.rebuild()));
  theme.subscribe(() => built().forEach((p) => p.recolor()));
  window.addEventListener('beforeprint', () => {
    for (const section of sections) if (section.details.open) section.plots.forEach((p) => p.build());
  });

  // The search: every word must be somewhere in name, unit or description.
  const found = el('span', { class: 'found', role: 'status' });
  const box = el('input', { type: 'search', placeholder: `Search ${signals.length} channels`, 'aria-label': 'Search channels' });
  box.addEventListener('input', () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let total = 0;
    for (const section of sections) {
      let matches = 0;
      for (const { signal, element } of section.plots) {
        const text = `${signal.name} ${signal.unit} ${signal.description}`.toLowerCase();
        const match = words.every((w) => text.includes(w));
        element.hidden = !match;
        if (match) matches++;
      }
      total += matches;
      section.details.hidden = matches === 0;
      section.details.open = words.length > 0 ? matches > 0 : section.chosen;
      section.count.textContent = words.length > 0 ? `${matches} of ${section.plots.length}` : String(matches);
    }
    others.open = words.length > 0 || rest.some((s) => s.chosen);
    found.textContent = words.length > 0 ? `${total} of ${signals.length} channels` : `${signals.length} channels`;
  });
  found.textContent = signals.length === 1 ? '1 channel' : `${signals.length} channels`;

  const all = (open: boolean) => () => {
    for (const section of sections) section.details.open = section.chosen = open;
    others.open = open;
  };
  const zoomText = el('span', { class: 'zoom-text' });
  const whole = el('button', { type: 'button', onclick: () => view.setZoom(null) }, 'Whole run');
  const meeting = runs[0]!.facts.window;
  const meet = meeting && el('button', { type: 'button', onclick: () => view.setZoom(meeting) }, 'Contact');
  const say = () => {
    whole.setAttribute('aria-pressed', String(view.zoom === null));
    const [from, to] = view.range;
    zoomText.textContent = view.zoom ? `${timeText(from, to - from)} to ${timeText(to, to - from)} s` : '';
  };
  view.onZoom(say);
  say();
  return el('section', { class: 'plots', 'aria-label': 'Plots' },
    el('div', { class: 'plot-bar' }, el('h2', {}, 'Plots'), ...(differences.length > 0 ? [comparisonSwitch(comparison)] : []), box, found,
      el('button', { type: 'button', onclick: all(true) }, 'Open all'),
      el('button', { type: 'button', onclick: all(false) }, 'Close all'), meet, whole, zoomText),
    ...(differences.length > 0 ? [explainDifferences(head), buildDifferences(head, signals, player)!] : []),
    sections[0]!.details, ...(sections.length > 1 ? [others] : []));
}

function byOwner(signals: readonly Signal[]): [string, Signal[]][] {
  const owners = new Map<string, Signal[]>();
  for (const signal of signals) {
    const list = owners.get(signal.owner);
    if (list) list.push(signal);
    else owners.set(signal.owner, [signal]);
  }
  return [...owners];
}

/** Lines follow every frame; figures, which nobody can read at that rate, ten times a second. */
function followClock(built: () => Plot[], player: Player, view: View): void {
  let pending = 0;
  const readSoon = () => {
    pending ||= window.setTimeout(() => {
      pending = 0;
      built().forEach((p) => p.read());
    }, 100);
  };
  player.subscribe(() => {
    built().forEach((p) => p.moveNow());
    readSoon();
  });
  view.onHover(() => {
    built().forEach((p) => p.moveHover());
    readSoon();
  });
}
