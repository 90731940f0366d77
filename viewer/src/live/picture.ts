// SPDX-License-Identifier: Apache-2.0
// The scene of a live run: that of a recorded run with one frame, which every message moves.
import { Block, type Head as RunHead, type Ref, type Run, type Scene, completeRun } from '../data';
import type { Clock } from '../player';
import { type Reading, quantities } from '../readouts';
import { ScenePanel } from '../scene';
import type { Head, LiveScene, Maybe } from './data';
import type { Store } from './store';

/** Numbers of a pose without an orbit: origin, position and attitude of bodies, point and force of arrows. */
const plainWidth = (scene: LiveScene) => 3 + 7 * scene.bodies.length + 6 * scene.arrows.length;

/** A run of one frame, and the numbers it refers to. */
export function buildRun(head: Head, models: Block, t: number, pose: readonly Maybe[]): { run: Run; block: Block } {
  const scene = head.scene!;
  const orbit = scene.width === plainWidth(scene) + 4;
  const before = 8 * Math.ceil(models.bytes / 8);
  const bytes = new ArrayBuffer(before + 8 * (1 + pose.length));
  new Uint8Array(bytes).set(new Uint8Array(models.file({ at: 0, n: models.bytes, kind: 'u8' })));
  const view = new DataView(bytes);
  let at = before;
  let next = 3; // see Poses.write
  const number = (value: Maybe | undefined) => { view.setFloat64(at, value ?? NaN, true); at += 8; };
  const add = (n: number): Ref => {
    const ref: Ref = { at, n, kind: 'f64' };
    for (let i = 0; i < n; i++) number(pose[next++]);
    return ref;
  };
  const time: Ref = { at, n: 1, kind: 'f64' };
  number(t);
  const lvlh = orbit ? add(4) : null;
  const positions = scene.bodies.map(() => add(3));
  const rotations = scene.bodies.map(() => add(4));
  const points = scene.arrows.map(() => add(3));
  const vectors = scene.arrows.map(() => add(3));
  const drawn: Scene = {
    time, focus: 0, ports: scene.ports, models: scene.models, lvlh,
    bodies: scene.bodies.map((body, i) => ({ ...body, position: positions[i]!, rotation: rotations[i]! })),
    arrows: scene.arrows.map((name, i) => ({ name, unit: 'N', point: points[i]!, vector: vectors[i]! })),
  };
  return { run: completeRun({ title: head.title, from: t, to: t, facts: head.facts, scene: drawn } as RunHead['runs'][number]), block: Block.of(bytes) };
}

/** The clock of the scene: it stands where the newest frame does. */
export class LiveClock implements Clock {
  now = 0;
  playing = false;
  ticking = false;
  readonly slowFrame = 70; // messages come 30 times a second
  private readonly listeners: (() => void)[] = [];

  constructor(readonly pace: number) {}

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** From within an animation frame. */
  tick(): void {
    this.ticking = true;
    for (const listener of this.listeners) listener();
    this.ticking = false;
  }
}

/** The numbers beside the port camera: gap and force of the contact, and what the run adds of the usual ones. */
function readingsOf(store: Store, shown: () => { gap: Maybe; force: Maybe; more: readonly Maybe[] }): Reading[] {
  const { head } = store;
  const added = quantities.flatMap(([key, label, unit]) => {
    const i = head.more.findIndex((m) => m.unit === unit && m.name.endsWith(`.${key}`));
    return i < 0 ? [] : [{ key, label, unit, channel: head.more[i]!.name, at: () => shown().more[i] ?? null }];
  });
  const own = (key: 'gap' | 'force', unit: string): Reading => ({ key: `contact_${key}`, label: key, unit, channel: `${head.contact}.${key}`, at: () => shown()[key] });
  return [own('gap', 'm'), own('force', 'N'), ...added];
}

/** Draws nothing until the first pose is there: what there is to draw is built around it. */
export class Picture {
  panel: ScenePanel | null = null;
  readonly clock: LiveClock;
  private shown: { gap: Maybe; force: Maybe; more: readonly Maybe[] } = { gap: null, force: null, more: [] };

  constructor(private readonly store: Store, private readonly models: Block, private readonly place: HTMLElement) {
    this.clock = new LiveClock(store.head.lockstep ? 1 : store.head.factor);
  }

  /** From within an animation frame, after messages have come. */
  update(playing: boolean): void {
    const { now, pose, head } = this.store;
    if (!now || !pose || !head.scene) return;
    this.shown = now;
    this.clock.now = now.t;
    this.clock.playing = playing;
    if (!this.panel) {
      const { run, block } = buildRun(head, this.models, now.t, pose);
      this.panel = new ScenePanel(run, block, this.clock, '', [], readingsOf(this.store, () => this.shown));
      this.place.replaceChildren(this.panel.element);
      this.panel.setActive(true);
      return;
    }
    this.panel.stage?.poses.write(now.t, pose.map((x) => x ?? NaN));
    this.clock.tick();
  }
}
