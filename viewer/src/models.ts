// SPDX-License-Identifier: Apache-2.0
// Models of files: binary glTF out of the page's own data, never from anywhere else. The program has checked
// them and written them anew, without names. Their triangles become solids of the body they belong to, lit and
// faded as those that the page builds itself.
import {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, Color, Matrix3, Matrix4, Mesh, type MeshStandardMaterial,
  NoColorSpace, type Object3D, TextureLoader, Vector3,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { type BodyDrawing, quaternion, vector } from './craft';
import type { Block, Scene, Shape } from './data';
import { type Light, buildMaterial } from './materials';

type Model = Extract<Shape, { kind: 'gltf' }>;

const modelsOf = (shapes: readonly Shape[]) => shapes.filter((s): s is Model => s.kind === 'gltf');
const placeOf = (s: Model, scale: number) => new Matrix4().compose(vector(s.at), quaternion(s.q), new Vector3().setScalar(scale));

/** The box around the models of a body, in its axes: known before they are read. */
export function boxOfModels(shapes: readonly Shape[]): Box3 {
  const box = new Box3();
  for (const s of modelsOf(shapes)) {
    box.union(new Box3().setFromCenterAndSize(vector(s.middle), vector(s.size)).applyMatrix4(placeOf(s, 1)));
  }
  return box;
}

export class Models {
  settled = true; // all are drawn, or never will be
  ready: () => void = () => {};

  constructor(scene: Scene, block: Block, drawings: readonly BodyDrawing[], light: Light) {
    const read = new Map<number, Promise<Object3D>>(); // a model that several bodies show is read once
    const all = scene.bodies.flatMap((body, i) => modelsOf(body.shapes).map(async (shape) => {
      const drawing = drawings[i]!;
      try {
        const known = read.get(shape.model) ?? parse(block.file(scene.models![shape.model]!));
        read.set(shape.model, known);
        add(await known, placeOf(shape, shape.scale), drawing, light);
      } catch (error) {
        console.warn(`A model cannot be drawn: ${error instanceof Error ? error.message : String(error)}`);
        addBox(shape, drawing, light);
      }
    }));
    if (all.length === 0) return;
    this.settled = false;
    void Promise.all(all).then(() => {
      this.settled = true;
      this.ready();
    });
  }
}

async function parse(glb: ArrayBuffer): Promise<Object3D> {
  const loader = new GLTFLoader();
  // Images as elements, which a page may take from its own memory; the other way would fetch them.
  loader.register((parser) => {
    parser.textureLoader = new TextureLoader(parser.options.manager);
    return { name: 'berth_images' };
  });
  const { scene } = await loader.parseAsync(glb, '');
  scene.updateMatrixWorld(true);
  return scene;
}

/** Everything of one material becomes one solid. */
function add(model: Object3D, place: Matrix4, { group, hull }: BodyDrawing, light: Light): void {
  const layers = new Map<MeshStandardMaterial, BufferGeometry[]>();
  model.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    const material = node.material as MeshStandardMaterial;
    const geometry = flatten(node.geometry as BufferGeometry, place.clone().multiply(node.matrixWorld));
    layers.set(material, [...(layers.get(material) ?? []), geometry]);
  });
  for (const [from, geometries] of layers) {
    const { map } = from;
    if (map) {
      map.colorSpace = NoColorSpace; // colours are those of the screen: see materials.ts
      map.needsUpdate = true;
    }
    const opacity = from.transparent ? from.opacity : 1;
    const color = new Color().copyLinearToSRGB(from.color);
    const material = buildMaterial(from.metalness > 0.5 ? 'metal' : 'paint', color, light, opacity, 9, map);
    if (opacity === 1) hull.push(material);
    const mesh = new Mesh(mergeGeometries(geometries), material);
    mesh.userData.model = true;
    group.add(mesh);
  }
}

/** Corner by corner, in the axes of the body; whatever the file counts in, as floats. */
function flatten({ index, attributes }: BufferGeometry, place: Matrix4): BufferGeometry {
  const { position, normal, uv } = attributes;
  const n = index ? index.count : position!.count;
  const turn = new Matrix3().getNormalMatrix(place);
  const places = new Float32Array(3 * n);
  const normals = new Float32Array(3 * n);
  const uvs = new Float32Array(2 * n);
  const v = new Vector3();
  for (let i = 0; i < n; i++) {
    const k = index ? index.getX(i) : i;
    v.fromBufferAttribute(position!, k).applyMatrix4(place).toArray(places, 3 * i);
    if (normal) v.fromBufferAttribute(normal, k).applyNormalMatrix(turn).toArray(normals, 3 * i);
    if (uv) uvs.set([uv.getX(k), uv.getY(k)], 2 * i);
  }
  const out = new BufferGeometry();
  out.setAttribute('position', new BufferAttribute(places, 3));
  out.setAttribute('uv', new BufferAttribute(uvs, 2));
  if (normal) out.setAttribute('normal', new BufferAttribute(normals, 3));
  else out.computeVertexNormals(); // of corners that share nothing: flat faces
  return out;
}

/** What stands for a model that cannot be drawn. */
function addBox(shape: Model, { group, hull }: BodyDrawing, light: Light): void {
  const material = buildMaterial('foil', new Color('#d4dae2'), light);
  const geometry = new BoxGeometry(...shape.size).translate(...shape.middle).applyMatrix4(placeOf(shape, 1));
  hull.push(material);
  group.add(new Mesh(geometry, material));
}
