// SPDX-License-Identifier: Apache-2.0
// What happened, in the words of a docking: which events matter most, and what to call them.
import type { Capture, Run, RunEvent } from './data';
import type { Moment } from './player';

const stages: Record<string, string> = { touch: 'touch', soft: 'soft dock', hard: 'hard dock', inside: 'inside the zone' };
const kinds: Record<string, string> = {
  contact_on: 'contact', contact_off: 'contact ends', contact_settled: 'contact settled', impact: 'impact',
  latch: 'latch', release: 'release', latch_refused: 'latch refused', latch_late: 'late latch of', latch_stuck: 'stuck latch of',
};

/** "touch" of "capture_touch"; nothing of events that belong to no capture. */
function stageOf(event: RunEvent, captures: readonly Capture[]): string | null {
  if (event.kind !== 'event') return null;
  for (const { name } of captures) {
    const stage = event.name.startsWith(`${name}_`) ? event.name.slice(name.length + 1) : '';
    if (stages[stage]) return stage;
  }
  return null;
}

export function eventLabel(event: RunEvent, run: Run): string {
  const stage = stageOf(event, run.facts.captures);
  if (stage) return stages[stage]!;
  return event.kind === 'event' || !kinds[event.kind] ? event.name : `${kinds[event.kind]} ${event.name}`;
}

/** The larger, the more it is worth a label. */
export function weight(event: RunEvent, run: Run): number {
  const stage = stageOf(event, run.facts.captures);
  if (stage) return stage === 'inside' ? 0 : 5;
  return { latch: 3, release: 3, event: 4, impact: 2, contact_on: 2 }[event.kind] ?? 1;
}

/** Moments around which playback slows: touch, latch, release, impact. Of a chattering contact, the first of each crowd. */
export function momentsOf(run: Run): Moment[] {
  const near = 0.002 * (run.to - run.from);
  const out: Moment[] = [];
  for (const event of run.events) {
    const stage = stageOf(event, run.facts.captures);
    const counts = (stage && stage !== 'inside') || ['contact_on', 'latch', 'release', 'impact'].includes(event.kind);
    const last = out.at(-1);
    if (!counts) continue;
    if (last && event.t - last.t < near) {
      if (stage && event.t === last.t) last.name = eventLabel(event, run);
      if (!(stage && event.t > last.t)) continue;
    }
    out.push({ t: event.t, name: eventLabel(event, run) });
  }
  return out;
}

/** When the run is most important: the touch of a capture, else the first contact or impact, else the first latch or release, else its start. */
export function keyMoment(run: Run): number {
  const touch = run.facts.captures.map((c) => c.touch?.t).filter((t) => t !== undefined);
  if (touch.length > 0) return Math.min(...touch);
  const first = (...of: string[]) => run.events.find((e) => of.includes(e.kind))?.t;
  return first('contact_on', 'impact') ?? first('latch', 'release') ?? run.from;
}
