// SPDX-License-Identifier: Apache-2.0
// Models of files in the scene. That nothing is fetched is checked by every page: see browser.ts.
import { join } from 'node:path';
import { type Page, expect } from '@playwright/test';
import { open, setTime, test } from './browser';
import { screenshots } from './pages';

/** Share of the scene that is purple, as the model's image is and nothing else. */
async function findPurple(page: Page): Promise<number> {
  await page.waitForTimeout(300);
  const picture = await page.locator('canvas.stage').screenshot();
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    let purple = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!];
      if (b > 60 && r > 0.5 * b && g < 0.35 * b) purple++;
    }
    return (4 * purple) / pixels.length;
  }, picture.toString('base64'));
}

const settled = (page: Page) => page.waitForFunction(() => window.berth.scene.stage.models.settled);

test('models are drawn with their images, from the page alone', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (r) => asked.push(r.url()));
  await open(page, 'models', 2300);
  await settled(page);
  expect(await findPurple(page)).toBeGreaterThan(0.01);
  expect(asked.filter((url) => !/^(file|blob):/.test(url))).toEqual([]);
  expect(asked.filter((url) => url.startsWith('blob:'))).toHaveLength(1); // the image, read once for both
  await page.screenshot({ path: join(screenshots, 'models.png') });
});

test('models belong to the hull: the port camera stands inside of them, and they fade', async ({ page }) => {
  await open(page, 'models', 2404);
  await settled(page);
  const { hulls, hidden } = await page.evaluate(() => {
    const { stage } = window.berth.scene;
    const parts = stage.bodies.flatMap((b) => b.children).filter((c) => c.userData.model);
    stage.inside = true;
    stage.fade(stage.camera, null);
    return { hulls: parts.length, hidden: parts.map((p) => p.material.uniforms.opacity.value) };
  });
  expect(hulls).toBe(2);
  expect(hidden.every((opacity) => opacity < 1)).toBe(true);
});

test('a model that cannot be read is a box', async ({ page }) => {
  await open(page, 'badModel', 2300);
  await settled(page);
  await setTime(page, 2301);
  expect(await findPurple(page)).toBe(0);
  expect(await page.evaluate(() => window.berth.scene.stage.bodies[0]!.children.length)).toBeGreaterThan(0);
});
