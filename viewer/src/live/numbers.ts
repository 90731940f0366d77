// SPDX-License-Identifier: Apache-2.0
// Times of a loop in the unit that suits them, and counts for people.
import type { Maybe } from './data';

/** Three figures in µs, ms or s: "12.4 µs". */
export function duration(seconds: Maybe): string {
  if (seconds === null || !Number.isFinite(seconds)) return '–';
  const size = Math.abs(seconds);
  const [factor, unit] = size < 1e-3 ? [1e6, 'µs'] : size < 1 ? [1e3, 'ms'] : [1, 's'];
  return `${rounded(factor * seconds)} ${unit}`;
}

/** In ms: a margin is compared with others. */
export function milliseconds(seconds: number): string {
  return `${rounded(1e3 * seconds)} ms`;
}

function rounded(x: number): string {
  const size = Math.abs(x);
  const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return String(Number(x.toFixed(size >= 999.5 ? 0 : digits))).replaceAll('-', '−');
}

/** 1 234 567, on one line. */
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, '\u00a0');
}

/** Three figures in J, mJ or µJ. */
export function energyText(joules: Maybe): string {
  if (joules === null || !Number.isFinite(joules)) return '–';
  const size = Math.abs(joules);
  const [factor, unit] = size === 0 || size >= 0.1 ? [1, 'J'] : size >= 1e-4 ? [1e3, 'mJ'] : [1e6, 'µJ'];
  return `${rounded(factor * joules)} ${unit}`;
}

/** Fixed decimals: figures that tick must not jump sideways. */
export function fixed(x: Maybe, decimals: number): string {
  return x === null || !Number.isFinite(x) ? '–' : x.toFixed(decimals).replaceAll('-', '−');
}
