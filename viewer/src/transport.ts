// SPDX-License-Identifier: Apache-2.0
// Play, clock and speed, in one bar with the timeline; and the keys that do the same.
import { el, menu } from './dom';
import type { Player } from './player';
import { niceStep, timeText } from './ticks';
import type { View } from './view';

/** What keys can do besides moving the clock. */
export interface KeyActions { instants: () => readonly number[]; view: (index: number) => void; fullscreen: () => void; help: HTMLDialogElement }

export function buildTransport(player: Player, view: View): HTMLElement {
  const span = player.to - player.from;
  const play = el('button', { type: 'button', class: 'play', onclick: () => player.toggle() });
  const slider = el('input', {
    type: 'range', class: 'scrub', min: 0, max: 10000, step: 1, value: '0', 'aria-label': 'Time of the run',
  });
  slider.addEventListener('input', () => {
    const [from, to] = view.range;
    player.set(from + (Number(slider.value) / 10000) * (to - from));
  });
  const clock = el('output', { class: 'clock' });
  const speed = menu('Speed', player.speeds.map((s) => [String(s), `×${s}`] as const), String(player.speed),
    (value) => player.setSpeed(Number(value)));
  const slowed = el('button', { type: 'button', class: 'slowed', onclick: () => { player.slows = !player.slows; player.setSpeed(player.speed); } });

  const follow = () => {
    const text = player.playing ? '❚❚' : '▶';
    if (play.textContent !== text) {
      play.textContent = text;
      play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
      play.title = player.playing ? 'Pause (space)' : 'Play (space)';
    }
    const [from, to] = view.range;
    const place = to > from ? Math.min(Math.max((10000 * (player.now - from)) / (to - from), 0), 10000) : 0;
    if (!player.ticking || Math.abs(place - Number(slider.value)) >= 10) slider.value = String(Math.round(place));
    const time = `${timeText(player.now, span)} s`;
    clock.textContent = time;
    if (!player.ticking) slider.setAttribute('aria-valuetext', time);
    const moment = player.slowedFor;
    const pace = Number(player.pace.toPrecision(1));
    const say = !player.slows ? 'even speed' : moment ? `slowed to ×${pace} for ${moment.name}` : 'slows at events';
    if (slowed.textContent !== say) {
      slowed.textContent = say;
      slowed.title = player.slows ? 'Playback slows around touch, latch and release; press for even speed' : 'Press to slow around touch, latch and release';
      slowed.setAttribute('aria-pressed', String(player.slows));
    }
  };
  player.subscribe(follow);
  view.onZoom(follow);
  follow();
  if (span <= 0) for (const control of [play, slider, speed]) control.disabled = true;
  return el('div', { class: 'transport', role: 'toolbar', 'aria-label': 'Playback' }, play, clock, speed, slowed, slider);
}

export function listenForKeys(player: Player, view: View, { instants, view: show, fullscreen, help }: KeyActions): void {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    const at = e.target as HTMLElement;
    if (at.matches('input:not([type=checkbox]):not(.scrub), textarea, select')) return;
    // Space on a button or a summary presses it, as everywhere.
    if (e.key === ' ' && at.closest('button, summary, input[type=checkbox]')) return;
    // A step is small against what the plots show, so zooming in makes it finer.
    const step = niceStep((view.range[1] - view.range[0]) / 500);
    const zoomBy = (factor: number) => view.zoomAt(player.now, factor);
    const actions: Record<string, () => void> = {
      ' ': () => player.toggle(),
      ArrowLeft: () => (e.shiftKey ? player.set(player.now - step) : player.step(-1, instants())),
      ArrowRight: () => (e.shiftKey ? player.set(player.now + step) : player.step(1, instants())),
      ',': () => player.set(player.now - step),
      '.': () => player.set(player.now + step),
      Home: () => player.set(player.from),
      End: () => player.set(player.to),
      '+': () => zoomBy(0.5),
      '=': () => zoomBy(0.5),
      '-': () => zoomBy(2),
      z: () => view.setZoom(null),
      f: fullscreen,
      '?': () => help.showModal(),
    };
    const action = /^[1-4]$/.test(e.key) ? () => show(Number(e.key) - 1) : actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });
}

const keysOfARun: readonly (readonly [string, string])[] = [
  ['space', 'play or pause'],
  ['← →', 'to the event before or after'],
  [', .', 'a small step in time; also shift with ← →'],
  ['Home, End', 'begin and end of the run'],
  ['1 2 3 4', 'chase, port camera, cutaway, free'],
  ['f', 'the scene fills the screen'],
  ['+ −', 'timeline and plots show less or more time around the clock'],
  ['z', 'timeline and plots show the whole run'],
  ['?', 'this help'],
  ['click on a plot', 'move to that time'],
  ['drag on a plot', 'zoom plots and timeline'],
  ['double click on a plot', 'whole run again'],
  ['drag on the scene', 'turn; right button moves, wheel comes nearer'],
  ['← → ↑ ↓ + − on the scene', 'the same by keys, with the scene in focus'],
  ['double click on a body', 'follow it'],
  ['#t=331.2 in the address', 'opens at that time, at rest'],
];

/** Keys and the mouse, and what they do. */
export function helpDialog(rows = keysOfARun): HTMLDialogElement {
  const dialog = el('dialog', { class: 'help', 'aria-label': 'Help' });
  dialog.append(el('h2', {}, 'Keys and mouse'),
    el('dl', {}, ...rows.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)])),
    el('form', { method: 'dialog' }, el('button', {}, 'Close')));
  return dialog;
}
