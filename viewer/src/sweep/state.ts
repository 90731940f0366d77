// SPDX-License-Identifier: Apache-2.0
// What the parts of the page share: the case in hand, the two axes, the colouring.
import { type Column, type MapData, type Sweep, readingOrder, varies } from './data';
import { isBoundary } from './study';

export type Change = 'case' | 'axes' | 'color' | 'classes' | 'cell';

/** A rectangle of two inputs, open where it holds what lies beyond the outer pieces. */
export interface Cell { x: [number, number]; y: [number, number] }

export class State {
  point = -1; // in hand
  x: number; // columns; −1: the number of the case
  y: number;
  color = -1; // −1: by class
  cell: Cell | null = null;
  readonly hidden: boolean[];
  private readonly listeners: ((change: Change) => void)[] = [];
  private readonly places = new Map<number, number>();

  constructor(readonly sweep: Sweep) {
    this.hidden = sweep.head.classes.map(() => false);
    sweep.numbers.forEach((number, i) => this.places.set(number, i));
    const outputs = readingOrder(sweep.columns).filter(varies).map((c) => sweep.columns.indexOf(c));
    const inputs = [...sweep.columns.keys()].filter((i) => sweep.columns[i]!.role === 'input' && varies(sweep.columns[i]!));
    const first = sweep.maps[0];
    this.x = first?.x ?? inputs[0] ?? -1;
    this.y = first?.y ?? outputs[0] ?? -1;
    const { study } = sweep.head;
    if (isBoundary(study)) {
      const [x, y] = study.boundary.map((key) => sweep.columns.findIndex((c) => c.name === key)) as [number, number];
      if (x >= 0 && y >= 0) [this.x, this.y] = [x, y];
    }
    // Where all ended the same way, verdicts say nothing.
    if (sweep.head.classes.length === 1) this.color = outputs[0] ?? -1;
  }

  subscribe(listener: (change: Change) => void): void {
    this.listeners.push(listener);
  }

  select(point: number, keepAddress = false): void {
    if (!(point >= 0 && point < this.sweep.numbers.length)) return;
    this.point = point;
    if (!keepAddress) history.replaceState(null, '', `#case=${this.number}`);
    this.emit('case');
  }

  /** Of a case, −1 when it is none of the points. */
  find(number: number): number {
    return this.places.get(number) ?? -1;
  }

  get number(): number {
    return this.sweep.numbers[this.point] ?? -1;
  }

  setAxes(x: number, y: number): void {
    this.x = x;
    this.y = y;
    this.cell = null;
    this.emit('axes');
  }

  setColor(column: number): void {
    this.color = column;
    this.emit('color');
  }

  setCell(cell: Cell | null): void {
    this.cell = cell;
    this.emit('cell');
  }

  toggleClass(k: number): void {
    this.hidden[k] = !this.hidden[k];
    this.emit('classes');
  }

  isShown(point: number): boolean {
    return !this.hidden[this.sweep.classes[point]!];
  }

  column(index: number): Column | null {
    return index < 0 ? null : this.sweep.columns[index]!;
  }

  values(index: number): Float64Array {
    return index < 0 ? this.sweep.numbers : this.sweep.columns[index]!.values;
  }

  /** The map of the two axes, whichever way round it was made. */
  map(): { map: MapData; turned: boolean } | null {
    for (const map of this.sweep.maps) {
      if (map.x === this.x && map.y === this.y) return { map, turned: false };
      if (map.x === this.y && map.y === this.x) return { map, turned: true };
    }
    return null;
  }

  private emit(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }
}
