// SPDX-License-Identifier: Apache-2.0
// Phases and events on the stretch of time the plots show, and the whole run as a thin strip below.
// Clicking moves the clock; a crowd of events opens when it is clicked.
import type { Run, RunEvent } from './data';
import { el } from './dom';
import { eventLabel, weight } from './events';
import type { Player } from './player';
import { theme } from './theme';
import { tickTexts, ticks, timeText } from './ticks';
import type { Range, View } from './view';

const crowd = 9; // [px] events closer than this share one mark
const rowHeight = 17; // [px]
const rows = 2; // of labels, at most

export function buildTimeline(run: Run, player: Player, view: View): HTMLElement {
  const track = el('div', { class: 'track' });
  const strip = el('div', { class: 'strip', title: 'The whole run; the band is what timeline and plots show' });
  const now = el('div', { class: 'now-line' });
  const far = el('div', { class: 'now-line' });
  const band = el('div', { class: 'zoom-band' });
  const share = (t: number, [from, to]: Range) => (to > from ? (t - from) / (to - from) : 0);
  let width = 0;

  const draw = () => {
    width = track.clientWidth;
    if (width === 0) return;
    const { range } = view;
    const { marks, used, bare } = eventMarks(run, width, range, player, view);
    const focused = track.contains(document.activeElement) ? document.activeElement!.getAttribute('aria-label') : null;
    track.style.setProperty('--phases', run.phases.length > 0 ? '21px' : '0px');
    track.style.setProperty('--events', `${used > 0 ? used * rowHeight + (bare ? 12 : 6) : 4}px`);
    track.replaceChildren(...phaseBars(run, range, width, player), ...marks, axis(width, range), now);
    if (focused !== null) refocus(track, focused);
    strip.replaceChildren(...stripBars(run, view.whole), band, far);
    move();
    band.style.left = `${100 * share(range[0], view.whole)}%`;
    band.style.width = `${100 * (share(range[1], view.whole) - share(range[0], view.whole))}%`;
    band.hidden = view.zoom === null;
  };
  const put = (line: HTMLElement, at: number) => {
    line.hidden = at < 0 || at > 1;
    const place = `translateX(${Math.round(at * width)}px)`; // whole pixels: see Plot
    if (line.style.transform !== place) line.style.transform = place;
  };
  const move = () => {
    put(now, share(player.now, view.range));
    put(far, share(player.now, view.whole));
    // Playback that leaves the stretch on show takes the timeline along to the whole run.
    if (player.ticking && view.zoom && player.now > view.zoom[1]) view.setZoom(null);
  };

  scrub(track, (at) => player.set(view.range[0] + at * (view.range[1] - view.range[0])));
  scrub(strip, (at) => {
    const t = view.whole[0] + at * (view.whole[1] - view.whole[0]);
    player.set(t);
    if (view.zoom && (t < view.zoom[0] || t > view.zoom[1])) view.centre(t);
  });
  new ResizeObserver(draw).observe(track);
  player.subscribe(move);
  view.onZoom(draw);
  theme.subscribe(draw);
  return el('section', { class: 'timeline', 'aria-label': 'Timeline' }, track, strip);
}

/** Marks are made anew when the stretch on show changes: who was on one stays on it, or on the first of its crowd. */
function refocus(track: HTMLElement, label: string): void {
  const first = label.split('\n')[0]!;
  const buttons = [...track.querySelectorAll('button')];
  const same = buttons.find((b) => b.getAttribute('aria-label') === label) ?? buttons.find((b) => b.getAttribute('aria-label')!.startsWith(first));
  (same ?? buttons[0])?.focus();
}

/** Press and drag on the bare track; buttons on it keep their own click. */
function scrub(track: HTMLElement, set: (share: number) => void): void {
  const to = (e: PointerEvent) => {
    const box = track.getBoundingClientRect();
    set(Math.min(Math.max((e.clientX - box.left) / box.width, 0), 1));
  };
  track.addEventListener('pointerdown', (e) => {
    if (e.button !== 0 || (e.target as Element).closest('button')) return;
    track.setPointerCapture(e.pointerId);
    to(e);
  });
  track.addEventListener('pointermove', (e) => { if (track.hasPointerCapture(e.pointerId)) to(e); });
}

const percent = (t: number, [from, to]: Range) => Math.min(Math.max(to > from ? (100 * (t - from)) / (to - from) : 0, 0), 100);

function phaseBars(run: Run, range: Range, width: number, player: Player): HTMLElement[] {
  return run.phases.flatMap((phase, i) => {
    const left = percent(phase.from, range);
    const right = percent(phase.to, range);
    if (right <= left) return [];
    const span = player.to - player.from;
    const text = `${phase.name}: ${timeText(phase.from, span)} to ${timeText(phase.to, span)} s`;
    const wide = ((right - left) / 100) * width; // [px]
    return [el('button', {
      type: 'button', class: `phase tint${i % 4}${wide > 12 ? '' : ' thin'}`, title: text, 'aria-label': `Phase ${text}`,
      style: `left:${left}%;width:${right - left}%`, onclick: () => player.set(phase.from),
    }, wide > 28 ? phase.name : '')];
  });
}

function stripBars(run: Run, whole: Range): HTMLElement[] {
  return [
    ...run.phases.map((p, i) => el('span', { class: `tint${i % 4}`, style: `left:${percent(p.from, whole)}%;width:${percent(p.to, whole) - percent(p.from, whole)}%` })),
    ...[...new Set(run.events.map((e) => percent(e.t, whole).toFixed(1)))].map((at) => el('i', { style: `left:${at}%` })),
  ];
}

/** Marks that would touch are one mark, named after what matters most; labels take the first row with room, or none. */
function eventMarks(run: Run, width: number, range: Range, player: Player, view: View): { marks: HTMLElement[]; used: number; bare: boolean } {
  const span = range[1] - range[0];
  const place = (t: number) => (span > 0 ? ((t - range[0]) / span) * width : 0);
  const clusters: RunEvent[][] = [];
  for (const event of [...run.events].sort((a, b) => a.t - b.t)) {
    if (event.t < range[0] || event.t > range[1]) continue;
    const last = clusters.at(-1);
    if (last && place(event.t) - place(last[0]!.t) < crowd) last.push(event);
    else clusters.push([event]);
  }
  const pen = document.createElement('canvas').getContext('2d');
  if (pen) pen.font = '11px system-ui, sans-serif';
  const takenTo = new Array<number>(rows).fill(-Infinity); // [px] right end of the labels in each row
  let used = 0;
  const marks = clusters.map((events) => {
    const x = place(events[0]!.t);
    const lead = events.reduce((best, e) => (weight(e, run) > weight(best, run) ? e : best));
    const text = events.length === 1 ? eventLabel(lead, run) : `${eventLabel(lead, run)} +${events.length - 1}`;
    const length = (pen?.measureText(text).width ?? 7 * text.length) + 14;
    const flip = x + length > width; // near the right end the label stands left of its mark
    const start = flip ? x - length : x;
    const row = start < 0 ? -1 : takenTo.findIndex((end) => start > end);
    if (row >= 0) takenTo[row] = flip ? x + crowd : x + length;
    used = Math.max(used, row + 1);
    const full = events.map((e) => `${timeText(e.t, player.to - player.from)} s  ${eventLabel(e, run)}${e.text ? `: ${e.text}` : ''}`).join('\n');
    return el('button', {
      type: 'button', class: `event${flip ? ' flip' : ''}${row < 0 ? ' bare' : ''}${weight(lead, run) >= 5 ? ' key' : ''}`, title: full, 'aria-label': full,
      style: `left:${(100 * x) / width}%;--row:${Math.max(row, 0) * rowHeight}px`,
      onclick: () => { player.set(lead.t); open(events, view, span); },
    }, el('span', { class: 'pin' }), row >= 0 && el('span', { class: 'text' }, text));
  });
  return { marks, used: Math.max(used, clusters.length > 0 ? 1 : 0), bare: marks.some((m) => m.classList.contains('bare')) };
}

/** A crowd that differs in time is drawn apart. */
function open(events: readonly RunEvent[], view: View, span: number): void {
  const from = events[0]!.t;
  const to = events.at(-1)!.t;
  if (to - from < 1e-6 * span) return;
  const room = 0.6 * (to - from);
  view.setZoom([Math.max(from - room, view.whole[0]), Math.min(to + room, view.whole[1])]);
}

function axis(width: number, [from, to]: Range): HTMLElement {
  const list = ticks(from, to, Math.max(2, Math.floor(width / 90)));
  const { texts, common } = tickTexts(list);
  const span = to - from || 1;
  return el('div', { class: 'axis' },
    ...list.flatMap((t, i) => {
      const at = (t - from) / span;
      if (width * (1 - at) < 50 + 6 * common.length) return []; // the unit stands there
      return [el('span', { class: `tick${at < 0.02 ? ' first' : ''}`, style: `left:${100 * at}%` }, texts[i]!)];
    }),
    el('span', { class: 'axis-unit' }, `t [s]${common}`));
}

/** Everything the marks may have had no room for. */
export function eventList(run: Run, player: Player): HTMLElement {
  if (run.events.length === 0) return el('p', { class: 'nothing' }, 'No events.');
  const span = player.to - player.from;
  return el('details', { class: 'event-list' },
    el('summary', {}, `${run.events.length} ${run.events.length === 1 ? 'event' : 'events'}`),
    el('ol', {}, ...run.events.map((e) =>
      el('li', {}, el('button', { type: 'button', onclick: () => player.set(e.t) }, `${timeText(e.t, span)} s`),
        el('strong', {}, eventLabel(e, run)), el('span', { class: 'details' }, e.text)))));
}
