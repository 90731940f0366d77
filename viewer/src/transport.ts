// SPDX-License-Identifier: Apache-2.0
// The bar that stays in view: play, scrub, speed, theme, help; and the keys that do the same.
import { button, el, menu } from './dom';
import type { Player } from './player';
import { theme } from './theme';
import { niceStep, timeText } from './ticks';
import type { View } from './view';

export function buildTransport(player: Player, view: View): HTMLElement {
  const span = player.to - player.from;
  const play = el('button', { type: 'button', class: 'play', onclick: () => player.toggle() });
  const slider = el('input', {
    type: 'range', class: 'scrub', min: 0, max: 10000, step: 1, value: '0', 'aria-label': 'Time of the run',
  });
  slider.addEventListener('input', () => player.set(player.from + (Number(slider.value) / 10000) * span));
  const clock = el('output', { class: 'clock' });
  const speed = menu('Speed', player.speeds.map((s) => [String(s), `×${s}`] as const), String(player.speed),
    (value) => player.setSpeed(Number(value)));
  const themeButton = button('◐', 'Light or dark', () => theme.toggle());
  const help = helpDialog();
  const helpButton = button('?', 'Keys and mouse (?)', () => help.showModal());

  const follow = () => {
    const text = player.playing ? '❚❚' : '▶';
    if (play.textContent !== text) {
      play.textContent = text;
      play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
      play.title = player.playing ? 'Pause (space)' : 'Play (space)';
    }
    const place = span > 0 ? (10000 * (player.now - player.from)) / span : 0;
    if (!player.ticking || Math.abs(place - Number(slider.value)) >= 10) slider.value = String(Math.round(place));
    const time = `${timeText(player.now, span)} s`;
    clock.textContent = time;
    if (!player.ticking) slider.setAttribute('aria-valuetext', time);
  };
  player.subscribe(follow);
  follow();
  if (span <= 0) for (const control of [play, slider, speed]) control.disabled = true;
  listenForKeys(player, view, help);
  return el('div', { class: 'transport', role: 'toolbar', 'aria-label': 'Playback' },
    play, slider, clock, speed, themeButton, helpButton, help);
}

function listenForKeys(player: Player, view: View, help: HTMLDialogElement): void {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    const at = e.target as HTMLElement;
    const slider = at.matches('input.scrub');
    if (!slider && at.matches('input:not([type=checkbox]), textarea, select')) return;
    // Space on a button or a summary presses it, as everywhere.
    if (e.key === ' ' && at.closest('button, summary, input[type=checkbox]')) return;
    // A step is small against what the plots show, so zooming in makes it finer.
    const step = niceStep((view.range[1] - view.range[0]) / 500) * (e.shiftKey ? 10 : 1);
    const actions: Record<string, () => void> = {
      ' ': () => player.toggle(),
      ArrowLeft: () => player.set(player.now - step),
      ArrowRight: () => player.set(player.now + step),
      Home: () => player.set(player.from),
      End: () => player.set(player.to),
      '?': () => help.showModal(),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });
}

function helpDialog(): HTMLDialogElement {
  const rows: [string, string][] = [
    ['space', 'play or pause'],
    ['← →', 'step in time; with shift ten times as far'],
    ['Home, End', 'begin and end of the run'],
    ['?', 'this help'],
    ['click on a plot', 'move to that time'],
    ['drag on a plot', 'zoom all plots'],
    ['double click on a plot', 'whole run again'],
    ['drag on the scene', 'turn; right button moves, wheel comes nearer'],
    ['click on a body', 'follow it'],
  ];
  const dialog = el('dialog', { class: 'help', 'aria-label': 'Help' });
  dialog.append(el('h2', {}, 'Keys and mouse'),
    el('dl', {}, ...rows.flatMap(([key, what]) => [el('dt', {}, key), el('dd', {}, what)])),
    el('form', { method: 'dialog' }, el('button', {}, 'Close')));
  return dialog;
}
