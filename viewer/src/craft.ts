// SPDX-License-Identifier: Apache-2.0
// Bodies as solids: what each shape and each kind of body looks like.
import {
  BoxGeometry, BufferAttribute, type BufferGeometry, CapsuleGeometry, CircleGeometry, Color, CylinderGeometry,
  DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  Quaternion, type ShaderMaterial, SphereGeometry, TorusGeometry, Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Body, Port, Quat, Shape, Vec3 } from './data';
import { type Light, type Matter, buildMaterial } from './materials';

/** Scalar-first, as the program writes it → three's scalar-last. */
export function quaternion([w, x, y, z]: Quat): Quaternion {
  return new Quaternion(x, y, z, w);
}

export function vector([x, y, z]: Vec3): Vector3 {
  return new Vector3(x, y, z);
}

// Craft are distinguished by their blanket: white, gold, blue-grey, copper.
const foils = ['#d4dae2', '#e5a83a', '#93a9c2', '#c07a4e', '#b9c7a6', '#c9b8d6'];
const cellBlue = new Color('#2b4a9c');
const steel = new Color('#aeb6bf');
const dark = new Color('#4b525b');
const white = new Color('#e6e9ec');
const amber = new Color('#e8a531');

/** What is drawn in one call: solids of one look. */
interface Layer { geometries: BufferGeometry[]; build: (merged: BufferGeometry) => Mesh | LineSegments }

export interface BodyDrawing {
  group: Group;
  hull: ShaderMaterial[]; // what can be faded to look inside
  radius: number; // [m] about the body's origin
}

/**
 * `declared`: the scenario gives the shapes; otherwise boxes stand for mass and inertia. `joints` are the
 * places on it at which others hang; a port away from the hull stands on a mast.
 */
export function buildBody(body: Body, craft: number, declared: boolean, joints: readonly Vector3[], light: Light, ports: readonly Vector3[] = []): BodyDrawing {
  const layers = new Map<string, Layer>();
  const hull: ShaderMaterial[] = [];
  const foil = new Color(foils[Math.abs(craft) % foils.length]!);
  const size = sizeOf(body.shapes);
  const add = (look: string, geometry: BufferGeometry, build: Layer['build']) => {
    const flat = withCells(geometry.index ? geometry.toNonIndexed() : geometry);
    const layer = layers.get(look);
    if (layer) layer.geometries.push(flat);
    else layers.set(look, { geometries: [flat], build });
  };
  const solid = (matter: Matter, color: Color, geometry: BufferGeometry, opacity = 1, isHull = false) =>
    add(`${matter} ${color.getHexString()} ${opacity} ${isHull}`, geometry, (merged) => {
      const material = buildMaterial(matter, color, light, opacity, 14 / Math.min(Math.max(size, 0.05), 2.4));
      if (isHull) hull.push(material);
      return new Mesh(merged, material);
    });
  const lines = (geometry: BufferGeometry, color: string, opacity: number) =>
    add(`lines ${color} ${opacity}`, geometry, (merged) =>
      new LineSegments(merged, new LineBasicMaterial({ color, transparent: true, opacity })));

  // A link of a mechanism whose shape nobody knows: rods between its joints.
  const far = joints.filter((p) => p.length() > 1e-6);
  const span = Math.max(0, ...far.map((p) => p.length()));
  const isLink = !declared && body.kind === 'body' && far.length > 0 && isCube(body.shapes);
  if (isLink) {
    for (const end of far) solid('metal', foil, rod(end, 0.028 * span));
    solid('metal', dark, new SphereGeometry(0.05 * span, 16, 10));
  }
  // Models of files come later: see models.ts.
  for (const shape of isLink ? body.shapes.filter((s) => s.kind === 'sphere') : drawnShapes(body, declared)) {
    const place = new Matrix4().compose(vector(shape.at), quaternion(shape.q), new Vector3(1, 1, 1));
    const at = (geometry: BufferGeometry) => geometry.applyMatrix4(place);
    const own = shape.color ? new Color(shape.color) : null;
    if (body.kind === 'panel' && shape.kind === 'box') {
      for (const part of panelParts(shape.size, Math.sign(shape.at[0]) || 1)) solid(part.matter, part.color, at(part.geometry));
    } else if (body.kind === 'wheel' && shape.kind === 'cylinder') {
      solid('metal', own ?? dark, at(cylinder(shape.radius, shape.length)));
      for (const mark of spinMarks(shape.radius, shape.length)) {
        add('marks', at(mark), (merged) => new Mesh(merged, new MeshBasicMaterial({ color: '#f4f6f8', side: DoubleSide })));
      }
    } else if (body.kind === 'slosh' && shape.kind === 'sphere') {
      solid('metal', own ?? amber, at(new SphereGeometry(0.9 * shape.radius, 20, 14)), 1);
      // The tank is about the pendulum's pivot, where the body's origin is.
      const reach = Math.max(vector(shape.at).length() + 0.9 * shape.radius, 1.15 * shape.radius);
      solid('glass', new Color('#9fd0ff'), new SphereGeometry(reach, 28, 18), 0.3);
    } else if (shape.kind === 'cone') {
      const geometry = buildGeometry(shape);
      lines(at(coneRibs(shape.half_angle, shape.length)), '#dfe9f5', 0.55);
      const mouth = shape.length * Math.tan(shape.half_angle);
      solid('metal', steel, at(new TorusGeometry(mouth, 0.035 * mouth, 8, 40).rotateY(Math.PI / 2).translate(shape.length, 0, 0)));
      solid('glass', own ?? new Color('#9fb4cc'), at(geometry), 0.42);
    } else if (shape.kind === 'box' && (body.kind === 'hub' || body.kind === 'payload')) {
      const slender = !declared && longAxis(shape.size) !== null;
      const geometry = slender ? drum(shape.size) : new BoxGeometry(...shape.size);
      lines(at(new EdgesGeometry(geometry, 30)), '#1b222b', 0.85);
      if (!slender) lines(at(seams(shape.size)), '#1b222b', 0.35);
      solid('foil', own ?? foil, at(geometry), 1, true);
    } else if (body.kind === 'link') {
      const joint = shape.kind === 'sphere';
      solid('metal', own ?? (joint ? dark : white), at(joint ? jointDrum(shape.radius) : buildGeometry(shape)));
    } else if (shape.kind === 'box' && body.kind === 'body') {
      const bar = barOf(shape.size);
      solid('metal', own ?? foil, at(bar ?? new BoxGeometry(...shape.size)), 1, true);
      if (!bar) lines(at(new EdgesGeometry(new BoxGeometry(...shape.size), 30)), '#10151b', 0.7);
    } else if (shape.kind !== 'plane') { // planes are drawn near what may touch them: see ground.ts
      solid('metal', own ?? (body.kind === 'body' ? foil : steel), at(buildGeometry(shape)));
    }
  }
  if (body.kind === 'hub') {
    for (const mast of mastsOf(body.shapes, ports)) {
      add('mast', mast, (merged) => Object.assign(new Mesh(merged, buildMaterial('metal', steel, light)), { name: 'mast' }));
    }
  }
  const group = new Group();
  for (const { geometries, build } of layers.values()) {
    group.add(build(geometries.length > 1 ? mergeGeometries(geometries) : geometries[0]!));
  }
  return { group, hull, radius: Math.max(reachOf(body.shapes), 1e-3) };
}

/**
 * Shapes with what the drawing changes: a probe that is a point is as small as a pin head, and the box of
 * a ball is the ball; links of one arm look alike.
 */
function drawnShapes(body: Body, declared: boolean): Shape[] {
  const shapes = body.shapes.filter((s) => s.kind !== 'plane' && s.kind !== 'gltf');
  const box = shapes.find((s) => s.kind === 'box');
  if (declared || !box || box.kind !== 'box' || body.kind !== 'body') return shapes;
  const [a, b, c] = box.size;
  const cube = Math.abs(a - b) < 1e-6 * a && Math.abs(b - c) < 1e-6 * a;
  if (cube && body.shapes.some((s) => s.kind === 'plane') && shapes.length === 1) {
    return Math.max(...box.at.map(Math.abs)) < 1e-9 && a > 1 ? [] : [ballOf(box, a)]; // a slab is its surface
  }
  if (!cube) return shapes;
  const probes = shapes.filter((s) => s.kind === 'sphere'); // a probe is the ball, as far as contacts go
  return probes.length > 0 ? probes : [ballOf(box, a)];
}

function isCube(shapes: readonly Shape[]): boolean {
  const [only, ...others] = shapes.filter((s) => s.kind === 'box');
  return only?.kind === 'box' && others.length === 0 && only.size.every((a) => Math.abs(a - only.size[0]) < 1e-6 * a);
}

/** A rod from the origin to a point. */
function rod(end: Vector3, radius: number): BufferGeometry {
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), end.clone().normalize());
  return new CylinderGeometry(radius, radius, end.length(), 14).translate(0, end.length() / 2, 0).applyQuaternion(turn);
}

/** Rods from the hull to ports that stand clear of every box. */
function mastsOf(shapes: readonly Shape[], ports: readonly Vector3[]): BufferGeometry[] {
  const boxes = shapes.filter((s) => s.kind === 'box');
  if (boxes.length === 0 || shapes.some((s) => s.kind === 'capsule' || s.kind === 'cylinder')) return []; // it has a shaft of its own
  return ports.flatMap((port) => {
    const feet = boxes.map((box) => {
      const turn = quaternion(box.q);
      const half = vector(box.size).multiplyScalar(0.5);
      const inside = port.clone().sub(vector(box.at)).applyQuaternion(turn.clone().invert()).clamp(half.clone().negate(), half);
      return inside.applyQuaternion(turn).add(vector(box.at));
    });
    const foot = feet.reduce((a, b) => (b.distanceTo(port) < a.distanceTo(port) ? b : a));
    const length = foot.distanceTo(port);
    const size = Math.max(...boxes.flatMap((b) => b.size));
    return length > 0.03 * size ? [rod(port.clone().sub(foot), 0.016 * size).translate(foot.x, foot.y, foot.z)] : [];
  });
}

/** A solid sphere with the inertia of a cube: 2/5 r² = a²/6. */
function ballOf(box: Shape, edge: number): Shape {
  return { kind: 'sphere', at: box.at, q: box.q, radius: edge * Math.sqrt(5 / 12) };
}

/** [m] from the body's origin to the end of its solids; planes have none. */
export const reachOf = (shapes: readonly Shape[]) => Math.max(0, ...shapes.map((s) => {
  const far = Math.hypot(...s.at);
  switch (s.kind) {
    case 'box': return far + Math.hypot(...s.size) / 2;
    case 'gltf': return far + Math.hypot(...s.middle) + Math.hypot(...s.size) / 2;
    case 'sphere': return far + s.radius;
    case 'cylinder': return far + Math.hypot(s.radius, s.length / 2);
    case 'capsule': return far + s.length;
    case 'cone': return far + s.length / Math.cos(s.half_angle);
    default: return 0;
  }
}));

function sizeOf(shapes: readonly Shape[]): number {
  return Math.max(0.02, ...shapes.map((s) => (s.kind === 'box' || s.kind === 'gltf' ? Math.max(...s.size) : s.kind === 'plane' ? 0 : 'length' in s ? s.length : s.radius)));
}

/** The long axis of a slender box of two equal sides, or null. */
function longAxis(size: Vec3): number | null {
  const k = size.indexOf(Math.max(...size));
  const [a, b] = size.filter((_, i) => i !== k) as [number, number];
  return Math.abs(a - b) < 1e-6 * a && size[k]! > 2 * a ? k : null;
}

const along = (k: number) => (g: BufferGeometry) => (k === 0 ? g.rotateZ(-Math.PI / 2) : k === 2 ? g.rotateX(Math.PI / 2) : g);

/** A stage or a module: a cylinder with ring frames and tapered ends. */
function drum(size: Vec3): BufferGeometry {
  const k = longAxis(size)!;
  const length = size[k]!;
  const r = size[(k + 1) % 3]! / 2;
  const end = Math.min(0.35 * r, 0.1 * length);
  const parts: BufferGeometry[] = [
    new CylinderGeometry(r, r, length - 2 * end, 32, 1, true),
    new CylinderGeometry(0.7 * r, r, end, 32, 1).translate(0, (length - end) / 2, 0),
    new CylinderGeometry(r, 0.7 * r, end, 32, 1).translate(0, -(length - end) / 2, 0),
  ];
  const rings = Math.max(2, Math.min(8, Math.round(length / (2 * r))));
  for (let i = 0; i <= rings; i++) {
    parts.push(new TorusGeometry(r, 0.02 * r, 6, 40).rotateX(Math.PI / 2).translate(0, (i / rings - 0.5) * (length - 2 * end), 0));
  }
  return along(k)(mergeGeometries(parts.map((p) => p.toNonIndexed())));
}

/** A bar of a mechanism: thick enough to be seen, with an eye at either end. */
function barOf(size: Vec3): BufferGeometry | null {
  const k = size.indexOf(Math.max(...size));
  const rest = size.filter((_, i) => i !== k);
  const thick = Math.max(...rest);
  if (size[k]! < 6 * thick) return null;
  const r = Math.max(thick / 2, 0.014 * size[k]!);
  const eye = () => new SphereGeometry(1.7 * r, 16, 10);
  return along(k)(mergeGeometries([
    new CylinderGeometry(r, r, size[k]!, 14), eye().translate(0, size[k]! / 2, 0), eye().translate(0, -size[k]! / 2, 0),
  ].map((g) => g.toNonIndexed())));
}

const jointDrum = (radius: number) => new CylinderGeometry(1.15 * radius, 1.15 * radius, 2.3 * radius, 20).rotateX(Math.PI / 2);
const cylinder = (radius: number, length: number) => new CylinderGeometry(radius, radius, length, 32).rotateZ(-Math.PI / 2);

/** Geometry with the axis along x, where the program has it; three builds along y. */
function buildGeometry(shape: Shape): BufferGeometry {
  switch (shape.kind) {
    case 'box':
      return new BoxGeometry(...shape.size);
    case 'sphere':
      return new SphereGeometry(shape.radius, 28, 18);
    case 'cylinder':
      return cylinder(shape.radius, shape.length);
    case 'capsule':
      return new CapsuleGeometry(shape.radius, shape.length, 6, 16).rotateZ(-Math.PI / 2).translate(-shape.length / 2, 0, 0);
    case 'cone': {
      const mouth = shape.length * Math.tan(shape.half_angle);
      return new CylinderGeometry(mouth, 0, shape.length, 48, 1, true).rotateZ(-Math.PI / 2).translate(shape.length / 2, 0, 0);
    }
    default:
      return new SphereGeometry(0.05, 12, 8); // a shape of a later format
  }
}

/** A solar array: cells on both faces in a frame, and a yoke to the hinge at the body's origin. */
function panelParts([length, width, thick]: Vec3, side: number): { matter: Matter; color: Color; geometry: BufferGeometry }[] {
  const flat = Math.min(thick, 0.012 * Math.max(length, width)); // a box of that inertia may be thick
  // Which way it reaches: panels of other builders may lie along y.
  const turned = width > length;
  const [long, wide] = turned ? [width, length] : [length, width];
  const yoke = 0.11 * long;
  const place = (g: BufferGeometry) => (turned ? g.rotateZ(Math.PI / 2) : g);
  const middle = (side * yoke) / 2;
  const cells = (face: number) => {
    const g = new BoxGeometry(0.985 * (long - yoke), 0.96 * wide, 0.004 * wide).translate(middle, 0, face * 0.52 * flat);
    const pitch = Math.max(wide / 6, 0.02);
    const at = g.getAttribute('position');
    const cell = new Float32Array(2 * at.count);
    for (let i = 0; i < at.count; i++) cell.set([at.getX(i) / pitch + 0.5, at.getY(i) / pitch], 2 * i);
    return g.setAttribute('cell', new BufferAttribute(cell, 2));
  };
  const strut = (end: number) => new CylinderGeometry(0.012 * wide, 0.012 * wide, Math.hypot(yoke, 0.3 * wide), 8)
    .rotateZ(Math.PI / 2 - Math.atan2(0.3 * wide * end, -side * yoke)).translate(side * (yoke / 2 - long / 2), 0.15 * wide * end, 0);
  return [
    { matter: 'metal', color: steel, geometry: place(new BoxGeometry(long - yoke, wide, flat).translate(middle, 0, 0)) },
    { matter: 'cells', color: cellBlue, geometry: place(cells(1)) },
    { matter: 'cells', color: cellBlue, geometry: place(cells(-1)) },
    { matter: 'metal', color: steel, geometry: place(strut(1)) },
    { matter: 'metal', color: steel, geometry: place(strut(-1)) },
  ];
}

/** A port: a ring about its axis with a cross, as targets for cameras have it. */
export function buildPort(port: Port, size: number, light: Light): Group {
  const group = new Group();
  group.position.copy(vector(port.at));
  group.quaternion.copy(quaternion(port.q));
  const ring = new TorusGeometry(size, 0.09 * size, 10, 40).rotateY(Math.PI / 2);
  group.add(new Mesh(withCells(ring), buildMaterial('metal', steel, light)));
  const bars = [0, 1].map((k) => new BoxGeometry(0.03 * size, k ? 1.7 * size : 0.07 * size, k ? 0.07 * size : 1.7 * size));
  group.add(new Mesh(mergeGeometries(bars), new MeshBasicMaterial({ color: '#f2f5f8' })));
  return group;
}

/** Lines across the faces of a box, where blankets are joined. */
function seams([x, y, z]: Vec3): BufferGeometry {
  const inner = new BoxGeometry(1.004 * x, 0.62 * y, 0.62 * z);
  const other = new BoxGeometry(0.62 * x, 1.004 * y, 0.62 * z);
  const third = new BoxGeometry(0.62 * x, 0.62 * y, 1.004 * z);
  return mergeGeometries([inner, other, third].map((g) => new EdgesGeometry(g, 30)));
}

/** Two bright quarters on each face of a wheel, so that its spin is seen. */
function spinMarks(radius: number, length: number): BufferGeometry[] {
  const marks: BufferGeometry[] = [];
  for (const face of [-1, 1]) {
    for (const start of [0, Math.PI]) {
      marks.push(new CircleGeometry(0.92 * radius, 12, start, Math.PI / 2)
        .rotateY(Math.PI / 2).translate(face * (length / 2 + 0.01 * radius), 0, 0));
    }
  }
  return marks;
}

/** Lines from apex to mouth: a smooth translucent cone alone does not look hollow. */
function coneRibs(halfAngle: number, length: number): BufferGeometry {
  const mouth = length * Math.tan(halfAngle);
  const ribs = new CylinderGeometry(mouth, 0, length, 12, 3, true).rotateZ(-Math.PI / 2).translate(length / 2, 0, 0);
  return new EdgesGeometry(ribs, 1);
}

/** Geometries that are merged must have the same attributes. */
function withCells(geometry: BufferGeometry): BufferGeometry {
  geometry.deleteAttribute('uv');
  const count = geometry.getAttribute('position').count;
  if (!geometry.getAttribute('cell')) geometry.setAttribute('cell', new BufferAttribute(new Float32Array(2 * count), 2));
  return geometry;
}
