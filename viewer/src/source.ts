// SPDX-License-Identifier: Apache-2.0
// The foot of the page: the complete scenario and outcome, so that a run can be repeated from its page.
import type { Run } from './data';
import { el } from './dom';

export function buildSource(run: Run, program: string): HTMLElement {
  return el('footer', { class: 'source' },
    el('details', {}, el('summary', {}, 'Scenario', run.file && el('span', { class: 'count' }, run.file)),
      run.scenario ? el('pre', {}, toml(run.scenario)) : el('p', { class: 'nothing' }, 'The scenario was not recorded.')),
    el('details', {}, el('summary', {}, 'Outcome'),
      run.outcome ? el('pre', {}, indented(run.outcome)) : el('p', { class: 'nothing' }, 'No outcome was recorded.')),
    el('p', { class: 'program' }, program));
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json; // as it is, when it is no JSON
  }
}

// Comment, table header, key, string, number or truth value; anything else is plain.
const token = new RegExp(
  [
    /(#.*)/,
    /^(\[\[?[\w.\s"'-]+\]\]?)(?=[ \t]*(?:#|$))/,
    /^([ \t]*[\w.-]+)(?=[ \t]*=)/,
    /("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*')/,
    /((?<![\w.])[+-]?\d[\w.+-]*|\btrue\b|\bfalse\b)/,
  ].map((part) => part.source).join('|'),
  'gm',
);
const classes = ['comment', 'table', 'key', 'string', 'number'];

/** TOML with its words coloured; a fragment of text nodes and spans, never markup. */
function toml(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  let done = 0;
  for (const match of text.matchAll(token)) {
    out.append(text.slice(done, match.index));
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    out.append(el('span', { class: `toml-${classes[kind]}` }, match[0]));
    done = match.index + match[0].length;
  }
  out.append(text.slice(done));
  return out;
}
