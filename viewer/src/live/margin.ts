// SPDX-License-Identifier: Apache-2.0
// How far the delay of the loop is from where contact begins to gain energy (h_E) and from where it is unstable (h*),
// with all that is counted into it.
import { mark } from '../cards';
import type { Level } from '../data';
import { el } from '../dom';
import type { Head } from './data';
import { milliseconds } from './numbers';

export interface Margin { delay: number | null; level: Level; sentence: string; headline: string }

export function findMargin({ delays, h_star, h_E }: Head): Margin {
  const delay = delays.length > 0 ? delays.reduce((sum, d) => sum + d.seconds, 0) : null;
  if (delay === null) return { delay, level: '', headline: 'not known', sentence: 'The delay of the loop is not known.' };
  const bounce = h_E === null ? null : h_E - delay;
  if (h_star === null) {
    return {
      delay, level: bounce !== null && bounce <= 0 ? 'warn' : '', headline: `delay ${milliseconds(delay)}`,
      sentence: bounce === null ? 'h* is not known, nor the margin: berth stability finds it.' : bounceText(bounce),
    };
  }
  const margin = h_star - delay;
  const headline = `delay ${milliseconds(delay)} of h* ${milliseconds(h_star)}, margin ${milliseconds(margin)}`;
  if (margin <= 0) return { delay, level: 'bad', headline, sentence: `Beyond h*: lasting contact is unstable. ${bounce === null ? '' : bounceText(bounce)}`.trim() };
  if (bounce === null) return { delay, level: margin < 0.1 * h_star ? 'warn' : 'good', headline, sentence: 'Lasting contact is stable.' };
  return { delay, level: bounce <= 0 || margin < 0.1 * h_star ? 'warn' : 'good', headline, sentence: `Lasting contact is stable. ${bounceText(bounce)}` };
}

const bounceText = (margin: number) => (margin > 0 ? `Bounces lose energy: ${milliseconds(margin)} below h_E.` : `Bounces gain energy: ${milliseconds(-margin)} beyond h_E.`);

/** A bar: what is counted in, end to end, against the two limits. */
export function buildGauge(head: Head): HTMLElement {
  const { delays, h_star, h_E } = head;
  const { delay, level, headline, sentence } = findMargin(head);
  const longest = 1.3 * Math.max(delay ?? 0, h_star ?? 0, h_E ?? 0, 1e-9); // the name of the larger limit stands right of it,
  const share = (seconds: number) => `${((100 * seconds) / longest).toFixed(2)}%`;
  const limit = (name: string, seconds: number | null, other: number | null, kind: string) => {
    if (seconds === null) return null;
    const smaller = other !== null && seconds <= other; // that of the smaller left; where there is no room it is left out
    return el('span', { class: `gauge-limit ${kind}${smaller ? ' flip' : ''}`, style: `left:${share(seconds)}` },
      (!smaller || seconds > 0.25 * longest) && el('span', {}, `${name} ${milliseconds(seconds)}`));
  };
  return el('section', { class: 'gauge', 'aria-label': 'Delay of the loop and its margin' },
    el('p', { class: `gauge-head ${level}` }, mark(level), el('span', {}, headline)),
    delay !== null && el('div', { class: 'gauge-bar', role: 'img', 'aria-label': `${headline}. ${sentence}` },
      el('span', { class: 'gauge-parts' }, ...delays.filter((d) => d.seconds > 0).map((d, i) =>
        el('span', { class: `gauge-part part${i % 4}`, style: `width:${share(d.seconds)}`, title: `${d.name} ${milliseconds(d.seconds)}` }))),
      limit('h_E', h_E, h_star, 'energy'), limit('h*', h_star, h_E === h_star ? null : h_E, 'star')),
    el('p', { class: 'gauge-parts-text' }, ...delays.map((d, i) => el('span', {}, el('i', { class: `part${i % 4}` }), `${d.name} ${milliseconds(d.seconds)}`)),
      el('span', { class: 'gauge-sentence' }, sentence)));
}
