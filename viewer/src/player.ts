// SPDX-License-Identifier: Apache-2.0
// The one clock. Timeline, plots and scene all subscribe to it; none keeps a time of its own.
//
// Around moments at which craft touch, latch or let go it slows automatically: as it comes nearer the run
// takes at least 0.7 s of the viewer for each halving of the distance, down to a slow pace in between.
import { lastBefore } from './data';

const decades = [0.001, 0.01, 0.1, 1, 10, 100];
const ladder = [...decades.flatMap((d) => [d, 2 * d, 5 * d]), 0.25, 1000].map((s) => Number(s.toPrecision(2))).sort((a, b) => a - b);

/** What the scene asks of a clock: that of playback, or that of a run that is live. */
export interface Clock {
  readonly now: number; // [s] of the run
  readonly pace: number; // [s of the run per s of wall clock]
  readonly playing: boolean;
  readonly ticking: boolean; // listeners are being called from within an animation frame
  readonly slowFrame?: number; // [ms] between two frames from which drawing is too slow
  subscribe(listener: () => void): void;
}

/** A moment worth seeing, and what to call it. */
export interface Moment { t: number; name: string }

export class Player implements Clock {
  now: number;
  playing = false;
  ticking = false; // listeners are being called from within an animation frame
  speed: number; // [s of the run per s of wall clock] as chosen
  slows = true; // automatically, around moments
  private times: number[] = [];
  private readonly listeners: (() => void)[] = [];
  private lastFrame = 0;

  constructor(readonly from: number, readonly to: number, private moments: Moment[] = []) {
    this.now = from;
    // By default a run takes about a minute to watch.
    const wanted = to > from ? Math.max((to - from) / 60, ladder[0]!) : 1;
    this.speed = ladder.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
    this.setMoments(moments);
  }

  /** Speeds worth offering: ×0.1 to ×1000, and slower ones when the run is short. */
  get speeds(): number[] {
    return ladder.filter((s) => s >= Math.min(0.1, this.speed / 10));
  }

  /** Of the run on show. */
  setMoments(moments: readonly Moment[]): void {
    this.moments = [...moments].sort((a, b) => a.t - b.t);
    this.times = this.moments.map((m) => m.t);
  }

  /** The moment that slows the clock now, if any. */
  get slowedFor(): Moment | null {
    return this.slows ? this.limit()?.moment ?? null : null;
  }

  /** [s of the run per s of wall clock] in fact. */
  get pace(): number {
    return this.slows ? this.limit()?.pace ?? this.speed : this.speed;
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(t: number): void {
    this.now = Math.min(Math.max(t, this.from), this.to);
    this.notify();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.notify();
  }

  /** To the next moment of a list in a direction; to the end of the run beyond the last. */
  step(direction: 1 | -1, instants: readonly number[]): void {
    const near = 1e-9 * Math.max(this.to - this.from, 1);
    const found = direction > 0 ? instants.find((t) => t > this.now + near) : instants.filter((t) => t < this.now - near).at(-1);
    this.set(found ?? (direction > 0 ? this.to : this.from));
  }

  play(): void {
    if (this.playing || this.to <= this.from) return;
    if (this.now >= this.to) this.now = this.from;
    this.playing = true;
    this.lastFrame = performance.now();
    requestAnimationFrame(this.frame);
    this.notify();
  }

  pause(): void {
    this.playing = false;
    this.notify();
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** How slow the nearest moment makes it; null when it is as fast as was chosen. */
  private limit(): { pace: number; moment: Moment } | null {
    const slow = Math.min(0.25, this.speed / 4);
    const i = lastBefore(this.times, this.now);
    let best: { pace: number; moment: Moment } | null = null;
    for (const k of [i, i + 1]) {
      const moment = this.moments[k];
      if (!moment) continue;
      const pace = Math.max(slow, Math.abs(moment.t - this.now));
      if (pace < this.speed && (!best || pace < best.pace)) best = { pace, moment };
    }
    return best;
  }

  private readonly frame = (wall: number): void => {
    if (!this.playing) return; // nothing is scheduled while paused: a page at rest costs nothing
    // A hidden tab gets no frames; when it comes back the run goes on where it was.
    const elapsed = Math.min(Math.max(wall - this.lastFrame, 0) / 1000, 0.25);
    this.lastFrame = wall;
    this.now = Math.min(this.now + elapsed * this.pace, this.to);
    if (this.now >= this.to) this.playing = false;
    else requestAnimationFrame(this.frame);
    this.ticking = true;
    this.notify();
    this.ticking = false;
  };

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}
