// SPDX-License-Identifier: Apache-2.0
// The panel around the stage: controls, labels, and the rule that it draws only when something changed
// and only while it can be seen.
import { Vector2, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type ForceScale, scaleText } from './arrows';
import { type Block, Damaged, type Run, type Scene } from './data';
import { button, el, menu, toggle } from './dom';
import { Gizmo } from './gizmo';
import type { Player } from './player';
import { Sharpness, drawsInSoftware } from './sharpness';
import { type Look, Stage } from './stage';
import { theme } from './theme';
import { figure } from './ticks';

export class ScenePanel {
  readonly element = el('section', { class: 'scene', 'aria-label': 'Scene' });
  frames = 0; // drawn so far
  private stage: Stage | null = null;
  private renderer: WebGLRenderer | null = null;
  private controls: OrbitControls | null = null;
  private sharpness: Sharpness | null = null;
  private dragging = false;
  private rest = 0; // timer of the sharp picture that follows a motion
  private active = false;
  private seen = false;
  private size = { width: 1, height: 1 }; // [px] of the canvas on the page
  private scheduled = false;
  private lastRead = 0;
  private readonly gizmo = new Gizmo();
  private readonly names = el('div', { class: 'names', 'aria-hidden': 'true' });
  private readonly tip = el('div', { class: 'tip', hidden: true });
  private readonly forces = el('div', { class: 'forces' });
  private focusMenu: HTMLSelectElement | null = null;

  constructor(run: Run, block: Block, private readonly player: Player) {
    if (!run.scene) {
      this.say('This run has no 3-D scene: its motion was not recorded.');
      this.element.classList.add('absent');
      return;
    }
    try {
      this.stage = new Stage(run.scene, run, block);
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.say(`The 3-D scene cannot be shown: ${error.message}.`);
      return;
    }
    if (this.stage.poses.time.length === 0 || run.scene.bodies.length === 0) {
      this.stage = null;
      this.say('The 3-D scene is empty: no frames were recorded.');
      return;
    }
    // Asked for here, not by three, which would write to the console when there is none.
    const canvas = el('canvas', { class: 'stage', 'aria-label': '3-D scene' });
    const software = drawsInSoftware();
    const context = canvas.getContext('webgl2', { antialias: !software, alpha: false });
    if (!context) {
      this.say('This browser has no WebGL, which the 3-D scene needs. Everything else works.');
      return;
    }
    this.renderer = new WebGLRenderer({ canvas, context });
    this.sharpness = new Sharpness(this.renderer, software);
    const view = el('div', { class: 'stage-frame' }, canvas, this.names, this.gizmo.element, this.forces, this.tip);
    this.element.append(this.buildControls(run.scene, this.stage), view);

    this.controls = new OrbitControls(this.stage.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => { this.dragging = true; });
    this.controls.addEventListener('end', () => { this.dragging = false; });
    this.listenToMouse(canvas, this.stage);
    canvas.addEventListener('webglcontextlost', () => {
      this.say('The browser has taken the graphics away; reload the page to see the scene.');
    });

    let placed = false;
    new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = view;
      if (width === 0 || height === 0) return;
      this.size = { width, height }; // kept: asking the page for it every frame would cost a layout
      this.renderer!.setSize(width, height);
      this.stage!.camera.aspect = width / height;
      if (!placed) this.resetCamera();
      placed = true;
      this.invalidate();
    }).observe(view);
    new IntersectionObserver(([entry]) => {
      this.seen = entry?.isIntersecting ?? false;
      this.invalidate();
    }).observe(view);
    // A frame asked for during a frame comes one later, which would halve the rate of playback.
    player.subscribe(() => { if (player.ticking && this.seen) this.draw(); else this.invalidate(); });
    theme.subscribe(() => { this.stage!.populate(); this.invalidate(); });
    window.addEventListener('beforeprint', () => this.draw());
  }

  /** With several runs, only the chosen one's panel draws. */
  setActive(active: boolean): void {
    this.active = active;
    this.invalidate();
  }

  pose(name: string): { position: number[]; quaternion: number[] } | null {
    this.stage?.update(this.player.now, this.player.speed);
    return this.stage?.pose(name) ?? null;
  }

  get camera(): number[] | null {
    return this.stage?.camera.position.toArray() ?? null;
  }

  get look(): Look | null {
    return this.stage?.look ?? null;
  }

  get focusName(): string | null {
    return this.stage ? this.stage.scene.bodies[this.stage.focus]!.name : null;
  }

  private say(sentence: string): void {
    this.element.append(el('p', { class: 'nothing' }, sentence));
  }

  private invalidate(): void {
    if (this.scheduled || !this.active || !this.seen) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  private draw(): void {
    const { stage, renderer } = this;
    if (!stage || !renderer || !this.active) return;
    const moving = this.player.playing || this.dragging;
    this.sharpness?.prepare(moving);
    clearTimeout(this.rest);
    if (moving) this.rest = window.setTimeout(() => this.invalidate(), 200);
    stage.update(this.player.now, this.player.speed);
    renderer.render(stage.world, stage.camera);
    this.gizmo.draw(stage.directions(), stage.camera.quaternion);
    this.placeNames(stage);
    this.readForces(stage);
    this.frames++;
  }

  private buildControls(scene: Scene, stage: Stage): HTMLElement {
    const looks: [string, string][] = [];
    if (scene.lvlh) looks.push(['orbit', 'Orbit frame']);
    looks.push(['inertial', 'Inertial'], ['body', 'Body-fixed']);
    scene.ports.forEach((port, i) => looks.push([String(i), `Port ${port.name}`]));
    this.focusMenu = menu('Follow', scene.bodies.map((b, i) => [String(i), b.name] as const), String(stage.focus),
      (i) => this.setFocus(Number(i)));
    const change = (set: () => void) => { set(); stage.retrace(); this.invalidate(); };
    const bar = el('div', { class: 'scene-bar' },
      el('h2', {}, 'Scene'),
      menu('View', looks, String(stage.look), (v) => {
        change(() => { stage.look = /^\d+$/.test(v) ? Number(v) : (v as Look); });
        this.resetCamera();
      }),
      this.focusMenu,
      button('Near', 'The body in focus fills the picture', () => this.resetCamera()),
      stage.roots().length > 1 && button('All', 'All craft are in the picture', () => this.resetCamera(true)),
      scene.ports.length > 0 && toggle('Ports', false, (on) => change(() => { stage.ports = on; })),
      stage.roots().length > 1 && toggle('Trails', false, (on) => change(() => { stage.trails = on; })),
      stage.inside && toggle('See inside', true, (on) => change(() => { stage.inside = on; stage.populate(); })),
      scene.arrows.length > 0 && menu('Length of force arrows', [['log', 'Forces: log'], ['linear', 'Forces: linear']], 'log',
        (v) => change(() => { stage.forceScale = v as ForceScale; this.lastRead = 0; })));
    return bar;
  }

  private setFocus(body: number): void {
    const { stage } = this;
    if (!stage) return;
    stage.focus = body;
    // A port view has its own centre; who asks for a body wants to leave it.
    if (typeof stage.look === 'number') {
      stage.look = stage.scene.lvlh ? 'orbit' : 'inertial';
      const looks = this.element.querySelector<HTMLSelectElement>('select[aria-label=View]');
      if (looks) looks.value = stage.look;
    }
    if (this.focusMenu) this.focusMenu.value = String(body);
    this.controls?.target.set(0, 0, 0);
    this.controls?.update();
    stage.retrace();
    this.invalidate();
  }

  private resetCamera(all = false): void {
    const { stage, controls } = this;
    if (!stage || !controls) return;
    stage.update(this.player.now, this.player.speed);
    stage.camera.position.copy(stage.defaultCamera(all));
    controls.target.set(0, 0, 0);
    controls.update();
    this.invalidate();
  }

  /** A press that does not move is a click; a hovering mouse asks for names, once per frame. */
  private listenToMouse(canvas: HTMLCanvasElement, stage: Stage): void {
    const at = (e: PointerEvent) => {
      const box = canvas.getBoundingClientRect();
      return new Vector2((2 * (e.clientX - box.left)) / box.width - 1, 1 - (2 * (e.clientY - box.top)) / box.height);
    };
    let pressed: PointerEvent | null = null;
    canvas.addEventListener('pointerdown', (e) => { pressed = e; });
    canvas.addEventListener('pointerup', (e) => {
      const still = pressed && Math.hypot(e.clientX - pressed.clientX, e.clientY - pressed.clientY) < 4;
      pressed = null;
      const body = still && e.button === 0 ? stage.pick(at(e)) : -1;
      if (body >= 0) this.setFocus(body);
    });
    let waiting = false;
    canvas.addEventListener('pointermove', (e) => {
      if (waiting || pressed) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const body = stage.pick(at(e));
        this.tip.hidden = body < 0;
        if (body < 0) return;
        this.tip.textContent = stage.scene.bodies[body]!.name;
        this.tip.style.transform = `translate(${e.offsetX + 12}px, ${e.offsetY + 12}px)`;
      });
    });
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
  }

  /** Names float beside their craft, or wait at the edge; one that would cover another moves down a line. */
  private placeNames(stage: Stage): void {
    const labels = stage.labels();
    while (this.names.children.length < labels.length) this.names.append(el('span'));
    const { width, height } = this.size;
    const placed: { x: number; y: number; right: number }[] = [];
    [...this.names.children].forEach((node, i) => {
      const span = node as HTMLElement;
      const label = labels[i];
      const p = label?.at.clone().project(stage.camera);
      if (p && p.z > 1) p.multiplyScalar(-100); // behind the viewer: projected upside down
      const inside = p && Math.abs(p.x) < 1 && Math.abs(p.y) < 1;
      span.hidden = !p || !label || Number.isNaN(p.x) || (label.minor && !inside);
      if (!p || !label || span.hidden) return;
      if (span.textContent !== label.text) span.textContent = label.text;
      span.classList.toggle('minor', label.minor);
      span.classList.toggle('away', !inside);
      const long = 6.8 * label.text.length + 8;
      if (!inside) p.divideScalar(Math.max(Math.abs(p.x), Math.abs(p.y)));
      const x = Math.min(Math.max(((p.x + 1) / 2) * width + 10, 6), width - long);
      // Above its craft, as far as that is seen large.
      const rise = inside ? Math.min(0.8 * label.above * stage.metre(label.at, height), 0.3 * height) : 0;
      let y = Math.min(Math.max(((1 - p.y) / 2) * height - 20 - rise, 6), height - 22);
      while (placed.some((o) => x < o.right && x + long > o.x && Math.abs(y - o.y) < 15)) y += 15;
      placed.push({ x, y, right: x + long });
      span.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    });
  }

  private readForces(stage: Stage): void {
    const wall = performance.now();
    if (stage.arrows.length === 0 || (this.player.playing && wall - this.lastRead < 100)) return;
    this.lastRead = wall;
    const { unit } = stage.arrows[0]!;
    this.forces.replaceChildren(
      el('span', { class: 'key' }),
      el('span', {}, stage.largestForce > 0 ? scaleText(stage.largestForce, unit, stage.forceScale) : 'no force in this run'),
      ...stage.arrows.map((a) => el('span', { class: 'force' }, `${a.name} ${figure(a.newtons)} ${a.unit}`)));
  }
}
