// SPDX-License-Identifier: Apache-2.0
// The world of the scene: bodies and what works on them, and the frame they are drawn in.
//
//   inertial axes N  ──turn──▶  view axes (three's: x right, y up, z towards the viewer)
//
// The origin of the view is where craft meet, or the body that is followed; it is subtracted in double
// precision before anything reaches the graphics card: craft kilometres away must not tremble.
import {
  Box3, Group, Matrix4, type Mesh, type Object3D, type PerspectiveCamera, Quaternion, Raycaster, Scene as World,
  type ShaderMaterial, Sphere, Vector2, Vector3,
} from 'three';
import { type BodyDrawing, buildBody, buildPort, quaternion, vector } from './craft';
import type { Block, Run, Scene } from './data';
import { Series } from './data';
import { Fittings, type PortPlace } from './fittings';
import { Forces } from './forces';
import { Ghost } from './ghosts';
import type { Direction } from './gizmo';
import { Ground } from './ground';
import { Light, setOpacity } from './materials';
import { Models, boxOfModels } from './models';
import { Poses } from './poses';
import { Sky } from './sky';
import { Spin } from './spin';
import { Trails } from './trails';

/** Axes of the view. */
export type Axes = 'orbit' | 'inertial' | 'body';

const basis = (right: Vector3, up: Vector3, towards: Vector3) =>
  new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(right, up, towards).transpose());
const x = new Vector3(1, 0, 0);
const y = new Vector3(0, 1, 0);
const z = new Vector3(0, 0, 1);
const orbitBasis = basis(x, z.clone().negate(), y); // V-bar to the right, Earth below
const bodyBasis = basis(x, z, y.clone().negate());
const sunInOrbit = new Vector3(-0.42, 0.62, -0.66).normalize(); // V-bar, −H-bar, nadir: low, from behind
const trailColors = ['#dfe3e8', '#e3b968', '#9fc0ea', '#dd9468'];

export class Stage {
  readonly world = new World();
  readonly light = new Light();
  readonly poses: Poses;
  readonly sky: Sky;
  readonly forces: Forces;
  readonly models: Models;
  readonly grounded: boolean; // it stands on the ground: the picture keeps still
  readonly pair: [PortPlace, PortPlace] | null; // where craft meet
  readonly active: number; // body: the craft that comes
  axes: Axes;
  follow = -1; // body; −1: where craft meet
  inside: boolean; // hulls are clear
  trails = false;
  readonly ghosts: Ghost[]; // further runs
  readonly bodies: Group[];
  readonly radii: number[];
  private readonly drawings: BodyDrawing[];
  private readonly boxes: (Box3 | null)[];
  private readonly root = new Group(); // turned into view axes; its children are in inertial axes
  private readonly paths = new Trails();
  private readonly spins: (Spin | null)[];
  private readonly fittings: Fittings;
  private readonly ground: Ground;
  private readonly turn = new Quaternion();
  private readonly origin = new Vector3();
  private readonly still: { middle: Vector3; basis: Quaternion; span: number };
  private readonly sun = new Vector3(); // inertial axes
  private blocking = new Set<number>();
  private present = { t: 0, pace: 1 };

  /** `others`: further runs that have a scene, with their names and their places in the page. */
  constructor(readonly scene: Scene, readonly run: Run, block: Block, others: readonly { run: Run; label: string; index: number }[] = []) {
    this.poses = new Poses(scene, block);
    const { poses } = this;
    this.grounded = scene.bodies.some((b) => b.name === 'ground' && b.shapes.length === 0) && !scene.lvlh;
    this.axes = scene.lvlh ? 'orbit' : 'inertial';
    const declared = new Set(run.facts.shaped);
    const points = new Set(run.facts.contacts.filter((c) => c.probe === 'point').flatMap((c) => c.ports[0] ?? []));
    this.drawings = scene.bodies.map((body, i) => {
      // The ball that stands for a point is a pin head.
      const pins = [...points].map((p) => this.findPlace(p)).filter((p) => p?.body === i);
      const shapes = pins.length === 0 || body.shapes.length < 2 ? body.shapes : body.shapes.map((s) => (
        s.kind === 'sphere' && pins.some((p) => vector(s.at).distanceTo(p!.at) < 1e-6) ? { ...s, radius: Math.min(s.radius, 0.06 * reach(body.shapes)) } : s));
      const ports = scene.ports.filter((p) => p.body === i).map((p) => vector(p.at));
      return buildBody({ ...body, shapes }, body.craft, declared.has(body.name), this.jointsOf(i), this.light, ports);
    });
    this.bodies = this.drawings.map((d) => d.group);
    this.bodies.forEach((group, i) => { group.userData.body = i; });
    this.boxes = this.bodies.map((group, i) => {
      const box = new Box3().setFromObject(group).union(boxOfModels(scene.bodies[i]!.shapes));
      return box.isEmpty() ? null : box;
    });
    this.radii = this.boxes.map((box) => Math.max(box?.getBoundingSphere(new Sphere()).radius ?? 0, 1e-3));
    this.models = new Models(scene, block, this.drawings, this.light);
    this.spins = scene.bodies.map((body, i) => Spin.find(i, body, poses, run, block));
    const find = (name: string) => this.findPlace(name);
    this.pair = this.findPair();
    // Of a craft alone, what works in it is the subject.
    this.inside = !this.pair && scene.bodies.some((b) => b.kind === 'wheel' || b.kind === 'slosh');
    const thrusting = run.facts.thrusters.map((t) => find(t.body)?.body).find((b) => b !== undefined);
    this.active = thrusting ?? this.craftRoot(this.pair?.[0].body ?? scene.focus);
    this.addPorts();
    this.fittings = new Fittings(run, block, this.light, this.bodies, this.radii, find);
    this.forces = new Forces(run, block, poses);
    const orbit = scene.lvlh ? Series.find(run, block, 'orbit.r_OE_N') : null;
    const distance = orbit?.t.length ? Math.hypot(orbit.parts[0]![0]!, orbit.parts[1]![0]!, orbit.parts[2]![0]!) / 6378137 : 1.078;
    this.sky = new Sky(scene.lvlh ? Math.max(distance, 1.02) : null, !this.grounded);
    this.light.uniforms.earth.value = scene.lvlh ? 1 : 0.5;

    this.ghosts = others.map((o) => new Ghost(o.run, o.label, o.index, block, this.light));
    this.still = this.findStill();
    this.ground = new Ground(run, find, this.radii, 0.5 * this.still.span);
    this.root.add(this.fittings.loose, this.forces.object, this.ground.object, ...this.bodies, ...this.ghosts.map((g) => g.object));
    this.world.add(this.root, this.paths.object);
    if (poses.time.length > 0) {
      // The sun stands where it lights the meeting from one side.
      poses.seek(run.facts.captures.find((c) => c.touch)?.touch?.t ?? run.facts.window?.[0] ?? run.from);
      const q = new Quaternion();
      if (poses.orbit(q)) this.sun.copy(sunInOrbit).applyQuaternion(q);
      else this.sun.set(-0.5, 0.55, 0.67).normalize().applyQuaternion(this.still.basis.clone().invert());
    }
    this.update(poses.time[0] ?? 0, 1);
  }

  /** Trails depend on axes and focus; call after either changed. */
  retrace(): void {
    this.paths.clear();
    if (!this.trails) return;
    const own = this.follow >= 0 ? this.craftRoot(this.follow) : this.craftRoot(this.pair?.[1].body ?? 0);
    const crafts = this.roots().filter((b) => b !== own)
      .map((body) => ({ body, color: trailColors[Math.abs(this.scene.bodies[body]!.craft) % trailColors.length]! }));
    this.paths.build(this.poses, crafts, this.origin, this.turn, () => this.findFrame());
  }

  /** Puts everything where it is at time t; `pace`: run seconds per second of the viewer. */
  update(t: number, pace: number): void {
    const { poses, root } = this;
    if (poses.time.length === 0) return;
    this.present = { t, pace };
    poses.seek(t);
    this.findFrame();
    root.quaternion.copy(this.turn);
    this.bodies.forEach((body, i) => {
      poses.position(i, body.position).sub(this.origin);
      poses.rotation(i, body.quaternion);
      body.visible = Number.isFinite(body.position.lengthSq()); // a run may diverge
    });
    const parent = new Quaternion();
    this.spins.forEach((spin, i) => {
      spin?.rotation(t, pace, poses.rotation(spin.parent, parent), this.bodies[i]!.quaternion);
    });
    const place = (port: PortPlace, out: Vector3) => this.placeOf(port, out);
    for (const ghost of this.ghosts) ghost.update(t, poses, this.origin);
    this.fittings.update(t, place);
    this.ground.update(place, (b, q) => poses.rotation(b, q), (b, p) => poses.position(b, p).sub(this.origin));
    this.forces.seek(t, pace, this.origin);
    this.paths.follow(poses, t);
    this.light.uniforms.sun.value.copy(this.sun).applyQuaternion(this.turn);
    const q = new Quaternion();
    if (poses.orbit(q)) this.light.uniforms.down.value.copy(z).applyQuaternion(q.premultiply(this.turn));
    root.updateMatrixWorld(true);
  }

  /** The sky for a camera of the scene. */
  skyFor(camera: PerspectiveCamera): PerspectiveCamera {
    const q = new Quaternion();
    const has = this.poses.orbit(q);
    const along = has ? new Vector3(1, 0, 0).applyQuaternion(q) : x;
    if (has) q.premultiply(this.turn);
    return this.sky.follow(camera, this.turn, has ? q : null, Math.atan2(along.y, along.x), this.light.uniforms.sun.value);
  }

  /** Fades hulls that stand between a camera and where craft touch, and all of them to see inside. */
  fade(camera: PerspectiveCamera, target: Vector3 | null): void {
    this.blocking.clear();
    if (target) {
      const from = camera.position;
      const way = target.clone().sub(from);
      const ray = new Raycaster(from, way.clone().normalize(), 0, 0.985 * way.length());
      const hulls = this.drawings.flatMap((d) => d.group.children.filter((c) => d.hull.includes((c as Mesh).material as ShaderMaterial)));
      for (const hit of ray.intersectObjects(hulls, false)) this.blocking.add(hit.object.parent!.userData.body as number);
    }
    this.drawings.forEach((d, i) => {
      const opacity = this.inside || this.blocking.has(i) ? 0.24 : 1;
      for (const material of d.hull) setOpacity(material, opacity);
    });
  }

  /** What a camera inside a craft must not see: its hull and masts, its wheels and tanks. */
  walls(body: number): Object3D[] {
    const root = this.craftRoot(body);
    return this.scene.bodies.flatMap(({ kind }, i) => {
      if (this.craftRoot(i) !== root) return [];
      if (kind === 'wheel' || kind === 'slosh') return this.bodies[i]!.children;
      return this.bodies[i]!.children.filter((c) => c.name === 'mast' || c.userData.model || this.drawings[i]!.hull.includes((c as Mesh).material as ShaderMaterial));
    });
  }

  /** Corners of the boxes of bodies, in view axes. */
  corners(bodies: readonly number[]): Vector3[] {
    const out: Vector3[] = [];
    for (const i of bodies) {
      const box = this.boxes[i];
      const group = this.bodies[i]!;
      if (!box || !group.visible) continue;
      for (let k = 0; k < 8; k++) {
        out.push(new Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).applyMatrix4(group.matrixWorld));
      }
    }
    return out;
  }

  /** Place and axes of a port in view axes. */
  portPose(place: PortPlace, position: Vector3, rotation: Quaternion): void {
    const port = this.scene.ports[place.port];
    this.placeOf(place, position).applyQuaternion(this.turn);
    this.poses.rotation(place.body, rotation).premultiply(this.turn);
    if (port) rotation.multiply(quaternion(port.q));
  }

  /** Where a contact acts now, in view axes; else where craft would meet; null when there is no such place. */
  contactPoint(): Vector3 | null {
    const touching = this.forces.acting.filter((a) => a.kind === 'contact' && a.newtons > 0).sort((a, b) => b.newtons - a.newtons)[0];
    const at = touching?.at.clone() ?? (this.pair ? this.placeOf(this.pair[0], new Vector3()) : null);
    return at && Number.isFinite(at.lengthSq()) ? at.applyQuaternion(this.turn) : null;
  }

  /** Distance of the two ports that meet [m]. */
  separation(): number {
    if (!this.pair) return Infinity;
    return this.placeOf(this.pair[0], new Vector3()).distanceTo(this.placeOf(this.pair[1], new Vector3()));
  }

  /** The body under a point of the canvas (−1 … 1 both ways), or −1. */
  pick(at: Vector2, camera: PerspectiveCamera): number {
    const ray = new Raycaster();
    ray.setFromCamera(at, camera);
    const hits = ray.intersectObjects(this.bodies, true).filter((h) => (h.object as Mesh).isMesh);
    // Solids before clear walls: who clicks on a wheel inside a hub means the wheel.
    const solid = hits.find((h) => !((h.object as Mesh).material as { transparent: boolean }).transparent);
    let node: Object3D | null = (solid ?? hits[0])?.object ?? null;
    while (node && node.userData.body === undefined) node = node.parent;
    return node ? (node.userData.body as number) : -1;
  }

  /** Axes of the view and the direction to the Earth, in view axes. */
  directions(): Direction[] {
    const q = new Quaternion();
    const has = this.poses.orbit(q);
    if (this.axes === 'orbit' && has) {
      q.premultiply(this.turn);
      return [
        { label: 'V-bar', along: x.clone().applyQuaternion(q), strong: false },
        { label: '−H-bar', along: y.clone().applyQuaternion(q), strong: false },
        { label: 'Earth', along: z.clone().applyQuaternion(q), strong: true },
      ];
    }
    const frame = new Quaternion();
    if (this.axes === 'body') this.poses.rotation(this.steady(Math.max(this.follow, 0)), frame);
    frame.premultiply(this.turn);
    const out = [x, y, z].map((axis, i) => ({ label: 'xyz'[i]!, along: axis.clone().applyQuaternion(frame), strong: false }));
    if (has) out.push({ label: 'Earth', along: z.clone().applyQuaternion(q.premultiply(this.turn)), strong: true });
    return out;
  }

  pose(name: string): { position: number[]; quaternion: number[] } | null {
    const body = this.bodies[this.scene.bodies.findIndex((b) => b.name === name)];
    if (!body) return null;
    this.root.updateWorldMatrix(true, true);
    return {
      position: body.getWorldPosition(new Vector3()).toArray(),
      quaternion: body.getWorldQuaternion(new Quaternion()).toArray(),
    };
  }

  /** Bodies that hang on no other: one per craft. */
  roots(): number[] {
    return this.scene.bodies.flatMap((b, i) => (b.parent < 0 && !(b.shapes.length === 0 && b.name === 'ground') ? [i] : []));
  }

  craftRoot(body: number): number {
    for (let guard = 0; guard < 1000; guard++) {
      const parent = this.scene.bodies[body]?.parent ?? -1;
      if (parent < 0) return body;
      body = parent;
    }
    return body;
  }

  /** A port by name, or a body whose origin stands for one. */
  findPlace(name: string): PortPlace | null {
    const port = this.scene.ports.findIndex((p) => p.name === name);
    if (port >= 0) return { body: this.scene.ports[port]!.body, at: vector(this.scene.ports[port]!.at), port };
    const body = this.scene.bodies.findIndex((b) => b.name === name);
    return body >= 0 ? { body, at: new Vector3(), port: -1 } : null;
  }

  /** Box of the bodies that are framed over the whole run, in view axes of a grounded scene. */
  reachOfRun(): Box3 {
    const box = new Box3();
    const { poses } = this;
    const n = poses.time.length;
    const all = this.scene.bodies.map((_, i) => i);
    const before = { ...this.present };
    for (let k = 0; k < Math.min(n, 40); k++) {
      const t = poses.time[Math.floor((k * (n - 1)) / Math.max(Math.min(n, 40) - 1, 1))]!;
      this.update(t, 1);
      for (const p of this.corners(all)) if (Number.isFinite(p.lengthSq())) box.expandByPoint(p);
    }
    this.update(before.t, before.pace);
    return box;
  }

  private findPair(): [PortPlace, PortPlace] | null {
    const { captures, joins, contacts } = this.run.facts;
    const order = [...captures.filter((c) => c.touch), ...captures, ...joins, ...contacts];
    for (const { ports } of order) {
      const [a, b] = ports.map((p) => this.findPlace(p));
      if (a && b && this.craftRoot(a.body) !== this.craftRoot(b.body)) return [a, b];
    }
    return null;
  }

  /** Where ports and other bodies are on a body, in its axes, at the first frame. */
  private jointsOf(body: number): Vector3[] {
    const { scene, poses } = this;
    const out = scene.ports.filter((p) => p.body === body).map((p) => vector(p.at));
    if (poses.time.length === 0) return out;
    poses.seekFrame(0);
    const own = poses.position(body, new Vector3());
    const back = poses.rotation(body, new Quaternion()).invert();
    scene.bodies.forEach((other, i) => {
      if (other.parent === body) out.push(poses.position(i, new Vector3()).sub(own).applyQuaternion(back));
    });
    return out.filter((p) => Number.isFinite(p.lengthSq()));
  }

  /** Ports are rings with a cross; a probe is its own sign, and inside a cone the ring is small. */
  private addPorts(): void {
    const { contacts } = this.run.facts;
    this.scene.ports.forEach((port) => {
      const as = (side: number) => contacts.some((c) => c.ports[side] === port.name);
      const body = this.scene.bodies[port.body]!;
      const here = body.shapes.find((s) => (s.kind === 'cone' || s.kind === 'plane') && vector(s.at).distanceTo(vector(port.at)) < 1e-6);
      if (as(0) || here?.kind === 'plane' || body.kind === 'body') return;
      const size = here?.kind === 'cone' ? 0.3 * here.length * Math.tan(here.half_angle) : 0.13 * this.radii[port.body]!;
      this.bodies[port.body]!.add(buildPort(port, size, this.light));
    });
  }

  private placeOf({ body, at }: PortPlace, out: Vector3): Vector3 {
    const q = this.poses.rotation(body, new Quaternion());
    return this.poses.position(body, out).add(at.clone().applyQuaternion(q)).sub(this.origin);
  }

  /** Origin and turn of the view at the time the poses stand at. */
  private findFrame(): void {
    const { poses, origin, turn } = this;
    const frame = new Quaternion();
    if (this.axes === 'orbit' && poses.orbit(frame)) turn.copy(orbitBasis).multiply(frame.invert());
    else if (this.axes === 'body') turn.copy(bodyBasis).multiply(poses.rotation(this.steady(Math.max(this.follow, 0)), frame).invert());
    else turn.copy(this.still.basis);
    if (this.follow >= 0) poses.position(this.follow, origin);
    else if (this.grounded) origin.copy(this.still.middle);
    else this.findMeeting(origin);
  }

  /** Half-way between the ports that meet, but never far from the craft that comes. */
  private findMeeting(out: Vector3): void {
    const { poses } = this;
    out.set(0, 0, 0);
    poses.position(this.active, out);
    if (!this.pair) return;
    const place = ({ body, at }: PortPlace) => poses.position(body, new Vector3()).add(at.clone().applyQuaternion(poses.rotation(body, new Quaternion())));
    const own = this.craftRoot(this.pair[0].body) === this.craftRoot(this.active) ? 0 : 1;
    const a = place(this.pair[own]!);
    const way = place(this.pair[1 - own]!).sub(a);
    const far = 14 * this.radii[this.active]!;
    if (way.length() < far) out.copy(a.addScaledVector(way, 0.5));
  }

  /** Upright axes and the middle of what moves, for a scene that stands on the ground. */
  private findStill(): { middle: Vector3; basis: Quaternion; span: number } {
    const middle = new Vector3();
    const { gravity } = this.run.facts;
    let up = gravity && Math.hypot(...gravity) > 0 ? vector(gravity).normalize().negate() : z.clone();
    if (!this.grounded) return { middle, basis: bodyBasis, span: 0 };
    const box = new Box3();
    const p = new Vector3();
    const { poses } = this;
    const n = poses.time.length;
    for (let k = 0; k < n; k += Math.max(1, Math.floor(n / 60))) {
      poses.seekFrame(k);
      this.scene.bodies.forEach((b, i) => {
        if (b.shapes.length === 0) return;
        const bounds = this.boxes[i]?.getCenter(new Vector3()) ?? new Vector3();
        poses.position(i, p).add(bounds.applyQuaternion(poses.rotation(i, new Quaternion())));
        if (Number.isFinite(p.lengthSq())) box.expandByPoint(p);
      });
    }
    if (!box.isEmpty()) box.getCenter(middle);
    // Who looks at a plane mechanism looks along the axis in which it does not move.
    const span = box.getSize(new Vector3());
    const level = gravity ? [x, y, z].filter((a) => Math.abs(a.dot(up)) < 0.9) : [z, y, x];
    const thin = level.sort((a, b) => span.dot(a) - span.dot(b))[0]!.clone();
    if (!gravity) up = (thin.y > 0.5 ? z : y).clone();
    const right = new Vector3().crossVectors(up, thin).normalize();
    const towards = right.x + right.y + right.z < 0 ? thin.negate() : thin;
    return { middle, basis: basis(new Vector3().crossVectors(up, towards).normalize(), up, towards), span: Math.min(span.length(), 1e3) };
  }

  /** Nobody wants to ride on a wheel: its view is that of the body it is mounted on. */
  private steady(body: number): number {
    const { kind, parent } = this.scene.bodies[body]!;
    return kind === 'wheel' && parent >= 0 ? parent : body;
  }
}

const reach = (shapes: Scene['bodies'][number]['shapes']) =>
  Math.max(0.1, ...shapes.map((s) => (s.kind === 'box' || s.kind === 'gltf' ? Math.max(...s.size) : 'length' in s ? s.length : 0)));

