// SPDX-License-Identifier: Apache-2.0
// What a sweep was asked beyond "how many": effects of inputs, percentiles, bands over time, and the searches.
import { join } from 'node:path';
import { type Page, expect } from '@playwright/test';
import { colorsOf, overflow, test } from './browser';
import { checkLooks } from './checks';
import { address, screenshots } from './pages';
import { poison } from './sample';
import { boundary, indices, never, optimum, ranks, rare, until } from './study_sample';
import { faintTexts, layPage } from './sweep_page';
import { makeSweep } from './sweep_sample';

const few = { cases: 400, bands: true, answers: ranks() };
const pages = {
  study_ranks: makeSweep(few),
  study_indices: makeSweep({ cases: 400, answers: indices, design: 'sobol' }),
  study_few: makeSweep({ cases: 100, answers: { ...ranks(), outputs: { ...ranks().outputs, 'contacts.tip.force_peak': { ...ranks().outputs['contacts.tip.force_peak'], p99_95: null } } } }),
  study_until: makeSweep({ ...few, study: until, bands: false }),
  study_unsure: makeSweep({ cases: 400, study: { ...until, until: 'as_expected ±0.1 % at 99 %', confidence: 0.99, is_sure: false } }),
  study_rare: makeSweep({ cases: 400, study: rare }),
  study_never: makeSweep({ cases: 400, study: never }),
  study_frequent: makeSweep({ cases: 400, study: { ...rare, probability: 0.034, low: 0.021, high: 0.052, without_failure: 2, thresholds: [381] } }),
  study_boundary: makeSweep({ cases: 400, study: boundary() }),
  study_optimum: makeSweep({ cases: 400, study: optimum() }),
  study_one_goal: makeSweep({ cases: 400, study: optimum(1) }),
  study_poison: makeSweep({ cases: 50, names: poison, title: poison, bands: true, answers: ranks(poison), study: { ...rare, rare: `contacts.tip.force_peak${poison} > 400` } }),
};

test.beforeAll(() => { for (const [name, page] of Object.entries(pages)) layPage(name, page); });

const open = async (page: Page, name: keyof typeof pages) => {
  await page.goto(address(name));
  await page.waitForFunction(() => 'berth' in window);
};
const big = (page: Page) => page.locator('.big');
const titles = (page: Page) => page.locator('main h2').evaluateAll((list) => list.map((e) => e.firstChild!.textContent));

test('a section is there only where it has something to show', async ({ page }) => {
  const usual = ['Envelope', 'Cases', 'Case', 'Loads and other outputs', 'Worst cases', 'Inputs'];
  const after = (name: string, more: string) => { const list = [...usual]; list.splice(list.indexOf(name) + 1, 0, more); return list; };
  const wanted: [keyof typeof pages, string[]][] = [
    ['study_unsure', usual], ['study_rare', ['Levels', ...usual]], ['study_boundary', ['Boundary', ...usual]], ['study_optimum', ['Best design', ...usual]], ['study_indices', after('Case', 'Which input matters')],
  ];
  for (const [name, list] of wanted) {
    await open(page, name);
    expect(await titles(page), name).toEqual(list);
  }
});

test('a sweep that stops when sure has the interval of its checks, and no other', async ({ page }) => {
  await open(page, 'study_until');
  await expect(big(page).locator('strong')).toHaveText('62.5 %');
  await expect(big(page)).toContainText('captured');
  await expect(big(page)).toContainText('with 95 % confidence 61.5 % … 63.5 %');
  await expect(big(page)).toContainText('holds however often it is checked (47 checks)');
  await expect(page.locator('.legend')).not.toContainText('…');
  await open(page, 'study_unsure');
  await expect(big(page).locator('b')).toHaveText('as expected');
  await expect(big(page)).toContainText('with 99 % confidence');
  await expect(big(page).locator('.doubt')).toContainText('wider than ±0.1 %');
});

test('a rare event is written with its power of ten, and has its levels', async ({ page }) => {
  await open(page, 'study_rare');
  await expect(big(page).locator('strong')).toHaveText('3.2·10⁻⁶');
  await expect(big(page).locator('b')).toHaveText('contacts.tip.force_peak > 400 N');
  await expect(big(page)).toContainText('with 95 % confidence 1.9 … 5.4·10⁻⁶');
  await expect(page.locator('.levels tbody tr')).toHaveText(['110⁻¹212', '210⁻²268', '310⁻³310', '410⁻⁴347', '510⁻⁵381']);
  // Thresholds rise to the right, probabilities fall, and the answer lies on the limit.
  const dots = await page.locator('.ladder circle').evaluateAll((list) => list.map((c) => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]));
  expect(dots).toHaveLength(6);
  for (let i = 1; i < 6; i++) { expect(dots[i]![0]).toBeGreaterThan(dots[i - 1]![0]!); expect(dots[i]![1]).toBeGreaterThan(dots[i - 1]![1]!); }
  expect(dots[5]![0]).toBeCloseTo(Number(await page.locator('.limit').getAttribute('x1')), 5);
  await open(page, 'study_never');
  await expect(big(page).locator('strong')).toHaveText('< 2.8·10⁻¹¹');
  await open(page, 'study_frequent');
  await expect(big(page).locator('strong')).toHaveText('3.4 %');
  await expect(big(page).locator('.doubt')).toContainText('2 of 10 replicates');
});

test('the share of cases of a search is nowhere shown as a probability', async ({ page }) => {
  for (const name of ['study_rare', 'study_boundary', 'study_optimum'] as const) {
    await open(page, name);
    const share = (100 * pages[name].head.as_expected.fraction).toFixed(1);
    await expect(page.locator('.verdict'), name).not.toContainText(`${share} %`);
    await expect(page.locator('.legend'), name).not.toContainText('%');
    await expect(page.locator('.search-note'), name).toContainText('no probabilities');
    await page.locator('.cell[tabindex="0"]').focus();
    await expect(page.locator('.map .reading'), name).not.toContainText('confidence');
    await expect(page.locator('main'), name).not.toContainText('explains');
  }
});

test('inputs are in the order of what they matter, pale where that may be nothing', async ({ page }) => {
  await open(page, 'study_ranks');
  const rows = page.locator('.effects li:not(.scale)');
  await expect(rows.locator('.input')).toHaveText(['sigma.y', 'velocity.x [m/s]', 'position.z [m]']);
  await expect(rows.nth(0)).toContainText('ρ −0.42 (−0.47 … −0.37)');
  await expect(page.locator('.effect-bar.unsure')).toHaveCount(1);
  // To the left of zero, as long as it is large: half of −0.5 … 0.5 is 0.5.
  const bar = rows.nth(0).locator('.effect-bar');
  expect(Number(await bar.getAttribute('x'))).toBeCloseTo(8, 6);
  expect(Number(await bar.getAttribute('width'))).toBeCloseTo(42, 6);
  // Outputs that are the same in all cases have no correlations, and are no choice.
  const choice = page.getByLabel('Output', { exact: true });
  await expect(choice.locator('option')).toHaveText(['as expected', 'contacts.tip.force_peak [N]']);
  await choice.selectOption({ index: 1 });
  await expect(rows.locator('.input')).toHaveText(['velocity.x [m/s]', 'position.z [m]', 'sigma.y']);
  await expect(rows.nth(2)).toContainText('ρ not known');
});

test('Sobol’s indices: first and total of each input', async ({ page }) => {
  await open(page, 'study_indices');
  const rows = page.locator('.effects li:not(.scale)');
  await expect(rows.locator('.input')).toHaveText(['sigma.y', 'position.z [m]', 'velocity.x [m/s]']);
  await expect(rows.nth(0)).toContainText('first 0.50 (0.40 … 0.60)');
  await expect(rows.nth(0)).toContainText('total 0.72 (0.60 … 0.84)');
  await expect(page.locator('.effects + .about')).toContainText('3 samples without a number are left out');
  const download = page.waitForEvent('download');
  await page.locator('[aria-labelledby="effects-title"] .bar button').click();
  expect((await download).suggestedFilename()).toBe('x_effects.csv');
  await expect(page.locator('.sub')).toContainText('Sobol’s sequence');
});

test('loads have their intervals and the 99/95 bound, or what it takes', async ({ page }) => {
  await open(page, 'study_ranks');
  const load = page.locator('.distribution').filter({ hasText: 'force_peak' }).first();
  await expect(load.locator('.percentile-interval')).toHaveText(['138 … 142', '250 … 271', 'above 290']);
  await expect(load.locator('.bound')).toHaveText('99 % below 312.3 N with 95 % confidence');
  await open(page, 'study_few');
  await expect(load.locator('.bound')).toHaveText('99 % with 95 % confidence takes 299 cases');
});

test('bands: readings at the pointer and by keys, cases under way among them', async ({ page }) => {
  await open(page, 'study_ranks');
  const band = page.locator('.band').first();
  await band.locator('canvas').waitFor();
  expect((await colorsOf(page, '.band canvas')).length).toBeGreaterThan(4);
  const reading = band.locator('.reading');
  await band.locator('.band-frame').focus();
  await page.keyboard.press('ArrowRight');
  await expect(reading).toContainText('400 of 400 cases under way');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  // t = 10 s: 10 sin(π/2) + 10.
  await expect(reading).toContainText('t 10.00 s: median 20 N; 25 … 75 % 18 … 23; 5 … 95 % 15 … 30; all 11 … 50; 200 of 400 cases under way');
  await page.keyboard.press('ArrowLeft');
  await expect(reading).toContainText('210 of 400');
  for (let i = 0; i < 3; i++) await page.keyboard.press('Shift+ArrowRight');
  await expect(reading).toHaveText('t 20.00 s: 0 of 400 cases under way.');
  const over = band.locator('.u-over');
  const box = (await over.boundingBox())!;
  await over.hover({ position: { x: box.width / 2, y: 40 } });
  await expect(reading).toContainText('200 of 400');
});

test('the boundary has its contours, labelled, and nodes by their share', async ({ page }) => {
  await open(page, 'study_boundary');
  const { nodes, contours } = boundary();
  await expect(page.locator('.chart .node')).toHaveCount(nodes.length);
  await expect(page.locator('.chart .contour-label')).toHaveText(['50 %', '95 %']);
  await expect(page.locator('.about')).toContainText('No contour of 99 %');
  await expect(page.locator('.chart .name')).toHaveText(['position.z [m]', /^sigma.y/]);
  // A contour lies where its points are, on the axes of the nodes.
  const where = async (selector: string) => { const b = (await page.locator(selector).first().boundingBox())!; return [b.x + b.width / 2, b.y + b.height / 2, b.width]; };
  const ring = await where('.chart .contour.dotted');
  const box = (await page.locator('.chart .box').boundingBox())!;
  expect(ring[0]).toBeCloseTo(box.x + box.width / 2, 0);
  expect(ring[2]! / box.width).toBeCloseTo(0.2 / (0.3 * 1.04), 1);
  const download = page.waitForEvent('download');
  await page.locator('.boundary-key button').click();
  const text = await (await download).createReadStream().then(async (s) => { let all = ''; for await (const part of s) all += String(part); return all; });
  expect(text.trim().split('\n')).toHaveLength(1 + contours.reduce((n, c) => n + c.lines.reduce((m, l) => m + l.points.length, 0), 0));
  // The axes of the cases are those of the boundary.
  await expect(page.getByLabel('Across', { exact: true }).locator('option:checked')).toHaveText('position.z [m]');
});

test('an optimum has its design beside the start, its progress and its front', async ({ page }) => {
  await open(page, 'study_optimum');
  await expect(big(page).locator('strong')).toHaveText('11');
  const rows = page.locator('.design tbody tr');
  await expect(rows).toHaveText([/velocity\.x \[m\/s\]0\.070\.05/, /contacts\.tip\.damping \[N·s\/m\]1049/, /least contacts\.tip\.force_peak \[N\]310168/, /least time7113/, /constraintsmet/]);
  // The front is one line from the left to the right and downwards; a far design does not stretch the axes.
  const ends = await page.locator('.optimum figure').nth(1).locator('.share').evaluateAll((list) => list.map((c) => [Number(c.getAttribute('cx')), Number(c.getAttribute('cy'))]));
  expect(ends).toHaveLength(11);
  for (let i = 1; i < 11; i++) { expect(ends[i]![0]).toBeGreaterThan(ends[i - 1]![0]!); expect(ends[i]![1]).toBeGreaterThan(ends[i - 1]![1]!); }
  expect(ends[10]![0]! - ends[0]![0]!).toBeGreaterThan(150);
  await expect(page.locator('.optimum figure').nth(1)).toContainText('1 lies outside');
  await expect(page.locator('.optimum .best-line')).toHaveCount(4); // key, a run, a restart, the front
  await open(page, 'study_one_goal');
  await expect(big(page).locator('strong')).toHaveText('168 N');
  await expect(big(page)).toContainText('from 310 N at the start');
  await expect(page.locator('.optimum figure')).toHaveCount(1);
});

test('markup in names of channels and criteria stays text', async ({ page }) => {
  await open(page, 'study_poison');
  await page.locator('.band canvas').first().waitFor();
  expect(await page.evaluate(() => window.poisoned)).toBeUndefined();
  expect(await page.locator('#page img, #page script').count()).toBe(0);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

for (const name of ['study_ranks', 'study_indices', 'study_rare', 'study_boundary', 'study_optimum'] as const) {
  test(`${name}: light, dark, 390 px: nothing overlaps or sticks out, every text can be read`, async ({ page }) => {
    await open(page, name);
    await checkLooks(page, async (mode, width) => {
      expect(await faintTexts(page)).toEqual([]);
      await page.screenshot({ path: join(screenshots, `${name}_${mode}_${width}.png`), fullPage: true });
    });
  });
}
