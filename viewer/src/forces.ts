// SPDX-License-Identifier: Apache-2.0
// Loads made visible: forces and torques as arrows in proportion, contacts that glow, impacts that flash.
import {
  AdditiveBlending, CanvasTexture, ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Sprite, SpriteMaterial, Vector3,
} from 'three';
import { type Block, type Run, type RunEvent, Series } from './data';
import type { Poses } from './poses';
import { figure } from './ticks';

const colors = { contact: '#ff6a3c', dock: '#35c7ff', torque: '#c78bff' };
const up = new Vector3(0, 1, 0);

/** An arrow from a point; a torque has two heads, along its axis. */
class Arrow {
  readonly object = new Group();
  private readonly shaft: Mesh;
  private readonly heads: Mesh[];

  constructor(color: string, heads: number) {
    // Contact happens inside cones and hubs: loads are drawn over everything.
    const material = new MeshBasicMaterial({ color, depthTest: false, transparent: true });
    this.shaft = new Mesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), material);
    this.heads = Array.from({ length: heads }, () => new Mesh(new ConeGeometry(1, 1, 14).translate(0, -0.5, 0), material));
    this.object.add(this.shaft, ...this.heads);
    this.object.traverse((o) => { o.renderOrder = 10; });
  }

  set(point: Vector3, load: Vector3, length: number, full: number): void {
    this.object.visible = length > 0.02 * full && Number.isFinite(point.lengthSq()); // also false for NaN
    if (!this.object.visible) return;
    const head = Math.min(0.14 * full, 0.5 * length);
    this.object.position.copy(point);
    this.object.quaternion.setFromUnitVectors(up, load.clone().normalize());
    this.shaft.scale.set(0.013 * full, Math.max(length - head, 1e-9), 0.013 * full);
    this.heads.forEach((mesh, i) => {
      mesh.scale.set(0.045 * full, head, 0.045 * full);
      mesh.position.y = length - 0.6 * i * head;
    });
  }
}

let spot: CanvasTexture | null = null;
function glowTexture(): CanvasTexture {
  if (spot) return spot;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d')!;
  const light = pen.createRadialGradient(32, 32, 0, 32, 32, 32);
  light.addColorStop(0, 'rgba(255,255,255,1)');
  light.addColorStop(0.25, 'rgba(255,235,200,0.55)');
  light.addColorStop(1, 'rgba(255,160,60,0)');
  pen.fillStyle = light;
  pen.fillRect(0, 0, 64, 64);
  spot = new CanvasTexture(canvas);
  return spot;
}

function glow(color: string): Sprite {
  const sprite = new Sprite(new SpriteMaterial({ map: glowTexture(), color, blending: AdditiveBlending, depthTest: false, depthWrite: false, transparent: true }));
  sprite.renderOrder = 9;
  sprite.visible = false;
  return sprite;
}

interface Acting { name: string; kind: 'contact' | 'dock'; arrow: Arrow; torque: Arrow | null; moment: Series | null; glow: Sprite; newtons: number; at: Vector3; force: Vector3; turning: Vector3 }

export class Forces {
  readonly object = new Group();
  readonly acting: Acting[];
  largest: number; // [N] of the run, of a live one so far
  readonly largestTorque: number; // [N·m]
  private readonly flashes: { event: RunEvent; index: number; left: number; sprite: Sprite }[] = [];
  private readonly largestImpulse: number;

  constructor(run: Run, block: Block, private readonly poses: Poses) {
    const contacts = new Set(run.facts.contacts.map((c) => c.name));
    this.largest = poses.largestArrow();
    let torque = 0;
    this.acting = run.scene!.arrows.map(({ name }) => {
      const kind = contacts.has(name) ? 'contact' : 'dock';
      const moment = kind === 'dock' ? Series.find(run, block, `${name}.torque_N`) : null;
      if (moment?.parts.length === 3) {
        for (let i = 0; i < moment.t.length; i++) {
          const size = Math.hypot(moment.parts[0]![i]!, moment.parts[1]![i]!, moment.parts[2]![i]!);
          if (size > torque) torque = size;
        }
      }
      return {
        name, kind, arrow: new Arrow(colors[kind], 1), torque: moment?.parts.length === 3 ? new Arrow(colors.torque, 2) : null,
        moment: moment?.parts.length === 3 ? moment : null, glow: glow(colors[kind]), newtons: 0, at: new Vector3(), force: new Vector3(), turning: new Vector3(),
      };
    });
    this.largestTorque = torque;
    for (const a of this.acting) {
      this.object.add(a.arrow.object, a.glow);
      if (a.torque) this.object.add(a.torque.object);
    }
    for (const event of run.events) {
      const index = this.acting.findIndex((a) => a.name === event.name);
      if (!event.impulse || index < 0 || event.kind !== 'impact' || this.flashes.length > 400) continue;
      const sprite = glow('#ffd28a');
      this.flashes.push({ event, index, left: 0, sprite });
      this.object.add(sprite);
    }
    this.largestImpulse = Math.max(1e-300, ...this.flashes.map((f) => f.event.impulse!));
  }

  /** Loads at the time the poses stand at; `pace` is run seconds per second of the viewer. */
  seek(t: number, pace: number, origin: Vector3): void {
    this.acting.forEach((a, i) => {
      this.poses.arrow(i, a.at, a.force);
      a.at.sub(origin);
      a.newtons = a.force.length();
      if (a.newtons > this.largest) this.largest = a.newtons;
      if (a.moment) a.turning.set(a.moment.at(t, 0) ?? 0, a.moment.at(t, 1) ?? 0, a.moment.at(t, 2) ?? 0);
    });
    for (const flash of this.flashes) {
      flash.left = 1 - (t - flash.event.t) / (0.7 * pace);
      flash.sprite.visible = flash.left > 0 && flash.left <= 1.0000001;
      flash.sprite.position.copy(this.acting[flash.index]!.at);
    }
  }

  /** For one camera: `full` [m] is the length of the largest load. */
  draw(full: number): void {
    for (const a of this.acting) {
      const share = this.largest > 0 ? a.newtons / this.largest : 0;
      a.arrow.set(a.at, a.force, full * share, full);
      a.torque?.set(a.at, a.turning, 0.7 * full * (this.largestTorque > 0 ? a.turning.length() / this.largestTorque : 0), full);
      a.glow.visible = a.kind === 'contact' && share > 1e-4;
      a.glow.position.copy(a.at);
      a.glow.scale.setScalar(full * (0.2 + 0.5 * Math.sqrt(share)));
    }
    for (const { event, left, sprite } of this.flashes) {
      if (!sprite.visible) continue;
      sprite.scale.setScalar(full * (0.3 + 0.6 * Math.cbrt(event.impulse! / this.largestImpulse)) * (0.4 + 0.6 * left));
      sprite.material.opacity = left;
    }
  }

  /** Impacts that flash now, in words, with their place. */
  sparks(): { text: string; at: Vector3 }[] {
    return this.flashes.filter((f) => f.sprite.visible)
      .map((f) => ({ text: `${figure(Number(f.event.impulse!.toPrecision(3)))} N·s`, at: f.sprite.getWorldPosition(new Vector3()) }));
  }

  /** What a length means, in words. */
  scaleText(): string {
    const texts: string[] = [];
    if (this.largest > 0) texts.push(`longest arrow ${figure(Number(this.largest.toPrecision(3)))} N`);
    if (this.largestTorque > 0) texts.push(`${figure(Number(this.largestTorque.toPrecision(3)))} N·m`);
    return texts.length > 0 ? `${texts.join(', ')}, in proportion` : '';
  }
}
