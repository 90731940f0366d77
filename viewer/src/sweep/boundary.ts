// SPDX-License-Identifier: Apache-2.0
// Where the share as expected falls below 50, 95 and 99 %: contours over two inputs, and the nodes they follow from.
import { el, svg } from '../dom';
import { saveText } from '../export';
import { theme } from '../theme';
import { type Axes, chart, pathOf } from './chart';
import { shareFill } from './colors';
import { columnOf, label, percent, short, toCsv, whole } from './data';
import { unitText } from './scatter';
import type { State } from './state';
import { type Boundary, type Point, isBoundary } from './study';

const levelText = (level: number) => `${Number((100 * level).toPrecision(4))} %`;

export function buildBoundary(state: State): HTMLElement | null {
  const { study } = state.sweep.head;
  if (!isBoundary(study) || study.nodes.length === 0) return null;
  const [x, y] = study.boundary.map((key) => columnOf(state.sweep.head, key) ?? { name: key, unit: '' }) as [{ name: string; unit: string }, { name: string; unit: string }];
  const nameOf = (c: { name: string; unit: string }) => label({ short: c.name.slice(c.name.startsWith(state.sweep.prefix) ? state.sweep.prefix.length : 0), unit: c.unit });
  const range = (k: 0 | 1) => {
    const list = study.nodes.map((n) => n[k]);
    const low = Math.min(...list);
    const high = Math.max(...list);
    return { low: low - 0.02 * (high - low), high: high + 0.02 * (high - low) };
  };
  const found = study.contours.filter((c) => c.lines.length > 0);
  const missing = study.contours.filter((c) => c.lines.length === 0).map((c) => levelText(c.level));
  const picture = chart({
    name: `Share as expected over ${nameOf(x)} across and ${nameOf(y)} up: ${study.nodes.length} nodes${found.length > 0 ? `, contours of ${found.map((c) => levelText(c.level)).join(', ')}` : ''}`,
    height: 460, x: { label: nameOf(x), ...range(0) }, y: { label: nameOf(y), ...range(1) },
    draw: (axes) => { drawNodes(axes, study, x.unit, y.unit); drawContours(axes, study); },
  });
  const save = () => saveText(`${state.sweep.head.stem}_boundary.csv`, 'text/csv', toCsv(['level', 'line', `${x.name} [${x.unit}]`, `${y.name} [${y.unit}]`],
    study.contours.flatMap((c) => c.lines.flatMap((line, k) => line.points.map(([a, b]) => [c.level, k, a, b])))));
  const stops = () => Array.from({ length: 9 }, (_, i) => shareFill(i / 8).back).join(', ');
  const ramp = el('span', { class: 'ramp' });
  const paint = () => { ramp.style.background = `linear-gradient(to right, ${stops()})`; };
  paint();
  theme.subscribe(paint);
  return el('section', { class: 'panel', 'aria-labelledby': 'boundary-title' },
    el('h2', { id: 'boundary-title' }, 'Boundary', el('span', { class: 'count' }, `${whole(study.nodes.length)} nodes of ${whole(study.nodes[0]![3])} cases each, close together where the share changes; the other inputs are drawn at random at each`)),
    picture,
    el('div', { class: 'bar boundary-key' }, el('span', { class: 'ramp-key' }, el('span', {}, '0'), ramp, el('span', {}, '100 % as expected')),
      ...found.map((c) => el('span', { class: 'line-key' }, svg('svg', { width: 28, height: 10, 'aria-hidden': 'true' }, svg('path', { d: 'M0 5H28', class: `contour ${dashOf(study, c.level)}` })), levelText(c.level))),
      el('button', { type: 'button', title: 'Points of the contours, as a table', onclick: save }, 'CSV')),
    missing.length > 0 && el('p', { class: 'count about' }, `No contour of ${missing.join(' and ')}: the estimated share does not cross it here.`));
}

/** The higher the level, the more solid its line. */
const dashOf = (study: Boundary, level: number): string => ['dotted', 'dashed', 'solid'][study.contours.findIndex((c) => c.level === level)] ?? 'solid';

function drawNodes({ picture, x, y, left, right }: Axes, study: Boundary, xUnit: string, yUnit: string): void {
  const r = study.nodes.length > 600 || right - left < 400 ? 2.5 : 3.5;
  for (const [a, b, good, trials] of study.nodes) {
    picture.append(svg('circle', { cx: x(a), cy: y(b), r, fill: shareFill(trials > 0 ? good / trials : 0.5).back, class: 'node' },
      svg('title', {}, `${short(a)}${unitText(xUnit)}, ${short(b)}${unitText(yUnit)}: ${percent(good / trials, 0.2)}, ${good} of ${trials}`)));
  }
}

/** Lines with a label on the longest of each level, where no other label is near. */
function drawContours(axes: Axes, study: Boundary): void {
  const { picture, x, y, left, right, top, bottom } = axes;
  const labels: Point[] = [];
  const texts: SVGElement[] = [];
  for (const { level, lines } of study.contours) {
    const placed = lines.map((line) => ({ ...line, points: line.points.map(([a, b]): Point => [x(a), y(b)]) }));
    for (const line of placed) {
      picture.append(svg('path', { d: pathOf(line.points, line.closed), class: 'contour halo' }), svg('path', { d: pathOf(line.points, line.closed), class: `contour ${dashOf(study, level)}` }));
    }
    const longest = placed.reduce<Point[]>((most, line) => (line.points.length > most.length ? line.points : most), []);
    const free = (p: Point) => Math.min(...labels.map((q) => Math.hypot((p[0] - q[0]) / 2, p[1] - q[1])), p[0] - left, right - p[0], p[1] - top, bottom - p[1]);
    const at = longest.reduce<Point | null>((best, p) => (!best || free(p) > free(best) + 0.5 ? p : best), null);
    if (!at) continue;
    labels.push(at);
    texts.push(svg('text', { x: at[0], y: at[1] + 4, 'text-anchor': 'middle', class: 'contour-label' }, levelText(level)));
  }
  picture.append(...texts);
}
