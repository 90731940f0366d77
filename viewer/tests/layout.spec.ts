// SPDX-License-Identifier: Apache-2.0
// Light, dark, wide and narrow: nothing overlaps, nothing is cut off, everything stands out; keys do what the mouse
// does. On made-up pages, and on those the program wrote into the folder BERTH_PAGES.
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Page, expect } from '@playwright/test';
import { open, overflow, test } from './browser';
import { checkKeys, checkLooks } from './checks';
import { screenshots } from './pages';

// Two runs have every control that one has, and more.
test('nothing overlaps or is cut off, all can be read', async ({ page }) => {
  test.slow();
  await open(page, 'overlay', 2403.5);
  await checkLooks(page, async (mode, width) => { await page.screenshot({ path: join(screenshots, `first-${mode}-${width}.png`) }); });
});

// In `make soak`, as are keys on the pages of all scenarios.
test('keys reach and work everything @soak', async ({ page }) => {
  test.setTimeout(180_000);
  await open(page, 'overlay', 2403.5);
  await checkKeys(page);
});

// Of what the program wrote; keys, which take longest, on request.
const { BERTH_PAGES, BERTH_KEYS } = process.env;
for (const file of BERTH_PAGES ? readdirSync(BERTH_PAGES).filter((f) => f.endsWith('.html')).sort() : []) {
  const name = basename(file, '.html');
  test(`page of ${name}: nothing overlaps or is cut off, all can be read @pages`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`file://${resolve(BERTH_PAGES!, file)}`);
    await page.waitForFunction(() => 'berth' in window);
    await checkLooks(page, async (mode, width) => { await page.screenshot({ path: join(screenshots, `${name}-${mode}-${width}.png`) }); });
    await page.setViewportSize({ width: 1280, height: 800 });
    if (BERTH_KEYS) await checkKeys(page);
  });
}

/** Contrast after WCAG of the lines of a legend, which are no text, and what is behind them. */
const lineContrasts = (page: Page, selector: string) => page.locator(selector).evaluateAll((list) => {
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
  return list.map((e) => {
    const [a, b] = [light(getComputedStyle(e).borderTopColor), light(behind(e))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
});

for (const mode of ['light', 'dark'] as const) {
  test(`${mode}: lines stand out`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: mode });
    await open(page, 'usual');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(mode);
    await page.locator('input[type=search]').fill('servicer.omega_BN_B');
    await page.locator('[data-channel="servicer.omega_BN_B"] .legend button').first().waitFor();
    const ratios = await lineContrasts(page, '[data-channel="servicer.omega_BN_B"] .legend .key');
    expect(ratios).toHaveLength(3);
    for (const ratio of ratios) expect(ratio).toBeGreaterThan(3);
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
