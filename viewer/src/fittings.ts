// SPDX-License-Identifier: Apache-2.0
// What hangs on bodies and works: thrusters with plumes that fire as recorded, and the springs of docks.
import {
  AdditiveBlending, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, Group, Line, LineBasicMaterial,
  Mesh, Quaternion, ShaderMaterial, Vector3,
} from 'three';
import { type Block, type Run, Series } from './data';
import { vector } from './craft';
import { type Light, buildMaterial } from './materials';

const up = new Vector3(0, 1, 0);

/** A nozzle where the thruster is declared; its plume leaves against the force. */
class Thruster {
  readonly object = new Group();
  private readonly plume: Mesh;
  private readonly glow: ShaderMaterial;

  constructor(at: Vector3, direction: Vector3, size: number, private readonly level: Series | null, light: Light) {
    this.object.position.copy(at);
    this.object.quaternion.setFromUnitVectors(up, direction.clone().normalize().negate());
    const bell = new CylinderGeometry(0.5 * size, 0.18 * size, size, 14, 1, true).translate(0, 0.5 * size, 0);
    const material = buildMaterial('metal', new Color('#7d858f'), light);
    material.side = DoubleSide;
    this.object.add(new Mesh(bell, material));
    this.glow = new ShaderMaterial({
      vertexShader: 'varying float vAlong; void main() { vAlong = position.y; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: `uniform float level; varying float vAlong;
        void main() { float f = 1.0 - vAlong; gl_FragColor = vec4(mix(vec3(0.45, 0.65, 1.0), vec3(1.0, 0.95, 0.85), f * f) * level * f * f * 0.85, 1.0); }`,
      uniforms: { level: { value: 0 } }, transparent: true, depthWrite: false, blending: AdditiveBlending, side: DoubleSide,
    });
    this.plume = new Mesh(new ConeGeometry(0.32, 1, 16, 6, true).rotateX(Math.PI).translate(0, 0.5, 0), this.glow);
    this.plume.scale.set(4 * size, 7 * size, 4 * size);
    this.plume.position.y = 0.8 * size;
    this.object.add(this.plume);
  }

  /** `flicker` is the wall clock: a burning jet is never quite still. */
  update(t: number, flicker: number): void {
    const level = this.level?.at(t) ?? 0;
    this.plume.visible = level > 0.005;
    this.glow.uniforms.level!.value = Math.min(1, 0.35 + 0.65 * level) * (0.9 + 0.1 * Math.sin(flicker));
  }
}

/** A coil between two ports, seen while its dock is engaged. */
class Spring {
  readonly object: Line;
  private readonly engaged: Series | null;

  constructor(run: Run, block: Block, name: string, readonly from: PortPlace, readonly to: PortPlace, private readonly size: number) {
    this.engaged = Series.find(run, block, `${name}.engaged`);
    const turns = 6;
    const points = new Float32Array(3 * 121);
    for (let i = 0; i <= 120; i++) {
      const u = i / 120;
      const ramp = Math.min(1, 8 * u, 8 * (1 - u));
      points.set([ramp * Math.cos(2 * Math.PI * turns * u), u, ramp * Math.sin(2 * Math.PI * turns * u)], 3 * i);
    }
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(points, 3));
    this.object = new Line(geometry, new LineBasicMaterial({ color: '#8fe0ff', transparent: true, opacity: 0.95, depthTest: false }));
    this.object.renderOrder = 8;
    this.object.frustumCulled = false;
  }

  update(t: number, place: (port: PortPlace, out: Vector3) => Vector3): void {
    this.object.visible = (this.engaged?.at(t) ?? 0) > 0.5;
    if (!this.object.visible) return;
    const from = place(this.from, this.object.position);
    const span = place(this.to, new Vector3()).sub(from);
    const length = span.length();
    this.object.visible = length > 1e-6 && Number.isFinite(length);
    if (!this.object.visible) return;
    this.object.quaternion.copy(new Quaternion().setFromUnitVectors(up, span.divideScalar(length)));
    this.object.scale.set(this.size, length, this.size);
  }
}

/** A port, or the origin of a body that is named in place of one. */
export interface PortPlace { body: number; at: Vector3; port: number }

export class Fittings {
  private readonly thrusters: Thruster[] = [];
  private readonly springs: Spring[] = [];
  /** Seen, but belongs to no body: springs. */
  readonly loose = new Group();

  constructor(
    run: Run, block: Block, light: Light, bodies: readonly Group[], radii: readonly number[],
    find: (name: string) => PortPlace | null,
  ) {
    for (const t of run.facts.thrusters) {
      const place = find(t.body);
      if (!place) continue;
      const size = 0.075 * radii[place.body]!;
      const thruster = new Thruster(vector(t.at), vector(t.direction), size, Series.find(run, block, t.level), light);
      this.thrusters.push(thruster);
      bodies[place.body]!.add(thruster.object);
    }
    for (const join of run.facts.joins) {
      const [a, b] = join.ports.map(find);
      if (!join.soft || !a || !b) continue;
      const spring = new Spring(run, block, join.name, a, b, 0.035 * Math.min(radii[a.body]!, radii[b.body]!));
      this.springs.push(spring);
      this.loose.add(spring.object);
    }
  }

  update(t: number, place: (port: PortPlace, out: Vector3) => Vector3): void {
    const flicker = 0.045 * performance.now();
    this.thrusters.forEach((thruster, i) => thruster.update(t, flicker + 2 * i));
    for (const spring of this.springs) spring.update(t, place);
  }
}
