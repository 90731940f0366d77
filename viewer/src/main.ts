// SPDX-License-Identifier: Apache-2.0
// Puts the page together: scene, time, cards, plots, source; the first line first, so that it can be read
// while the numbers are still decoded.
import 'uplot/dist/uPlot.min.css';
import './base.css';
import './style.css';
import { buildCards } from './cards';
import { runLabels } from './curves';
import { Block, Damaged, type Head, type Run, bytesNeeded, readHead } from './data';
import { el, menu } from './dom';
import { momentsOf, keyMoment } from './events';
import { filmView, openFilm } from './film';
import { Player } from './player';
import { buildPlots } from './plots';
import { ScenePanel } from './scene';
import { buildSource } from './source';
import { buildComparison, buildSummary } from './summary';
import { buildTimeline, eventList } from './timeline';
import { buildTransport, helpDialog, listenForKeys } from './transport';
import { View } from './view';

const page = document.getElementById('page')!;
const help = helpDialog();
const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';

function complain(sentence: string): HTMLElement {
  return el('p', { class: 'complaint', role: 'alert' }, sentence);
}

function start(): void {
  let head: Head;
  try {
    head = readHead(textOf('berth-head'));
  } catch (error) {
    page.replaceChildren(complain(error instanceof Damaged ? error.message : String(error)));
    return;
  }
  page.replaceChildren(buildSummary(head, help));
  // Let the browser paint the head before the heavy part. A hidden tab has no frames: hence the timer.
  setTimeout(() => fill(head), 0);
}

/** A time in the address: "#t=331.2". */
function timeInAddress(): number | null {
  const found = /^#t=(-?[\d.]+(?:e-?\d+)?)$/i.exec(location.hash);
  return found && Number.isFinite(Number(found[1])) ? Number(found[1]) : null;
}

function fill(head: Head): void {
  let block = Block.empty;
  try {
    block = Block.decode(textOf('berth-data'));
    const needed = bytesNeeded([head.runs, head.differences]);
    if (block.bytes < needed) {
      throw new Damaged(`The data block of this page is cut short: ${block.bytes} of ${needed} bytes are there. `
        + 'What is missing is not drawn.');
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    page.append(complain(error.message));
  }
  const { runs } = head;
  if (runs.length === 0) {
    page.append(el('p', { class: 'nothing' }, 'This page holds no run.'));
    return;
  }
  const from = Math.min(...runs.map((r) => r.from));
  const to = Math.max(...runs.map((r) => r.to), from);
  const player = new Player(from, to, momentsOf(runs[0]!));
  const view = new View(to > from ? [from, to] : [from - 0.5, from + 0.5]);
  const asked = timeInAddress();
  const meeting = runs[0]!.facts.window;
  if (meeting && (asked === null || (asked >= meeting[0] && asked <= meeting[1]))) view.setZoom(meeting);

  // Plots overlay all runs; scene, timeline, cards and scenario show one of them.
  const places = { scene: el('div', { class: 'scene-place' }), timeline: el('div'), cards: el('div'), plots: el('main'), source: el('div') };
  let shown: { run: Run; scene: ScenePanel } | null = null;
  const labels = runLabels(runs);
  const others = (run: Run) => runs.map((other, index) => ({ run: other, label: labels[index]!, index })).filter((o) => o.run !== run);
  const panels = new Map<Run, { timeline: HTMLElement; scene: ScenePanel; cards: HTMLElement }>();
  const show = (run: Run) => {
    shown?.scene.setActive(false);
    let panel = panels.get(run);
    if (!panel) {
      panel = { timeline: buildTimeline(run, player, view), scene: new ScenePanel(run, block, player, labels[runs.indexOf(run)]!, others(run)), cards: buildCards(run, player) };
      panels.set(run, panel);
    }
    shown = { run, scene: panel.scene };
    player.setMoments(momentsOf(run));
    places.scene.replaceChildren(panel.scene.element);
    places.timeline.replaceChildren(panel.timeline);
    places.cards.replaceChildren(panel.cards, eventList(run, player));
    places.source.replaceChildren(buildSource(run, head.program));
    panel.scene.setActive(true);
  };
  const chooser = runs.length > 1 && el('label', { class: 'run-choice' }, 'Scene, timeline and figures of ',
    menu('Run', labels.map((l, i) => [String(i), l] as const), '0', (i) => show(runs[Number(i)]!)));

  page.append(
    ...(chooser ? [chooser] : []),
    places.scene,
    el('div', { class: 'time-bar' }, buildTransport(player, view), places.timeline),
    places.cards,
    ...(runs.length > 1 ? [buildComparison(runs)] : []),
    places.plots, places.source);
  show(runs[0]!);
  const film = filmView();
  if (film) {
    openFilm(panels.get(runs[0]!)!.scene, player, film);
    return;
  }
  listenForKeys(player, view, {
    instants: () => [...new Set(shown!.run.events.map((e) => e.t))].sort((a, b) => a - b),
    view: (i) => shown!.scene.setView((['chase', 'port', 'cutaway', 'free'] as const)[i]!),
    fullscreen: () => shown!.scene.fullscreen(),
    help,
  });
  open(player, view, runs[0]!, asked);

  // Plots are hundreds of frames on the page: the first picture does not wait for them.
  afterPicture(() => shown!.scene, () => {
    places.plots.append(buildPlots(head, block, player, view));
    // For tests, and for the curious at the console.
    Object.assign(window, {
      berth: {
        player, view, head,
        get now() { return player.now; },
        get scene() { return shown?.scene ?? null; },
        pose: (name: string) => shown?.scene.pose(name) ?? null,
      },
    });
  });
}

/** Calls back when the scene has drawn, or after a while where it does not. */
function afterPicture(scene: () => ScenePanel, then: () => void): void {
  const begin = performance.now();
  const look = () => {
    if (scene().frames > 0 || !scene().draws || performance.now() - begin > 1500) then();
    else setTimeout(look, 20);
  };
  look();
}

/** At the time in the address, at rest; else where it is most important, playing slowly. */
function open(player: Player, view: View, run: Run, asked: number | null): void {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const key = keyMoment(run);
  if (asked !== null) player.set(asked);
  else if (calm) player.set(key);
  else {
    player.set(key > run.from ? Math.max(key - 2 * player.pace, key - 0.6, run.from) : run.from);
    if (run.scene) player.play();
  }
  // The address follows a clock at rest, so that it can be sent to others.
  let timer = 0;
  player.subscribe(() => {
    clearTimeout(timer);
    if (player.playing) return;
    timer = window.setTimeout(() => history.replaceState(null, '', `#t=${Number(player.now.toFixed(6))}`), 400);
  });
  window.addEventListener('hashchange', () => {
    const t = timeInAddress();
    if (t === null) return;
    player.pause();
    player.set(t);
    if (view.zoom && (t < view.zoom[0] || t > view.zoom[1])) view.centre(t);
  });
}

start();
