// SPDX-License-Identifier: Apache-2.0
// Which input matters: for one output, a bar for each input with its interval, the most first.
import { el, menu, svg } from '../dom';
import { saveText } from '../export';
import { figure } from '../ticks';
import { label, toCsv, whole } from './data';
import type { State } from './state';
import type { Interval, OutputAnswer } from './study';

interface Row { name: string; unit: string; bars: { kind: string; of: Interval }[] }

const known = (v: number | null | undefined): v is number => v !== null && v !== undefined && Number.isFinite(v);
const values = (answer: OutputAnswer): Interval[] => answer.sobol?.map((s) => s.total) ?? answer.spearman ?? [];
const isAnswered = (answer: OutputAnswer | undefined): boolean => !!answer && values(answer).some((i) => known(i.value));

export function buildEffects(state: State): HTMLElement | null {
  const answers = state.sweep.head.answers;
  const names = answers ? Object.keys(answers.outputs).filter((name) => isAnswered(answers.outputs[name])) : [];
  if (!answers || names.length === 0) return null;
  let chosen = names.includes('as_expected') ? 'as_expected' : names[0]!;
  const list = el('ol', { class: 'effects' });
  const about = el('p', { class: 'count about' });
  const draw = () => {
    const answer = answers.outputs[chosen]!;
    const rows = findRows(state, answers.inputs, answer);
    const scale = findScale(rows, !!answer.sobol);
    list.replaceChildren(...rows.map((row) => drawRow(row, scale)), el('li', { class: 'scale', 'aria-hidden': 'true' }, el('span'), drawScale(scale), el('span')));
    about.textContent = aboutText(answer, answers.ranked_cases);
  };
  draw();
  const options = names.map((name) => [name, outputLabel(state, name)] as const);
  const save = () => saveText(`${state.sweep.head.stem}_effects.csv`, 'text/csv', toCsv(['output', 'input', 'index', 'value', 'low', 'high'],
    names.flatMap((name) => findRows(state, answers.inputs, answers.outputs[name]!).flatMap((row) => row.bars.map(({ kind, of }) => [name, row.name, kind, of.value ?? NaN, of.low ?? NaN, of.high ?? NaN])))));
  return el('section', { class: 'panel', 'aria-labelledby': 'effects-title' },
    el('h2', { id: 'effects-title' }, 'Which input matters', el('span', { class: 'count' }, 'with 95 % intervals; the most first')),
    el('div', { class: 'bar' }, el('label', {}, 'for ', menu('Output', options, chosen, (v) => { chosen = v; draw(); })),
      el('button', { type: 'button', title: 'All of them, as a table', onclick: save }, 'CSV')),
    list, about);
}

function outputLabel(state: State, name: string): string {
  if (name === 'as_expected') return 'as expected';
  const column = state.sweep.columns.find((c) => c.name === name);
  return column ? label(column) : name;
}

function findRows(state: State, inputs: readonly string[], answer: OutputAnswer): Row[] {
  const size = (j: number) => Math.abs(values(answer)[j]?.value ?? -Infinity);
  const order = [...inputs.keys()].sort((a, b) => (size(b) === size(a) ? a - b : known(values(answer)[b]?.value) ? (known(values(answer)[a]?.value) ? size(b) - size(a) : 1) : -1));
  return order.map((j) => {
    const column = state.sweep.columns.find((c) => c.name === inputs[j]);
    const sobol = answer.sobol?.[j];
    const rho = answer.spearman?.[j];
    return {
      name: column?.short ?? inputs[j]!, unit: column && column.unit !== '-' ? column.unit : '',
      bars: sobol ? [{ kind: 'first', of: sobol.first }, { kind: 'total', of: sobol.total }] : rho ? [{ kind: 'rho', of: rho }] : [],
    };
  });
}

interface Scale { low: number; high: number; marks: number[] }

/** Shares of a variance lie in 0 … 1, correlations in −1 … 1; less where all are small. */
function findScale(rows: readonly Row[], shares: boolean): Scale {
  const ends = rows.flatMap((row) => row.bars.flatMap(({ of }) => [of.value, of.low, of.high])).filter(known);
  const largest = Math.max(...ends.map(Math.abs), 0);
  const reach = [0.1, 0.2, 0.5, 1].find((v) => v >= largest) ?? 1;
  if (!shares) return { low: -reach, high: reach, marks: [-reach, -reach / 2, 0, reach / 2, reach] };
  const low = Math.max(Math.min(...ends, 0), -0.2 * reach);
  return { low, high: reach, marks: [0, reach / 2, reach] };
}

const at = (scale: Scale, v: number) => (100 * (Math.min(Math.max(v, scale.low), scale.high) - scale.low)) / (scale.high - scale.low);

/** The bars stretch with the page, so lengths across are shares of it. */
function drawRow(row: Row, scale: Scale): HTMLElement {
  const high = row.bars.length > 1 ? 24 : 16;
  const picture = svg('svg', { class: 'bars', viewBox: `0 0 100 ${high}`, height: high, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('line', { x1: at(scale, 0), x2: at(scale, 0), y1: 0, y2: high, class: 'zero' }));
  row.bars.forEach(({ kind, of }, k) => {
    if (!known(of.value)) return;
    const y = row.bars.length > 1 ? 2 + 11 * k : 3;
    const ends = [at(scale, 0), at(scale, of.value)].sort((a, b) => a - b) as [number, number];
    picture.append(svg('rect', { x: ends[0], width: Math.max(ends[1] - ends[0], 0.2), y, height: 9, class: `effect-bar ${kind}${isUnsure(of) ? ' unsure' : ''}` }));
    if (known(of.low) && known(of.high)) {
      picture.append(svg('line', { x1: at(scale, of.low), x2: at(scale, of.high), y1: y + 4.5, y2: y + 4.5, class: 'reach' }),
        ...[of.low, of.high].map((v) => svg('line', { x1: at(scale, v), x2: at(scale, v), y1: y + 1.5, y2: y + 7.5, class: 'reach' })));
    }
  });
  return el('li', {}, el('span', { class: 'input' }, row.name, row.unit && el('span', { class: 'count' }, ` [${row.unit}]`)), picture,
    el('span', { class: 'figures' }, ...row.bars.map(({ kind, of }) => el('span', {}, barText(kind, of)))));
}

/** Whether its interval holds 0. */
const isUnsure = ({ low, high }: Interval): boolean => !known(low) || !known(high) || (low <= 0 && high >= 0);

const two = (v: number | null) => (known(v) ? v.toFixed(2).replace(/^-(0\.00)$/, '$1').replace('-', '−') : '–');

function barText(kind: string, of: Interval): string {
  const name = kind === 'rho' ? 'ρ' : kind;
  if (!known(of.value)) return `${name} not known`;
  return `${name} ${two(of.value)} (${two(of.low)} … ${two(of.high)})`;
}

function drawScale(scale: Scale): HTMLElement {
  return el('div', { class: 'marks' }, ...scale.marks.map((v) => el('span', { style: `left: ${at(scale, v)}%` }, figure(v))));
}

function aboutText(answer: OutputAnswer, ranked: number): string {
  const pale = 'Pale where the interval holds 0.';
  if (!answer.sobol) {
    return `Spearman’s rank correlation ρ of ${whole(ranked)} cases: 1 where the output always rises with the input, −1 where it falls. ${pale} `
      + 'An input that acts alike to both sides has ρ near 0 however much it matters: its plot below shows it, and so do Sobol’s indices (--indices).';
  }
  const left = answer.left_out ? ` ${whole(answer.left_out)} samples without a number are left out.` : '';
  return `Sobol’s indices, shares of the output’s variance: first order, of the input alone; total, with all it does together with others. ${pale}${left}`;
}
