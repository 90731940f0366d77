// SPDX-License-Identifier: Apache-2.0
// Millimetres and degrees, or SI: one switch for cards and readouts. Plots and exports stay in SI.

export type UnitSystem = 'mm' | 'si';

const handy: Record<string, { below: number; factor: number; unit: string }> = {
  m: { below: 1, factor: 1e3, unit: 'mm' },
  'm/s': { below: 1, factor: 1e3, unit: 'mm/s' },
  rad: { below: Infinity, factor: 180 / Math.PI, unit: '°' },
  'rad/s': { below: Infinity, factor: 180 / Math.PI, unit: '°/s' },
};

class Units {
  system: UnitSystem = 'mm';
  private readonly listeners: (() => void)[] = [];

  toggle(): void {
    this.system = this.system === 'mm' ? 'si' : 'mm';
    for (const listener of this.listeners) listener();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** A value and its limit in the unit that suits the limit: ["51.8", "100 mm/s"]. */
  pair(value: number, limit: number, unit: string): [string, string] {
    const way = this.system === 'mm' ? handy[unit] : undefined;
    const use = way && Math.abs(limit) < way.below ? way : { factor: 1, unit };
    const size = Math.abs(value * use.factor);
    const text = value !== 0 && size < 5e-4 ? (way ? '0.000' : short(value)) : short(value * use.factor);
    return [text, `${short(limit * use.factor)}${use.unit.startsWith('°') ? '' : ' '}${use.unit}`];
  }

  /** A value with its unit, three figures, as the switch stands. */
  text(value: number | null | undefined, unit: string): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return '–';
    const way = this.system === 'mm' ? handy[unit] : undefined;
    const use = way && Math.abs(value) < way.below ? way : { factor: 1, unit };
    if (way && value !== 0 && Math.abs(value * use.factor) < 5e-4) return `0.000${use.unit.startsWith('°') ? '' : ' '}${use.unit}`;
    const space = use.unit.startsWith('°') ? '' : ' ';
    return `${short(value * use.factor)}${use.unit ? space + use.unit : ''}`;
  }
}

export const units = new Units();

/** Three figures; what is nearly nothing is 0. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size < 5e-4 || size >= 1e6) return value.toExponential(1).replace('e+', 'e').replaceAll('-', '−');
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return String(Number(value.toFixed(digits))).replaceAll('-', '−');
}
