// SPDX-License-Identifier: Apache-2.0
// Bodies as solids: what each shape and each kind of body looks like.
import {
  BoxGeometry, type BufferGeometry, CapsuleGeometry, CircleGeometry, Color, CylinderGeometry, DoubleSide,
  EdgesGeometry, FrontSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial,
  MeshLambertMaterial, OctahedronGeometry, PlaneGeometry, Quaternion, SphereGeometry, Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Body, BodyKind, Quat, Shape, Vec3 } from './data';

/** Scalar-first, as the program writes it → three's scalar-last. */
export function quaternion([w, x, y, z]: Quat): Quaternion {
  return new Quaternion(x, y, z, w);
}

export function vector([x, y, z]: Vec3): Vector3 {
  return new Vector3(x, y, z);
}

const panelBlue = new Color('#27407a');
const wheelGrey = new Color('#5d6670');
const fuelAmber = new Color('#e0a030');

function bodyColor(kind: BodyKind, craft: string): Color {
  const color = new Color(craft);
  if (kind === 'panel') return color.lerp(panelBlue, 0.7);
  if (kind === 'wheel') return color.lerp(wheelGrey, 0.75);
  if (kind === 'slosh') return color.lerp(fuelAmber, 0.7);
  if (kind === 'link') return color.offsetHSL(0, 0, 0.08);
  return color;
}

/** Solids or lines that look alike and can be drawn in one call. */
interface Layer { geometries: BufferGeometry[]; build: (merged: BufferGeometry) => Mesh | LineSegments }

/**
 * A body's solids in its own axes. Hubs can be looked into (`inside`), since wheels and fuel are there.
 */
export function buildBody(body: Body, craft: string, inside: boolean): Group {
  const layers = new Map<string, Layer>();
  const add = (look: string, geometry: BufferGeometry, build: Layer['build']) => {
    const layer = layers.get(look);
    if (layer) layer.geometries.push(geometry);
    else layers.set(look, { geometries: [geometry], build });
  };
  for (const shape of body.shapes) {
    const place = new Matrix4().compose(vector(shape.at), quaternion(shape.q), new Vector3(1, 1, 1));
    const color = shape.color ? new Color(shape.color) : bodyColor(body.kind, craft);
    const hex = color.getHexString();
    const geometry = buildGeometry(shape);
    const look = solidLook(shape, body.kind, inside);
    // Outlines keep flat-lit solids legible. Round ones have no edges to speak of.
    const line = (opacity: number) => (merged: BufferGeometry) =>
      new LineSegments(merged, new LineBasicMaterial({ color: color.clone().multiplyScalar(0.5), transparent: true, opacity }));
    if (shape.kind !== 'sphere' && shape.kind !== 'capsule') {
      add(`edges ${hex}`, new EdgesGeometry(geometry, 30).applyMatrix4(place), line(0.8));
    }
    if (shape.kind === 'cone') add(`ribs ${hex}`, coneRibs(shape.half_angle, shape.length).applyMatrix4(place), line(0.4));
    if (body.kind === 'wheel' && shape.kind === 'cylinder') {
      for (const mark of spinMarks(shape.radius, shape.length)) {
        add('marks', mark.applyMatrix4(place), (merged) => new Mesh(merged, new MeshBasicMaterial({ color: '#f4f6f8', side: DoubleSide })));
      }
    }
    add(`solid ${hex} ${look.opacity} ${look.side}`, geometry.applyMatrix4(place),
      (merged) => new Mesh(merged, new MeshLambertMaterial({ color, ...look })));
  }
  // A body of no shape is still somewhere.
  if (body.shapes.length === 0) {
    add('point', new OctahedronGeometry(0.08), (merged) =>
      new Mesh(merged, new MeshLambertMaterial({ color: bodyColor(body.kind, craft), flatShading: true })));
  }
  const group = new Group();
  for (const { geometries, build } of layers.values()) {
    group.add(build(geometries.length > 1 ? mergeGeometries(geometries) : geometries[0]!));
  }
  return group;
}

function solidLook(shape: Shape, kind: BodyKind, inside: boolean) {
  const opacity = shape.kind === 'cone' ? 0.35 : kind === 'slosh' ? 0.55 : kind === 'hub' && inside ? 0.32 : 1;
  return {
    opacity,
    transparent: opacity < 1,
    depthWrite: opacity === 1, // what stands behind a clear wall must not vanish
    side: shape.kind === 'cone' || shape.kind === 'plane' ? DoubleSide : FrontSide,
  };
}

/** Geometry with the axis along x, where the program has it; three builds along y. */
function buildGeometry(shape: Shape): BufferGeometry {
  switch (shape.kind) {
    case 'box':
      return new BoxGeometry(...shape.size);
    case 'sphere':
      return new SphereGeometry(shape.radius, 20, 12);
    case 'cylinder':
      return new CylinderGeometry(shape.radius, shape.radius, shape.length, 24).rotateZ(-Math.PI / 2);
    case 'capsule':
      return new CapsuleGeometry(shape.radius, shape.length, 6, 16).rotateZ(-Math.PI / 2).translate(-shape.length / 2, 0, 0);
    case 'cone': {
      const mouth = shape.length * Math.tan(shape.half_angle);
      return new CylinderGeometry(mouth, 0, shape.length, 40, 1, true).rotateZ(-Math.PI / 2).translate(shape.length / 2, 0, 0);
    }
    case 'plane':
      return new PlaneGeometry(shape.size, shape.size).rotateY(Math.PI / 2);
    default:
      return new OctahedronGeometry(0.08); // a shape of a later format
  }
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
  const ribs = new CylinderGeometry(mouth, 0, length, 8, 3, true).rotateZ(-Math.PI / 2).translate(length / 2, 0, 0);
  return new EdgesGeometry(ribs, 1);
}
