// SPDX-License-Identifier: Apache-2.0
// How finely the scene is drawn. A picture at rest is drawn once and may take its time; one in motion
// must keep pace, so it is coarsened until it does.
import type { WebGLRenderer } from 'three';

const coarsest = 0.36; // [pixels of the canvas per pixel of the page]
const softly = 0.5; // to begin with, where there is no graphics card

export class Sharpness {
  private readonly still: number;
  private readonly finest: number;
  private moving: number;
  private before = Infinity; // [ms] what a frame took ahead of the last coarsening
  private hopeless = false;
  private ratio = 0;
  private lastFrame = 0;
  private lateness: number[] = [];

  /**
   * `software`: there is no graphics card, nor smoothing of edges; then a still picture is drawn twice as fine.
   * `slow` [ms per frame]: coarsen beyond this.
   */
  constructor(private readonly renderer: WebGLRenderer, software: boolean, private readonly slow = 36) {
    this.finest = Math.min(devicePixelRatio, 2);
    this.moving = software ? softly : this.finest;
    this.still = software ? 2 : this.finest;
  }

  /** In words, while the picture is coarser than the page. */
  get note(): string {
    return this.ratio < 0.99 ? `${Math.round(100 * this.ratio)} % resolution while moving` : '';
  }

  /** Call before every frame. */
  prepare(inMotion: boolean): void {
    if (inMotion) this.keepPace();
    else this.lateness = [];
    const wanted = inMotion ? this.moving : this.still;
    if (wanted === this.ratio) return;
    this.ratio = wanted;
    this.renderer.setPixelRatio(wanted); // empties the canvas: only ever ahead of drawing
  }

  private keepPace(): void {
    const now = performance.now();
    const took = now - this.lastFrame;
    this.lastFrame = now;
    if (took > 1000 || this.hopeless) return; // motion has only just begun, or nothing helps
    this.lateness.push(took);
    if (this.lateness.length < 6) return;
    // The median: one stutter is no reason.
    const median = this.lateness.sort((a, b) => a - b)[3]!;
    this.lateness = [];
    const helped = median < 0.9 * this.before;
    if (this.before < Infinity && !helped && median > this.slow) {
      this.hopeless = true;
    } else if (median > this.slow && this.moving > coarsest) {
      this.before = median;
      this.moving = Math.max(coarsest, 0.75 * this.moving);
    }
  }
}

/**
 * Is there no graphics card? Then smoothing of edges, which is free on a card, takes most of the time.
 * Asked of a canvas of its own, because smoothing is chosen when a context is made. (The option
 * failIfMajorPerformanceCaveat is meant for this and is ignored by browsers.)
 */
export function drawsInSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}
