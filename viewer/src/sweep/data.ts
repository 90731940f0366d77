// SPDX-License-Identifier: Apache-2.0
// What the program wrote into the page of a sweep (src/berth/report/sweep_page.cpp).
import { Block, Damaged, type Ref, bytesNeeded } from '../data';
import { figure } from '../ticks';
import { type Answers, type Study, isSearch } from './study';

export interface Share { fraction: number; low: number; high: number; count: number }

/** How cases ended, and whether that was as expected. */
export interface CaseClass extends Share { name: string; good: boolean }

export interface Statistics {
  count: number;
  min?: number; p05?: number; p25?: number; median?: number; mean?: number; p75?: number; p95?: number; p99?: number; max?: number;
  min_case?: number; max_case?: number;
}

interface ColumnHead {
  name: string;
  unit: string;
  description: string;
  role: 'input' | 'output';
  text: boolean;
  data: Ref;
  labels?: string[]; // of texts; data are their places
  log?: boolean;
  statistics?: Statistics;
  edges?: number[]; // of the histogram
  counts?: Ref; // class by class
  largest?: number[]; // places of points
  smallest?: number[];
  vary?: string;
  axis?: { edges?: number[]; values?: number[] };
  shares?: Share[]; // as expected, by pieces of the axis
  effect?: number; // share of the variance of "as expected" this input alone explains
}

interface MapHead { x: number; y: number; effect: number; counts: Ref; low: Ref; high: Ref; largest: Ref }

interface Texts { labels: string[]; data: Ref }

/** Percentiles of a channel over time, the least and the largest first and last. */
export const bandKeys = ['low', 'p05', 'p25', 'p50', 'p75', 'p95', 'high'] as const;
type BandOf<Numbers> = { name: string; unit: string; description: string } & Record<'t' | 'count' | (typeof bandKeys)[number], Numbers>;
export type Band = BandOf<Float64Array>;

export interface Head {
  format: number;
  kind: string;
  program: string;
  title: string;
  file: string;
  stem: string;
  shell_file: string;
  warning?: string; // about the file itself
  scenario_file: string;
  settings: string[];
  cases: number;
  random: boolean;
  samples: number;
  seed: number;
  design?: 'random' | 'lhs' | 'sobol' | 'halton'; // how inputs are drawn
  study?: Study | null;
  answers?: Answers | null;
  bands?: BandOf<Ref>[];
  as_expected: Share;
  classes: CaseClass[];
  columns: ColumnHead[];
  maps: MapHead[]; // most effect first
  map_outputs: number[]; // columns whose largest value in each piece is known
  points: { count: number; failures: number; all_failures: number; exact: boolean; case: Ref; class: Ref; message: Texts; outcome: Texts };
  case_pages: number[];
  scenario: string;
}

/** A column with its numbers; of points, not of all cases. */
export interface Column extends ColumnHead {
  short: string; // its name without what all inputs begin with
  values: Float64Array;
  bins: Float64Array; // counts, class by class
}

export interface MapData { x: number; y: number; effect: number; counts: Float64Array; low: Float64Array; high: Float64Array; largest: Float64Array }

export interface Sweep {
  head: Head;
  columns: Column[];
  maps: MapData[];
  bands: Band[];
  search: boolean; // whose cases are no fair draws
  drawn: boolean; // at random: shares of its cases estimate probabilities
  numbers: Float64Array; // of the points' cases, ascending
  classes: Float64Array;
  messages: (point: number) => string;
  outcomes: (point: number) => string;
  prefix: string; // what the names of all inputs begin with
}

export function readHead(text: string): Head {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('@')) throw new Damaged('This page holds no sweep: it is the empty template.');
  let head: Partial<Head>;
  try {
    head = JSON.parse(trimmed) as Partial<Head>;
  } catch {
    throw new Damaged('The description of the sweep in this page is damaged and cannot be read.');
  }
  if (head.format !== 1 || head.kind !== 'sweep') {
    throw new Damaged(`This page is written in format ${String(head.format)} of kind ${String(head.kind)}; it can only show format 1 of a sweep.`);
  }
  return head as Head;
}

export function readSweep(head: Head, base64: string): Sweep {
  const block = Block.decode(base64);
  const needed = bytesNeeded(head);
  if (block.bytes < needed) throw new Damaged(`The data block of this page is cut short: ${block.bytes} of ${needed} bytes are there.`);
  const inputs = head.columns.filter((c) => c.role === 'input').map((c) => c.name);
  const prefix = commonPrefix(inputs);
  const none = new Float64Array();
  const texts = (t: Texts) => {
    const codes = block.read(t.data);
    return (point: number) => t.labels[codes[point]!] ?? '(too many different texts for a page; it is in the file)';
  };
  return {
    head,
    columns: head.columns.map((c) => ({
      ...c,
      short: c.role === 'input' ? c.name.slice(prefix.length) : c.name,
      values: block.read(c.data),
      bins: c.counts ? block.read(c.counts) : none,
    })),
    maps: head.maps.map((m) => ({ ...m, counts: block.read(m.counts), low: block.read(m.low), high: block.read(m.high), largest: block.read(m.largest) })),
    bands: (head.bands ?? []).map((b) => readBand(b, block)),
    search: isSearch(head.study),
    drawn: head.random && !isSearch(head.study),
    numbers: block.read(head.points.case),
    classes: block.read(head.points.class),
    messages: texts(head.points.message),
    outcomes: texts(head.points.outcome),
    prefix,
  };
}

function readBand(band: BandOf<Ref>, block: Block): Band {
  const { name, unit, description } = band;
  const numbers = Object.fromEntries((['t', 'count', ...bandKeys] as const).map((key) => [key, block.read(band[key])]));
  return { name, unit, description, ...numbers } as Band;
}

/** A column by its name. */
export const columnOf = (head: Head, name: string): ColumnHead | null => head.columns.find((c) => c.name === name) ?? null;

/** " N", of the column that a text names, as a goal does. */
export function unitOf(head: Head, text: string): string {
  const named = head.columns.filter((c) => text.includes(c.name)).sort((a, b) => b.name.length - a.name.length)[0];
  return named && named.unit && named.unit !== '-' ? ` ${named.unit}` : '';
}

/** What all names begin with, up to a dot. */
function commonPrefix(names: readonly string[]): string {
  if (names.length < 2) return '';
  let common = names[0]!;
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  return common.slice(0, common.lastIndexOf('.') + 1);
}

/** "position.y [m]" */
export function label(column: Pick<Column, 'short' | 'unit'>): string {
  return column.unit && column.unit !== '-' ? `${column.short} [${column.unit}]` : column.short;
}

/** Whether a column of numbers has more than one value. */
export const varies = (column: Column): boolean => !column.text && (column.statistics?.max ?? 0) > (column.statistics?.min ?? 0);

/** Outputs in the order one reads them: loads, what else happened, audits, steps. */
export function readingOrder(columns: readonly Column[]): Column[] {
  const rank = ({ name }: Column) => (/force|torque|impulse|load|penetration/.test(name) ? 0 : name.startsWith('audit.') ? 2 : name.startsWith('steps.') ? 3 : 1);
  return columns.filter((c) => c.role === 'output').sort((a, b) => rank(a) - rank(b));
}

/** 63.3 %, with the decimals its interval deserves. */
export function percent(fraction: number, width = 0.02): string {
  if (!Number.isFinite(fraction)) return '–';
  if (fraction === 0 || fraction === 1) return `${100 * fraction} %`;
  const decimals = Math.min(Math.max(0, 1 - Math.floor(Math.log10(Math.max(100 * width, 1e-6)) + 1e-9)), 4);
  return `${(100 * fraction).toFixed(decimals)} %`;
}

/** Three digits; two beside an exponent. */
export function short(v: number | undefined): string {
  if (v === undefined) return '–';
  const text = figure(Number(v.toPrecision(3)));
  return text.includes('e') ? figure(Number(v.toPrecision(2))) : text;
}

/** 10 000 */
export function whole(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A table as text; numbers as they are in the file. */
export function toCsv(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const field = (v: string | number) => {
    if (typeof v === 'number') return Number.isNaN(v) ? '' : String(v);
    return /[",\n\r]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v;
  };
  return `${[header, ...rows].map((row) => row.map(field).join(',')).join('\n')}\n`;
}
