// SPDX-License-Identifier: Apache-2.0
// What the program wrote into the page: a JSON head that says what there is, and one block of
// little-endian numbers that the head points into.

/** Numbers in the block: value = offset + scale · raw. NaN means "no value". */
export interface Ref {
  at: number; // [byte]
  n: number;
  kind: 'f32' | 'f64' | 'i16' | 'u8';
  offset?: number;
  scale?: number;
}

export type Level = 'good' | 'warn' | 'bad' | '';

export interface KeyNumber { label: string; value: string; unit: string; level: Level; note: string }
export interface Expectation { met: boolean; text: string }
export interface RunEvent { t: number; kind: string; name: string; text: string; impulse?: number } // [N·s]
export interface Phase { name: string; from: number; to: number }

export interface Channel {
  name: string;
  unit: string;
  frame: string;
  description: string;
  parts: string[]; // ["x", "y", "z"], or [""] for a scalar
  log: boolean;
  time: Ref; // of the rows that are kept of it
  data: Ref[]; // one per part, at those rows
  missing: number; // samples that are not numbers
  deviations?: Deviation[]; // of a difference, one per part
}

/** How far two runs differ in one number: max |B − A|, when, and its root mean square over time. */
export interface Deviation { largest: number | null; t: number | null; rms: number | null }

/** Channels that were recorded together. */
export interface Group { name: string; samples: number; channels: Channel[] }

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // scalar first

interface Placed { at: Vec3; q: Quat; color?: string }
export type Shape = Placed & (
  | { kind: 'box'; size: Vec3 }
  | { kind: 'sphere'; radius: number }
  | { kind: 'cylinder'; radius: number; length: number } // axis x, centred
  | { kind: 'capsule'; radius: number; length: number } // centre of the tip at the origin, shaft along −x
  | { kind: 'cone'; half_angle: number; length: number } // apex at the origin, opens along +x
  | { kind: 'plane'; size: number } // faces +x
  | { kind: 'gltf'; model: number; scale: number; middle: Vec3; size: Vec3 } // box around it [m], axes of its file
);

export type BodyKind = 'hub' | 'panel' | 'wheel' | 'slosh' | 'link' | 'payload' | 'body';

export interface Body {
  name: string;
  kind: BodyKind;
  parent: number; // −1: none
  craft: number;
  shapes: Shape[];
  position: Ref; // 3n [m], inertial axes, about a common moving origin
  rotation: Ref; // 4n, body → inertial
}

export interface Port { name: string; body: number; at: Vec3; q: Quat } // x outward, z clocking
export interface Arrow { name: string; unit: string; point: Ref; vector: Ref }

export interface Scene {
  time: Ref;
  focus: number;
  bodies: Body[];
  ports: Port[];
  arrows: Arrow[];
  models?: Ref[]; // binary glTF, as checked by the program
  lvlh: Ref | null; // 4n, orbit frame (x V-bar, z nadir) → inertial
  origin?: Ref | null; // 3n [m], what positions are measured from; where there are several runs
}

/** A stage of a capture: when it was reached, and the capture's channels then. */
export interface Stage { t: number; values: Record<string, number> }

/** One comparison of a capture's event, and how near the run came to it. */
export interface Condition {
  stage: string; // "soft", "hard", …
  quantity: string; // "closing", "lateral", …
  wanted: 'below' | 'above';
  limit: number;
  best?: number | null; // absent: never evaluated
  t?: number | null;
  met: boolean;
}

export interface Capture {
  name: string;
  ports: string[];
  touch: Stage | null;
  soft: Stage | null;
  hard: Stage | null;
  conditions: Condition[];
}

export interface Load {
  name: string;
  kind: 'contact' | 'dock' | 'loop';
  force?: number; // [N]
  force_t?: number | null;
  torque?: number; // [N·m]
  torque_t?: number | null;
  impulse?: number; // [N·s]
  impulse_t?: number;
  penetration?: number; // [m]
}

/** What an engineer asks, in SI units; see run_facts.h. */
export interface Facts {
  verdict: string;
  window: [number, number] | null; // [s] in which craft meet
  captures: Capture[];
  loads: Load[];
  effort: { impulse: number; delta_v: number; on_time: number; pulsed: boolean } | null;
  wheels: { name: string; speed: number; limit: number }[];
  thrusters: { body: string; at: Vec3; direction: Vec3; thrust: number; level: string }[];
  joins: { name: string; soft: boolean; ports: string[] }[];
  contacts: { name: string; ports: string[]; probe: string; radius: number; surface: string }[];
  shaped: string[];
  gravity: Vec3 | null;
}

export interface Run {
  title: string;
  file: string;
  verdict: { level: Level; text: string };
  numbers: KeyNumber[];
  warnings: string[];
  expectations: Expectation[];
  from: number; // [s]
  to: number; // [s]
  events: RunEvent[];
  phases: Phase[];
  facts: Facts;
  groups: Group[];
  scene: Scene | null;
  scenario: string; // TOML
  outcome: string; // JSON
}

/** A further run minus the first, at the rows of the further one. */
export interface Difference {
  run: number; // index in `runs`
  rows: number;
  interpolated: number; // rows at whose time the first run has none
  groups: Group[];
}

export interface Head {
  format: number;
  program: string;
  title: string;
  runs: Run[];
  differences: Difference[];
  opens: 'overlay' | 'difference';
}

/** Something in the page cannot be read; the message is a sentence for its reader. */
export class Damaged extends Error {}

/** Reads the head. What is absent becomes empty, so that the rest of the page need not ask. */
export function readHead(text: string): Head {
  const trimmed = text.trim();
  // A template that no program has filled still has its placeholder, which begins with "@".
  if (trimmed === '' || trimmed.startsWith('@')) throw new Damaged('This page holds no run: it is the empty template.');
  let head: Partial<Head>;
  try {
    head = JSON.parse(trimmed) as Partial<Head>;
  } catch {
    throw new Damaged('The description of the run in this page is damaged and cannot be read.');
  }
  if (head.format !== 2) {
    throw new Damaged(`This page is written in format ${String(head.format)}; it can only show format 2.`);
  }
  return {
    format: 2,
    program: head.program ?? 'berth',
    title: head.title ?? '',
    runs: (head.runs ?? []).map(completeRun),
    differences: head.differences ?? [],
    opens: head.opens === 'difference' ? 'difference' : 'overlay',
  };
}

const noFacts: Facts = {
  verdict: '', window: null, captures: [], loads: [], effort: null, wheels: [], thrusters: [], joins: [],
  contacts: [], shaped: [], gravity: null,
};

export function completeRun(run: Partial<Run>): Run {
  return {
    title: run.title ?? '',
    file: run.file ?? '',
    verdict: run.verdict ?? { level: '', text: '' },
    numbers: run.numbers ?? [],
    warnings: run.warnings ?? [],
    expectations: run.expectations ?? [],
    from: Number.isFinite(run.from) ? run.from! : 0,
    to: Number.isFinite(run.to) ? run.to! : 0,
    events: (run.events ?? []).filter((e) => Number.isFinite(e.t)),
    phases: (run.phases ?? []).filter((p) => Number.isFinite(p.from) && Number.isFinite(p.to)),
    facts: { ...noFacts, ...run.facts },
    groups: run.groups ?? [],
    scene: run.scene ?? null,
    scenario: run.scenario ?? '',
    outcome: run.outcome ?? '',
  };
}

/** The size the block must have for everything in the head to be found in it [byte]. */
export function bytesNeeded(part: unknown): number {
  if (!part || typeof part !== 'object') return 0;
  const { at, n, kind } = part as Partial<Ref>;
  if (typeof at === 'number' && typeof n === 'number' && kind) return at + n * bytesOf[kind];
  return Object.values(part).reduce((most: number, inner) => Math.max(most, bytesNeeded(inner)), 0);
}

const bytesOf = { f32: 4, f64: 8, i16: 2, u8: 1 };

/** The block of numbers. */
export class Block {
  private constructor(private readonly view: DataView) {}

  static decode(base64: string): Block {
    const text = base64.trim();
    if (text.startsWith('@')) throw new Damaged('This page holds no data: it is the empty template.');
    let raw: string;
    try {
      raw = atob(text);
    } catch {
      throw new Damaged('The data block of this page is damaged: it is not base64.');
    }
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new Block(new DataView(bytes.buffer));
  }

  static readonly empty = new Block(new DataView(new ArrayBuffer(0)));

  static of(bytes: ArrayBuffer): Block {
    return new Block(new DataView(bytes));
  }

  get bytes(): number {
    return this.view.byteLength;
  }

  /** The bytes of a file in the block, checked against its end. */
  file({ at, n, kind }: Ref): ArrayBuffer {
    if (kind !== 'u8' || !(at >= 0) || !(n >= 0) || !(at + n <= this.view.byteLength)) {
      throw new Damaged(`bytes ${at} to ${at + n} are missing from the data block of ${this.bytes} bytes`);
    }
    return (this.view.buffer as ArrayBuffer).slice(this.view.byteOffset + at, this.view.byteOffset + at + n);
  }

  /** The numbers a Ref points to, checked against the block's end. */
  read(ref: Ref): Float64Array {
    const size = bytesOf[ref.kind];
    const end = ref.at + ref.n * size;
    if (!size || !(ref.at >= 0) || !(ref.n >= 0) || !(end <= this.view.byteLength)) {
      throw new Damaged(`bytes ${ref.at} to ${end} are missing from the data block of ${this.bytes} bytes`);
    }
    const { view } = this;
    const offset = ref.offset ?? 0;
    const scale = ref.scale ?? 1;
    const out = new Float64Array(ref.n);
    // DataView, not typed arrays: offsets need not be aligned, and the order of bytes is fixed.
    for (let i = 0, at = ref.at; i < ref.n; i++, at += size) {
      const value =
        ref.kind === 'f32' ? view.getFloat32(at, true)
        : ref.kind === 'f64' ? view.getFloat64(at, true)
        : ref.kind === 'i16' ? view.getInt16(at, true)
        : view.getUint8(at);
      out[i] = offset + scale * value;
    }
    return out;
  }
}

/** Index of the last entry ≤ t in an ascending array; −1 when all are later. */
export function lastBefore(times: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A channel by name, decoded: its rows, and the last of them at or before a time. */
export class Series {
  private constructor(readonly t: Float64Array, readonly parts: Float64Array[]) {}

  static find(run: Run, block: Block, name: string): Series | null {
    for (const group of run.groups) {
      const channel = group.channels.find((c) => c.name === name);
      if (!channel) continue;
      try {
        return new Series(block.read(channel.time), channel.data.map((ref) => block.read(ref)));
      } catch (error) {
        if (error instanceof Damaged) return null;
        throw error;
      }
    }
    return null;
  }

  at(t: number, part = 0): number | null {
    const i = lastBefore(this.t, t);
    const value = i < 0 ? NaN : this.parts[part]?.[i] ?? NaN;
    return Number.isFinite(value) ? value : null;
  }
}
