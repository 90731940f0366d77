// SPDX-License-Identifier: Apache-2.0
// The views of the scene: where a camera stands for each of them.
//
//   chase    beside and above, both craft in the picture
//   port     behind a port, along its axis, its clocking mark up
//   cutaway  across the axis where craft touch; what stands before that plane is cut away
//   free     where the viewer has put it
import { type PerspectiveCamera, Quaternion, Vector3 } from 'three';
import type { PortPlace } from './fittings';
import type { Stage } from './stage';

export type ViewName = 'chase' | 'port' | 'cutaway' | 'free';

const insetShare = 0.26; // of the width of the picture, kept clear of craft
const wide = 0.3; // [rad] half of the angle of view, upright
const beside = new Vector3(-0.42, 0.46, 1).normalize();
const front = new Vector3(-0.22, 0.26, 1).normalize(); // of a mechanism

/**
 * Poses a camera. `port` is the place the port camera looks from; `above`: the share of the height, from the top, that
 * the inset takes of a picture which is not wide enough to have it beside the craft.
 */
export function aim(view: ViewName, camera: PerspectiveCamera, stage: Stage, port: PortPlace | null, above = 0): void {
  camera.up.set(0, 1, 0);
  if (camera.view?.enabled) camera.clearViewOffset();
  camera.fov = (360 / Math.PI) * wide;
  camera.updateProjectionMatrix();
  if (view === 'chase') chase(camera, stage, isWide(camera) ? 0 : above);
  if (view === 'port' && port) portCamera(camera, stage, port);
  if (view === 'cutaway') cutaway(camera, stage);
  setDepths(camera, stage);
}

/** Near and far planes, for wherever the camera is. */
export function setDepths(camera: PerspectiveCamera, stage: Stage): void {
  const distance = Math.max(camera.position.length(), 1e-3);
  let reach = 1;
  for (const body of stage.bodies) if (body.position.length() > reach) reach = body.position.length();
  camera.near = Math.max(distance / 250, 1e-4);
  camera.far = 60 * distance + 4 * Math.min(reach, 1e9);
  camera.updateProjectionMatrix();
}

/** Whether there is room for the inset beside the craft. */
const isWide = (camera: PerspectiveCamera) => camera.aspect > 1.6;

function chase(camera: PerspectiveCamera, stage: Stage, above: number): void {
  const from = stage.grounded ? front : beside;
  const { middle, distance } = fit(camera, stage, from, framed(stage), above);
  // Where there is room for the inset, the craft stand left of it; else below.
  if (above > 0) camera.setViewOffset(camera.aspect, 1, 0, -0.5 * above, camera.aspect, 1);
  if (isWide(camera) && stage.pair) camera.setViewOffset(camera.aspect, 1, 0.5 * insetShare * camera.aspect, 0, camera.aspect, 1);
  camera.position.copy(from).multiplyScalar(distance).add(middle);
  camera.lookAt(middle);
}

/** Bodies that belong in the picture: of both craft where they are near, else of the one that comes. */
export function framed(stage: Stage): number[] {
  const { bodies } = stage.scene;
  const all = bodies.map((_, i) => i).filter((i) => Number.isFinite(stage.bodies[i]!.position.lengthSq()));
  // One body that dwarfs the rest is a wall, not the subject.
  const giant = all.find((i) => stage.radii[i]! > 6 * Math.max(0.01, ...all.filter((k) => k !== i).map((k) => stage.radii[k]!)));
  if (stage.follow < 0 && giant !== undefined && all.length > 2) return all.filter((i) => i !== giant);
  if (stage.follow >= 0) return all.filter((i) => stage.craftRoot(i) === stage.craftRoot(stage.follow));
  if (stage.roots().length <= 1) return all;
  const near = 14 * stage.radii[stage.active]!;
  return all.filter((i) => stage.craftRoot(i) === stage.craftRoot(stage.active)
    || stage.bodies[stage.craftRoot(i)]!.position.distanceTo(stage.bodies[stage.active]!.position) < near);
}

let stillFor: Stage | null = null;
let stillCorners: Vector3[] = [];

/** How far to stand off, and where to look, for all corners to be in the picture. */
function fit(camera: PerspectiveCamera, stage: Stage, from: Vector3, bodies: readonly number[], above: number): { middle: Vector3; distance: number } {
  let corners = stage.corners(bodies);
  if (stage.grounded && stage.follow < 0) {
    // All that moves during the run: the picture keeps still.
    if (stillFor !== stage) {
      const box = stage.reachOfRun();
      stillFor = stage;
      stillCorners = [];
      for (let k = 0; k < 8 && !box.isEmpty(); k++) {
        stillCorners.push(new Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z));
      }
    }
    corners = stillCorners;
  }
  const right = new Vector3().crossVectors(new Vector3(0, 1, 0), from).normalize();
  const up = new Vector3().crossVectors(from, right);
  // The middle as it is seen, not as it lies: twice, since it moves the camera.
  const middle = new Vector3();
  let distance = 1;
  for (let pass = 0; pass < 3; pass++) {
    const tanY = Math.tan(wide) * 0.86 * (1 - above);
    const tanX = Math.tan(wide) * camera.aspect * (isWide(camera) && stage.pair ? 0.97 - insetShare : 0.9);
    distance = 1e-3;
    let left = Infinity; let rightmost = -Infinity; let low = Infinity; let high = -Infinity;
    for (const corner of corners) {
      const p = corner.clone().sub(middle);
      distance = Math.max(distance, p.dot(from) + Math.max(Math.abs(p.dot(right)) / tanX, Math.abs(p.dot(up)) / tanY));
    }
    for (const corner of corners) {
      const p = corner.clone().sub(middle);
      const depth = Math.max(distance - p.dot(from), 1e-3);
      left = Math.min(left, p.dot(right) / depth); rightmost = Math.max(rightmost, p.dot(right) / depth);
      low = Math.min(low, p.dot(up) / depth); high = Math.max(high, p.dot(up) / depth);
    }
    if (corners.length === 0) return { middle, distance: 5 };
    if (pass < 2) middle.addScaledVector(right, 0.5 * (left + rightmost) * distance).addScaledVector(up, 0.5 * (low + high) * distance);
  }
  return { middle, distance };
}

function portCamera(camera: PerspectiveCamera, stage: Stage, port: PortPlace): void {
  const at = new Vector3();
  const q = new Quaternion();
  stage.portPose(port, at, q);
  const out = new Vector3(1, 0, 0).applyQuaternion(q);
  camera.position.copy(at).addScaledVector(out, -portSetback(stage, port));
  camera.up.set(0, 0, 1).applyQuaternion(q);
  camera.lookAt(at.addScaledVector(out, 1));
}

/** [m] how far behind its port the camera stands: the tip of the probe is in the picture. */
export function portSetback(stage: Stage, port: PortPlace): number {
  return 0.75 * Math.min(stage.radii[port.body]!, 2);
}

/** Half the height of what the cutaway shows [m]. */
function cutSize(stage: Stage): number {
  const sizes = (stage.pair ?? []).map(({ body, at }) => {
    const shapes = stage.scene.bodies[body]!.shapes.filter((s) => Math.hypot(s.at[0] - at.x, s.at[1] - at.y, s.at[2] - at.z) < 1e-6);
    return Math.max(0, ...shapes.map((s) => (s.kind === 'cone' ? s.length * Math.max(1, Math.tan(s.half_angle)) : s.kind === 'sphere' ? 5 * s.radius : 0)));
  });
  return Math.max(0.9 * Math.max(0, ...sizes), 0.12 * Math.min(...(stage.pair ?? []).map((p) => stage.radii[p.body]!), 2));
}

function cutaway(camera: PerspectiveCamera, stage: Stage): void {
  const point = stage.contactPoint() ?? new Vector3();
  const axis = new Vector3(1, 0, 0);
  if (stage.pair) {
    const q = new Quaternion();
    stage.portPose(stage.pair[1], new Vector3(), q);
    axis.applyQuaternion(q);
  }
  const towards = beside.clone().addScaledVector(axis, -beside.dot(axis));
  if (towards.lengthSq() < 1e-6) towards.set(0, 1, 0);
  towards.normalize();
  camera.position.copy(point).addScaledVector(towards, cutSize(stage) / Math.tan(wide));
  camera.up.copy(Math.abs(axis.y) > 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0));
  camera.lookAt(point);
}

/** The plane of the cutaway: a little before the point, so that the probe stays whole. */
export function setCut(stage: Stage, camera: PerspectiveCamera, on: boolean): void {
  const { cut, cutNormal, cutting } = stage.light.uniforms;
  cutting.value = on ? 1 : 0;
  if (!on) return;
  const point = stage.contactPoint() ?? new Vector3();
  cutNormal.value.copy(camera.position).sub(point).normalize();
  cut.value.copy(point).addScaledVector(cutNormal.value, 0.12 * cutSize(stage));
}
