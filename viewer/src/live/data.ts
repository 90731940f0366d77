// SPDX-License-Identifier: Apache-2.0
// What the program writes into the page of a live run, which stays, and what it sends while the run goes on.
import { type Capture, Damaged, type Facts, type Level, type Port, type Ref, type Scene } from '../data';

/** What there is to draw; a pose of it is `width` numbers. */
export interface LiveScene {
  bodies: Omit<Scene['bodies'][number], 'position' | 'rotation'>[];
  ports: Port[];
  arrows: string[];
  width: number;
  models: Ref[];
}

export interface Head {
  program: string;
  title: string;
  contact: string; // whose force, gap and energy are shown
  sample_time: number | null; // [s]
  latency: number | null; // [s] from a sample to the action of its answer
  factor: number; // simulated seconds per second of the clock
  lockstep: boolean;
  window: number; // [s] of the clock that the program remembers
  force_limit: number | null; // [N]
  late_after: number | null; // [s] of jitter
  h_star: number | null; // [s]
  h_E: number | null; // [s]
  delays: { name: string; seconds: number }[]; // what is counted into the delay of the loop
  more: { name: string; unit: string }[];
  refusals: string[];
  bins: number[]; // [s] upper ends of the bins of histograms, each larger than the one before by the same factor
  scene: LiveScene | null;
  scene_note: string;
  facts: Facts;
}

/** A number, or null where there is none. */
export type Maybe = number | null;

/** The newest frame. */
export interface Now {
  t: number; // [s] simulated
  clock: number; // [s]
  force: Maybe; // [N]
  gap: Maybe; // [m]
  energy: Maybe; // [J]
  jitter: Maybe; // [s]
  round_trip: Maybe; // [s]
  touching: boolean;
  ticks: number;
  late: number;
  lost: number;
  refused: number[];
  more: Maybe[];
  peaks: Record<'force' | 'energy' | 'jitter' | 'round_trip', [Maybe, Maybe]>; // value, and when [s]
  pose?: Maybe[];
}

export type RunState = 'armed' | 'running' | 'stopped';

export interface Message {
  first: boolean; // of a connection: it has all that the program remembers
  state: RunState;
  level: Level;
  verdict: string;
  dropped: number; // frames that were not shown
  now?: Now;
  traces: [number[], Maybe[]][]; // times [s] and values of what is new, in the order of `traceNames`
  jitters?: number[]; // counts of bins
  round_trips?: number[];
}

/** What every run has; what a run adds follows. */
export const traceNames = ['force', 'gap', 'energy', 'touching', 'jitter', 'round_trip'] as const;
export type TraceName = (typeof traceNames)[number];

const number = (value: unknown): Maybe => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** Reads the head. What is absent becomes empty, so that the rest of the page need not ask. */
export function readHead(text: string): Head {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('@')) throw new Damaged('This page shows no run: it is the empty template.');
  let head: Partial<Head> & { format?: number };
  try {
    head = JSON.parse(trimmed) as Partial<Head> & { format?: number };
  } catch {
    throw new Damaged('The description of the run in this page is damaged and cannot be read.');
  }
  if (head.format !== 1) throw new Damaged(`This page is written in format ${String(head.format)}; it can only show format 1.`);
  const facts = (head.facts ?? {}) as Partial<Facts>;
  const captures = (facts.captures ?? []).map((c): Capture => ({ name: c.name, ports: c.ports, touch: null, soft: null, hard: null, conditions: [] }));
  return {
    program: head.program ?? 'berth',
    title: head.title ?? '',
    contact: head.contact ?? '',
    sample_time: number(head.sample_time),
    latency: number(head.latency),
    factor: number(head.factor) ?? 1,
    lockstep: head.lockstep ?? false,
    window: number(head.window) ?? 30,
    force_limit: number(head.force_limit),
    late_after: number(head.late_after),
    h_star: number(head.h_star),
    h_E: number(head.h_E),
    delays: (head.delays ?? []).filter((d) => number(d.seconds) !== null),
    more: head.more ?? [],
    refusals: head.refusals ?? [],
    bins: head.bins ?? [],
    scene: head.scene ?? null,
    scene_note: head.scene_note ?? '',
    facts: {
      verdict: '', window: null, captures, loads: [], effort: null, wheels: [], thrusters: facts.thrusters ?? [], joins: facts.joins ?? [],
      contacts: facts.contacts ?? [], shaped: facts.shaped ?? [], gravity: facts.gravity ?? null,
    },
  };
}
