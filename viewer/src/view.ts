// SPDX-License-Identifier: Apache-2.0
// What all plots share besides the clock: the zoomed range and the time under the mouse.

export type Range = readonly [number, number];

export class View {
  zoom: Range | null = null; // null: the whole run
  hover: number | null = null; // [s]
  private readonly zoomed: (() => void)[] = [];
  private readonly hovered: (() => void)[] = [];

  constructor(readonly whole: Range) {}

  get range(): Range {
    return this.zoom ?? this.whole;
  }

  onZoom(listener: () => void): void {
    this.zoomed.push(listener);
  }

  onHover(listener: () => void): void {
    this.hovered.push(listener);
  }

  setZoom(zoom: Range | null): void {
    this.zoom = zoom;
    for (const listener of this.zoomed) listener();
  }

  /** Moves the stretch on show, as long as it is, to a time. */
  centre(t: number): void {
    const length = this.range[1] - this.range[0];
    const from = Math.min(Math.max(t - length / 2, this.whole[0]), Math.max(this.whole[1] - length, this.whole[0]));
    this.setZoom([from, from + length]);
  }

  /** Shows `factor` as much time around t; all of it when that is more than there is. */
  zoomAt(t: number, factor: number): void {
    const length = factor * (this.range[1] - this.range[0]);
    if (length >= this.whole[1] - this.whole[0]) this.setZoom(null);
    else if (length > 1e-9 * (this.whole[1] - this.whole[0])) {
      this.zoom = [t - length / 2, t + length / 2];
      this.centre(t);
    }
  }

  setHover(t: number | null): void {
    if (t === this.hover) return;
    this.hover = t;
    for (const listener of this.hovered) listener();
  }
}
