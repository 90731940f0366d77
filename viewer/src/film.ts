// SPDX-License-Identifier: Apache-2.0
// "#film=port": the scene alone, as large as the window, for `berth film`, which asks for one frame after the other.
import { el } from './dom';
import type { Player } from './player';
import type { ScenePanel } from './scene';
import { timeText } from './ticks';
import type { ViewName } from './views';

/** The camera of a film, where the address asks for one. */
export function filmView(): ViewName | null {
  return (/^#film=(chase|port|cutaway|free)$/.exec(location.hash)?.[1] ?? null) as ViewName | null;
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

export function openFilm(scene: ScenePanel, player: Player, view: ViewName): void {
  document.documentElement.classList.add('film');
  player.pause();
  if (scene.stage) scene.setView(view);
  const clock = el('output', { class: 'film-clock' });
  scene.element.append(clock);
  Object.assign(window, {
    berthFilm: {
      state: () => (scene.stage === null ? 'no scene' : scene.frames > 0 && scene.stage.models.settled ? 'ready' : 'loading'),
      /** Draws the run at a time [s]; done when it is on the screen. */
      async show(t: number): Promise<void> {
        const before = scene.frames;
        player.set(t);
        clock.textContent = `${timeText(t, player.to - player.from)} s`;
        // A time at which nothing has changed draws nothing.
        for (let i = 0; i < 10 && scene.frames === before; i++) await nextFrame();
        await nextFrame();
      },
    },
  });
}
