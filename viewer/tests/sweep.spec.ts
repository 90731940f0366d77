// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Page, expect, test as base } from '@playwright/test';
import { address, results, screenshots } from './pages';
import { poison } from './sample';
import { faintTexts, fillPage, layPage, template } from './sweep_page';
import { makeSweep } from './sweep_sample';

interface SweepHook {
  head: { cases: number; classes: { good: boolean }[] };
  state: { point: number; number: number; x: number; y: number; select(p: number): void; setAxes(x: number, y: number): void; setColor(c: number): void };
  scatter: { drawn: number; place(point: number): [number, number] };
}
const hook = <T>(page: Page, read: (berth: SweepHook) => T) =>
  page.evaluate(`(${read.toString()})(window.berth)`) as Promise<T>;

/** Every test fails when its page complains to the console or asks the network for anything. */
const test = base.extend<{ page: Page }>({
  page: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('console', (m) => { if (m.type() === 'error') complaints.push(m.text()); });
    page.on('pageerror', (e) => complaints.push(String(e)));
    page.on('request', (r) => { if (!/^(file|data|blob):/.test(r.url())) complaints.push(r.url()); });
    await use(page);
    expect(complaints).toEqual([]);
  },
});

const sample = makeSweep();

test.beforeAll(() => {
  layPage('sweep', sample);
  layPage('sweep_grid', makeSweep({ cases: 120, random: false, pages: [17] }));
  layPage('sweep_sampled', makeSweep({ cases: 20_000, points: 2000 }));
  layPage('sweep_poison', makeSweep({ cases: 50, title: poison, names: poison }));
  layPage('sweep_large', makeSweep({ cases: 100_000 }));
  fillPage('sweep_cut', 'cut', JSON.stringify(sample.head), sample.data.slice(0, 4000));
  fillPage('sweep_bad', 'bad', '{"format": 1, "kind": ', '');
  fillPage('sweep_later', 'later', '{"format": 3, "kind": "sweep"}', '');
  writeFileSync(join(results, 'pages', 'x_case17.html'), '<!doctype html><title>case</title><p>the scene of case 17</p>');
});

const open = async (page: Page, name: string, hash = '') => {
  await page.goto(address(name) + hash);
  await page.waitForFunction(() => 'berth' in window);
};
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test('the template has three holes, each once, and is small', () => {
  const text = readFileSync(template, 'utf8');
  expect(text.match(/@BERTH_/g)).toHaveLength(3);
  expect(text).not.toMatch(/<(script|link)[^>]*(src|href)="(?!data:)/);
  expect(statSync(template).size).toBeLessThan(150_000);
});

test('10 000 cases: less than 8 MB, open in 2 s @pace', async ({ page }) => {
  const size = statSync(join(results, 'pages', 'sweep.html')).size;
  expect(size).toBeLessThan(8e6);
  await open(page, 'sweep');
  await page.waitForFunction(() => (window.berth as unknown as { scatter: { drawn: number } }).scatter.drawn > 0);
  const ready = await page.evaluate(() => performance.now());
  console.log(`sweep of 10 000: ${(size / 1e6).toFixed(2)} MB, drawn after ${ready.toFixed(0)} ms`);
  expect(ready).toBeLessThan(2000);
});

test('the verdict is one big number with its interval', async ({ page }) => {
  await open(page, 'sweep');
  const share = sample.head.as_expected.fraction;
  await expect(page.locator('.big strong')).toHaveText(`${(100 * share).toFixed(1)} %`);
  await expect(page.locator('.big')).toContainText('with 95 % confidence');
  await expect(page.locator('.legend li')).toHaveCount(3);
  await page.screenshot({ path: join(screenshots, 'sweep_light.png') });
  await page.screenshot({ path: join(screenshots, 'sweep_light_full.png'), fullPage: true });
});

test('a click on a case answers within 100 ms with its inputs and its command @pace', async ({ page }) => {
  await open(page, 'sweep');
  const at = await hook(page, (b) => b.scatter.place(4321));
  const canvas = page.locator('.scatter-frame canvas').last();
  const took = await canvas.evaluate((c, [x, y]) => {
    const box = c.getBoundingClientRect();
    const begun = performance.now();
    c.dispatchEvent(new MouseEvent('click', { clientX: box.left + x!, clientY: box.top + y!, bubbles: true }));
    void document.body.offsetHeight; // laid out
    return performance.now() - begun;
  }, at);
  console.log(`click: ${took.toFixed(1)} ms`);
  expect(took).toBeLessThan(100);
  const number = await hook(page, (b) => b.state.number);
  // Nothing lies nearer than what was found.
  const [fx, fy] = await hook(page, (b) => b.scatter.place(b.state.point));
  expect(Math.hypot(fx - at[0], fy - at[1])).toBeLessThan(1);
  await expect(page.locator('.command code')).toHaveText(`berth run --case ${number} x.h5`);
  await expect(page.locator('.case .values')).toContainText('position.z');
  expect(new URL(page.url()).hash).toBe(`#case=${number}`);
});

test('10 000 points are drawn again in no time @pace', async ({ page }) => {
  await open(page, 'sweep');
  const times: number[] = [];
  for (let i = 0; i < 9; i++) {
    times.push(await page.evaluate((c) => { const b = window.berth as unknown as SweepHook; b.state.setColor(c); return b.scatter.drawn; }, i % 2 ? -1 : 3));
  }
  times.sort((a, b) => a - b);
  console.log(`scatter drawn in ${times[4]!.toFixed(1)} ms (median of 9)`);
  expect(times[0]).toBeLessThan(50);
});

test('the address selects a case, and one that is not there is refused with a sentence', async ({ page }) => {
  await open(page, 'sweep', '#case=17');
  expect(await hook(page, (b) => b.state.number)).toBe(17);
  await page.locator('.case-head input').fill('99999');
  await page.keyboard.press('Enter');
  await expect(page.locator('.said')).toContainText('numbered 0 … 9999');
  expect(await hook(page, (b) => b.state.number)).toBe(17);
});

test('keys alone find cases, read the map and change the axes', async ({ page }) => {
  await open(page, 'sweep', '#case=17');
  await page.keyboard.press('n');
  expect(await hook(page, (b) => b.state.number)).toBe(18);
  await page.keyboard.press('p');
  await page.keyboard.press('f');
  expect(await hook(page, (b) => b.state.number)).toBeGreaterThan(17);
  await page.locator('.scatter-frame canvas').last().focus();
  const before = await hook(page, (b) => b.scatter.place(b.state.point));
  await page.keyboard.press('ArrowRight');
  const after = await hook(page, (b) => b.scatter.place(b.state.point));
  expect(after[0]).toBeGreaterThan(before[0]);
  await page.locator('.cell[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('.reading')).toContainText(/cases?/);
  await page.getByLabel('Across', { exact: true }).selectOption({ label: 'velocity.x [m/s]' });
  await expect(page.locator('.map .across')).toHaveText('velocity.x [m/s]');
  // Every control can be reached.
  const unreachable = await page.evaluate(() => [...document.querySelectorAll('button, select, input, a')].filter((e) => (e as HTMLElement).tabIndex < 0).length);
  expect(unreachable).toBe(0);
});

test('pieces of the map have their cases, whichever way round', async ({ page }) => {
  await open(page, 'sweep');
  const { x, y, kinds } = sample.values;
  const inside = [...x.keys()].filter((i) => x[i]! >= 0 && x[i]! < 0.0375 && y[i]! >= 0 && y[i]! < 0.005);
  const share = inside.filter((i) => kinds[i] === 0).length / inside.length;
  const cell = (ix: number, iy: number) => page.locator(`.cell[data-x="${ix}"][data-y="${iy}"]`);
  await expect(cell(4, 4).locator('b')).toHaveText((100 * share).toFixed(0));
  await expect(cell(4, 4).locator('small')).toHaveText(String(inside.length));
  await page.getByLabel('In each piece', { exact: true }).selectOption({ label: 'largest contacts.tip.force_peak [N]' });
  const most = Math.max(...inside.map((i) => sample.values.force[i]!));
  await expect(cell(4, 4).locator('b')).toHaveText(String(Number(most.toPrecision(3))));
  const other = await cell(2, 6).textContent();
  await page.evaluate(() => (window.berth as unknown as SweepHook).state.setAxes(1, 0));
  expect(await cell(6, 2).textContent()).toBe(other);
});

test('a class can be hidden, and the table has what is shown', async ({ page }) => {
  await open(page, 'sweep_grid');
  await expect(page.locator('.big')).toContainText('of the cases of the grid');
  await page.locator('.legend button').nth(1).click();
  const download = page.waitForEvent('download');
  await page.locator('.scatter .bar button').first().click();
  const text = readFileSync((await (await download).path())!, 'utf8');
  const rows = text.trim().split('\n');
  const bounced = makeSweep({ cases: 120, random: false }).values.kinds.filter((k) => k === 1).length;
  expect(rows).toHaveLength(1 + 120 - bounced);
  expect(rows[0]).toContain('craft.state.position.z [m]');
  expect(text).not.toContain('bounced_off,');
  const { values } = makeSweep({ cases: 120, random: false });
  const first = rows[1]!.split(',').map(Number);
  expect(first[1]).toBe(values.x[first[0]!]);
});

test('the worst cases are those with the largest load, and a row opens its case', async ({ page }) => {
  await open(page, 'sweep');
  const { force } = sample.values;
  const order = [...force.keys()].sort((a, b) => force[b]! - force[a]!);
  await expect(page.locator('.worst tbody tr')).toHaveCount(10);
  await page.getByLabel('Worst by', { exact: true }).selectOption({ label: 'contacts.tip.force_peak [N]' });
  await page.locator('.worst tbody button').nth(2).click();
  expect(await hook(page, (b) => b.state.number)).toBe(order[2]);
});

test('a case that was run has a link and its scene', async ({ page }) => {
  await open(page, 'sweep_grid', '#case=17');
  await expect(page.locator('.page-link a')).toHaveText('Open its page');
  expect(await page.locator('.page-link a').getAttribute('href')).toBe('./x_case17.html');
  await page.locator('.scene button').click();
  await expect(page.frameLocator('.scene iframe').locator('p')).toHaveText('the scene of case 17');
  await page.keyboard.press('n');
  await expect(page.locator('.scene')).toBeHidden();
});

test('a sample is stated', async ({ page }) => {
  await open(page, 'sweep_sampled');
  await expect(page.locator('#scatter-title')).toContainText(/failures and .* of the .* others/);
  await expect(page.locator('#map-title')).toContainText(/all 20.000 cases/);
});

test('100 000 points open and answer too @pace', async ({ page }) => {
  await open(page, 'sweep_large');
  const at = await hook(page, (b) => b.scatter.place(77_777));
  await page.locator('.scatter-frame canvas').last().click({ position: { x: at[0], y: at[1] } });
  const [x, y] = await hook(page, (b) => b.scatter.place(b.state.point));
  expect(Math.hypot(x - at[0], y - at[1])).toBeLessThan(2);
});

test('markup in names stays text', async ({ page }) => {
  await open(page, 'sweep_poison');
  await page.keyboard.press('f');
  await page.locator('.scatter-frame canvas').last().hover();
  expect(await page.evaluate(() => window.poisoned)).toBeUndefined();
  await expect(page.locator('h1')).toHaveText(poison);
  expect(await page.locator('#page img, #page script').count()).toBe(0);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

for (const [name, sentence] of [['sweep_cut', 'cut short'], ['sweep_bad', 'damaged'], ['sweep_later', 'format 3']] as const) {
  test(`${name} is refused with a sentence`, async ({ page }) => {
    await page.goto(address(name));
    await expect(page.locator('.complaint')).toContainText(sentence);
  });
}

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 1000, 390]) {
    test(`${scheme}, ${width} px: nothing sticks out, every text can be read`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 844 });
      await open(page, 'sweep');
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await faintTexts(page)).toEqual([]);
      await page.screenshot({ path: join(screenshots, `sweep_${scheme}_${width}.png`), fullPage: true });
    });
  }
}

// A page the program wrote: BERTH_SWEEP_PAGE names it.
const real = process.env.BERTH_SWEEP_PAGE;
test('the page the program wrote opens', async ({ page }) => {
  test.skip(!real || !existsSync(real), 'BERTH_SWEEP_PAGE names no page');
  await page.goto(`file://${resolve(real!)}`);
  await page.waitForFunction(() => 'berth' in window);
  console.log(`${(statSync(real!).size / 1e6).toFixed(2)} MB, ready after ${(await page.evaluate(() => performance.now())).toFixed(0)} ms`);
  await expect(page.locator('.big strong')).toHaveText(/\d/);
  await expect(page.locator('.cell b').first()).toHaveText(/\d|·/);
  await page.keyboard.press('f');
  await expect(page.locator('.command code')).toContainText('berth run --case');
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.screenshot({ path: join(screenshots, 'sweep_real.png') });
});
