// SPDX-License-Identifier: Apache-2.0
// Made-up runs in the form the program writes: a rich one, and those that go wrong.
import type { Body, Channel, Difference, Facts, Group, Head, Quat, Ref, Run, Scene, Shape, Vec3 } from '../src/data';

/** Gathers numbers into one little-endian block. */
class BlockWriter {
  readonly values = new Map<Ref, readonly number[]>();
  private readonly parts: Buffer[] = [];
  private size = 0;

  f32(values: readonly number[]): Ref {
    const buffer = Buffer.alloc(4 * values.length);
    values.forEach((v, i) => buffer.writeFloatLE(v, 4 * i));
    return this.add(buffer, values, { at: 0, n: values.length, kind: 'f32' });
  }

  f64(values: readonly number[]): Ref {
    const buffer = Buffer.alloc(8 * values.length);
    values.forEach((v, i) => buffer.writeDoubleLE(v, 8 * i));
    return this.add(buffer, values, { at: 0, n: values.length, kind: 'f64' });
  }

  /** Quaternions, components in −1 … 1. */
  i16(values: readonly number[]): Ref {
    const buffer = Buffer.alloc(2 * values.length);
    values.forEach((v, i) => buffer.writeInt16LE(Math.round(32767 * v), 2 * i));
    return this.add(buffer, values, { at: 0, n: values.length, kind: 'i16', scale: 1 / 32767 });
  }

  file(bytes: Buffer): Ref {
    return this.add(bytes, [...bytes], { at: 0, n: bytes.length, kind: 'u8' });
  }

  base64(): string {
    return Buffer.concat(this.parts).toString('base64');
  }

  private add(buffer: Buffer, values: readonly number[], ref: Ref): Ref {
    ref.at = this.size;
    this.values.set(ref, values);
    this.parts.push(buffer);
    this.size += buffer.length;
    return ref;
  }
}

export interface Sample { head: Head; data: string }

// ---- small mechanics ----

const one: Quat = [1, 0, 0, 0];
const about = (axis: Vec3, angle: number): Quat => {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]];
};
const times = ([a, b, c, d]: Quat, [e, f, g, h]: Quat): Quat => [
  a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e,
];
const turned = (q: Quat, v: Vec3): Vec3 => {
  const p = times(times(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]);
  return [p[1], p[2], p[3]];
};
const sum = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const smooth = (u: number) => { const c = Math.min(Math.max(u, 0), 1); return c * c * (3 - 2 * c); };

// ---- the rich run: one hour, a servicer comes along V-bar and berths ----

const contact = 2400; // [s]
const latch = 2412;
const stop = 3600;
const orbitRate = 0.00113; // [rad/s]

const X: Vec3 = [1, 0, 0];
const Y: Vec3 = [0, 1, 0];
const Z: Vec3 = [0, 0, 1];

const lvlhAt = (t: number): Quat => times(about(X, -Math.PI / 2), about(Y, orbitRate * t));
const gapAt = (t: number) => // [m] between probe and apex, along V-bar
  t < contact ? 0.05 + 40 * (1 - smooth(t / contact)) : t < latch ? 0.05 * Math.abs(Math.cos((t - contact) * 1.3)) * (1 - (t - contact) / 12) : 0;

/** Frames: coarse over the hour, dense at the touch, as the program writes them. */
function frameTimes(count: number): number[] {
  const dense = Math.floor(count / 3);
  const list = Array.from({ length: count - dense }, (_, i) => (stop * i) / (count - dense - 1));
  for (let i = 0; i < dense; i++) list.push(contact - 5 + (30 * (i + 0.5)) / dense);
  return list.sort((a, b) => a - b);
}

interface Mover { name: string; kind: Body['kind']; parent: number; craft: number; shapes: Shape[]; pose: (t: number) => { p: Vec3; q: Quat } }

function movers(): Mover[] {
  const place = (kind: Shape, at: Vec3 = [0, 0, 0], q: Quat = one): Shape => ({ ...kind, at, q });
  const box = (size: Vec3, at?: Vec3): Shape => place({ kind: 'box', size, at: [0, 0, 0], q: one }, at);
  const list: Mover[] = [];
  // Target, with a cone that opens against V-bar; hubs fly in the orbit frame.
  const target = (t: number) => ({ p: [0, 0, 0] as Vec3, q: times(lvlhAt(t), about(X, 0.02 * Math.sin(t / 200))) });
  list.push({
    name: 'target', kind: 'hub', parent: -1, craft: 1, pose: target,
    shapes: [box([1.6, 1.6, 1.6]), place({ kind: 'cone', half_angle: 0.6, length: 0.6, at: [0, 0, 0], q: one }, [-0.85, 0, 0], about(Z, Math.PI))],
  });
  const servicer = (t: number) => {
    const wobble = 0.03 * Math.exp(-t / 900) * Math.sin(t / 40) + (t > contact ? 0.02 * Math.exp(-(t - contact) / 60) * Math.sin((t - contact) / 3) : 0);
    const q = times(lvlhAt(t), about([0, 0.6, 0.8], wobble));
    const probe = turned(q, [1.75, 0, 0]);
    const mouth = sum(target(t).p, turned(target(t).q, [-0.9 - gapAt(t), 0.0, 0]));
    return { p: sum(mouth, [-probe[0], -probe[1], -probe[2]]), q };
  };
  list.push({
    name: 'servicer', kind: 'hub', parent: -1, craft: 0, pose: servicer,
    shapes: [box([2, 1.5, 1.5]), place({ kind: 'capsule', radius: 0.05, length: 0.75, at: [0, 0, 0], q: one }, [1.75, 0, 0])],
  });
  const on = (hub: (t: number) => { p: Vec3; q: Quat }, at: Vec3, turn: (t: number) => Quat) => (t: number) => {
    const h = hub(t);
    return { p: sum(h.p, turned(h.q, at)), q: times(h.q, turn(t)) };
  };
  [[target, 'target', 0, 1], [servicer, 'servicer', 1, 0]].forEach(([hub, name, parent, craft]) => {
    for (const side of [-1, 1]) {
      list.push({
        name: `${name as string}.panel_${side < 0 ? 'left' : 'right'}`, kind: 'panel', parent: parent as number, craft: craft as number,
        pose: on(hub as typeof target, [0, side * 0.8, 0], (t) => about(X, side * 0.12 * Math.exp(-((t % 1200) / 500)) * Math.sin(t / 15))),
        shapes: [box([0.9, 3.2, 0.04], [0, side * 1.7, 0])],
      });
    }
  });
  const pyramid: Quat[] = [0, 1, 2, 3].map((k) => times(about(X, (k * Math.PI) / 2), about(Z, 0.9)));
  pyramid.forEach((mount, k) => {
    list.push({
      name: `servicer.wheel${k + 1}`, kind: 'wheel', parent: 1, craft: 0,
      pose: on(servicer, [-0.45, 0.4 * Math.cos((k * Math.PI) / 2), 0.4 * Math.sin((k * Math.PI) / 2)], (t) => times(mount, about(X, (100 + 20 * k) * t))),
      shapes: [place({ kind: 'cylinder', radius: 0.2, length: 0.08, at: [0, 0, 0], q: one })],
    });
  });
  for (const [k, at] of [[1, 0.35], [2, -0.1]] as const) {
    list.push({
      name: `servicer.slosh${k}`, kind: 'slosh', parent: 1, craft: 0,
      pose: on(servicer, [at, 0, 0.1 * k], (t) => about(Y, 0.2 * Math.sin(t / 30))),
      shapes: [place({ kind: 'sphere', radius: 0.22, at: [0, 0, 0], q: one }, [0, 0, -0.15])],
    });
  }
  // An arm of six links; each turns a little against the one before.
  let before = servicer;
  let parent = 1;
  for (let k = 1; k <= 6; k++) {
    const at: Vec3 = k === 1 ? [0.8, 0, 0.75] : [0.55, 0, 0];
    const pose = on(before, at, (t) => about(k % 2 ? Y : Z, (k === 1 ? -0.9 : 0.25) + 0.3 * smooth((t - 2600) / 600)));
    list.push({
      name: `servicer.arm.link${k}`, kind: 'link', parent, craft: 0, pose,
      shapes: [
        place({ kind: 'cylinder', radius: 0.05, length: 0.55, at: [0, 0, 0], q: one }, [0.275, 0, 0]),
        place({ kind: 'sphere', radius: 0.075, at: [0, 0, 0], q: one }),
      ],
    });
    before = pose;
    parent = list.length - 1;
  }
  list.push({ name: 'servicer.tool', kind: 'payload', parent, craft: 0, pose: on(before, [0.6, 0, 0], () => one), shapes: [box([0.18, 0.14, 0.14])] });
  list.push({
    name: 'debris', kind: 'body', parent: -1, craft: 2, shapes: [],
    pose: (t) => ({ p: turned(lvlhAt(t), [8, 3, -5 + t / 600]), q: about(Z, t / 50) }),
  });
  return list;
}

/** `ahead` [m]: how far what positions are measured from has come further. */
function richScene(block: BlockWriter, frames: number, ahead = 0): Scene {
  const time = frameTimes(frames);
  const bodies = movers().map((m): Body => {
    const poses = time.map(m.pose);
    return {
      name: m.name, kind: m.kind, parent: m.parent, craft: m.craft, shapes: m.shapes,
      position: block.f32(poses.flatMap(({ p }) => p)), rotation: block.i16(poses.flatMap(({ q }) => q)),
    };
  });
  const touch = (t: number): Vec3 => turned(lvlhAt(t), [-0.9, 0.02, 0]);
  const force = (t: number): Vec3 => {
    const f = t > contact && t < latch ? 180 * Math.max(0, Math.sin((t - contact) * 2.6)) * (1 - (t - contact) / 14) : 0;
    return turned(lvlhAt(t), [-f, 0.25 * f, 0.1 * f]);
  };
  return {
    time: block.f64(time),
    focus: 1,
    bodies,
    ports: [
      { name: 'target.cone', body: 0, at: [-0.85, 0, 0], q: about(Z, Math.PI) },
      { name: 'servicer.probe', body: 1, at: [1.75, 0, 0], q: one },
    ],
    arrows: [{ name: 'capture.force', unit: 'N', point: block.f32(time.flatMap(touch)), vector: block.f32(time.flatMap(force)) }],
    lvlh: block.i16(time.flatMap(lvlhAt)),
    origin: block.f32(time.flatMap((t) => turned(lvlhAt(t), [1000 + ahead, 0, 0]))),
  };
}

const quantities: [string, string, string, string, string[]][] = [
  ['rho_BO_N', 'm', 'N', 'position from the reference point', ['x', 'y', 'z']],
  ['omega_BN_B', 'rad/s', 'B', 'angular velocity', ['x', 'y', 'z']],
  ['speed', 'rad/s', '', 'of the rotor against its mount', ['']],
  ['torque', 'N·m', '', 'size of the torque about the port', ['']],
  ['energy', 'J', '', 'kinetic and stored', ['']],
  ['force_N', 'N', 'N', 'on the second port', ['x', 'y', 'z']],
];

function richGroups(block: BlockWriter, channels: number, points: number, shift: number): Group[] {
  const time = Array.from({ length: points }, (_, i) => (stop * i) / (points - 1));
  const owners = ['servicer', 'servicer.wheel1', 'servicer.wheel2', 'servicer.wheel3', 'servicer.wheel4', 'target', 'capture', 'control.pointing'];
  const list: Channel[] = [];
  const axis = block.f64(time);
  const add = (name: string, [, unit, frame, description, parts]: (typeof quantities)[number], f: (t: number, part: number) => number, log = false) =>
    list.push({ name, unit, frame, description, parts, log, missing: 0, time: axis, data: parts.map((_, p) => block.f32(time.map((t) => f(t, p)))) });

  add('servicer.rho_BO_N', quantities[0]!, (t, p) => [-gapAt(t) - 2.6, 0.4 * Math.exp(-t / 800) * Math.sin(t / 90), 0.2 * Math.cos(t / 300)][p]! + 0.3 * shift);
  add('servicer.omega_BN_B', quantities[1]!, (t, p) => 1e-3 * Math.exp(-t / 1200) * Math.sin(t / (30 + 25 * p) + shift) - (p === 1 ? orbitRate : 0));
  add('capture.force_N', quantities[5]!, (t, p) =>
    (t > contact ? [160, 40, 15][p]! * Math.exp(-(t - contact) / 40) * Math.sin((t - contact) / 4 + p + shift) : 0));
  add('capture.gap', ['', 'm', '', 'between probe and surface, positive when free', ['']], (t) => gapAt(t) + 0.01 * shift);
  add('capture.engaged', ['', '-', '', '1 while joined', ['']], (t) => (t >= latch ? 1 : 0));
  add('system.energy_error', ['', '-', '', 'size of the energy residual, relative', ['']], (t) =>
    (t === 0 ? 0 : 1e-15 * (1 + t) ** (1 + 0.1 * shift) * (1.2 + Math.sin(t / 7))), true);
  for (let k = 1; k <= 4; k++) add(`servicer.wheel${k}.speed`, quantities[2]!, (t) => 100 + 20 * k + 8 * Math.sin(t / 200 + k + shift));
  while (list.length < channels) {
    const i = list.length;
    const q = quantities[i % quantities.length]!;
    const owner = i < 60 ? owners[i % owners.length]! : `system.part${Math.floor(i / 8)}`;
    add(`${owner}.${q[0]}_${i}`, q, (t, p) => 10 ** ((i % 7) - 3) * (Math.sin(t / (50 + 10 * (i % 9)) + p + shift) + 0.2 * Math.cos(t / 11)));
  }
  return [{ name: 'main', samples: 14 * points, channels: list }];
}

const toml = `# A servicer comes along V-bar and berths.
title = "Berthing along V-bar"

[time]
stop = 3600                      # [s]

[[spacecraft]]
name = "servicer"
mass = 750                       # [kg] the hub alone
inertia = [900, 800, 600]
axes = [[1, 0, 0],
        [0, 0, 1]]
free = true
`;

const facts: Facts = {
  verdict: 'captured',
  window: [contact - 10, latch + 20],
  captures: [{
    name: 'capture', ports: ['servicer.probe', 'target.cone'],
    touch: { t: contact, values: { gap: 0.05, closing: 0.031, lateral: 0.02, tilt: 0.004, roll: -0.001, rate: 1e-4 } },
    soft: null,
    hard: { t: latch, values: { gap: 0, speed: 0.0005 } },
    conditions: [
      { stage: 'hard', quantity: 'closing', wanted: 'below', limit: 0.05, best: 0.0005, t: latch, met: true },
      { stage: 'hard', quantity: 'lateral', wanted: 'below', limit: 0.01, best: 0.001, t: latch, met: true },
    ],
  }],
  loads: [{ name: 'capture.force', kind: 'contact', force: 182.4, force_t: contact + 0.6 }],
  effort: { impulse: 410, delta_v: 0.55, on_time: 412, pulsed: true },
  wheels: [{ name: 'servicer.wheel4', speed: 188, limit: 600 }],
  thrusters: [{ body: 'servicer', at: [-1, 0, 0.5], direction: [1, 0, 0], thrust: 1, level: 'jets.level1' }],
  joins: [],
  contacts: [{ name: 'capture.force', ports: ['servicer.probe', 'target.cone'], probe: 'sphere', radius: 0.05, surface: 'cone' }],
  shaped: ['target', 'servicer'],
  gravity: null,
};

function richRun(block: BlockWriter, { channels = 300, points = 2000, frames = 3000, shift = 0, file = 'berthing.toml' } = {}): Run {
  return {
    title: 'Berthing along V-bar with probe and cone',
    file,
    verdict: { level: 'good', text: 'The probe was captured 12 s after first contact and latched at 2412 s; energy and momentum are conserved.' },
    numbers: [
      { label: 'Energy residual', value: '3.2e-13', unit: '', level: 'good', note: 'largest, of the energy exchanged' },
      { label: 'Momentum residual', value: '8.1e-12', unit: '', level: 'good', note: 'largest, of the momentum exchanged' },
      { label: 'Peak contact force', value: '182.4', unit: 'N', level: 'warn', note: 'limit 180 N' },
      { label: 'Closing speed', value: '0.031', unit: 'm/s', level: '', note: 'at first contact' },
      { label: 'Dock violation', value: '5.0e-16', unit: 'm', level: 'good', note: '' },
      { label: 'Pointing error', value: '1.8', unit: 'deg', level: 'bad', note: 'at most 1.5 deg expected' },
      { label: 'Evaluations', value: `${217 + 30 * shift} 400`, unit: '', level: '', note: '0.41 s of computing' },
    ],
    warnings: ['The contact is stiff: 4e5 N/m asks for steps of 2 ms.'],
    expectations: [
      { met: true, text: 'energy residual below 1e-11: 3.2e-13' },
      { met: true, text: 'latched before 2500 s: 2412 s' },
      { met: false, text: 'pointing error below 1.5 deg: 1.8 deg' },
    ],
    from: 0,
    to: stop,
    events: [
      { t: 0, kind: 'start', name: 'start', text: 'everything at rest in the orbit frame' },
      { t: 300, kind: 'control', name: 'approach', text: 'controller starts' },
      { t: 1500, kind: 'control', name: 'hold point', text: 'at 10 m' },
      ...[0, 2.4, 4.8, 7.2, 9.6].map((d, i) => ({
        t: contact + d, kind: 'contact', name: i ? `bounce ${i}` : 'first contact',
        text: `gap closed at ${(0.03 / (i + 1)).toFixed(3)} m/s`,
      })),
      { t: latch, kind: 'latch', name: 'latch', text: 'dock.capture engaged' },
      { t: 2600, kind: 'control', name: 'arm moves', text: '' },
      { t: 3200, kind: 'control', name: 'arm rests', text: '' },
      { t: 3598, kind: 'stop', name: 'handover of control to the target', text: 'a long name at the very end' },
    ],
    phases: [
      { name: 'approach', from: 0, to: contact },
      { name: 'capture', from: contact, to: latch },
      { name: 'stack', from: latch, to: stop },
    ],
    facts,
    groups: richGroups(block, channels, points, shift),
    scene: frames > 0 ? richScene(block, frames, 0.3 * shift) : null,
    scenario: toml,
    outcome: JSON.stringify({ outcome: 'reached_end', t: 3600, steps: 12345, integrator: { name: 'dp853', rejected: 17 } }),
  };
}

/** A further run minus the first, as the program makes it of smooth channels: at its rows, the first interpolated. */
function differenceOf(block: BlockWriter, runs: readonly Run[], run: number): Difference {
  const valuesOf = (ref: Ref) => block.values.get(ref)!;
  let rows = 0;
  let interpolated = 0;
  const groups = runs[run]!.groups.map((group, g) => ({ ...group, channels: group.channels.flatMap((channel, c): Channel[] => {
    const first = runs[0]!.groups[g]?.channels[c];
    if (first?.name !== channel.name) return [];
    const [t, before] = [valuesOf(channel.time), valuesOf(first.time)];
    rows = t.length;
    interpolated = t.filter((at) => !before.includes(at)).length;
    const parts = channel.data.map((ref, p) => t.map((at, i) => {
      const j = Math.min(Math.max(before.findIndex((x) => x >= at), 1), before.length - 1);
      const s = (at - before[j - 1]!) / (before[j]! - before[j - 1]!);
      const [low, high] = [valuesOf(first.data[p]!)[j - 1]!, valuesOf(first.data[p]!)[j]!];
      return valuesOf(ref)[i]! - (s === 1 ? high : s === 0 ? low : (1 - s) * low + s * high);
    }));
    const deviations = parts.map((d) => {
      const largest = d.length > 0 ? Math.max(...d.map(Math.abs)) : null;
      return { largest, t: largest === null ? null : t[d.findIndex((x) => Math.abs(x) === largest)]!, rms: d.length > 0 ? Math.hypot(...d) / Math.sqrt(d.length) : null };
    });
    return [{ ...channel, log: false, data: parts.map((d) => block.f32(d)), deviations }];
  }) }));
  return { run, rows, interpolated, groups };
}

function sample(title: string, make: (block: BlockWriter) => Run[]): Sample {
  const block = new BlockWriter();
  const runs = make(block);
  return { head: { format: 2, program: 'berth 0.1.0', title, runs, differences: runs.slice(1).map((_, i) => differenceOf(block, runs, i + 1)), opens: 'overlay' }, data: block.base64() };
}

export const rich = (): Sample => sample('Berthing along V-bar with probe and cone', (b) => [richRun(b)]);

/** The same, smaller: for tests that are not about size. */
export const usual = (): Sample =>
  sample('Berthing along V-bar with probe and cone', (b) => [richRun(b, { channels: 60, points: 400, frames: 600 })]);

export const overlay = (): Sample => sample('Two tolerances', (b) => [
  richRun(b, { channels: 12, points: 400, frames: 200, file: 'tight.toml' }),
  richRun(b, { channels: 12, points: 333, frames: 200, shift: 0.6, file: 'loose.toml' }),
]);

const small = { channels: 6, points: 50, frames: 20 };

/** A cube of 2 units with a purple texture, as the program writes models. */
function cubeModel(): Buffer {
  const corners: number[] = [];
  for (const axis of [0, 1, 2]) for (const side of [-1, 1]) for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]] as const) {
    const p = [0, 0, 0];
    [p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]] = [side, a, b];
    corners.push(...p);
  }
  const positions = Buffer.from(new Float32Array(corners).buffer);
  const uvs = Buffer.from(new Float32Array(72).buffer);
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mM4wPAfAANDAcAkfd6lAAAAAElFTkSuQmCC', 'base64');
  const image = Buffer.concat([png, Buffer.alloc((4 - (png.length % 4)) % 4)]);
  const bin = Buffer.concat([positions, uvs, image]);
  const view = (byteOffset: number, byteLength: number) => ({ buffer: 0, byteOffset, byteLength });
  const text = JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }],
    textures: [{ source: 0 }], images: [{ bufferView: 2, mimeType: 'image/png' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 36, type: 'VEC3', min: [-1, -1, -1], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5126, count: 36, type: 'VEC2' }],
    bufferViews: [view(0, 432), view(432, 288), view(720, png.length)], buffers: [{ byteLength: bin.length }],
  });
  const json = Buffer.from(text.padEnd(4 * Math.ceil(text.length / 4)));
  const word = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
  return Buffer.concat([Buffer.from('glTF'), word(2, 28 + json.length + bin.length), word(json.length), Buffer.from('JSON'), json,
    word(bin.length), Buffer.from('BIN\0'), bin]);
}

/** Both hubs are models of one file, the servicer's half as large; `damage` spoils it. */
const withModel = (damage: (glb: Buffer) => Buffer) => sample('Models', (b) => {
  const run = richRun(b, { ...small, frames: 300 });
  run.scene!.models = [b.file(damage(cubeModel()))];
  run.scene!.bodies.filter((body) => body.kind === 'hub').forEach((body, i) => {
    const size = i === 0 ? 2 : 1;
    body.shapes[0] = { kind: 'gltf', model: 0, scale: size / 2, at: [0, 0, 0], q: one, middle: [0, 0, 0], size: [size, size, size] };
  });
  return [run];
});
export const models = (): Sample => withModel((glb) => glb);
export const badModel = (): Sample => withModel((glb) => glb.subarray(0, 100));

/** Numbers that are none, in several ways; a jump; a lone sample; absurd sizes. */
export const nan = (): Sample => sample('Not a number', (b) => {
  const run = richRun(b, { ...small, frames: 0 });
  const t = Array.from({ length: 50 }, (_, i) => (stop * i) / 49);
  const axis = b.f64(t);
  const channel = (name: string, y: number[], log = false, time = axis): Channel =>
    ({ name: `odd.${name}`, unit: 'N', frame: '', description: name, parts: [''], log, missing: 0, time, data: [b.f64(y)] });
  run.groups = [{
    name: 'odd', samples: 50, channels: [
      channel('gap', t.map((_, i) => (i > 20 && i < 26 ? NaN : Math.sin(i / 5)))),
      channel('all_nan', t.map(() => NaN)),
      channel('log_of_negatives', t.map((_, i) => -1 - i), true),
      channel('log_mixed', t.map((_, i) => i - 10), true),
      channel('infinite', t.map((_, i) => (i === 30 ? Infinity : i))),
      channel('huge', t.map((_, i) => (i % 2 ? 1e308 : -1e308))),
      channel('large', t.map((_, i) => (i % 2 ? 3e38 : -3e38))),
      channel('tiny_change', t.map((_, i) => 6778000 + 1e-9 * (i % 2))),
      channel('constant', t.map(() => 5)),
      channel('zero', t.map(() => 0)),
      channel('denormal', t.map((_, i) => 5e-324 * i)),
    ],
  }, {
    // Two samples at one time: a jump.
    name: 'jump', samples: 4, channels: [channel('jump', [0, 1, 5, 6], false, b.f64([0, 1800, 1800, 3600]))],
  }];
  return [run];
});

const nothing: Facts = {
  verdict: '', window: null, captures: [], loads: [], effort: null, wheels: [], thrusters: [], joins: [], contacts: [], shaped: [], gravity: null,
};
const bare: Partial<Run> = { facts: nothing, events: [], phases: [], warnings: [], expectations: [], numbers: [], scenario: '', outcome: '' };

export const empty = (): Sample => sample('Nothing recorded', (b) => [{
  ...richRun(b, { ...small, frames: 0 }), ...bare, from: 0, to: 0, groups: [], verdict: { level: 'bad', text: 'The run ended before its first sample.' },
}]);

export const noSamples = (): Sample => sample('Channels without samples', (b) => [{
  ...richRun(b, { ...small, points: 0 }), ...bare, from: 0, to: 0, scene: { ...richScene(b, 3), time: b.f64([]), bodies: [], arrows: [], ports: [], lvlh: null },
}]);

export const oneSample = (): Sample => sample('One sample', (b) => {
  const run = { ...richRun(b, { ...small, frames: 0 }), ...bare, from: 2, to: 2 };
  run.groups = [{ name: 'main', samples: 1, channels: [
    { name: 'servicer.speed', unit: 'm/s', frame: '', description: 'the only one', parts: [''], log: false, missing: 0, time: b.f64([2]), data: [b.f32([3.5])] },
  ] }];
  const pose = { position: b.f32([0, 0, 0]), rotation: b.i16([1, 0, 0, 0]) };
  const box: Shape = { kind: 'box', size: [1, 1, 1], at: [0, 0, 0], q: one };
  run.scene = {
    time: b.f64([2]), focus: 0, lvlh: null, ports: [], arrows: [],
    bodies: [{ name: 'servicer', kind: 'hub', parent: -1, craft: 0, shapes: [box], ...pose }],
  };
  return [run];
});

export const poison = '</script><img src=x onerror="window.poisoned=true"><b>bold</b>\u0007\u001b[31m\u202e"\'`';

/** The same text in every place that holds text. */
export const injection = (): Sample => {
  const sampleOf = sample('x', (b) => [richRun(b, small), richRun(b, small)]);
  const spoil = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((v) => spoil(v, key));
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, spoil(v, k)]));
    if (typeof value !== 'string' || key === 'kind' || key === 'level') return value;
    return key === 'name' ? `${value}.${poison}` : `${value} ${poison}`;
  };
  return { head: spoil(sampleOf.head, '') as Head, data: sampleOf.data };
};

/** A run that diverged: the bodies are nowhere any more. */
export const lost = (): Sample => sample('Lost', (b) => {
  const run = richRun(b, small);
  const scene = run.scene!;
  const gone = b.f32(Array.from({ length: 60 }, (_, i) => (i < 30 ? 0 : NaN)));
  scene.bodies.forEach((body) => { body.position = gone; });
  scene.arrows.forEach((arrow) => { arrow.vector = gone; });
  return [run];
});

/** A block cut short in the middle of the scene. */
export const cut = (): Sample => {
  const whole = sample('Cut short', (b) => [richRun(b, small)]);
  return { head: whole.head, data: whole.data.slice(0, 4000) };
};
