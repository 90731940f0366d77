// SPDX-License-Identifier: Apache-2.0
// What the tests of the page of a run share: a page that must not complain, and hands on its clock.
import { type Page, expect, test as base } from '@playwright/test';
import type { Facts, Group, Scene } from '../src/data';
import { address } from './pages';

interface Thing { position: { x: number; y: number; z: number } }

interface Hook {
  now: number;
  pose(name: string): { position: number[]; quaternion: number[] } | null;
  player: { playing: boolean; pace: number; slows: boolean; slowedFor: { name: string } | null; set(t: number): void; play(): void; pause(): void; setSpeed(s: number): void };
  view: { zoom: [number, number] | null; setZoom(zoom: [number, number] | null): void };
  head: { runs: { facts: Facts; scene: Scene; groups: Group[] }[] };
  scene: {
    frames: number; firstFrame: number; focusName: string; view: string; other: string | null; eye: number[];
    readouts: { values(t: number): Record<string, number | null> };
    outlines(): { name: string; left: number; right: number; top: number; bottom: number }[];
    setView(view: string): void;
    stage: {
      inside: boolean; camera: unknown;
      models: { settled: boolean };
      bodies: (Thing & { children: { userData: { model?: boolean }; material: { uniforms: { opacity: { value: number } } } }[] })[];
      ghosts: { object: { visible: boolean; children: Thing[] } }[];
      fade(camera: unknown, target: null): void;
    };
  };
}
declare global {
  interface Window { berth: Hook; poisoned?: boolean }
}

/** Every test fails when its page complains to the console or asks the network for anything. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('console', (m) => { if (m.type() === 'error') complaints.push(m.text()); });
    page.on('pageerror', (e) => complaints.push(String(e)));
    page.on('request', (r) => { if (!/^(file|data|blob):/.test(r.url())) complaints.push(r.url()); });
    await use(page);
    expect(complaints).toEqual([]);
  },
});

/** Opens a page at rest at a time of the run; without one, as a reader does. */
export const open = async (page: Page, name: string, t: number | null = 0) => {
  await page.goto(`${address(name)}${t === null ? '' : `#t=${t}`}`);
  await page.waitForFunction(() => 'berth' in window);
};
export const now = (page: Page) => page.evaluate(() => window.berth.now);
export const setTime = (page: Page, t: number) => page.evaluate((v) => window.berth.player.set(v), t);

/** Colours on the canvas of a plot: a blank one has one or two. */
export const colorsOf = (page: Page, selector: string) => page.locator(selector).first().evaluate((canvas) => {
  const { width, height } = canvas as HTMLCanvasElement;
  const pixels = (canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height).data;
  const seen = new Set<number>();
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]! > 200) seen.add((pixels[i]! << 16) | (pixels[i + 1]! << 8) | pixels[i + 2]!);
  return [...seen];
});
export const lineLeft = (page: Page, index: number) =>
  page.locator('.plot .now-line').nth(index).evaluate((e) => e.getBoundingClientRect().left);
export const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
