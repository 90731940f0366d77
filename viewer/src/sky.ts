// SPDX-License-Identifier: Apache-2.0
// What is far away: stars, and in an orbit the Earth with its terminator. Nothing of it is simulated but
// the direction of the Earth; the sun stands still in inertial axes, where it lights the meeting well.
import {
  AdditiveBlending, BackSide, BufferAttribute, BufferGeometry, Color, DataTexture, Group, LinearFilter, Mesh, PerspectiveCamera, Points,
  Quaternion, RepeatWrapping, RGBAFormat, Scene as World, ShaderMaterial, SphereGeometry, Vector3,
} from 'three';

const texels = 256;

export class Sky {
  readonly world = new World();
  private readonly camera = new PerspectiveCamera();
  private readonly turning = new Group(); // inertial axes
  private readonly earth = new Group(); // orbit axes
  private readonly ground: ShaderMaterial | null = null;
  private readonly halo: ShaderMaterial | null = null;
  ready: () => void = () => {}; // called when the ground has been drawn

  /** `distance`: from the Earth's centre in Earth radii; null where there is none. */
  constructor(distance: number | null, stars: boolean) {
    this.world.background = new Color(stars ? '#03050a' : '#12171e');
    this.world.add(this.turning, this.earth);
    if (stars) this.turning.add(buildStars());
    if (distance === null) return;
    const uniforms = { sun: { value: new Vector3() }, along: { value: 0 }, map: { value: plainMap() } };
    this.ground = new ShaderMaterial({ vertexShader: groundVertex, fragmentShader: groundFragment, uniforms });
    this.halo = new ShaderMaterial({
      vertexShader: groundVertex, fragmentShader: haloFragment, uniforms: { sun: uniforms.sun, along: uniforms.along },
      side: BackSide, transparent: true, depthWrite: false, blending: AdditiveBlending,
    });
    // Only the cap in view, about the point below, which is −z of orbit axes.
    const seen = Math.acos(1 / distance);
    const cap = (radius: number, angle: number) =>
      new SphereGeometry(radius, 64, 32, 0, 2 * Math.PI, 0, Math.min(angle, Math.PI)).rotateX(-Math.PI / 2);
    const ball = new Mesh(cap(1, seen + 0.03), this.ground);
    const air = new Mesh(cap(1.018, seen + 0.25), this.halo);
    for (const part of [ball, air]) {
      part.frustumCulled = false;
      part.position.set(0, 0, distance);
      this.earth.add(part);
    }
    // The map is drawn behind the first picture, which need not wait for it.
    setTimeout(() => { uniforms.map.value = groundMap(); this.ready(); }, 150);
  }

  /**
   * Follows the scene's camera. `turn` takes inertial axes to those of the view, `orbit` orbit axes;
   * `angle` [rad] is how far the orbit has turned, `sun` is in view axes.
   */
  follow(camera: PerspectiveCamera, turn: Quaternion, orbit: Quaternion | null, angle: number, sun: Vector3): PerspectiveCamera {
    this.camera.copy(camera, false);
    this.camera.position.set(0, 0, 0);
    this.camera.near = 0.01;
    this.camera.far = 20;
    this.camera.updateProjectionMatrix();
    this.turning.quaternion.copy(turn);
    this.earth.visible = orbit !== null;
    if (orbit) this.earth.quaternion.copy(orbit);
    if (this.ground) {
      (this.ground.uniforms.sun!.value as Vector3).copy(sun);
      this.ground.uniforms.along!.value = angle;
    }
    return this.camera;
  }
}

const groundVertex = /* glsl */ `
  uniform float along;
  varying vec3 vOut, vSeen;
  varying vec2 vAt;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vOut = mat3(modelMatrix) * normalize(position);
    vSeen = normalize(-world.xyz); // the camera is at the origin
    vAt = 1.9 * vec2(atan(position.x, -position.z) + along, asin(clamp(position.y, -1.0, 1.0)));
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const groundFragment = /* glsl */ `
  uniform vec3 sun;
  uniform sampler2D map;
  varying vec3 vOut, vSeen;
  varying vec2 vAt;
  void main() {
    vec4 texel = texture2D(map, vAt);
    float height = dot(vOut, sun);
    float day = smoothstep(-0.10, 0.35, height);
    float up = dot(vOut, vSeen);
    vec3 ground = mix(texel.rgb, vec3(0.95, 0.97, 1.0), texel.a);
    float air = 1.0 - clamp(up, 0.0, 1.0);
    air *= air * air;
    vec3 color = ground * day + vec3(0.004, 0.008, 0.02);
    color = mix(color, vec3(0.38, 0.62, 0.95) * (0.02 + day), 0.16 + 0.7 * air);
    color += vec3(0.9, 0.35, 0.12) * 0.35 * smoothstep(0.14, 0.0, abs(height)) * (0.3 + air); // dusk
    gl_FragColor = vec4(color, 1.0);
  }`;

const haloFragment = /* glsl */ `
  uniform vec3 sun;
  varying vec3 vOut, vSeen;
  void main() {
    float edge = clamp(-dot(vOut, vSeen) / 0.19, 0.0, 1.0); // 0 at the rim of the air, 1 at the ground
    float day = smoothstep(-0.2, 0.3, dot(vOut, sun));
    gl_FragColor = vec4(vec3(0.28, 0.55, 1.0) * edge * edge * (0.05 + 0.95 * day), 1.0);
  }`;

/** Stars of all magnitudes, many faint and few bright, a little coloured; the same at every opening. */
function buildStars(): Points {
  const count = 1600;
  let seed = 20260101;
  const random = () => { seed = (1664525 * seed + 1013904223) >>> 0; return seed / 2 ** 32; };
  const at = new Float32Array(3 * count);
  const look = new Float32Array(4 * count);
  for (let i = 0; i < count; i++) {
    const h = 2 * random() - 1;
    const turn = 2 * Math.PI * random();
    const r = Math.sqrt(1 - h * h);
    at.set([10 * r * Math.cos(turn), 10 * r * Math.sin(turn), 10 * h], 3 * i);
    const bright = Math.min(1, 0.13 / Math.sqrt(random() + 0.008));
    const warm = random();
    look.set([0.8 + 0.2 * warm, 0.88, 1.0 - 0.2 * warm, bright], 4 * i);
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(at, 3)).setAttribute('look', new BufferAttribute(look, 4));
  const stars = new Points(geometry, new ShaderMaterial({
    vertexShader: /* glsl */ `
      attribute vec4 look;
      varying vec4 vLook;
      void main() {
        vLook = look;
        gl_PointSize = 1.6 + 2.8 * look.a;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      varying vec4 vLook;
      void main() {
        float soft = smoothstep(1.0, 0.2, 2.0 * length(gl_PointCoord - 0.5));
        gl_FragColor = vec4(vLook.rgb, soft * (0.4 + 0.6 * vLook.a));
      }`,
    transparent: true, depthWrite: false, // the Earth hides them
  }));
  stars.frustumCulled = false;
  return stars;
}

function texture(pixels: Uint8Array, size: number): DataTexture {
  const map = new DataTexture(pixels, size, size, RGBAFormat);
  map.wrapS = map.wrapT = RepeatWrapping;
  map.magFilter = map.minFilter = LinearFilter;
  map.needsUpdate = true;
  return map;
}

const plainMap = () => texture(new Uint8Array([22, 58, 110, 40]), 1);

/** Land, sea and clouds from noise that repeats at its edges. */
function groundMap(): DataTexture {
  const pixels = new Uint8Array(4 * texels * texels);
  const land = noise(4, 6, 7);
  const cloud = noise(5, 6, 23);
  const warp = noise(3, 3, 41);
  for (let y = 0; y < texels; y++) {
    for (let x = 0; x < texels; x++) {
      const u = x / texels;
      const v = y / texels;
      const w = 0.18 * warp(u, v);
      const height = land(u + w, v);
      const dry = cloud(v, u);
      const at = 4 * (y * texels + x);
      if (height > 0.54) {
        const t = Math.min((height - 0.54) * 7, 1);
        pixels.set([52 + 70 * t * dry + 22 * dry, 72 + 30 * t, 38 + 22 * t], at);
      } else {
        const t = Math.max(0, 1 - (0.54 - height) * 9);
        pixels.set([10 + 14 * t, 38 + 36 * t, 84 + 40 * t], at);
      }
      const c = cloud(u + 0.6 * w, v - w);
      pixels[at + 3] = 235 * Math.min(Math.max((c - 0.52) * 4.5, 0), 1);
    }
  }
  return texture(pixels, texels);
}

/** Value noise over the unit square, periodic, `octaves` of it; 0 … 1. */
function noise(cells: number, octaves: number, seed: number): (u: number, v: number) => number {
  const hash = (x: number, y: number) => {
    let h = Math.imul(x + 374761393 * seed, 668265263) ^ Math.imul(y + seed, 2246822519);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
  };
  const layers = Array.from({ length: octaves }, (_, o) => {
    const n = cells << o;
    const grid = new Float32Array(n * n);
    for (let i = 0; i < n * n; i++) grid[i] = hash(i % n + 71 * o, Math.floor(i / n));
    return { n, grid };
  });
  const smooth = (t: number) => t * t * (3 - 2 * t);
  return (u, v) => {
    let total = 0;
    let weight = 0;
    let share = 1;
    for (const { n, grid } of layers) {
      const x = (u - Math.floor(u)) * n;
      const y = (v - Math.floor(v)) * n;
      const i = Math.floor(x) % n;
      const j = Math.floor(y) % n;
      const s = smooth(x - Math.floor(x));
      const t = smooth(y - Math.floor(y));
      const i1 = (i + 1) % n;
      const j1 = (j + 1) % n;
      const a = grid[j * n + i]!; const b = grid[j * n + i1]!; const c = grid[j1 * n + i]!; const d = grid[j1 * n + i1]!;
      total += share * ((1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * c + s * d));
      weight += share;
      share *= 0.55;
    }
    return total / weight;
  };
}
