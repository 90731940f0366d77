// SPDX-License-Identifier: Apache-2.0
// Colours of classes and ramps. Hues after Okabe and Ito, distinct to every kind of colour vision; lightness
// moved until each has a contrast of at least 3 : 1 on its background. Blue and green are as expected; red
// is kept for failure. Shapes say the same without colour.
import { theme } from '../theme';
import type { CaseClass } from './data';

export type Mark = 'dot' | 'cross' | 'triangle' | 'square' | 'diamond' | 'plus';

const good = { light: ['#0072b2', '#00795a', '#50565c'], dark: ['#56b4e9', '#3ecb9d', '#b9c0c7'] };
const bad = {
  light: ['#d1440c', '#a67300', '#a2357e', '#6b4a2a', '#1b2127'],
  dark: ['#ff7a4d', '#f0c04c', '#e88cc9', '#c9a27a', '#e4e8ec'],
};
const badMarks: readonly Mark[] = ['cross', 'triangle', 'square', 'diamond', 'plus'];

export interface Style { color: string; mark: Mark }

/** Of each class, in their order. */
export function styles(classes: readonly CaseClass[]): Style[] {
  let goods = 0;
  let bads = 0;
  return classes.map((c) => {
    const k = c.good ? goods++ : bads++;
    const list = (c.good ? good : bad)[theme.mode];
    return { color: list[k % list.length]!, mark: c.good ? 'dot' : badMarks[k % badMarks.length]! };
  });
}

type Rgb = readonly [number, number, number];
const between = (stops: readonly Rgb[], share: number): Rgb => {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const mix = (k: 0 | 1 | 2) => Math.round(stops[i]![k] + (at - i) * (stops[i + 1]![k] - stops[i]![k]));
  return [mix(0), mix(1), mix(2)];
};
const css = ([r, g, b]: Rgb) => `rgb(${r} ${g} ${b})`;

/** Red, green and blue of "#0072b2" or "rgb(0 114 178)". */
export function components(color: string): number[] {
  return color.startsWith('#') ? [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)) : color.match(/\d+/g)!.map(Number);
}

// Viridis without the end that the background swallows.
const viridis: readonly Rgb[] = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37],
];
const values = { light: viridis.slice(0, 8), dark: viridis.slice(2) };
export const valueColor = (share: number): string => css(between(values[theme.mode], share));

// From failure over undecided to success.
const shares = {
  light: [[193, 62, 10], [240, 170, 130], [244, 244, 242], [140, 190, 226], [0, 100, 165]] as const,
  dark: [[255, 122, 77], [140, 66, 42], [40, 46, 54], [32, 84, 122], [86, 180, 233]] as const,
};
export interface Fill { back: string; text: string }
export const shareFill = (share: number): Fill => fill(between(shares[theme.mode], share));
export const valueFill = (share: number): Fill => fill(between(values[theme.mode], share));

/** With black or white text, whichever is read better: always at least 4.5 : 1. */
function fill(rgb: Rgb): Fill {
  const lum = luminance(rgb);
  return { back: css(rgb), text: (lum + 0.05) / 0.05 > 1.05 / (lum + 0.05) ? '#000' : '#fff' };
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((v) => { const c = v / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** A mark about (0, 0) of a size from the centre. */
export function trace(g: CanvasRenderingContext2D, mark: Mark, x: number, y: number, r: number): void {
  g.beginPath();
  if (mark === 'dot') g.arc(x, y, r * 0.8, 0, 2 * Math.PI);
  else if (mark === 'square') g.rect(x - r * 0.8, y - r * 0.8, 1.6 * r, 1.6 * r);
  else if (mark === 'triangle') { g.moveTo(x, y - r); g.lineTo(x + r, y + 0.8 * r); g.lineTo(x - r, y + 0.8 * r); g.closePath(); }
  else if (mark === 'diamond') { g.moveTo(x, y - r); g.lineTo(x + r, y); g.lineTo(x, y + r); g.lineTo(x - r, y); g.closePath(); }
  else if (mark === 'cross') { g.moveTo(x - r, y - r); g.lineTo(x + r, y + r); g.moveTo(x + r, y - r); g.lineTo(x - r, y + r); }
  else { g.moveTo(x - r, y); g.lineTo(x + r, y); g.moveTo(x, y - r); g.lineTo(x, y + r); }
}
export const isStroked = (mark: Mark): boolean => mark === 'cross' || mark === 'plus';
