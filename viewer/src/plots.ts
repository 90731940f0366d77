// SPDX-License-Identifier: Apache-2.0
// All plots: one section per owner, a filter, and the rule that only what is visible is drawn.
import { type Signal, collectSignals } from './curves';
import type { Block, Run } from './data';
import { el } from './dom';
import type { Player } from './player';
import { Plot } from './plot';
import { theme } from './theme';
import { timeText } from './ticks';
import type { View } from './view';

// Sections that begin open: enough to fill a screen.
const openAtFirst = 9;

export function buildPlots(runs: readonly Run[], block: Block, player: Player, view: View): HTMLElement {
  const signals = collectSignals(runs);
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
  const sections = byOwner(signals).map(([owner, members]) => {
    const own = members.map((signal) => {
      const plot = new Plot(signal, runs, block, player, view);
      plots.set(plot.element, plot);
      watcher.observe(plot.element);
      return plot;
    });
    const count = el('span', { class: 'count' }, String(own.length));
    const details = el('details', { class: 'owner-section' },
      el('summary', {}, owner, ' ', count),
      el('div', { class: 'plot-grid' }, ...own.map((p) => p.element)));
    return { details, plots: own, count, chosen: false };
  });
  let open = 0;
  for (const section of sections) {
    if (open > 0 && open + section.plots.length > openAtFirst) break;
    section.details.open = section.chosen = true;
    open += section.plots.length;
  }

  const built = () => [...plots.values()].filter((p) => p.isBuilt);
  followClock(built, player, view);
  view.onZoom(() => built().forEach((p) => p.rezoom()));
  theme.subscribe(() => built().forEach((p) => p.recolor()));
  window.addEventListener('beforeprint', () => {
    for (const section of sections) if (section.details.open) section.plots.forEach((p) => p.build());
  });

  // The filter: every word must be somewhere in name, unit or description.
  const found = el('span', { class: 'found', role: 'status' });
  const box = el('input', { type: 'search', placeholder: 'Filter channels', 'aria-label': 'Filter channels' });
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
    found.textContent = words.length > 0 ? `${total} of ${signals.length} channels` : `${signals.length} channels`;
  });
  found.textContent = signals.length === 1 ? '1 channel' : `${signals.length} channels`;

  const all = (open: boolean) => () => {
    for (const section of sections) section.details.open = section.chosen = open;
  };
  const zoomText = el('span', { class: 'zoom-text' });
  const whole = el('button', { type: 'button', hidden: true, onclick: () => view.setZoom(null) }, 'Whole run');
  view.onZoom(() => {
    whole.hidden = view.zoom === null;
    const [from, to] = view.range;
    zoomText.textContent = view.zoom ? `${timeText(from, to - from)} to ${timeText(to, to - from)} s` : '';
  });

  return el('section', { class: 'plots', 'aria-label': 'Plots' },
    el('div', { class: 'plot-bar' }, el('h2', {}, 'Plots'), box, found,
      el('button', { type: 'button', onclick: all(true) }, 'Open all'),
      el('button', { type: 'button', onclick: all(false) }, 'Close all'), whole, zoomText),
    ...sections.map((s) => s.details));
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
