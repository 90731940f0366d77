// SPDX-License-Identifier: Apache-2.0
// What a plot shows, taken along: a table, a drawing, a picture. The drawing is made from the data,
// and the picture from the drawing, so all three agree and none depends on the screen.
import { type Curve, type Signal, extent, padded } from './curves';
import { svg } from './dom';
import { paper } from './theme';
import { figure, logTicks, tickTexts, ticks } from './ticks';
import type { Range } from './view';

export interface Picture { signal: Signal; curves: Curve[]; range: Range }

/** A table with one time column per run, since runs need not share their times. */
export function csv({ signal, curves, range }: Picture): string {
  const axes = [...new Set(curves.map((c) => c.t))];
  const columns: { title: string; at: (row: number) => number | undefined }[] = [];
  let rows = 0;
  for (const t of axes) {
    const inside = [...t.keys()].filter((i) => t[i]! >= range[0] && t[i]! <= range[1]);
    rows = Math.max(rows, inside.length);
    columns.push({ title: 't [s]', at: (row) => t[inside[row]!] });
    for (const curve of curves.filter((c) => c.t === t)) {
      const title = curve.label === signal.quantity ? signal.name : `${signal.name} ${curve.label}`;
      columns.push({ title: `${title} [${signal.unit || '-'}]`, at: (row) => curve.y[inside[row]!] });
    }
  }
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [columns.map((c) => quoted(c.title)).join(',')];
  for (let row = 0; row < rows; row++) {
    lines.push(columns.map((c) => { const v = c.at(row); return v === undefined || Number.isNaN(v) ? '' : String(v); }).join(','));
  }
  return `${lines.join('\n')}\n`;
}

const width = 720;
const height = 360;
const left = 78;
const right = 16;
const top = 34;
const bottom = 46;

/** The drawing, complete with title, axes, units and legend. */
export function svgPlot({ signal, curves, range }: Picture): string {
  const [t0, t1] = range[1] > range[0] ? range : [range[0] - 0.5, range[0] + 0.5];
  const [y0, y1] = padded(extent(curves, t0, t1) ?? [signal.log ? 1 : 0, 1], signal.log);
  const scale = signal.log ? Math.log10 : (v: number) => v;
  const px = (t: number) => left + ((t - t0) / (t1 - t0)) * (width - left - right);
  const py = (y: number) => height - bottom - ((scale(y) - scale(y0)) / (scale(y1) - scale(y0))) * (height - top - bottom);

  const legendRows = Math.ceil(curves.length / 4);
  const total = height + 18 * legendRows;
  const page = svg('svg', {
    xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${total}`, width, height: total,
    'font-family': 'system-ui, sans-serif', 'font-size': 12, fill: paper.text,
  });
  page.append(svg('rect', { width, height: total, fill: paper.background }));
  page.append(svg('text', { x: left, y: 20, 'font-weight': 600 }, signal.name));

  // Grid and labels.
  const xs = ticks(t0, t1, 8);
  const ys = (signal.log ? logTicks : ticks)(y0, y1, 6);
  const xTexts = tickTexts(xs);
  const yTexts = signal.log ? { texts: ys.map(figure), common: '' } : tickTexts(ys);
  xs.forEach((t, i) => {
    page.append(
      svg('line', { x1: px(t), x2: px(t), y1: top, y2: height - bottom, stroke: paper.grid }),
      svg('text', { x: px(t), y: height - bottom + 16, 'text-anchor': 'middle' }, xTexts.texts[i]!));
  });
  ys.forEach((y, i) => {
    page.append(
      svg('line', { x1: left, x2: width - right, y1: py(y), y2: py(y), stroke: paper.grid }),
      svg('text', { x: left - 6, y: py(y) + 4, 'text-anchor': 'end' }, yTexts.texts[i]!));
  });
  page.append(
    svg('rect', { x: left, y: top, width: width - left - right, height: height - top - bottom, fill: 'none', stroke: paper.faint }),
    svg('text', { x: (left + width - right) / 2, y: height - 12, 'text-anchor': 'middle' }, `t [s]${xTexts.common}`),
    svg('text', { transform: `translate(14 ${(top + height - bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle' },
      `[${signal.unit || '-'}]${yTexts.common}`),
    svg('clipPath', { id: 'inside' },
      svg('rect', { x: left, y: top, width: width - left - right, height: height - top - bottom })));

  curves.forEach((curve, i) => {
    const stroke = paper.lines[curve.color % paper.lines.length]!;
    const style = { fill: 'none', stroke, 'stroke-width': 1.4, 'stroke-dasharray': curve.dash.join(' ') || 'none' };
    page.append(svg('path', {
      d: outline(curve, t0, t1, px, py), 'clip-path': 'url(#inside)',
      'stroke-linejoin': 'round', 'stroke-linecap': 'round', ...style,
    }));
    const x = left + (i % 4) * 155;
    const y = height + 18 * Math.floor(i / 4);
    page.append(
      svg('line', { x1: x, x2: x + 22, y1: y, y2: y, ...style }),
      svg('text', { x: x + 27, y: y + 4 }, curve.label));
  });
  return new XMLSerializer().serializeToString(page);
}

/** Moves and lines through the samples; the pen is lifted at gaps. One point beyond each end is kept. */
function outline(curve: Curve, t0: number, t1: number, px: (t: number) => number, py: (y: number) => number): string {
  const { t, y } = curve;
  let path = '';
  let down = false;
  for (let i = 0; i < t.length; i++) {
    const near = (t[i + 1] ?? t[i]!) >= t0 && (t[i - 1] ?? t[i]!) <= t1;
    if (!near || Number.isNaN(y[i]!)) { down = false; continue; }
    const point = `${px(t[i]!).toFixed(2)} ${py(y[i]!).toFixed(2)}`;
    // A lone sample becomes a line of no length, which round caps show as a dot.
    path += down ? `L${point}` : `M${point}L${point}`;
    down = true;
  }
  return path;
}

export function saveText(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** The drawing at twice its size, in pixels. */
export function savePng(name: string, picture: Picture): void {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(name, blob), 'image/png');
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgPlot(picture))}`;
}

function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[^\w.+-]+/g, '_');
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
