// SPDX-License-Identifier: Apache-2.0
// From channels to curves: the same channel of every run, decoded, cleaned, and distinguished by
// colour (part) and dash (run).
import { type Block, type Channel, Damaged, type Head, type Run, lastBefore } from './data';

/** One channel name, with the runs that have it; and the same as differences from the first run. */
export interface Signal {
  name: string; // "servicer.wheel1.speed"
  owner: string; // "servicer.wheel1"
  quantity: string; // "speed"
  unit: string;
  frame: string;
  description: string;
  log: boolean;
  sources: Source[];
  difference: Signal | null;
}

/** `label`: which run, or which difference; empty when there is only one. */
export interface Source { run: number; label: string; channel: Channel }

export interface Curve {
  label: string; // "x", or "x · b.toml" when there are several runs
  color: number; // index in the palette
  dash: readonly number[];
  t: Float64Array;
  y: Float64Array; // NaN: gap
}

const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3], [12, 5], [4, 2]];

// Beyond this even the span of an axis overflows; such a number says only that the run has diverged.
const absurd = 1e200;

/** Every channel of all runs, in order of first appearance. */
export function collectSignals({ runs, differences }: Head): Signal[] {
  const labels = runLabels(runs);
  const byName = new Map<string, Signal>();
  runs.forEach((run, index) => {
    for (const channel of run.groups.flatMap((g) => g.channels)) {
      let signal = byName.get(channel.name);
      if (!signal) byName.set(channel.name, (signal = signalOf(channel)));
      signal.sources.push({ run: index, label: runs.length > 1 ? labels[index]! : '', channel });
    }
  });
  for (const { run, groups } of differences) {
    for (const channel of groups.flatMap((g) => g.channels)) {
      const signal = byName.get(channel.name);
      if (!signal) continue;
      signal.difference ??= { ...signalOf(channel), name: `Δ ${channel.name}`, quantity: `Δ ${signal.quantity}` };
      signal.difference.sources.push({ run, label: differenceLabel(labels, run), channel });
    }
  }
  return [...byName.values()];
}

function signalOf(channel: Channel): Signal {
  const { name, unit, frame, description, log } = channel;
  const dot = name.lastIndexOf('.');
  return {
    name, owner: dot > 0 ? name.slice(0, dot) : 'run', quantity: name.slice(dot + 1), unit, frame, description, log, sources: [], difference: null,
  };
}

/** Decodes a signal; `notes` are sentences about what cannot be drawn. */
export function readCurves(signal: Signal, block: Block): { curves: Curve[]; notes: string[] } {
  const curves: Curve[] = [];
  const notes: string[] = [];

  for (const { run, label, channel } of signal.sources) {
    const of = label ? ` (${label})` : '';
    let missing = 0;
    let below = 0;
    try {
      const t = block.read(channel.time);
      channel.data.forEach((ref, part) => {
        const y = block.read(ref);
        if (y.length !== t.length) throw new Damaged('a part has another length than its time axis');
        for (let i = 0; i < y.length; i++) {
          if (!(Math.abs(y[i]!) < absurd)) { y[i] = NaN; missing++; }
          else if (signal.log && y[i]! <= 0) { y[i] = NaN; below++; }
        }
        const partName = channel.parts[part] ?? '';
        const names = [partName || (label ? '' : signal.quantity), label];
        curves.push({
          label: names.filter(Boolean).join(' · '),
          color: channel.data.length > 1 ? part : run,
          dash: dashes[run % dashes.length]!,
          t,
          y,
        });
      });
      if (t.length === 0) notes.push(`No samples${of}.`);
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      notes.push(`Damaged${of}: ${error.message}.`);
    }
    missing = Math.max(missing, channel.missing || 0);
    if (missing) notes.push(`${missing} ${missing === 1 ? 'sample is not a number' : 'samples are not numbers'}${of}.`);
    if (below) notes.push(`${below} ${below === 1 ? 'value' : 'values'} ≤ 0 cannot be drawn on a log axis${of}.`);
  }
  return { curves, notes };
}

/** Names that distinguish runs: the file, numbered where two are alike. */
export function runLabels(runs: readonly Run[]): string[] {
  return runs.map((run, i) => {
    const name = run.file || run.title || `run ${i + 1}`;
    const twin = runs.some((other, j) => j !== i && (other.file || other.title) === (run.file || run.title));
    return twin ? `${name} #${i + 1}` : name;
  });
}

/** "b.h5 − a.h5" */
export const differenceLabel = (labels: readonly string[], run: number) => `${labels[run] ?? ''} − ${labels[0] ?? ''}`;

/**
 * All curves over one ascending time axis, as uPlot wants them: null is a gap, undefined is "this
 * curve has no sample here, draw through". Equal times are kept: a jump at an event is two samples.
 */
export function align(curves: readonly Curve[]): [number[], ...(number | null | undefined)[][]] {
  const axes = [...new Set(curves.map((c) => c.t))];
  const heads = axes.map(() => 0);
  const time: number[] = [];
  const columns = curves.map((): (number | null | undefined)[] => []);
  for (;;) {
    let t = Infinity;
    axes.forEach((axis, a) => { if (heads[a]! < axis.length) t = Math.min(t, axis[heads[a]!]!); });
    if (t === Infinity) break;
    time.push(t);
    curves.forEach((curve, c) => {
      const head = heads[axes.indexOf(curve.t)]!;
      const y = curve.t[head] === t ? curve.y[head]! : undefined;
      columns[c]!.push(y !== undefined && Number.isNaN(y) ? null : y);
    });
    axes.forEach((axis, a) => { if (axis[heads[a]!] === t) heads[a]!++; });
  }
  return [time, ...columns];
}

/** The sample that holds at time t: the last one not after it. */
export function reading(curve: Curve, t: number): number | null {
  const i = lastBefore(curve.t, t);
  const value = i < 0 ? NaN : curve.y[i]!;
  return Number.isNaN(value) ? null : value;
}

/** Smallest and largest value between two times; null when there is none. */
export function extent(curves: readonly Curve[], from: number, to: number): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const { t, y } of curves) {
    for (let i = 0; i < t.length; i++) {
      if (t[i]! < from || t[i]! > to) continue;
      if (y[i]! < low) low = y[i]!;
      if (y[i]! > high) high = y[i]!;
    }
  }
  return low <= high ? [low, high] : null;
}

/** Air around an extent, so that a flat curve is not drawn on the frame. */
export function padded([low, high]: readonly [number, number], log: boolean): [number, number] {
  if (log) {
    const room = Math.max(0.05 * Math.log10(high / low), 0.15);
    return [low / 10 ** room, high * 10 ** room];
  }
  // Ticks must stay apart in double precision: an axis narrower than 1e-12 of its values is widened.
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low;
  if (span <= 1e-12 * size || span === 0) {
    const room = size === 0 ? 1 : span === 0 ? 0.1 * size : 1e-12 * size;
    return [low - room, high + room];
  }
  return [low - 0.06 * span, high + 0.06 * span];
}
