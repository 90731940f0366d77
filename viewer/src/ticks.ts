// SPDX-License-Identifier: Apache-2.0
// Numbers for people: ticks at 1, 2, 5 · 10ⁿ, and figures as short as they can be read.

/** Positions of about `count` round ticks in [low, high]. */
export function ticks(low: number, high: number, count: number): number[] {
  const step = niceStep((high - low) / Math.max(count, 1));
  if (!(step > 0) || !Number.isFinite(step)) return [low];
  const out: number[] = [];
  // Counted by integers: adding steps up would gather rounding errors.
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9 && out.length < 1000; k++) {
    out.push(Number((k * step).toPrecision(15)));
  }
  return out.length > 0 ? out : [low];
}

/** Powers of ten in [low, high], thinned to about `count`; round numbers where there are not two of them. */
export function logTicks(low: number, high: number, count: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / Math.max(count, 1)));
  const out: number[] = [];
  for (let e = first; e <= last; e += every) out.push(Number(`1e${e}`)); // 10 ** −5 is not 1e-5
  return out.length > 1 ? out : ticks(low, high, count).filter((v) => v > 0);
}

/** The smallest of 1, 2, 5 · 10ⁿ that is not below x. */
export function niceStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead <= 1 + 1e-9 ? 1 : lead <= 2 + 1e-9 ? 2 : lead <= 5 + 1e-9 ? 5 : 10) * power;
}

/**
 * Texts of evenly spaced ticks, and what they have in common: "6778137.0001, 6778137.0002" reads
 * "0.1, 0.2" beside "×10⁻³ + 6778137".
 */
export function tickTexts(list: readonly number[]): { texts: string[]; common: string } {
  const step = Math.abs((list[1] ?? 0) - (list[0] ?? 0)) || Math.abs(list[0] ?? 0) || 1;
  let values = list;
  let common = '';
  let largest = Math.max(...values.map(Math.abs));
  if (step < 2e-5 * largest) {
    const offset = Number(list[0]!.toPrecision(Math.max(1, Math.floor(Math.log10(largest / step)))));
    values = list.map((v) => v - offset);
    common = ` ${offset < 0 ? '−' : '+'} ${Math.abs(offset)}`;
    largest = Math.max(...values.map(Math.abs), step);
  }
  let power = 0;
  if (largest >= 1e5 || (largest > 0 && largest < 1e-2)) power = 3 * Math.floor(Math.log10(largest) / 3 + 1e-9);
  if (power !== 0) common = ` ×10${[...String(power)].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)] ?? '⁻').join('')}${common}`;
  // Two factors: 10 ** 308 times anything overflows.
  const scale = (v: number) => (v / 10 ** Math.trunc(power / 2)) / 10 ** (power - Math.trunc(power / 2));
  const decimals = Math.min(Math.max(0, -Math.floor(Math.log10(scale(step)) + 1e-6)), 12);
  return { texts: values.map((v) => minus(scale(v).toFixed(decimals)).replace(/^−(0\.?0*)$/, '$1')), common };
}

/** A reading: five significant figures. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return tidy(value.toExponential(3));
  return minus(String(Number(value.toPrecision(5))));
}

/** A time of the run with the decimals its length deserves. */
export function timeText(t: number, span: number): string {
  const decimals = span > 0 ? Math.min(Math.max(0, 4 - Math.floor(Math.log10(span))), 9) : 3;
  return minus(t.toFixed(decimals));
}

/** 5.000e-7 → 5e−7 */
function tidy(text: string): string {
  return minus(text.replace(/(\.\d*?)0+e/, '$1e').replace('.e', 'e').replace('e+', 'e'));
}

function minus(text: string): string {
  return text.replaceAll('-', '−');
}
