// SPDX-License-Identifier: Apache-2.0
// The panel around the stage: views, inset, labels, and the rule that it draws only when something changed
// and only while it can be seen.
import { ColorManagement, LinearSRGBColorSpace, PerspectiveCamera, Spherical, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Block, Damaged, type Run } from './data';
import { corners, el, menu, toggle } from './dom';
import type { PortPlace } from './fittings';
import { listGhosts, markGhosts } from './ghosts';
import { Gizmo } from './gizmo';
import { type Box, Labels } from './labels';
import type { Clock } from './player';
import { type Reading, Readouts, readingsOf } from './readouts';
import { Sharpness, drawsInSoftware } from './sharpness';
import { type Axes, Stage } from './stage';
import { theme } from './theme';
import { niceStep } from './ticks';
import { units } from './units';
import { type ViewName, aim, setCut, setDepths } from './views';

ColorManagement.enabled = false; // colours are those of the screen: see materials.ts

const names: Record<ViewName, string> = { chase: 'Chase', port: 'Port camera', cutaway: 'Cutaway', free: 'Free' };

export class ScenePanel {
  readonly element = el('section', { class: 'scene', 'aria-label': 'Scene' });
  frames = 0; // drawn so far
  firstFrame = 0; // [ms] after the page was asked for
  view: ViewName = 'chase';
  other: ViewName | null = null; // in the inset
  stage: Stage | null = null;
  readouts: Readouts | null = null;
  private renderer: WebGLRenderer | null = null;
  private controls: OrbitControls | null = null;
  private sharpness: Sharpness | null = null;
  private readonly camera = new PerspectiveCamera(35, 1, 0.01, 1e5);
  private readonly second = new PerspectiveCamera(35, 1, 0.01, 1e5);
  private ports: PortPlace[] = [];
  private port: PortPlace | null = null;
  private dragging = false;
  private rest = 0; // timer of the sharp picture that follows a motion
  private active = false;
  private seen = false;
  private size = { width: 1, height: 1 }; // [px] of the canvas on the page
  private scheduled = false;
  private readonly gizmo = new Gizmo();
  private readonly labels = new Labels();
  private readonly frame = el('div', { class: 'stage-frame' });
  private readonly tip = el('div', { class: 'tip', hidden: true });
  private readonly scaleText = el('span', { class: 'scale-text' });
  private readonly scale = el('div', { class: 'scale', 'aria-hidden': 'true' }, this.scaleText);
  private readonly legend = el('div', { class: 'forces' });
  private readonly coarse = el('span', { class: 'coarse', hidden: true });
  private readonly ghosts = el('div', { class: 'ghosts', role: 'group', 'aria-label': 'Runs in the scene', hidden: true });
  private readonly insetTitle = el('span', { class: 'inset-title' });
  private readonly inset = el('button', { type: 'button', class: 'inset', hidden: true, onclick: () => this.swap() }, this.insetTitle);
  private readonly buttons = new Map<ViewName, HTMLButtonElement>();
  private bar: HTMLElement | null = null;
  private taken: { width: number; height: number; boxes: Box[] } | null = null;
  private followMenu: HTMLSelectElement | null = null;

  /** `others` are drawn as ghosts; `label` names this run beside them; `readings` are those of the port camera. */
  constructor(readonly run: Run, block: Block, private readonly player: Clock, private readonly label: string, others: readonly { run: Run; label: string; index: number }[],
    readings: readonly Reading[] = readingsOf(run, block)) {
    if (!run.scene) {
      this.say('This run has no 3-D scene: its motion was not recorded.');
      this.element.classList.add('absent');
      return;
    }
    try {
      this.stage = new Stage(run.scene, run, block, others.filter((o) => o.run.scene));
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
    const canvas = el('canvas', { class: 'stage', 'aria-label': '3-D scene; arrow keys turn it, + and − come nearer', role: 'application', tabindex: 0 });
    const software = drawsInSoftware();
    const context = canvas.getContext('webgl2', { antialias: !software, alpha: false });
    if (!context) {
      this.stage = null;
      this.say('This browser has no WebGL, which the 3-D scene needs. Everything else works.');
      return;
    }
    this.renderer = new WebGLRenderer({ canvas, context });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.sharpness = new Sharpness(this.renderer, software, player.slowFrame);
    this.findPorts(this.stage);
    this.stage.sky.ready = () => this.invalidate();
    this.stage.models.ready = () => this.invalidate();
    this.readouts = new Readouts(readings);
    this.frame.append(canvas, this.labels.element, this.gizmo.element, this.readouts.element, this.inset, this.scale, this.legend,
      this.coarse, this.tip, this.ghosts, (this.bar = this.buildControls(this.stage)));
    this.element.append(this.frame);
    listGhosts(this.ghosts, this.label, this.stage.ghosts, () => this.invalidate());

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => { this.dragging = true; this.setView('free'); });
    this.controls.addEventListener('end', () => { this.dragging = false; this.invalidate(); });
    this.listenToMouse(canvas, this.stage);
    this.listenToKeys(canvas);
    canvas.addEventListener('webglcontextlost', () => {
      this.say('The browser has taken the graphics away; reload the page to see the scene.');
    });

    new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.frame;
      if (width === 0 || height === 0) return;
      this.size = { width, height }; // kept: asking the page for it every frame would cost a layout
      this.renderer!.setSize(width, height);
      this.camera.aspect = width / height;
      this.invalidate();
    }).observe(this.frame);
    new IntersectionObserver(([entry]) => {
      this.seen = entry?.isIntersecting ?? false;
      this.invalidate();
    }).observe(this.frame);
    // A frame asked for during a frame comes one later, which would halve the rate of playback.
    player.subscribe(() => { if (player.ticking && this.seen) this.draw(); else this.invalidate(); });
    theme.subscribe(() => this.invalidate());
    units.subscribe(() => this.invalidate());
    window.addEventListener('beforeprint', () => this.draw());
    this.setView('chase');
  }

  /** Whether there is anything to draw, and the browser can. */
  get draws(): boolean {
    return this.renderer !== null && !document.hidden;
  }

  /** With several runs, only the chosen one's panel draws. */
  setActive(active: boolean): void {
    this.active = active;
    this.invalidate();
  }

  setView(view: ViewName): void {
    if (!this.stage || !this.buttons.has(view)) return;
    if (view !== this.view || !this.other) {
      if (view !== 'free') this.other = view === 'chase' ? this.secondBest('chase') : 'chase';
    }
    if (view === 'free' && this.view !== 'free') this.leaveRails();
    this.view = view;
    for (const [name, node] of this.buttons) node.setAttribute('aria-pressed', String(name === view));
    this.frame.dataset.view = view;
    this.invalidate();
  }

  pose(name: string): { position: number[]; quaternion: number[] } | null {
    this.stage?.update(this.player.now, this.player.pace);
    return this.stage?.pose(name) ?? null;
  }

  get eye(): number[] | null {
    return this.stage ? this.camera.position.toArray() : null;
  }

  get focusName(): string | null {
    return this.stage ? this.stage.scene.bodies[this.stage.follow]?.name ?? '' : null;
  }

  /** Boxes on the page [px] of every craft and every port, for who asks what is in the picture. */
  outlines(): { name: string; left: number; right: number; top: number; bottom: number }[] {
    const { stage, camera } = this;
    if (!stage) return [];
    const { width, height } = this.size;
    const box = (name: string, points: Vector3[]) => {
      const seen = points.map((p) => p.clone().project(camera)).map((p) => [((p.x + 1) / 2) * width, ((1 - p.y) / 2) * height] as const);
      const xs = seen.map((p) => p[0]);
      const ys = seen.map((p) => p[1]);
      return { name, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    };
    const crafts = stage.roots().map((root) =>
      box(stage.scene.bodies[root]!.name, stage.corners(stage.scene.bodies.map((_, i) => i).filter((i) => stage.craftRoot(i) === root))));
    const ports = this.ports.map((p) => {
      const at = new Vector3();
      stage.portPose(p, at, stage.bodies[0]!.quaternion.clone());
      return box(stage.scene.ports[p.port]!.name, [at]);
    });
    return [...crafts, ...ports];
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
    const { stage, renderer, camera, second } = this;
    if (!stage || !renderer || !this.active) return;
    const moving = this.player.playing || this.dragging;
    this.sharpness?.prepare(moving);
    clearTimeout(this.rest);
    if (moving) this.rest = window.setTimeout(() => this.invalidate(), 250);
    const { width, height } = this.size;
    stage.update(this.player.now, this.player.pace);
    const shown = this.other !== null && width > 560 && (stage.pair !== null || this.view !== 'chase');
    const box = insetBox(width, height);
    if (this.view === 'free') setDepths(camera, stage);
    else aim(this.view, camera, stage, this.port, shown ? (box.top + box.height) / height : 0);
    camera.updateMatrixWorld(true);
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, width, height);
    renderer.clear();
    this.render(this.view, camera, stage);

    if (this.inset.hidden === shown) this.inset.hidden = !shown;
    if (shown) {
      Object.assign(this.inset.style, { width: `${box.width}px`, height: `${box.height}px` });
      second.aspect = box.width / box.height;
      aim(this.other!, second, stage, this.port);
      second.updateMatrixWorld(true);
      const low = height - box.top - box.height;
      renderer.setScissorTest(true);
      renderer.setScissor(box.left, low, box.width, box.height);
      renderer.setViewport(box.left, low, box.width, box.height);
      renderer.clear();
      this.render(this.other!, second, stage);
      this.insetTitle.textContent = `${names[this.other!]} ⇄`;
    }
    this.annotate(stage, shown, box);
    if (this.frames++ === 0) this.firstFrame = performance.now();
  }

  private render(view: ViewName, camera: PerspectiveCamera, stage: Stage): void {
    const renderer = this.renderer!;
    const near = stage.separation() < 2.5 * Math.min(stage.radii[stage.pair?.[0].body ?? 0]!, stage.radii[stage.pair?.[1].body ?? 0]!);
    stage.fade(camera, view === 'chase' || view === 'free' ? (near ? stage.contactPoint() : null) : null);
    setCut(stage, camera, view === 'cutaway');
    // Arrows keep their size on the screen: a close-up is for the place of contact, not for a giant arrow.
    stage.forces.draw(0.17 * this.lookedAt(view, camera));
    const hidden = view === 'port' && this.port ? stage.walls(this.port.body) : [];
    for (const part of hidden) part.visible = false; // the camera stands inside its own craft
    renderer.render(stage.sky.world, stage.skyFor(camera));
    renderer.clearDepth();
    renderer.render(stage.world, camera);
    for (const part of hidden) part.visible = true;
  }

  /** Everything on the picture that is text. */
  private annotate(stage: Stage, inset: boolean, box: ReturnType<typeof insetBox>): void {
    const { width, height } = this.size;
    this.gizmo.draw(stage.directions(), this.camera.quaternion);
    this.labels.place(stage, this.camera, width, height, this.view === 'chase' || this.view === 'free', this.findTaken(inset ? box : null));
    // The readouts are where the port camera is.
    const large = this.view === 'port';
    const small = inset && this.other === 'port';
    const readouts = this.readouts!;
    readouts.element.hidden = !large && !small;
    readouts.element.classList.toggle('small', !large);
    if (large || small) {
      const at = large ? { left: 0, top: 0, width, height } : box;
      Object.assign(readouts.element.style, { left: `${at.left}px`, top: `${at.top}px`, width: `${at.width}px`, height: `${at.height}px` });
      readouts.update(this.player.now, stage, large ? this.camera : this.second, this.facingPort(), at.width, at.height);
    }
    const metre = height / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * this.lookedAt()); // [px]
    const length = niceStep((110 / metre) * 0.5);
    this.scale.style.width = `${(length * metre).toFixed(1)}px`;
    this.scaleText.textContent = units.text(length, 'm');
    const legend = this.view === 'port' ? '' : stage.forces.scaleText();
    if (this.legend.textContent !== legend) this.legend.textContent = legend;
    markGhosts(this.ghosts, stage.ghosts, this.player.now);
    const coarse = this.sharpness?.note ?? '';
    this.coarse.hidden = coarse === '';
    if (this.coarse.textContent !== coarse) this.coarse.textContent = coarse;
  }

  /** Boxes of what stands on the picture besides names; measured when the picture changes size, since asking takes a layout. */
  private findTaken(inset: ReturnType<typeof insetBox> | null): Box[] {
    const { width, height } = this.size;
    if (this.taken?.width !== width || this.taken.height !== height) {
      const frame = this.frame.getBoundingClientRect();
      this.taken = { width, height, boxes: [this.bar, this.ghosts, this.gizmo.element, this.scaleText, this.legend]
        .flatMap((e) => {
          if (!e) return []; // not built yet
          const b = e.getBoundingClientRect();
          return b.width > 0 ? [{ left: b.left - frame.left, top: b.top - frame.top, right: b.right - frame.left, bottom: b.bottom - frame.top }] : [];
        }) };
    }
    return inset ? [...this.taken.boxes, { left: inset.left, top: inset.top, right: inset.left + inset.width, bottom: inset.top + inset.height }] : this.taken.boxes;
  }

  /** [m] from the camera to what it looks at. */
  private lookedAt(view = this.view, camera = this.camera): number {
    const point = view === 'cutaway' || view === 'port' ? this.stage?.contactPoint() : null;
    return Math.max(camera.position.distanceTo(point ?? new Vector3()), 1e-3);
  }

  private findPorts(stage: Stage): void {
    const all = stage.scene.ports.map((p) => stage.findPlace(p.name)!);
    const first = stage.pair?.filter((p) => p.port >= 0) ?? [];
    first.sort((a, b) => Number(stage.craftRoot(b.body) === stage.craftRoot(stage.active)) - Number(stage.craftRoot(a.body) === stage.craftRoot(stage.active)));
    this.ports = [...first, ...all.filter((p) => !first.some((f) => f.port === p.port))];
    this.port = this.ports[0] ?? null;
  }

  /** The port across from the one the camera stands behind. */
  private facingPort(): number {
    const pair = this.stage!.pair?.filter((p) => p.port >= 0) ?? [];
    return pair.find((p) => p.port !== this.port?.port)?.port ?? -1;
  }

  private secondBest(view: ViewName): ViewName | null {
    const has = (v: ViewName) => this.buttons.has(v) && v !== view && v !== 'free';
    return (['port', 'cutaway', 'chase'] as const).find(has) ?? null;
  }

  private swap(): void {
    const { view, other } = this;
    if (!other) return;
    this.setView(other);
    if (view !== 'free') this.other = view;
    this.invalidate();
  }

  /** From where a view stands the viewer takes the camera. */
  private leaveRails(): void {
    this.camera.up.set(0, 1, 0);
    const ahead = this.camera.getWorldDirection(new Vector3());
    const reach = Math.max(this.lookedAt(), 1e-2);
    this.controls?.target.copy(this.view === 'chase' || this.view === 'cutaway' ? this.camera.position.clone().addScaledVector(ahead, reach) : new Vector3());
    this.controls?.update();
  }

  private setFollow(body: number): void {
    const { stage } = this;
    if (!stage) return;
    stage.follow = body;
    if (this.followMenu) this.followMenu.value = String(body);
    stage.retrace();
    this.setView('chase');
  }

  private buildControls(stage: Stage): HTMLElement {
    const { scene } = stage;
    const view = (name: ViewName, title: string) => {
      const node = el('button', { type: 'button', title, 'aria-pressed': 'false', onclick: () => this.setView(name) }, names[name]);
      this.buttons.set(name, node);
      return node;
    };
    const meets = stage.pair !== null;
    const change = (set: () => void) => { set(); stage.retrace(); this.invalidate(); };
    const axes: [string, string][] = [...(scene.lvlh ? [['orbit', 'Orbit frame'] as [string, string]] : []), ['inertial', 'Inertial'], ['body', 'Body-fixed']];
    this.followMenu = menu('Follow', [['-1', stage.roots().length > 1 ? 'Follow: the meeting' : 'Follow: all'] as const,
      ...scene.bodies.map((b, i) => [String(i), `Follow: ${b.name}`] as const)], '-1', (i) => this.setFollow(Number(i)));
    return el('div', { class: 'scene-bar', role: 'toolbar', 'aria-label': 'Views' },
      el('div', { class: 'views' },
        view('chase', 'Both craft, from beside (1)'),
        this.ports.length > 0 && !stage.grounded && view('port', 'Along the axis of a port (2)'),
        meets && view('cutaway', 'Cut open where craft touch (3)'),
        view('free', 'Drag to turn, right button moves, wheel comes nearer (4)')),
      el('details', { class: 'more' }, el('summary', { title: 'More of the view' }, '⋯'),
        el('div', {},
          this.ports.length > 1 && !stage.grounded && menu('Port', this.ports.map((p, i) => [String(i), `Camera at ${scene.ports[p.port]!.name}`] as const), '0',
            (i) => { this.port = this.ports[Number(i)]!; this.setView('port'); }),
          menu('Axes', axes, stage.axes, (v) => change(() => { stage.axes = v as Axes; })),
          this.followMenu,
          stage.roots().length > 1 && stage.poses.time.length > 1 && toggle('Trails', false, (on) => change(() => { stage.trails = on; })),
          toggle('See inside', stage.inside, (on) => change(() => { stage.inside = on; })))),
      el('button', { type: 'button', class: 'full', title: 'Full screen (f)', 'aria-label': 'Full screen (f)', onclick: () => this.fullscreen() }, corners()));
  }

  fullscreen(): void {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void this.frame.requestFullscreen?.();
  }

  /** With the picture in focus, arrows turn it, + and − come nearer and go away. */
  private listenToKeys(canvas: HTMLCanvasElement): void {
    const turns: Record<string, [number, number, number]> = {
      ArrowLeft: [-1, 0, 1], ArrowRight: [1, 0, 1], ArrowUp: [0, -1, 1], ArrowDown: [0, 1, 1], '+': [0, 0, 0.9], '=': [0, 0, 0.9], '-': [0, 0, 1 / 0.9],
    };
    canvas.addEventListener('keydown', (e) => {
      const turn = turns[e.key];
      if (!turn || !this.controls || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      e.stopPropagation();
      this.setView('free');
      const { target } = this.controls;
      const at = new Spherical().setFromVector3(this.camera.position.clone().sub(target));
      at.theta += 0.1 * turn[0];
      at.phi = Math.min(Math.max(at.phi + 0.1 * turn[1], 0.05), Math.PI - 0.05);
      at.radius *= turn[2];
      this.camera.position.setFromSpherical(at).add(target);
      this.controls.update();
      this.invalidate();
    });
  }

  /** A press that does not move is a click; a hovering mouse asks for names, once per frame. */
  private listenToMouse(canvas: HTMLCanvasElement, stage: Stage): void {
    const at = (e: PointerEvent) => {
      const box = canvas.getBoundingClientRect();
      return new Vector2((2 * (e.clientX - box.left)) / box.width - 1, 1 - (2 * (e.clientY - box.top)) / box.height);
    };
    let waiting = false;
    canvas.addEventListener('dblclick', (e) => {
      const body = stage.pick(at(e as PointerEvent), this.camera);
      if (body >= 0) this.setFollow(body);
    });
    canvas.addEventListener('pointermove', (e) => {
      if (waiting || this.dragging) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        const body = stage.pick(at(e), this.camera);
        this.tip.hidden = body < 0;
        if (body < 0) return;
        this.tip.textContent = stage.scene.bodies[body]!.name;
        this.tip.style.transform = `translate(${e.offsetX + 12}px, ${e.offsetY + 12}px)`;
      });
    });
    canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
  }
}

/** Where the inset is [px from the upper left corner]. */
function insetBox(width: number, height: number): { left: number; top: number; width: number; height: number } {
  const w = Math.round(Math.min(0.26 * width, 340));
  const h = Math.round(Math.min(0.68 * w, 0.5 * height));
  return { left: width - w - 10, top: 10, width: w, height: h };
}
