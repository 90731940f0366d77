// SPDX-License-Identifier: Apache-2.0
// Fills the built template the way the program does and lays the pages where the tests open them.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as samples from './sample';

export const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
export const results = join(folder, 'test-results');
export const screenshots = join(results, 'screenshots');
export const address = (name: string) => `file://${join(results, 'pages', `${name}.html`)}`;

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function fill(template: string, title: string, head: string, data: string): string {
  const values: Record<string, string> = { '@BERTH_TITLE@': escapeHtml(title), '@BERTH_HEAD@': head.replaceAll('<', '\\u003c'), '@BERTH_DATA@': data };
  return template.replace(/@BERTH_(?:TITLE|HEAD|DATA)@/g, (hole) => values[hole]!);
}

export default function makePages(): void {
  const path = join(folder, 'dist', 'template.html');
  if (!existsSync(path)) throw new Error('dist/template.html is missing: npm run build comes first');
  const template = readFileSync(path, 'utf8');
  rmSync(screenshots, { recursive: true, force: true });
  mkdirSync(screenshots, { recursive: true });
  mkdirSync(join(results, 'pages'), { recursive: true });
  const write = (name: string, page: string) => writeFileSync(join(results, 'pages', `${name}.html`), page);

  const { rich, usual, overlay, nan, empty, noSamples, oneSample, injection, cut, lost, models, badModel } = samples;
  for (const [name, make] of Object.entries({ rich, usual, overlay, nan, empty, noSamples, oneSample, injection, cut, lost, models, badModel })) {
    const { head, data } = make();
    write(name, fill(template, head.title, JSON.stringify(head), data));
  }
  const { head } = nan();
  write('noBlock', fill(template, head.title, JSON.stringify(head), ''));
  write('badBlock', fill(template, head.title, JSON.stringify(head), '%% not base64 %%'));
  write('badHead', fill(template, 'damaged', '{"format": 2, "runs": [', ''));
  write('later', fill(template, 'later', '{"format": 7}', ''));
  write('noRuns', fill(template, 'none', '{"format": 2, "runs": []}', ''));
  write('template', template);
}
