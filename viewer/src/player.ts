// SPDX-License-Identifier: Apache-2.0
// The one clock. Timeline, plots and scene all subscribe to it; none keeps a time of its own.

const decades = [0.001, 0.01, 0.1, 1, 10, 100];
const ladder = [...decades.flatMap((d) => [d, 2 * d, 5 * d]), 1000].map((s) => Number(s.toPrecision(1)));

export class Player {
  now: number;
  playing = false;
  ticking = false; // listeners are being notified from within an animation frame
  speed: number; // [s of the run per s of wall clock]
  private readonly listeners: (() => void)[] = [];
  private lastFrame = 0;

  constructor(readonly from: number, readonly to: number) {
    this.now = from;
    // By default a run takes about a minute to watch.
    const wanted = to > from ? Math.max((to - from) / 60, ladder[0]!) : 1;
    this.speed = ladder.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
  }

  /** Speeds worth offering: ×0.1 to ×1000, and slower ones when the run is short. */
  get speeds(): number[] {
    return ladder.filter((s) => s >= Math.min(0.1, this.speed / 10));
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

  private readonly frame = (wall: number): void => {
    if (!this.playing) return; // nothing is scheduled while paused: a page at rest costs nothing
    // A hidden tab gets no frames; when it comes back the run goes on where it was.
    const elapsed = Math.min(Math.max(wall - this.lastFrame, 0) / 1000, 0.25);
    this.lastFrame = wall;
    this.now = Math.min(this.now + elapsed * this.speed, this.to);
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
