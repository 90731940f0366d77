// SPDX-License-Identifier: Apache-2.0
// Light, dark, wide and narrow: nothing overlaps, nothing is cut off, everything stands out.
import { join } from 'node:path';
import { type Page, expect } from '@playwright/test';
import { open, overflow, test } from './browser';
import { screenshots } from './pages';

/** Pairs of texts that overlap, and texts that are cut off, among what can be seen. */
const clashes = (page: Page) => page.evaluate(() => {
  const seen = [...document.querySelectorAll<HTMLElement>('.summary h1, .verdict, .tools button, .transport > *, .views button, .event .text, .card .label, .card .value, .card .limit, .axis .tick')]
    .filter((e) => e.offsetParent !== null && (e.textContent !== '' || e.matches('input')));
  const boxes = seen.map((e) => ({ e, b: e.getBoundingClientRect() })).filter(({ b }) => b.width > 0);
  const out: string[] = [];
  boxes.forEach(({ e, b }, i) => boxes.slice(i + 1).forEach(({ e: f, b: c }) => {
    if (e.contains(f) || f.contains(e)) return;
    const wide = Math.min(b.right, c.right) - Math.max(b.left, c.left);
    const high = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
    if (wide > 2 && high > 3) out.push(`${e.className} "${e.textContent}" covers ${f.className} "${f.textContent}"`);
  }));
  for (const { e } of boxes) if (e.matches('.card *, .views button') && e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0) out.push(`cut: "${e.textContent}"`);
  return out;
});

for (const [mode, width] of [['light', 1280], ['dark', 1280], ['light', 390], ['dark', 390]] as const) {
  test(`${mode}, ${width} px: nothing overlaps, nothing is cut off`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: mode });
    await page.setViewportSize({ width, height: 800 });
    await open(page, 'usual', 2403.5);
    await page.waitForTimeout(300);
    expect(await clashes(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: join(screenshots, `first-${mode}-${width}.png`) });
  });
}

/** Contrast after WCAG of a text and what is behind it. */
const contrasts = (page: Page, selectors: string[]) => page.evaluate((list) => {
  const rgb = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const light = (text: string) => {
    const [r, g, b] = rgb(text).slice(0, 3).map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const behind = (e: Element | null): string => {
    if (!e) return 'rgb(255,255,255)';
    const color = getComputedStyle(e).backgroundColor;
    return rgb(color)[3] === 0 ? behind(e.parentElement) : color;
  };
  return list.map((selector) => {
    const e = document.querySelector(selector);
    if (!e) return { selector, ratio: -1 };
    const [a, b] = [light(selector.includes('.key') ? getComputedStyle(e).borderTopColor : getComputedStyle(e).color), light(behind(e))];
    return { selector, ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) };
  });
}, selectors);

for (const mode of ['light', 'dark'] as const) {
  test(`${mode}: text and lines stand out`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: mode });
    await open(page, 'usual');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(mode);
    await page.waitForTimeout(300);
    await page.locator('input[type=search]').fill('servicer.omega_BN_B');
    await page.locator('[data-channel="servicer.omega_BN_B"] .legend button').first().waitFor();
    const texts = ['h1', '.verdict span:last-child', '.mark.good', '.mark.warn', '.mark.bad',
      '.card h3', '.card .label', '.card .value', '.card .limit', '.card .go', '.phase', '.event .text', '.axis .tick',
      '.plot:not([hidden]) h4', '.plot:not([hidden]) .description', '.legend button', '.reading', '.exports button', '.remarks span:last-child', '.clock',
      '.slowed', '.event-list summary'];
    for (const { selector, ratio } of await contrasts(page, texts)) expect(ratio, selector).toBeGreaterThan(4.5);
    const keys = [1, 2, 3].map((i) => `[data-channel="servicer.omega_BN_B"] .legend button:nth-child(${i}) .key`);
    for (const { selector, ratio } of await contrasts(page, keys)) expect(ratio, selector).toBeGreaterThan(3);
    if (mode === 'dark') await page.screenshot({ path: join(screenshots, 'dark.png') });
    await page.locator('button[aria-label="Light or dark"]').click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).not.toBe(mode);
  });
}

for (const name of ['rich', 'overlay', 'injection', 'empty']) {
  test(`${name}: a phone needs no sideways scrolling`, async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 720 });
    await open(page, name);
    await page.waitForTimeout(200);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    if (name !== 'rich') return;
    await page.screenshot({ path: join(screenshots, 'phone.png') });
    await page.locator('.scene').scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 800);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(screenshots, 'phone-below.png') });
    await page.locator('.source details').first().evaluate((e) => { (e as HTMLDetailsElement).open = true; });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
}
