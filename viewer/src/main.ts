// SPDX-License-Identifier: Apache-2.0
// Puts the page together: head first, so that it can be read while the numbers are still decoded.
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { runLabels } from './curves';
import { Block, Damaged, type Head, type Run, bytesNeeded, readHead } from './data';
import { el, menu } from './dom';
import { Player } from './player';
import { buildPlots } from './plots';
import { ScenePanel } from './scene';
import { buildSource } from './source';
import { buildSummary } from './summary';
import { buildTimeline } from './timeline';
import { buildTransport } from './transport';
import { View } from './view';

const page = document.getElementById('page')!;
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
  page.replaceChildren(buildSummary(head));
  // Let the browser paint the head before the heavy part. A hidden tab has no frames: hence the timer.
  setTimeout(() => fill(head), 0);
}

function fill(head: Head): void {
  let block = Block.empty;
  try {
    block = Block.decode(textOf('berth-data'));
    const needed = bytesNeeded(head.runs);
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
  const player = new Player(from, to);
  const view = new View(to > from ? [from, to] : [from - 0.5, from + 0.5]);

  // Plots overlay all runs; timeline, scene and scenario show one of them.
  const timelinePlace = el('div');
  const scenePlace = el('div', { class: 'scene-place' });
  const sourcePlace = el('div');
  let scene: ScenePanel | null = null;
  const panels = new Map<Run, { timeline: HTMLElement; scene: ScenePanel }>();
  const show = (run: Run) => {
    scene?.setActive(false);
    let panel = panels.get(run);
    if (!panel) {
      panel = { timeline: buildTimeline(run, player, view), scene: new ScenePanel(run, block, player) };
      panels.set(run, panel);
    }
    scene = panel.scene;
    timelinePlace.replaceChildren(panel.timeline);
    scenePlace.replaceChildren(scene.element);
    sourcePlace.replaceChildren(buildSource(run, head.program));
    scene.setActive(true);
  };
  const labels = runLabels(runs);
  const chooser = runs.length > 1 && el('label', { class: 'run-choice' }, 'Timeline, scene and scenario of ',
    menu('Run', labels.map((l, i) => [String(i), l] as const), '0', (i) => show(runs[Number(i)]!)));

  page.append(
    ...(chooser ? [chooser] : []),
    el('div', { class: 'time-bar' }, buildTransport(player, view), timelinePlace),
    el('main', { class: runs.some((r) => r.scene) ? 'with-scene' : '' }, scenePlace, buildPlots(runs, block, player, view)),
    sourcePlace);
  show(runs[0]!);
  // What sticks below the time bar must know its height.
  const bar = page.querySelector('.time-bar')!;
  new ResizeObserver(() => page.style.setProperty('--bar', `${bar.clientHeight}px`)).observe(bar);

  // For tests, and for the curious at the console.
  Object.assign(window, {
    berth: {
      player, view, head,
      get now() { return player.now; },
      get scene() { return scene; },
      pose: (name: string) => scene?.pose(name) ?? null,
    },
  });
}

start();
