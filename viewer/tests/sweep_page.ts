// SPDX-License-Identifier: Apache-2.0
// Fills the template of a sweep the way the program does; what must hold of every page of a sweep.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { folder, results } from './pages';

export const template = join(folder, 'dist/sweep_template.html');

export function fillPage(name: string, title: string, head: string, data: string): void {
  mkdirSync(join(results, 'pages'), { recursive: true });
  const values: Record<string, string> = { TITLE: title.replaceAll('&', '&amp;').replaceAll('<', '&lt;'), HEAD: head.replaceAll('<', '\\u003c'), DATA: data };
  writeFileSync(join(results, 'pages', `${name}.html`), readFileSync(template, 'utf8').replace(/@BERTH_(TITLE|HEAD|DATA)@/g, (_, hole: string) => values[hole]!));
}

export const layPage = (name: string, { head, data }: { head: { title: string }; data: string }): void => fillPage(name, head.title, JSON.stringify(head), data);

/** Texts whose contrast with what lies behind them is below 4.5 : 1. */
export const faintTexts = (page: Page) => page.evaluate(() => {
  const parse = (c: string) => (c.match(/[\d.]+/g) ?? ['0', '0', '0', '0']).map(Number);
  const luminance = (c: number[]) => c.slice(0, 3).map((v) => { const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; }).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i]!, 0);
  const behind = (e: Element | null): number[] => {
    for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3]! > 0) return c; }
    return [255, 255, 255];
  };
  const bad: string[] = [];
  for (const e of document.querySelectorAll('#page *')) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim());
    if (!own || !(e as HTMLElement).checkVisibility?.()) continue;
    const style = getComputedStyle(e);
    const a = luminance(parse(e instanceof SVGElement ? style.fill : style.color));
    const b = luminance(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${e.className} ${e.textContent!.slice(0, 30)}`);
  }
  return bad;
});
