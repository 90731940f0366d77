// SPDX-License-Identifier: Apache-2.0
// Phases and events of a run on one axis. Clicking anywhere moves the clock.
import type { RunEvent, Run } from './data';
import { el } from './dom';
import type { Player } from './player';
import { theme } from './theme';
import { tickTexts, ticks, timeText } from './ticks';
import type { View } from './view';

const crowd = 9; // [px] events closer than this share one mark
const rowHeight = 17; // [px]
const rows = 3; // of labels, at most

export function buildTimeline(run: Run, player: Player, view: View): HTMLElement {
  const track = el('div', { class: 'track' });
  const now = el('div', { class: 'now-line' });
  const zoom = el('div', { class: 'zoom-band' });
  const span = player.to - player.from;
  const share = (t: number) => (span > 0 ? Math.min(Math.max((t - player.from) / span, 0), 1) : 0);

  const draw = () => {
    width = track.clientWidth;
    if (width === 0) return;
    const { marks, used } = eventMarks(run, width, share, player);
    track.style.setProperty('--phases', run.phases.length > 0 ? '21px' : '0px');
    track.style.setProperty('--events', `${used > 0 ? used * rowHeight + 6 : 4}px`);
    track.replaceChildren(zoom, ...phaseBars(run, share, player), ...marks, axis(width, player), now);
    move();
    band();
  };
  let width = 0;
  const move = () => {
    const place = `translateX(${Math.round(share(player.now) * width)}px)`; // whole pixels: see Plot
    if (now.style.transform !== place) now.style.transform = place;
  };
  const band = () => {
    zoom.hidden = view.zoom === null;
    const [from, to] = view.range;
    zoom.style.left = `${100 * share(from)}%`;
    zoom.style.width = `${100 * (share(to) - share(from))}%`;
  };

  // Press and drag on the bare track scrubs; buttons on it keep their own click.
  const scrub = (e: PointerEvent) => {
    const box = track.getBoundingClientRect();
    player.set(player.from + ((e.clientX - box.left) / box.width) * span);
  };
  track.addEventListener('pointerdown', (e) => {
    if (e.button !== 0 || (e.target as Element).closest('button')) return;
    track.setPointerCapture(e.pointerId);
    scrub(e);
  });
  track.addEventListener('pointermove', (e) => { if (track.hasPointerCapture(e.pointerId)) scrub(e); });

  new ResizeObserver(draw).observe(track);
  player.subscribe(move);
  view.onZoom(band);
  theme.subscribe(draw);

  return el('section', { class: 'timeline', 'aria-label': 'Timeline' }, track, eventList(run, player));
}

function phaseBars(run: Run, share: (t: number) => number, player: Player): HTMLElement[] {
  return run.phases.map((phase, i) => {
    const text = `${phase.name}: ${timeText(phase.from, player.to - player.from)} to ${timeText(phase.to, player.to - player.from)} s`;
    return el('button', {
      type: 'button', class: `phase tint${i % 4}`, title: text, 'aria-label': `Phase ${text}`,
      style: `left:${100 * share(phase.from)}%;width:${100 * Math.max(share(phase.to) - share(phase.from), 0)}%`,
      onclick: () => player.set(phase.from),
    }, phase.name);
  });
}

/** Marks that would touch are one mark; labels take the first row with room, or none. `used` counts rows. */
function eventMarks(
  run: Run, width: number, share: (t: number) => number, player: Player,
): { marks: HTMLElement[]; used: number } {
  const span = player.to - player.from;
  const clusters: RunEvent[][] = [];
  for (const event of [...run.events].sort((a, b) => a.t - b.t)) {
    const last = clusters.at(-1);
    if (last && (share(event.t) - share(last[0]!.t)) * width < crowd) last.push(event);
    else clusters.push([event]);
  }
  const pen = document.createElement('canvas').getContext('2d');
  if (pen) pen.font = '11px system-ui, sans-serif';
  const takenTo = new Array<number>(rows).fill(-Infinity); // [px] right end of the labels in each row
  let used = 0;
  const marks = clusters.map((events) => {
    const x = share(events[0]!.t) * width;
    const text = events.length === 1 ? events[0]!.name : `${events[0]!.name} +${events.length - 1}`;
    const length = (pen?.measureText(text).width ?? 7 * text.length) + 14;
    // Near the right end the label stands left of its mark.
    const flip = x + length > width;
    const start = flip ? x - length : x;
    const row = start < 0 ? -1 : takenTo.findIndex((end) => start > end);
    if (row >= 0) takenTo[row] = flip ? x + crowd : x + length;
    used = Math.max(used, row + 1);
    const full = events.map((e) => `${timeText(e.t, span)} s  ${e.name}${e.text ? `: ${e.text}` : ''}`).join('\n');
    return el('button', {
      type: 'button', class: `event${flip ? ' flip' : ''}${row < 0 ? ' bare' : ''}`, title: full, 'aria-label': full,
      style: `left:${(100 * x) / width}%;--row:${Math.max(row, 0) * rowHeight}px`,
      onclick: () => player.set(events[0]!.t),
    }, el('span', { class: 'pin' }), row >= 0 && el('span', { class: 'text' }, text));
  });
  return { marks, used: Math.max(used, clusters.length > 0 ? 1 : 0) };
}

function axis(width: number, player: Player): HTMLElement {
  const list = ticks(player.from, player.to, Math.max(2, Math.floor(width / 90)));
  const { texts, common } = tickTexts(list);
  const span = player.to - player.from || 1;
  return el('div', { class: 'axis' },
    ...list.flatMap((t, i) => {
      const at = (t - player.from) / span;
      if (width * (1 - at) < 50 + 6 * common.length) return []; // the unit stands there
      return [el('span', { class: `tick${at < 0.02 ? ' first' : ''}`, style: `left:${100 * at}%` }, texts[i]!)];
    }),
    el('span', { class: 'axis-unit' }, `t [s]${common}`));
}

/** Everything the marks may have had no room for. */
function eventList(run: Run, player: Player): HTMLElement {
  if (run.events.length === 0) return el('p', { class: 'nothing' }, 'No events.');
  const span = player.to - player.from;
  return el('details', { class: 'event-list' },
    el('summary', {}, `${run.events.length} ${run.events.length === 1 ? 'event' : 'events'}`),
    el('ol', {}, ...run.events.map((e) =>
      el('li', {}, el('button', { type: 'button', onclick: () => player.set(e.t) }, `${timeText(e.t, span)} s`),
        el('strong', {}, e.name), el('span', { class: 'kind' }, e.kind), el('span', {}, e.text)))));
}
