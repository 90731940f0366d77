// SPDX-License-Identifier: Apache-2.0
// What things are made of: metal, foil, cells and glass, lit by one sun, by the Earth below and a little
// by the viewer. One small shader, because it must be quick without a graphics card: colours are those of
// the screen, reflections are of a sky that is known (Earth, space, sun).
import { Color, DoubleSide, FrontSide, ShaderMaterial, type Texture, Vector3 } from 'three';

export type Matter = 'metal' | 'foil' | 'cells' | 'glass' | 'paint';

/** Light and cut, the same for all materials of a scene; in view axes. */
export class Light {
  readonly uniforms = {
    sun: { value: new Vector3(-0.5, 0.6, 0.62).normalize() },
    down: { value: new Vector3(0, -1, 0) },
    earth: { value: 0 }, // share of light from below
    cut: { value: new Vector3() },
    cutNormal: { value: new Vector3(0, 0, 1) },
    cutting: { value: 0 },
  };
}

const vertex = /* glsl */ `
  attribute vec2 cell;
  varying vec3 vNormal, vWorld, vLocal;
  varying vec2 vCell, vUv;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    vWorld = world.xyz;
    vNormal = mat3(modelMatrix) * normal;
    vLocal = position;
    vCell = cell;
    vUv = uv;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const fragment = /* glsl */ `
  uniform vec3 color, sun, down, cut, cutNormal;
  uniform float opacity, earth, cutting, crinkle;
  varying vec3 vNormal, vWorld, vLocal;
  varying vec2 vCell, vUv;
  #ifdef MAP
    uniform sampler2D map;
  #endif
  void main() {
    if (cutting > 0.5 && dot(vWorld - cut, cutNormal) > 0.0) discard;
    vec3 n = normalize(vNormal);
    vec3 v = normalize(cameraPosition - vWorld);
    float inner = 1.0;
    if (dot(n, v) < 0.0) { n = -n; inner = 0.6; }
    vec3 base = color;
    #ifdef MAP
      base *= texture2D(map, vUv).rgb;
    #endif
    #ifdef FOIL
      // A crumpled blanket: waves in oblique directions that never repeat.
      vec3 q = 1.8 * crinkle * vLocal;
      vec3 w = vec3(0.6, -0.5, 0.6) * sin(dot(q, vec3(1.3, 0.7, -0.9)) + 1.9 * sin(dot(q, vec3(-0.6, 1.1, 0.8))))
        + vec3(-0.5, 0.6, 0.6) * sin(dot(q, vec3(-1.1, 1.9, 0.7)) + 1.7 * sin(dot(q, vec3(1.4, 0.3, 1.2))))
        + vec3(0.6, 0.6, -0.5) * sin(dot(q, vec3(2.3, -0.8, 2.9)) + 1.6 * sin(dot(q, vec3(0.9, -2.2, 1.7))))
        + vec3(-0.4, -0.5, 0.7) * sin(dot(q, vec3(-3.7, 3.1, 2.2)) + 1.4 * sin(dot(q, vec3(2.9, 3.3, -1.1))));
      n = normalize(n + 0.085 * w);
    #endif
    float shine = 0.0;
    #ifdef CELLS
      vec2 f = fract(vCell);
      vec2 edge = min(f, 1.0 - f);
      float line = step(0.035, edge.x) * step(0.05, edge.y);
      base = mix(vec3(0.62, 0.65, 0.70), base * (0.8 + 0.35 * fract(dot(floor(vCell), vec2(0.37, 0.61)))), line);
      shine = 0.5 * line;
    #endif
    float day = max(dot(n, sun), 0.0);
    float below = 0.5 + 0.5 * dot(n, down);
    vec3 r = reflect(-v, n);
    vec3 lit = base * (0.13 + 0.95 * day + earth * below * vec3(0.20, 0.27, 0.36) + 0.15 * max(dot(n, v), 0.0));
    float seen = smoothstep(-0.1, 0.5, dot(r, down));
    #ifdef FOIL
      lit = mix(lit, base * (0.25 + earth * seen * vec3(0.75, 0.9, 1.1) + 0.9 * day), 0.4)
        + base * 0.9 * pow(max(dot(r, sun), 0.0), 9.0) + 0.25 * pow(max(dot(r, sun), 0.0), 40.0);
    #endif
    #ifdef METAL
      lit = mix(lit, base * (0.35 + earth * seen * vec3(0.5, 0.6, 0.75) + 0.7 * day), 0.3)
        + 0.35 * pow(max(dot(r, sun), 0.0), 24.0);
    #endif
    #ifdef CELLS
      lit += shine * (earth * seen * vec3(0.12, 0.2, 0.34) + 0.8 * pow(max(dot(r, sun), 0.0), 30.0));
    #endif
    lit *= 1.25 * (1.0 + 0.25 * lit) / (1.0 + lit); // bright sides keep their colour
    #ifdef GLASS
      float rim = 1.0 - abs(dot(n, v));
      lit += 0.5 * pow(max(dot(r, sun), 0.0), 30.0);
      gl_FragColor = vec4(lit * inner, opacity * (0.55 + 0.9 * rim * rim));
    #else
      gl_FragColor = vec4(lit * inner, opacity);
    #endif
  }`;

export function buildMaterial(matter: Matter, color: Color, light: Light, opacity = 1, crinkle = 9, map: Texture | null = null): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: vertex,
    fragmentShader: fragment,
    defines: { [matter.toUpperCase()]: '', ...(map && { MAP: '' }) },
    uniforms: { ...light.uniforms, color: { value: color }, opacity: { value: opacity }, crinkle: { value: crinkle }, map: { value: map } },
    side: matter === 'cells' ? FrontSide : DoubleSide, // of what is cut open the inside is seen
    transparent: opacity < 1,
    depthWrite: opacity === 1,
  });
}

/** Fades a solid, or makes it whole again. */
export function setOpacity(material: ShaderMaterial, opacity: number): void {
  const uniform = material.uniforms.opacity!;
  if (uniform.value === opacity) return;
  uniform.value = opacity;
  material.transparent = opacity < 1;
  material.depthWrite = opacity === 1;
}
