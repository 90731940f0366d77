// SPDX-License-Identifier: Apache-2.0
// The world of the scene: bodies, ports, forces, stars, and the frame they are looked at from.
//
//   inertial axes N  ──turn──▶  view axes (three's: x right, y up, z towards the viewer)
//
// The origin of the view is the body or port in focus, subtracted in double precision before anything
// reaches the graphics card: craft kilometres from the origin must not tremble.
import {
  AxesHelper, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, Group, HemisphereLight,
  Matrix4, type Mesh, Object3D, PerspectiveCamera, Points, PointsMaterial, Quaternion, Raycaster, Scene as World,
  Sphere, Vector2, Vector3,
} from 'three';
import { ForceArrow, type ForceScale } from './arrows';
import type { Block, Run, Scene } from './data';
import type { Direction } from './gizmo';
import { Poses } from './poses';
import { buildBody, quaternion, vector } from './shapes';
import { Spin } from './spin';
import { theme } from './theme';
import { figure } from './ticks';
import { Trails } from './trails';

/** Frame of the view; a port is named by its index. */
export type Look = 'orbit' | 'inertial' | 'body' | number;

// Which axis of each frame is to the right, up and towards the viewer.
const basis = (right: Vector3, up: Vector3, towards: Vector3) =>
  new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(right, up, towards).transpose());
const x = new Vector3(1, 0, 0);
const y = new Vector3(0, 1, 0);
const z = new Vector3(0, 0, 1);
const orbitBasis = basis(x, z.clone().negate(), y); // V-bar to the right, Earth below
const bodyBasis = basis(x, z, y.clone().negate()); // also of ports: what comes in comes from the right

const halfView = 0.3; // [rad] half of the camera's angle

export class Stage {
  readonly world = new World();
  readonly camera = new PerspectiveCamera(2 * halfView * (180 / Math.PI), 1, 0.01, 1e5);
  readonly poses: Poses;
  look: Look;
  focus: number;
  inside: boolean;
  ports = false;
  trails = false;
  forceScale: ForceScale = 'log';
  readonly arrows: ForceArrow[];
  readonly largestForce: number;
  private readonly root = new Group(); // turned into view axes; its children are in inertial axes
  private readonly paths = new Trails();
  private readonly spins: (Spin | null)[];
  private bodies: Group[] = [];
  private axes: Object3D[] = [];
  private stars: Points;
  private readonly sizes: number[]; // radius of each body [m]
  private readonly turn = new Quaternion();
  private readonly origin = new Vector3();

  constructor(readonly scene: Scene, run: Run, block: Block) {
    this.poses = new Poses(scene, block);
    this.look = scene.lvlh ? 'orbit' : 'inertial';
    this.focus = scene.bodies[scene.focus] ? scene.focus : 0;
    this.inside = scene.bodies.some((b) => b.kind === 'wheel' || b.kind === 'slosh');
    this.spins = scene.bodies.map((body, i) => Spin.find(i, body, this.poses, run, block));
    this.largestForce = this.poses.largestArrow();
    this.arrows = scene.arrows.map((a) => new ForceArrow(a.name, a.unit, theme.colors.force));
    this.stars = buildStars();

    // Light comes from behind the viewer's shoulder: legible from every side, unlike a sun.
    const lamp = new DirectionalLight('#ffffff', 1.7);
    lamp.position.set(-0.6, 0.9, 1);
    this.camera.add(lamp);
    this.world.add(new HemisphereLight('#ffffff', '#8a96a3', 1.5), this.camera, this.root, this.paths.object);
    this.root.add(this.stars, ...this.arrows.map((a) => a.object));
    this.populate();
    this.update(this.poses.time[0] ?? 0, 1);
    this.sizes = this.bodies.map((_, i) => this.radiusOf([i]));
  }

  /** Builds bodies and ports anew: theme or transparency has changed. */
  populate(): void {
    const { colors } = theme;
    for (const old of this.bodies) dispose(old);
    this.root.remove(...this.bodies);
    this.bodies = this.scene.bodies.map((body, i) => {
      const group = buildBody(body, this.craftColor(body.craft), this.inside);
      group.userData.body = i;
      return group;
    });
    this.axes = this.scene.ports.map((port) => {
      const cross = new AxesHelper(0.35);
      cross.position.copy(vector(port.at));
      cross.quaternion.copy(quaternion(port.q));
      this.bodies[port.body]?.add(cross);
      return cross;
    });
    if (this.bodies.length > 0) this.root.add(...this.bodies);
    this.world.background = new Color(colors.sky);
    (this.stars.material as PointsMaterial).color.set(colors.star);
    for (const arrow of this.arrows) arrow.recolor(colors.force);
    this.retrace();
  }

  /** Trails depend on frame and focus; call after either changed. */
  retrace(): void {
    this.paths.clear();
    if (!this.trails) return;
    const crafts = this.roots().filter((b) => b !== this.craftRoot(this.focus))
      .map((body) => ({ body, color: this.craftColor(this.scene.bodies[body]!.craft) }));
    this.paths.build(this.poses, crafts, this.origin, this.turn, () => this.findFrame());
  }

  /** Puts everything where it is at time t, when a second of wall clock is `pace` seconds of the run. */
  update(t: number, pace: number): void {
    const { poses, root } = this;
    if (poses.time.length === 0) return;
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
    for (const cross of this.axes) cross.visible = this.ports;
    // Arrows keep their size on the screen: a close-up is for the place of contact, not for a giant arrow.
    const full = 0.2 * Math.max(this.camera.position.length(), 1e-3);
    const point = new Vector3();
    const force = new Vector3();
    this.arrows.forEach((arrow, i) => {
      poses.arrow(i, point, force);
      arrow.set(point.sub(this.origin), force, this.largestForce, full, this.forceScale);
    });
    this.paths.follow(poses, t);

    // The sky is far, but never beyond the far plane.
    const distance = Math.max(this.camera.position.length(), 1e-3);
    const far = 40 * distance + 4 * this.reach();
    this.camera.near = distance / 200;
    this.camera.far = far;
    this.camera.updateProjectionMatrix();
    this.stars.scale.setScalar(0.9 * far);
    this.stars.position.set(0, 0, 0);
  }

  /** Where the camera stands at first: the craft fills the panel, or, on demand, all of them do. */
  defaultCamera(all: boolean): Vector3 {
    // Of a port one wants to see the probe and the cone, not the panels.
    const close = typeof this.look === 'number' && !all;
    const radius = close ? 0.7 * this.radiusOf([this.scene.ports[this.look as number]!.body]) : this.craftRadius();
    // Neighbours that nearly touch belong in the picture; those further off have their names at its edge.
    let fit = radius;
    for (const other of this.roots()) {
      const gap = this.bodies[other]!.position.distanceTo(this.bodies[this.focus]!.position);
      if (all || (!close && gap < 2.5 * radius)) fit = Math.max(fit, gap + (all ? 0.3 * radius : 0));
    }
    const narrow = Math.min(1, this.camera.aspect);
    const from = close ? new Vector3(0.3, 0.3, 1) : new Vector3(0.45, 0.42, 1);
    return from.normalize().multiplyScalar(fit / (Math.sin(halfView) * narrow));
  }

  /** The body under a point of the canvas (−1 … 1 both ways), or −1. */
  pick(at: Vector2): number {
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const hits = ray.intersectObjects(this.bodies, true).filter((h) => (h.object as Mesh).isMesh);
    // Solids before clear walls: who clicks on a wheel inside a hub means the wheel.
    const solid = hits.find((h) => !((h.object as Mesh).material as { transparent: boolean }).transparent);
    let node: Object3D | null = (solid ?? hits[0])?.object ?? null;
    while (node && node.userData.body === undefined) node = node.parent;
    return node ? (node.userData.body as number) : -1;
  }

  /** Names of crafts, and of ports when those are shown; `above` [m] is the size of what they name. */
  labels(): { text: string; at: Vector3; above: number; minor: boolean }[] {
    const out = this.roots().map((i) => {
      const at = this.bodies[i]!.getWorldPosition(new Vector3());
      const { name } = this.scene.bodies[i]!;
      const distance = at.length(); // from the focus
      const text = distance > 1e-6 ? `${name}  ${figure(Number(distance.toPrecision(3)))} m` : name;
      return { text, at, above: this.sizes[i]!, minor: false };
    });
    if (this.ports) {
      this.scene.ports.forEach((port, i) => {
        out.push({ text: port.name, at: this.axes[i]!.getWorldPosition(new Vector3()), above: 0, minor: true });
      });
    }
    return out;
  }

  /** Pixels that a metre at a place takes on a canvas of some height. */
  metre(at: Vector3, height: number): number {
    return height / (2 * Math.tan(halfView) * this.camera.position.distanceTo(at));
  }

  /** Axes of the view and the direction to the Earth, in world axes. */
  directions(): Direction[] {
    const q = new Quaternion();
    if (this.look === 'orbit' && this.poses.orbit(q)) {
      q.premultiply(this.turn);
      return [
        { label: 'V-bar', along: x.clone().applyQuaternion(q), strong: false },
        { label: '−H-bar', along: y.clone().applyQuaternion(q), strong: false },
        { label: 'Earth', along: z.clone().applyQuaternion(q), strong: true },
      ];
    }
    const frame = new Quaternion();
    if (this.look === 'body') this.poses.rotation(this.steady(this.focus), frame);
    if (typeof this.look === 'number') this.portRotation(this.look, frame);
    frame.premultiply(this.turn);
    const out = [x, y, z].map((axis, i) => ({ label: 'xyz'[i]!, along: axis.clone().applyQuaternion(frame), strong: false }));
    if (this.poses.orbit(q)) out.push({ label: 'Earth', along: z.clone().applyQuaternion(q.premultiply(this.turn)), strong: true });
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
    return this.scene.bodies.flatMap((b, i) => (b.parent < 0 ? [i] : []));
  }

  private craftRoot(body: number): number {
    for (let guard = 0; guard < 1000; guard++) {
      const parent = this.scene.bodies[body]?.parent ?? -1;
      if (parent < 0) return body;
      body = parent;
    }
    return body;
  }

  /** Origin and turn of the view at the time the poses stand at. */
  private findFrame(): void {
    const { poses, origin, turn } = this;
    const frame = new Quaternion();
    if (typeof this.look === 'number') {
      const port = this.scene.ports[this.look]!;
      poses.rotation(port.body, frame);
      poses.position(port.body, origin).add(vector(port.at).applyQuaternion(frame));
      this.portRotation(this.look, frame);
      turn.copy(bodyBasis).multiply(frame.invert());
      return;
    }
    poses.position(this.focus, origin);
    if (this.look === 'orbit' && poses.orbit(frame)) turn.copy(orbitBasis).multiply(frame.invert());
    else if (this.look === 'body') turn.copy(bodyBasis).multiply(poses.rotation(this.steady(this.focus), frame).invert());
    else turn.copy(bodyBasis);
  }

  private portRotation(index: number, out: Quaternion): void {
    const port = this.scene.ports[index]!;
    this.poses.rotation(port.body, out).multiply(quaternion(port.q));
  }

  /** Nobody wants to ride on a wheel: its view is that of the body it is mounted on. */
  private steady(body: number): number {
    const { kind, parent } = this.scene.bodies[body]!;
    return kind === 'wheel' && parent >= 0 ? parent : body;
  }

  private craftColor(craft: number): string {
    const { crafts } = theme.colors;
    return crafts[Math.abs(craft) % crafts.length]!;
  }

  /** Size of the craft in focus, seen from its body or port [m]. */
  private craftRadius(): number {
    const of = typeof this.look === 'number' ? this.scene.ports[this.look]!.body : this.focus;
    const root = this.craftRoot(of);
    return this.radiusOf([...this.bodies.keys()].filter((i) => this.craftRoot(i) === root));
  }

  private radiusOf(bodies: readonly number[]): number {
    this.root.updateWorldMatrix(true, true);
    const box = new Box3();
    for (const i of bodies) box.expandByObject(this.bodies[i]!);
    const radius = box.getBoundingSphere(new Sphere()).radius;
    return radius > 0 && Number.isFinite(radius) ? radius : 1;
  }

  /** Distance of the farthest body from the origin of the view [m]. */
  private reach(): number {
    let reach = 1;
    for (const body of this.bodies) if (body.position.length() > reach) reach = body.position.length();
    return Math.min(reach, 1e9);
  }
}

/** Points on the unit sphere, the same at every opening: they show turning and nothing else. */
function buildStars(): Points {
  const count = 350;
  const at = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    // A golden spiral is even; the sines break its pattern up.
    const h = 1 - (2 * (i + 0.5)) / count + 0.02 * Math.sin(12.9898 * i);
    const turn = 2.39996 * i + 1.3 * Math.sin(78.233 * i);
    const r = Math.sqrt(Math.max(0, 1 - h * h));
    at.set([r * Math.cos(turn), r * Math.sin(turn), h], 3 * i);
  }
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(at, 3));
  const stars = new Points(geometry, new PointsMaterial({ size: 1.5, sizeAttenuation: false, depthWrite: false }));
  stars.frustumCulled = false;
  return stars;
}

function dispose(object: Object3D): void {
  object.traverse((node) => {
    const mesh = node as Partial<Mesh>;
    mesh.geometry?.dispose();
    if (mesh.material && !Array.isArray(mesh.material)) mesh.material.dispose();
  });
}
