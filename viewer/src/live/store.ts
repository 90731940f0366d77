// SPDX-License-Identifier: Apache-2.0
// What the page knows of the run: the newest frame, how the run stands, and the points of the last half minute. A
// connection that is lost takes none of it.
import type { Level } from '../data';
import { type Head, type Maybe, type Message, type Now, type RunState, type TraceName, traceNames } from './data';

export interface Trace { t: number[]; value: Maybe[] }

export class Store {
  state: RunState = 'armed';
  level: Level = '';
  verdict = '';
  dropped = 0;
  now: Now | null = null;
  pose: Maybe[] | null = null;
  moved = 0; // [ms] of the page, when the last tick came
  jitters: number[] = [];
  roundTrips: number[] = [];
  largestEnergy = 0; // [J] of |E|
  readonly traces: Trace[];
  readonly span: number; // [s] simulated, of what is kept

  constructor(readonly head: Head) {
    this.traces = Array.from({ length: traceNames.length + head.more.length }, () => ({ t: [], value: [] }));
    this.span = head.window * (head.lockstep ? 1 : head.factor);
  }

  trace(name: TraceName): Trace {
    return this.traces[traceNames.indexOf(name)]!;
  }

  apply(message: Message): void {
    this.state = message.state;
    this.level = message.level;
    this.verdict = message.verdict;
    this.dropped = message.dropped;
    if (message.jitters) this.jitters = message.jitters;
    if (message.round_trips) this.roundTrips = message.round_trips;
    if (message.now) {
      if (message.now.ticks !== this.now?.ticks) this.moved = performance.now();
      this.now = message.now;
      if (message.now.pose) this.pose = message.now.pose;
    }
    message.traces.forEach(([t, value], i) => {
      const trace = this.traces[i];
      if (!trace) return;
      if (message.first) trace.t.length = trace.value.length = 0;
      for (let k = 0; k < t.length; k++) {
        trace.t.push(t[k]!);
        trace.value.push(value[k] ?? null);
      }
      trim(trace, (this.now?.t ?? 0) - this.span);
    });
    for (const e of message.traces[traceNames.indexOf('energy')]?.[1] ?? []) this.largestEnergy = Math.max(this.largestEnergy, Math.abs(e ?? 0));
  }

  /**
   * Whether the contact has given back more energy than it took: E > 0, by more than rounding. The loop is then what
   * feeds it.
   */
  feeds(energy: Maybe): boolean {
    return energy !== null && energy > Math.max(1e-9, 1e-6 * this.largestEnergy);
  }
}

/** Off the front, a good part at a time: taking one by one would move all that stay. */
function trim(trace: Trace, oldest: number): void {
  let n = 0;
  while (n + 1 < trace.t.length && trace.t[n + 1]! < oldest) n++;
  if (n < 500) return;
  trace.t.splice(0, n);
  trace.value.splice(0, n);
}
