// SPDX-License-Identifier: Apache-2.0
// A page written by the program itself: that of a docking.
import { join, resolve } from 'node:path';
import { expect } from '@playwright/test';
import { units } from '../src/units';
import { colorsOf, overflow, setTime, test } from './browser';
import { screenshots } from './pages';

const real = process.env.BERTH_PAGE;
test.describe('the page of BERTH_PAGE', () => {
  test.skip(!real, 'BERTH_PAGE is not set');
  test('the first screen of a docking has both craft, probe and cone in it', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`file://${resolve(real ?? '')}`);
    await page.waitForFunction(() => 'berth' in window && window.berth.scene.frames > 0);
    const { outlines, names, inset } = await page.evaluate(() => {
      const { facts, scene } = window.berth.head.runs[0]!;
      const [capture] = facts.captures;
      const craft = (port: string) => {
        let body = scene.bodies[scene.ports.find((p) => p.name === port)!.body]!;
        while (body.parent >= 0) body = scene.bodies[body.parent]!;
        return body.name;
      };
      const { left, top } = document.querySelector('.stage-frame')!.getBoundingClientRect();
      const { left: x, bottom: y } = document.querySelector('.inset')!.getBoundingClientRect();
      return { outlines: window.berth.scene.outlines(), names: capture ? [...capture.ports, ...capture.ports.map(craft)] : [], inset: { left: x - left, bottom: y - top } };
    });
    expect(names).toEqual(['servicer.probe', 'target.cone', 'servicer', 'target']);
    const frame = (await page.locator('.stage-frame').boundingBox())!;
    expect(frame.y + frame.height).toBeLessThanOrEqual(800);
    for (const name of names) {
      const o = outlines.find((each) => each.name === name)!;
      expect(o.left, name).toBeGreaterThanOrEqual(0);
      expect(o.right, name).toBeLessThanOrEqual(inset.left); // nor behind the inset
      expect(o.top, name).toBeGreaterThanOrEqual(0);
      expect(o.bottom, name).toBeLessThanOrEqual(frame.height);
      if (!name.includes('.')) expect((o.right - o.left) * (o.bottom - o.top), name).toBeGreaterThan(0.02 * frame.width * frame.height); // large enough to be seen
    }
  });

  test('readouts of the port camera are the channels of the file, to their digits', async ({ page }) => {
    await page.goto(`file://${resolve(real ?? '')}#t=331.25`);
    await page.waitForFunction(() => 'berth' in window && window.berth.scene.frames > 0);
    await page.keyboard.press('2');
    // The channels as the page holds them, decoded here.
    const channels = await page.evaluate(() => {
      const raw = atob(document.getElementById('berth-data')!.textContent!.trim());
      const run = window.berth.head.runs[0]!;
      const read = (ref: { at: number; n: number; kind: string; offset?: number; scale?: number }) => {
        const size = ref.kind === 'f64' ? 8 : 4;
        const view = new DataView(Uint8Array.from({ length: size * ref.n }, (_, i) => raw.charCodeAt(ref.at + i)).buffer);
        return Array.from({ length: ref.n }, (_, i) => (ref.offset ?? 0) + (ref.scale ?? 1) * (size === 8 ? view.getFloat64(8 * i, true) : view.getFloat32(4 * i, true)));
      };
      return ['gap', 'closing', 'lateral', 'tilt', 'roll'].map((quantity) => {
        const name = `${run.facts.captures[0]!.name}.${quantity}`;
        const channel = run.groups.flatMap((g) => g.channels).find((c) => c.name === name)!;
        return { name, unit: channel.unit, times: read(channel.time), values: read(channel.data[0]!) };
      });
    });
    for (const t of [100.3, 330.4, 331.25, 333.8, 340]) {
      await setTime(page, t);
      for (const { name, unit, times, values } of channels) {
        const value = values[times.filter((x) => x <= t).length - 1]!; // the last row not later than the clock
        await expect(page.locator(`.readouts dd[data-readout="${name}"]`), `${name} at ${t} s`).toHaveText(units.text(value, unit));
      }
    }
  });

  // Without a graphics card: the aim is 30 frames a second, the gate 20. What is coarse is said to be.
  test('a docking is there in 2 s and plays at 20 frames a second or more @pace', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`file://${resolve(real ?? '')}`);
    await page.waitForFunction(() => 'berth' in window && window.berth.scene.frames > 0);
    const first = await page.evaluate(() => window.berth.scene.firstFrame);
    await page.evaluate(() => window.berth.player.play());
    await page.waitForTimeout(1500);
    const measure = () => page.evaluate(() => new Promise<number[]>((done) => {
      const list: number[] = [];
      let [last, frames] = [performance.now(), window.berth.scene.frames];
      const tick = (now: number) => {
        if (window.berth.scene.frames > frames) { list.push(now - last); last = now; frames = window.berth.scene.frames; }
        if (list.length < 40) requestAnimationFrame(tick);
        else done(list);
      };
      requestAnimationFrame(tick);
    }));
    // The best of a few: others use the machine too.
    let median = Infinity;
    for (let i = 0; i < 3 && median > 1000 / 30; i++) median = Math.min(median, (await measure()).sort((a, b) => a - b)[20]!);
    console.log(`docking: first picture after ${first.toFixed(0)} ms, ${(1000 / median).toFixed(0)} frames a second`);
    const coarse = await page.locator('.coarse').textContent();
    expect(coarse).toMatch(/^(\d+ % resolution while moving)?$/);
    expect(first).toBeLessThan(2000);
    expect(1000 / median).toBeGreaterThan(20);
  });

  test('opens, plays and draws', async ({ page }) => {
    await page.goto(`file://${resolve(real ?? '')}`);
    await page.waitForFunction(() => 'berth' in window);
    await expect(page.locator('h1')).not.toBeEmpty();
    await expect(page.locator('.verdict').first()).not.toBeEmpty();
    await expect(page.locator('.complaint')).toHaveCount(0);
    if (await page.locator('.plot').count()) await page.locator('.plot').first().scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    const drawn = page.locator('.plot canvas');
    if (await drawn.count()) expect((await colorsOf(page, '.plot canvas')).length).toBeGreaterThan(3);
    await page.keyboard.press('Space');
    await page.waitForTimeout(500);
    if (await page.locator('canvas.stage').count()) expect(await page.evaluate(() => window.berth.scene.frames)).toBeGreaterThan(1);
    await page.keyboard.press('End');
    await page.waitForTimeout(200);
    await page.screenshot({ path: join(screenshots, 'real.png'), fullPage: (await drawn.count()) < 40 });
    await page.setViewportSize({ width: 375, height: 720 });
    await page.waitForTimeout(200);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});
