// SPDX-License-Identifier: Apache-2.0
// What a sweep was asked beyond "how many": which input matters, how sure is that, and what a search found
// (src/berth/analysis: sweep_answers.cpp, stop_when_sure.cpp, rare_events.cpp, envelope_boundary.cpp, optimise.cpp).

/** An end that is not known, or without bound, is null. */
export interface Interval { value: number | null; low: number | null; high: number | null }

export interface OutputAnswer {
  p50?: Interval; p95?: Interval; p99?: Interval; // percentiles
  p99_95?: number | null; // 99 % of the cases lie below, with 95 % confidence
  spearman?: Interval[]; // of each input
  sobol?: { first: Interval; total: Interval }[];
  left_out?: number; // samples without a number
}

export interface Answers { inputs: string[]; ranked_cases: number; outputs: Record<string, OutputAnswer> }

/** Drawn until the interval was narrow enough. */
export interface Until { until: string; checks: number; fraction: number; low: number; high: number; confidence: number; is_sure: boolean }

/** Subset simulation. */
export interface Rare {
  rare: string;
  probability: number; low: number; high: number; confidence: number;
  levels: number; cases: number; refused: number;
  without_failure: number; // replicates that found none
  estimates: number[]; // of the replicates
  thresholds: number[]; // of the levels
}

export type Point = [number, number];

/** Contours of the share as expected over two inputs. */
export interface Boundary {
  boundary: [string, string];
  contours: { level: number; lines: { points: Point[]; closed: boolean }[] }[];
  nodes: [x: number, y: number, good: number, trials: number][];
  cases: number;
}

export interface Design { x: number[]; values: (number | null)[]; violation?: number | null; samples?: number }

export interface Optimum {
  optimise: { inputs: { key: string; low: number; high: number; unit: string }[]; goals: string[]; constraints: string[]; worst: boolean; samples: number };
  best: Design;
  start: Design;
  history: { generation: number; run: number; evaluations: number; best: number | null; median: number | null; spread: number; mean: number[] }[];
  designs: Design[];
  front: number[]; // places of designs
  why: string; // it ended
  cases: number;
}

export type Study = Until | Rare | Boundary | Optimum;

const has = <S extends Study>(key: string) => (study: Study | null | undefined): study is S => !!study && key in study;
export const isUntil = has<Until>('until');
export const isRare = has<Rare>('rare');
export const isBoundary = has<Boundary>('boundary');
export const isOptimum = has<Optimum>('optimise');

/** Cases of a search lie where it searches: they are no fair draws, and their shares are no probabilities. */
export const isSearch = (study: Study | null | undefined): boolean => !!study && !isUntil(study);

/** "contacts.tip.force_peak > 300" in its parts. */
export function readCriterion(text: string): { name: string; limit: number | null } {
  const [name, limit] = text.split(/[<>]=?/);
  return { name: (name ?? '').trim(), limit: limit === undefined || limit.trim() === '' || Number.isNaN(Number(limit)) ? null : Number(limit) };
}

const superscript = (n: number): string => [...String(n)].map((c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(c)] ?? '⁻').join('');
const exponentOf = (v: number): number => Number(v.toExponential(1).split('e')[1]);
const scaled = (v: number, exponent: number): string => (v === 0 ? '0' : String(Number((v / 10 ** exponent).toPrecision(2))).replace(/^(\d)$/, '$1.0'));

/** 3.2·10⁻⁶, as small probabilities are written. */
export function powerOfTen(v: number): string {
  if (v === 0) return '0';
  const e = exponentOf(v);
  return `${scaled(v, e)}·10${superscript(e)}`;
}

/** 1.9 … 5.4·10⁻⁶, with the exponent of what lies between where that can be read. */
export function powerRange(low: number, high: number, between: number): string {
  const e = exponentOf(between > 0 ? between : high);
  const near = (v: number) => v === 0 || (v / 10 ** e >= 0.01 && v / 10 ** e < 100);
  return near(low) && near(high) ? `${scaled(low, e)} … ${scaled(high, e)}·10${superscript(e)}` : `${powerOfTen(low)} … ${powerOfTen(high)}`;
}
