// SPDX-License-Identifier: Apache-2.0
// Surfaces without end: each is a patch of grid near what may touch it, which fades before it ends.
import { CircleGeometry, DoubleSide, Group, Mesh, Quaternion, ShaderMaterial, Vector3 } from 'three';
import type { Run } from './data';
import { quaternion, reachOf, vector } from './craft';
import type { PortPlace } from './fittings';

interface Patch { mesh: Mesh; body: number; at: Vector3; q: Quaternion; probe: PortPlace; reach: number }

const build = (color: string) => new ShaderMaterial({
  vertexShader: `varying vec2 vAt; varying vec2 vIn; uniform vec2 shift; uniform float reach;
    void main() { vIn = position.yz; vAt = position.yz * reach + shift; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
  fragmentShader: `uniform float pitch; varying vec2 vAt; varying vec2 vIn;
    void main() {
      vec2 g = vAt / pitch;
      vec2 f = (0.5 - abs(fract(g) - 0.5)) / fwidth(g); // [px] to the next line
      float line = 1.0 - smoothstep(0.4, 1.4, min(f.x, f.y));
      float fade = smoothstep(1.0, 0.35, length(vIn));
      gl_FragColor = vec4(${color}, fade * (0.2 + 0.55 * line));
    }`,
  uniforms: { shift: { value: [0, 0] }, reach: { value: 1 }, pitch: { value: 1 } },
  transparent: true, depthWrite: false, side: DoubleSide,
});

export class Ground {
  readonly object = new Group();
  private readonly patches: Patch[] = [];

  constructor(run: Run, find: (name: string) => PortPlace | null, radii: readonly number[], least: number) {
    for (const contact of run.facts.contacts) {
      const [probe, surface] = contact.ports.map(find);
      if (!probe || !surface) continue;
      const plane = run.scene!.bodies[surface.body]!.shapes.find((s) => s.kind === 'plane' && vector(s.at).distanceTo(surface.at) < 1e-6);
      if (!plane || this.patches.some((p) => p.body === surface.body && p.at.distanceTo(vector(plane.at)) < 1e-6)) continue;
      // No larger than the body it belongs to, where that has a size of its own.
      const own = reachOf(run.scene!.bodies[surface.body]!.shapes);
      const reach = Math.min(Math.max(1.6 * radii[probe.body]!, 4 * contact.radius, least, 0.02), own > 0 ? 1.2 * own : Infinity);
      const mesh = new Mesh(new CircleGeometry(1, 48).rotateY(Math.PI / 2), build('vec3(0.55, 0.75, 0.95)'));
      mesh.scale.setScalar(reach);
      mesh.renderOrder = 1;
      this.object.add(mesh);
      this.patches.push({ mesh, body: surface.body, at: vector(plane.at), q: quaternion(plane.q), probe, reach });
    }
  }

  update(
    place: (port: PortPlace, out: Vector3) => Vector3, turn: (body: number, out: Quaternion) => Quaternion,
    position: (body: number, out: Vector3) => Vector3,
  ): void {
    const q = new Quaternion();
    const foot = new Vector3();
    for (const { mesh, body, at, q: local, probe, reach } of this.patches) {
      turn(body, q);
      const base = position(body, new Vector3()).add(at.clone().applyQuaternion(q));
      q.multiply(local);
      // The foot of the probe, in the axes of the plane, whose x is its normal.
      place(probe, foot).sub(base).applyQuaternion(q.clone().invert());
      foot.x = 0;
      mesh.visible = Number.isFinite(foot.lengthSq());
      if (!mesh.visible) continue;
      const material = mesh.material as ShaderMaterial;
      material.uniforms.shift!.value = [foot.y, foot.z];
      material.uniforms.reach!.value = reach;
      material.uniforms.pitch!.value = 10 ** Math.round(Math.log10(reach / 4));
      mesh.quaternion.copy(q);
      mesh.position.copy(base).add(foot.applyQuaternion(q));
    }
  }
}
