// SPDX-License-Identifier: Apache-2.0
// The page of a live run, in a browser, served by a program that the test moves.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Page, expect, test as base } from '@playwright/test';
import { readHead } from '../src/live/data';
import { percentile } from '../src/live/histogram';
import { findMargin } from '../src/live/margin';
import { count, duration, energyText, milliseconds } from '../src/live/numbers';
import { axe, clashes, modes } from './checks';
import { colorsOf, overflow } from './browser';
import { LiveRun, LiveServer, binEnds, fillLive, liveHead, liveTemplate } from './live_server';
import { screenshots } from './pages';

interface Hook {
  held: boolean;
  store: { traces: { t: number[]; value: (number | null)[] }[] };
  scene: { frames: number; outlines(): { name: string; left: number; right: number; top: number; bottom: number }[]; pose(name: string): { position: number[] } };
}
const hook = <T>(page: Page, read: (live: Hook) => T) => page.evaluate(`(${read.toString()})(window.berthLive)`) as Promise<T>;

interface Shown { run: LiveRun; server: LiveServer; allowed: RegExp[]; show(head?: object): Promise<void>; go(t: number): Promise<void> }

/** A run and its page. Every test fails when the page complains, but for what the test expects it to. */
const test = base.extend<{ live: Shown }>({
  live: async ({ page }, use) => {
    const run = new LiveRun();
    const complaints: string[] = [];
    const allowed: RegExp[] = [];
    page.on('console', (m) => { if (m.type() === 'error') complaints.push(m.text()); });
    page.on('pageerror', (e) => complaints.push(String(e)));
    const live: Shown = {
      run, allowed, server: undefined as unknown as LiveServer,
      async show(head = {}) {
        live.server = await LiveServer.open(fillLive(liveHead(head)), () => run.message(true));
        page.on('request', (r) => { if (!r.url().startsWith(live.server.address) && !/^(data|blob):/.test(r.url())) complaints.push(r.url()); });
        await page.goto(live.server.address);
        await page.waitForFunction('"berthLive" in window');
      },
      /** The run goes on to a time, in messages as the program sends them; the page has drawn when it returns. */
      async go(t) {
        while (run.t < t - 1e-9) {
          run.t = Math.min(run.t + 0.25, t);
          live.server.send(run.message());
        }
        await expect(page.locator('.field.of-time')).toContainText(t.toFixed(3));
        await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
      },
    };
    await use(live);
    await live.server?.close();
    expect(complaints.filter((c) => !allowed.some((a) => a.test(c)))).toEqual([]);
  },
});

test('the template has three holes, each once, is small, and may only ask who serves it', () => {
  const text = readFileSync(liveTemplate, 'utf8');
  for (const hole of ['<title>@BERTH_TITLE@</title>', '<script id="berth-head" type="application/json">@BERTH_HEAD@</script>', '<script id="berth-data" type="text/plain">@BERTH_DATA@</script>']) {
    expect(text.split(hole).length).toBe(2);
  }
  expect(text.match(/@BERTH_/g)).toHaveLength(3);
  expect(text).toContain("default-src 'none'");
  expect(text).toContain("connect-src 'self'");
  expect(statSync(liveTemplate).size).toBeLessThan(1_200_000);
});

test('the first screen has state, both craft, margin and plots', async ({ page, live }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await live.show();
  await live.go(5.1);
  await expect(page.locator('.state-word')).toHaveText('running');
  await expect(page.locator('.field.of-clock')).toContainText('5.100 s');
  await expect(page.locator('.field.of-pace')).toContainText('×1');
  await expect(page.locator('.field.of-contact')).toContainText('touching');
  await expect(page.locator('.field.of-refused')).toContainText('3');
  await expect(page.locator('.gauge-head')).toHaveText(/delay 20\.8 ms of h\* 174 ms, margin 153 ms/);
  await expect(page.locator('.gauge')).toContainText('latency 16 ms');
  await expect(page.locator('.gauge')).toContainText('half a hold period 0.5 ms');
  await expect(page.locator('.gauge')).toContainText('dead time of the robots 4.3 ms');
  for (const [strip, title] of [['force', 'contact force [N]'], ['gap', 'gap [mm]'], ['energy', 'contact energy balance [J]'], ['timing', 'times [µs]']]) {
    const plot = page.locator(`[data-strip="${strip}"]`);
    await expect(plot.locator('h3')).toHaveText(title!);
    expect((await colorsOf(page, `[data-strip="${strip}"] canvas`)).length, strip).toBeGreaterThan(4);
    const box = (await plot.boundingBox())!;
    expect(box.y + box.height, strip).toBeLessThanOrEqual(800);
    expect(box.height, strip).toBeGreaterThan(90);
  }
  await expect(page.locator('[data-strip="force"] .strip-note')).toHaveText('peak 24 N at 5.000 s');
  await page.waitForFunction('window.berthLive.scene.frames > 1');
  const frame = (await page.locator('.stage-frame').boundingBox())!;
  expect(frame.width * frame.height).toBeGreaterThan(0.55 * 1280 * 800);
  expect(frame.y + frame.height).toBeLessThanOrEqual(800);
  const inset = (await page.locator('.inset').boundingBox())!;
  for (const o of (await hook(page, (w) => w.scene.outlines())).filter((each) => !each.name.includes('.'))) {
    expect(o.left, o.name).toBeGreaterThanOrEqual(0);
    expect(o.right, o.name).toBeLessThanOrEqual(frame.width);
    expect(o.top, o.name).toBeGreaterThanOrEqual(inset.y + inset.height - frame.y); // below the port camera
    expect(o.bottom, o.name).toBeLessThanOrEqual(frame.height);
    expect((o.right - o.left) * (o.bottom - o.top), o.name).toBeGreaterThan(0.02 * frame.width * frame.height);
  }
  await expect(page.locator('.readouts dd[data-readout="tip.force"]')).toHaveText(/ N$/);
  await expect(page.locator('.readouts dd[data-readout="meeting.closing"]')).toHaveText('−20 mm/s');
});

test('the newest pose moves the scene', async ({ page, live }) => {
  await live.show();
  await live.go(1);
  await page.waitForFunction('window.berthLive.scene && window.berthLive.scene.frames > 0');
  const separation = () => hook(page, (w) => Math.hypot(...w.scene.pose('target').position.map((x, i) => x - w.scene.pose('chaser').position[i]!)));
  const before = await separation();
  await live.go(4);
  expect(before - await separation()).toBeCloseTo(0.06, 6);
});

test('points stand at the times they came with, and half a minute of them is kept', async ({ page, live }) => {
  await live.show();
  await live.go(45);
  const { t, value } = await hook(page, (w) => w.store.traces[0]!);
  expect(t[0]).toBeLessThanOrEqual(15.02);
  expect(t[0]).toBeGreaterThan(8); // some are taken off at a time
  expect(t.at(-1)).toBeCloseTo(44.99, 6);
  expect(t.every((x, i) => i === 0 || x > t[i - 1]!)).toBe(true);
  t.forEach((x, i) => expect(value[i]).toBeCloseTo(live.run.force(x), 9));
});

for (const [gain, note, warns] of [[-0.3, 'contact takes energy', false], [0.12, '▲ loop feeds energy', true]] as const) {
  test(`a bounce that gains ${gain} J: ${note}, in words and in colour`, async ({ page, live }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    live.run.gain = gain;
    await live.show();
    await live.go(7);
    const words = page.locator('[data-strip="energy"] .strip-note');
    await expect(words).toHaveText(note);
    await expect(words).toHaveClass(warns ? /warns/ : /^strip-note$/);
    const warning = 0x8a5700;
    expect((await colorsOf(page, '[data-strip="energy"] canvas')).includes(warning)).toBe(warns);
  });
}

test('a connection that is lost is said to be; the last picture stays; it resumes with what was missed', async ({ page, live }) => {
  live.allowed.push(/Failed to load resource/, /ERR_/);
  await live.show();
  await live.go(3);
  await page.waitForFunction('window.berthLive.scene && window.berthLive.scene.frames > 0');
  live.server.refuses = true;
  live.server.drop();
  await expect(page.locator('.state-word')).toHaveText('no connection');
  await expect(page.locator('.state-verdict')).toContainText('last known: running');
  await expect(page.locator('.field.of-time')).toContainText('3.000');
  expect((await colorsOf(page, '[data-strip="gap"] canvas')).length).toBeGreaterThan(4);
  await page.screenshot({ path: join(screenshots, 'live-lost.png') });
  expect(await axe(page)).toEqual([]);
  // The run goes on meanwhile.
  live.run.t = 6;
  live.server.refuses = false;
  await expect(page.locator('.state-word')).toHaveText('running', { timeout: 8000 });
  await live.go(6.25);
  const t = await hook(page, (w) => w.store.traces[0]!.t);
  expect(Math.max(...t.slice(1).map((x, i) => x - t[i]!))).toBeLessThan(0.02);
});

test('a program that is silent is as good as lost', async ({ page, live }) => {
  await live.show();
  await live.go(1);
  await expect(page.locator('.state-word')).toHaveText('no connection', { timeout: 8000 });
  await expect(page.locator('.state-word')).toHaveText('running', { timeout: 8000 }); // it is asked again, and answers
});

test('a running loop without ticks is said to be', async ({ page, live }) => {
  await live.show();
  await live.go(1);
  const { now: _, ...alive } = live.run.message();
  const timer = setInterval(() => live.server.send(alive), 300);
  await expect(page.locator('.state-verdict')).toContainText('no tick for', { timeout: 6000 });
  await expect(page.locator('.state-word')).toHaveText('running');
  clearInterval(timer);
});

test('what is held stands still, while the state goes on', async ({ page, live }) => {
  await live.show();
  await live.go(2);
  await page.keyboard.press('Space');
  await expect(page.locator('.held')).toHaveText('Plots and scene are held at t = 2.000 s. The run goes on.');
  const picture = () => page.locator('[data-strip="gap"] canvas').evaluate((c) => (c as HTMLCanvasElement).toDataURL());
  const before = await picture();
  await live.go(3);
  expect(await picture()).toBe(before);
  await expect(page.locator('.field.of-time')).toContainText('3.000');
  await page.locator('button', { hasText: 'Follow' }).click();
  await expect.poll(picture).not.toBe(before);
  await expect(page.locator('.held')).toBeHidden();
});

test('a run that stops shows its verdict, as text', async ({ page, live }) => {
  await live.show({ title: '<img src=x onerror="window.poisoned=true">' });
  await live.go(1);
  Object.assign(live.run, { state: 'stopped', level: 'bad', verdict: 'force beyond its limit <script>window.poisoned=true</script>' });
  live.server.send(live.run.message());
  await expect(page.locator('.state-word')).toHaveText('stopped');
  await expect(page.locator('.state-verdict')).toHaveText('force beyond its limit <script>window.poisoned=true</script>');
  await expect(page.locator('.state')).toHaveAttribute('data-level', 'bad');
  expect(await page.evaluate('window.poisoned')).toBeUndefined();
});

test('histograms and counters', async ({ page, live }) => {
  await live.show();
  await live.go(3);
  const jitter = page.locator('.card', { hasText: 'Jitter of ticks' });
  expect(await jitter.locator('.bin').count()).toBe(4); // three, and that of the one late tick
  await expect(jitter).toContainText('half within 11.3 µs, 99 % within 16 µs, of 2\u00a0701');
  await expect(page.locator('.card', { hasText: 'Counters' })).toContainText('stranger3');
  await expect(page.locator('.card', { hasText: 'Counters' })).not.toContainText('crc');
  await expect(page.locator('.card', { hasText: 'Largest so far' })).toContainText('910 µs at 2.500 s');
});

test('nothing overlaps or is cut off, all can be read', async ({ page, live }) => {
  test.slow();
  await live.show();
  await live.go(5.1);
  await page.waitForFunction('window.berthLive.scene && window.berthLive.scene.frames > 0');
  for (const [mode, width] of modes) {
    await page.emulateMedia({ colorScheme: mode });
    await page.setViewportSize({ width, height: 800 });
    await live.go(live.run.t + 0.1);
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(screenshots, `live-${mode}-${width}.png`) });
    expect(await clashes(page), `${mode}, ${width} px`).toEqual([]);
    expect(await overflow(page), `${mode}, ${width} px`).toBeLessThanOrEqual(0);
    expect(await axe(page), `${mode}, ${width} px`).toEqual([]);
  }
});

test('a run that is armed, without a scene and without a margin', async ({ page, live }) => {
  live.run.state = 'armed';
  await live.show({ scene: null, scene_note: 'The scene is not drawn: a pose of it has 700 numbers, of which 512 fit a frame.', h_star: null, h_E: null, lockstep: true, more: [] });
  await expect(page.locator('.state-word')).toHaveText('armed');
  await expect(page.locator('.scene-place')).toContainText('700 numbers');
  await expect(page.locator('.gauge')).toContainText('h* is not known');
  await expect(page.locator('.field.of-pace')).toContainText('lockstep');
  expect(await axe(page)).toEqual([]);
});

test('what is damaged is said to be', async ({ page }) => {
  for (const [head, sentence] of [['@BERTH_HEAD@', 'empty template'], ['{"format": 1, ', 'damaged'], ['{"format": 9}', 'format 9']]) {
    const server = await LiveServer.open(fillLive(head!), () => new LiveRun().message(true));
    await page.goto(server.address);
    await expect(page.locator('.complaint')).toContainText(sentence!);
    await server.close();
  }
});

test('margins to h* and h_E', () => {
  const of = (changes: object) => findMargin(readHead(JSON.stringify(liveHead(changes))));
  expect(of({}).level).toBe('good');
  expect(of({}).delay).toBeCloseTo(0.0208, 12);
  expect(of({}).sentence).toBe('Lasting contact is stable. Bounces lose energy: 123 ms below h_E.');
  const late = (seconds: number) => ({ delays: [{ name: 'latency', seconds }] });
  expect(of(late(0.15))).toMatchObject({ level: 'warn', sentence: 'Lasting contact is stable. Bounces gain energy: 6.2 ms beyond h_E.' });
  expect(of({ ...late(0.16), h_E: null }).level).toBe('warn'); // less than a tenth is left
  expect(of(late(0.2))).toMatchObject({ level: 'bad', headline: 'delay 200 ms of h* 174 ms, margin −26.4 ms' });
  expect(of({ ...late(0.2), h_star: null, h_E: null })).toMatchObject({ level: '', headline: 'delay 200 ms' });
  expect(of({ delays: [] }).headline).toBe('not known');
});

test('times, energies, counts and shares in words', () => {
  expect([1.234e-5, 9.996e-4, 0.0123, 2.5, -3e-6, null].map(duration)).toEqual(['12.3 µs', '1000 µs', '12.3 ms', '2.5 s', '−3 µs', '–']);
  expect([0, 5.09e-3, -2e-5, 3.14159].map(energyText)).toEqual(['0 J', '5.09 mJ', '−20 µJ', '3.14 J']);
  expect(count(1234567)).toBe('1\u00a0234\u00a0567');
  expect(milliseconds(0.0005)).toBe('0.5 ms');
  expect(percentile([0, 0, 90, 0, 9, 1], binEnds, 0.5)).toBe(binEnds[2]);
  expect(percentile([0, 0, 90, 0, 9, 1], binEnds, 0.99)).toBe(binEnds[4]);
  expect(percentile([], binEnds, 0.5)).toBeNull();
});

// A page that a program serves while the tests run: BERTH_LIVE_PAGE=http://127.0.0.1:PORT/TOKEN/
const real = process.env.BERTH_LIVE_PAGE;
test('the page of BERTH_LIVE_PAGE follows its run', async ({ page, live }) => {
  test.skip(!real, 'BERTH_LIVE_PAGE is not set');
  live.allowed.push(/^http/);
  await page.goto(real ?? '');
  await expect(page.locator('.state-word')).toHaveText('running', { timeout: 10_000 });
  const time = async () => Number.parseFloat((await page.locator('.field.of-time .field-value').textContent())!);
  const before = await time();
  await expect.poll(time).toBeGreaterThan(before + 0.2);
  await page.waitForFunction('window.berthLive.scene && window.berthLive.scene.frames > 10');
  for (const strip of ['force', 'gap', 'energy', 'timing']) expect((await colorsOf(page, `[data-strip="${strip}"] canvas`)).length, strip).toBeGreaterThan(3);
});
