// SPDX-License-Identifier: Apache-2.0
// What must hold of every page, whatever run it shows: nothing overlaps, nothing is cut off, everything can be
// read and reached and worked by keys.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Page, expect } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { overflow } from './browser';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const controls = 'a[href], button, input, select, summary, textarea, [tabindex="0"]';

export const modes = [['light', 1280], ['dark', 1280], ['light', 390]] as const;

/** Light and dark, wide and narrow, on a page that is open. `seen` is called in each. */
export async function checkLooks(page: Page, seen: (mode: string, width: number) => Promise<void> = async () => {}): Promise<void> {
  const frames = () => page.evaluate(() => window.berth.scene?.frames ?? -1);
  for (const [mode, width] of modes) {
    const before = await frames();
    await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    // The picture follows a little later, and its labels with it.
    if (before > 0) await expect.poll(frames).toBeGreaterThan(before);
    await page.waitForTimeout(150);
    expect(await clashes(page), `${mode}, ${width} px`).toEqual([]);
    expect(await overflow(page), `${mode}, ${width} px`).toBeLessThanOrEqual(0);
    expect(await axe(page), `${mode}, ${width} px`).toEqual([]);
    await seen(mode, width);
  }
}

/** Texts and controls that overlap, and texts that are cut off, among what can be seen. */
export const clashes = (page: Page) => page.evaluate((controlNames) => {
  interface Item { e: Element; text: string; b: { left: number; top: number; right: number; bottom: number } }
  const scrolls = (style: CSSStyleDeclaration) => /auto|scroll/.test(style.overflowX + style.overflowY);
  const items: Item[] = [];
  const out: string[] = [];
  /** The part of a box that its ancestors let through; what can be scrolled to does not count as cut. */
  const clip = (e: Element, box: DOMRect) => {
    const b = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
    let cut = 0;
    for (let a: Element | null = e; a && a !== document.documentElement; a = a.parentElement) {
      const style = getComputedStyle(a);
      if (style.overflow === 'visible') continue;
      const c = a.getBoundingClientRect();
      if (!scrolls(style) && style.textOverflow !== 'ellipsis') cut = Math.max(cut, c.left - b.left, b.right - c.right, c.top - b.top - 2, b.bottom - c.bottom - 2);
      b.left = Math.max(b.left, c.left); b.right = Math.min(b.right, c.right); b.top = Math.max(b.top, c.top); b.bottom = Math.min(b.bottom, c.bottom);
    }
    return { b, cut };
  };
  const add = (e: Element, text: string, box: DOMRect) => {
    if (box.width < 1 || box.height < 1) return;
    const { b, cut } = clip(e, box);
    if (b.right - b.left < 2 || b.bottom - b.top < 2) return;
    if (cut > 2) out.push(`cut off by ${cut.toFixed(0)} px: "${text}"`);
    items.push({ e, text, b });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement!;
    const text = node.textContent!.trim();
    if (text === '' || !e.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) || e.closest('script, style, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // Lines of small type have boxes taller than what is drawn.
    for (const line of range.getClientRects()) add(e, text, new DOMRect(line.left, line.top + 0.15 * line.height, line.width, 0.7 * line.height));
    const style = getComputedStyle(e);
    if (style.textOverflow === 'ellipsis' && e.scrollWidth > e.clientWidth + 1 && !e.closest('[title]')) out.push(`cut off without a title: "${text}"`);
  }
  for (const e of document.querySelectorAll(controlNames)) {
    if (e.matches('canvas, [role=region]') || !e.checkVisibility({ checkVisibilityCSS: true })) continue;
    add(e, `control ${e.getAttribute('aria-label') ?? e.textContent ?? e.tagName}`, e.getBoundingClientRect());
  }
  items.sort((a, b) => a.b.left - b.b.left);
  items.forEach(({ e, text, b }, i) => {
    for (let k = i + 1; k < items.length && items[k]!.b.left < b.right - 2; k++) {
      const { e: f, text: other, b: c } = items[k]!;
      if (e.contains(f) || f.contains(e)) continue;
      // The inset is a button with a picture; readouts stand on it. Marks of a timeline are buttons as tall as it is.
      const covers = (x: Element, y: Element) => (x.matches('.inset') && y.closest('.readouts')) || (x.matches('.event') && y.closest('.event')) || x.matches('label') || y.closest('dialog');
      if (covers(e, f) || covers(f, e)) continue;
      // What is pinned to the window covers what scrolls below it.
      const pinned = (x: Element) => x.closest('.time-bar, .transport');
      if (pinned(e) !== pinned(f)) continue;
      const wide = Math.min(b.right, c.right) - Math.max(b.left, c.left);
      const high = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
      if (wide > 2 && high > 2) out.push(`"${text}" overlaps "${other}" (${wide.toFixed(0)} × ${high.toFixed(0)} px)`);
    }
  });
  return [...new Set(out)];
}, controls);

/** What axe finds against WCAG 2.1 AA. */
export async function axe(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const run = (window as unknown as { axe: { run: (where: Document, options: object) => Promise<AxeResults> } }).axe;
    const { violations } = await run.run(document, { runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }, resultTypes: ['violations'] });
    return violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 160)} ${n.failureSummary?.split('\n')[1]?.trim() ?? ''}`));
  });
}

/** Every control that can be seen is reached by Tab and shows it; then each is worked by keys, and none loses the focus. */
export async function checkKeys(page: Page): Promise<void> {
  const count = () => page.evaluate((names) => [...document.querySelectorAll(names)].filter((e) => (e as HTMLElement).offsetParent !== null && !e.matches(':disabled') && e.checkVisibility()).length, controls);
  await page.evaluate(() => {
    addEventListener('focusin', (e) => { (e.target as HTMLElement).dataset.reached = ''; });
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  const total = await count();
  const hidden: string[] = [];
  // Plots come to be as they scroll into view, and bring controls of their own.
  for (let k = 0; k < 3 * total + 100; k++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const e = document.activeElement!;
      if (e === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(e);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 ? '' : e.outerHTML.slice(0, 120);
    });
    if (name === null && k > 5) break;
    if (name) hidden.push(name);
  }
  expect(hidden, 'focus is not seen on').toEqual([]);
  const missed = await page.evaluate((names) => [...document.querySelectorAll<HTMLElement>(names)]
    .filter((e) => e.offsetParent !== null && !e.matches(':disabled') && e.checkVisibility() && e.dataset.reached === undefined)
    .map((e) => e.outerHTML.slice(0, 120)), controls);
  expect(missed, 'not reached by Tab').toEqual([]);

  await page.evaluate(() => { (document.activeElement as HTMLElement | null)?.blur(); scrollTo(0, 0); });
  page.on('download', (d) => void d.cancel());
  const lost: string[] = [];
  let worked = 0;
  for (let k = 0; k < 3 * total + 100; k++) {
    await page.keyboard.press('Tab');
    const what = await page.evaluate(() => {
      const e = document.activeElement as HTMLElement;
      return e === document.body ? null : {
        tag: e.tagName.toLowerCase(), type: (e as HTMLInputElement).type ?? '', name: e.getAttribute('aria-label') ?? e.textContent ?? '', full: e.matches('.full'), inside: !!e.closest('.exports'), many: e.matches('.others > summary'),
      };
    });
    if (!what) { if (worked > 5) break; continue; }
    worked++;
    if (what.inside && k % 7 !== 0) continue; // exports are alike
    const before = await count();
    if (what.tag === 'summary') {
      await page.keyboard.press('Enter');
      if ((await count()) > before + 60 || what.many) await page.keyboard.press('Enter');
    } else if (what.tag === 'select') await page.keyboard.press('ArrowDown');
    else if (what.type === 'range' || what.tag === 'canvas') await page.keyboard.press('ArrowRight');
    else if (what.type === 'search') await page.keyboard.type('a');
    else if (what.full) continue; // needs a window manager
    else await page.keyboard.press(what.type === 'checkbox' ? 'Space' : 'Enter');
    await page.evaluate(() => window.berth.player.pause()); // what plays on takes the machine
    if (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
    if (what.type === 'search') await page.keyboard.press('Backspace');
    if (await page.evaluate(() => document.activeElement === document.body)) lost.push(`${what.tag} "${what.name}"`);
  }
  expect(lost, 'focus is lost by').toEqual([]);
  expect(worked).toBeGreaterThan(10);
}
