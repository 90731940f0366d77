// SPDX-License-Identifier: Apache-2.0
// The first screen of every shipped scenario's page on one sheet: `make sheet`.
//
//   node tools/first_screens.mjs VIEWER PROGRAM SCENARIOS SHEET.jpg [FOLDER]
//
// VIEWER is where npm has installed what the viewer is tested with (build/viewer). Runs every scenario, opens
// its page at rest at its key moment, as a reader with 1280 × 800 pixels sees it, and lays the pictures side by
// side. With FOLDER results, pages and single pictures stay there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [viewer, program, scenarios, sheet, kept] = process.argv.slice(2).map((path) => resolve(path));
if (!sheet) {
  console.error('usage: node tools/first_screens.mjs VIEWER PROGRAM SCENARIOS SHEET.jpg [FOLDER]');
  process.exit(2);
}
const { chromium } = createRequire(join(viewer, 'package.json'))('@playwright/test');
const folder = kept ?? mkdtempSync(join(tmpdir(), 'berth-sheet-'));
mkdirSync(folder, { recursive: true });

const names = readdirSync(scenarios).filter((f) => f.endsWith('.toml')).map((f) => f.slice(0, -5)).sort();
const screen = { width: 1280, height: 800 };
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--enable-unsafe-swiftshader'],
});
const complaints = [];
for (const name of names) {
  execFileSync(program, ['run', join(scenarios, `${name}.toml`), '--quiet', '--out', join(folder, `${name}.h5`)], { stdio: 'inherit' });
  const page = await browser.newPage({ viewport: screen, reducedMotion: 'reduce' });
  page.on('pageerror', (e) => complaints.push(`${name}: ${e}`));
  await page.goto(`file://${join(folder, `${name}.html`)}`);
  await page.waitForFunction(() => 'berth' in window && (!window.berth.scene || window.berth.scene.frames > 0));
  await page.waitForTimeout(500); // the sky is painted after the first picture
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
  console.log(`${name}: done`);
}

// Three in a row, each with the name of its scenario.
const cells = names.map((name) =>
  `<figure><img src="data:image/png;base64,${readFileSync(join(folder, `${name}.png`)).toString('base64')}"><figcaption>${name}</figcaption></figure>`);
const html = `<style>body{margin:0;padding:8px;display:grid;grid-template-columns:repeat(3,1fr);gap:8px;background:#fff;font:14px sans-serif}
figure{margin:0}img{width:100%;display:block;border:1px solid #bbb;box-sizing:border-box}</style>${cells.join('')}`;
const page = await browser.newPage({ viewport: { width: 1680, height: 900 } });
await page.setContent(html);
await page.screenshot({ path: sheet, type: 'jpeg', quality: 72, fullPage: true });
await browser.close();
if (!kept) rmSync(folder, { recursive: true });
for (const each of complaints) console.error(each);
process.exit(complaints.length > 0 ? 1 : 0);
