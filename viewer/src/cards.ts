// SPDX-License-Identifier: Apache-2.0
// Five cards, each one idea: how craft met, whether they were captured, loads, effort, and whether all that
// is to be believed. Without a capture the first two are what was expected and what came out.
import type { Capture, Condition, KeyNumber, Level, Run } from './data';
import { el } from './dom';
import type { Player } from './player';
import { figure, timeText } from './ticks';
import { units } from './units';

// Colour never speaks alone.
const symbols: Record<Level, string> = { good: '✓', warn: '!', bad: '✕', '': '' };
const words: Record<Level, string> = { good: 'good', warn: 'look at this', bad: 'bad', '': '' };

export function mark(level: Level): HTMLElement | null {
  if (!level) return null;
  return el('span', { class: `mark ${level}`, role: 'img', 'aria-label': words[level] }, symbols[level]);
}

const unitOf: Record<string, string> = {
  gap: 'm', lateral: 'm', distance: 'm', closing: 'm/s', lateral_speed: 'm/s', speed: 'm/s', tilt: 'rad', roll: 'rad', angle: 'rad', rate: 'rad/s',
};
const nameOf: Record<string, string> = {
  gap: 'gap', lateral: 'offset', closing: 'closing', lateral_speed: 'lateral vel.', speed: 'speed', tilt: 'misalignment', roll: 'roll', rate: 'rate',
};

export function buildCards(run: Run, player: Player): HTMLElement {
  const place = el('section', { class: 'cards', 'aria-label': 'Key figures' });
  const fill = () => {
    const open = place.querySelector<HTMLDetailsElement>('.trust details')?.open ?? false;
    const capture = run.facts.captures.find((c) => c.touch) ?? run.facts.captures[0];
    place.replaceChildren(
      ...(capture ? [touchCard(capture), captureCard(capture, run, player)] : [expectedCard(run), outcomeCard(run)]),
      loadsCard(run, player), effortCard(run), trustCard(run, open));
  };
  units.subscribe(fill);
  fill();
  return place;
}

const card = (kind: string, title: string, ...rows: (HTMLElement | null)[]) =>
  el('article', { class: `card ${kind}` }, el('h3', {}, title), ...rows);

const row = (label: string, value: string | HTMLElement, note = '', level: Level = '') =>
  el('p', { class: 'row', title: note }, el('span', { class: 'label' }, label), el('span', { class: 'value' }, mark(level), value));

/** A value against its limit. A full bar is the limit; what is beyond it has a mark of that level too. */
function bar(label: string, value: number, unit: string, limit: number | null, stage: string, level: Level): HTMLElement {
  if (limit === null || limit === 0) return row(label, units.text(value, unit));
  const share = Math.abs(value) / Math.abs(limit);
  const over = share > 1;
  const [text, most] = units.pair(value, limit, unit);
  return el('p', { class: 'row', title: `limit ${most} for ${stage} dock` },
    el('span', { class: 'label' }, label),
    el('span', { class: `bar${over ? ` over ${level}` : ''}`, role: 'img', 'aria-label': `${Math.round(100 * share)} % of the limit` },
      el('span', { style: `width:${Math.min(100 * share, 100).toFixed(1)}%` })),
    el('span', { class: 'value' }, over && mark(level), text), el('span', { class: 'limit' }, `/ ${most}`));
}

/** The tightest limit of the first stage that has one. */
function limitOf(capture: Capture, quantity: string): Condition | null {
  for (const stage of ['soft', 'hard']) {
    const found = capture.conditions.filter((c) => c.stage === stage && c.quantity === quantity && c.wanted === 'below');
    if (found.length > 0) return found.reduce((a, b) => (Math.abs(b.limit) < Math.abs(a.limit) ? b : a));
    if (capture.conditions.some((c) => c.stage === stage)) return null; // a later stage has limits for a later time
  }
  return null;
}

function touchCard(capture: Capture): HTMLElement {
  const { touch } = capture;
  if (!touch) return card('touch', 'At touch', el('p', { class: 'row' }, 'The craft never touched.'));
  const rows = ['closing', 'lateral', 'tilt', 'roll', 'lateral_speed', 'rate'].flatMap((key) => {
    const value = touch.values[key];
    if (value === undefined) return [];
    const limit = limitOf(capture, key);
    return [bar(nameOf[key] ?? key, value, unitOf[key] ?? '', limit?.limit ?? null, limit?.stage ?? '', capture.hard ? 'warn' : 'bad')]; // what was captured after all is no failure
  });
  return card('touch', 'At touch', ...rows);
}

function captureCard(capture: Capture, run: Run, player: Player): HTMLElement {
  const { touch, soft, hard } = capture;
  const span = run.to - run.from;
  const since = (t: number) => (touch ? `${figure(Number((t - touch.t).toPrecision(3)))} s` : `${timeText(t, span)} s`);
  const rows: HTMLElement[] = [];
  if (touch) rows.push(row('touch', goTo(touch.t, player, span)));
  if (soft) rows.push(row('soft dock after', since(soft.t), 'since touch'));
  if (hard) rows.push(row('hard dock after', since(hard.t), 'since touch', 'good'));
  if (hard?.values.gap !== undefined) rows.push(row('gap at hard dock', units.text(hard.values.gap, 'm')));
  if (hard?.values.speed !== undefined) rows.push(row('speed at latch', units.text(hard.values.speed, 'm/s')));
  const captured = hard !== null || run.facts.verdict === 'captured';
  if (!captured) {
    const stage = soft ? 'hard' : capture.conditions.some((c) => c.stage === 'soft') ? 'soft' : 'hard';
    const unmet = capture.conditions.filter((c) => c.stage === stage && !c.met);
    rows.push(el('p', { class: 'row why' }, mark('bad'), `Not captured: no ${stage} dock${unmet.length > 0 ? '.' : ', though each condition was met at some time, never all together.'}`));
    for (const c of unmet) {
      const unit = unitOf[c.quantity] ?? '';
      const best = c.best === null || c.best === undefined ? 'never evaluated' : `${units.text(c.best, unit)} at best`;
      const when = typeof c.t === 'number' ? goTo(c.t, player, span) : null;
      rows.push(row(nameOf[c.quantity] ?? c.quantity, best, '', 'bad'),
        el('p', { class: 'row note' }, el('span', { class: 'label' }, `wanted ${c.wanted} ${units.text(c.limit, unit)}`), when));
    }
  }
  return card('capture', captured ? 'Capture' : 'Not captured', ...rows);
}

function goTo(t: number, player: Player, span: number): HTMLElement {
  return el('button', { type: 'button', class: 'go', title: 'Go there', onclick: () => player.set(t) }, `${timeText(t, span)} s`);
}

function expectedCard(run: Run): HTMLElement {
  const failed = run.expectations.filter((e) => !e.met).length;
  if (run.expectations.length === 0) return card('expected', 'Expected', el('p', { class: 'row note' }, 'The scenario expects nothing in particular.'));
  // What failed first, then what is not an audit: those are on the last card.
  const rank = (e: (typeof run.expectations)[number]) => (e.met ? 1 : 0) + (/audit/.test(e.text) ? 1 : 0);
  const seen = [...run.expectations].sort((a, b) => rank(a) - rank(b)).slice(0, 3);
  return card('expected', 'Expected', row(`${run.expectations.length - failed} of ${run.expectations.length} met`, '', '', failed ? 'bad' : 'good'),
    ...seen.map((e) => el('p', { class: 'row note' }, mark(e.met ? 'good' : 'bad'), el('span', {}, e.text.replace(/: wanted /, ' ').replaceAll('e-', 'e−')))));
}

function outcomeCard(run: Run): HTMLElement {
  const kept = run.numbers.filter((n) => !isTrust(n) && !/peak|^steps/.test(n.label)).slice(0, 4);
  const span = run.to - run.from;
  return card('outcome', 'Came out', row('time', `${timeText(run.to, span)} s`),
    row('events', String(run.events.length)), ...kept.map((n) => row(n.label, `${n.value}${n.unit ? ` ${n.unit}` : ''}`, n.note, n.level)));
}

function loadsCard(run: Run, player: Player): HTMLElement {
  const span = run.to - run.from;
  const rows: HTMLElement[] = [];
  const line = (name: string, value: number | undefined, unit: string, t: number | null | undefined) => {
    if (value === undefined || value === 0) return;
    const text = el('span', {}, units.text(value, unit));
    const node = row(name, text);
    if (t !== null && t !== undefined) node.append(goTo(t, player, span));
    rows.push(node);
  };
  const loads = [...run.facts.loads].sort((a, b) => (b.force ?? b.impulse ?? 0) - (a.force ?? a.impulse ?? 0));
  for (const load of loads.slice(0, 4)) {
    line(load.name, load.force, 'N', load.force_t);
    if (rows.length < 6) line(`${load.name} torque`, load.torque, 'N·m', load.torque_t);
    if (rows.length < 6) line(`${load.name} impulse`, load.impulse, 'N·s', load.impulse_t);
    if (rows.length < 6 && load.penetration) line(`${load.name} penetration`, load.penetration, 'm', null);
  }
  if (rows.length === 0) rows.push(el('p', { class: 'row note' }, 'Nothing touched and nothing was joined.'));
  return card('loads', 'Peak loads', ...rows);
}

function effortCard(run: Run): HTMLElement {
  const { effort, wheels } = run.facts;
  const rows: HTMLElement[] = [];
  if (effort) {
    rows.push(row('ΔV', units.text(effort.delta_v, 'm/s'), 'net force of each set over the mass joined to it: ∫|ΣF|/m dt'));
    rows.push(row('thruster impulse', `${figure(Number(effort.impulse.toPrecision(4)))} N·s`, 'sum over thrusters, whatever their directions: ∫Σ|F| dt'));
    rows.push(row('valves open', `${figure(Number(effort.on_time.toPrecision(4)))} s`,
      effort.pulsed ? 'sum over thrusters, from opening to closing' : 'sum over thrusters, each by its level'));
  }
  const limited = wheels.filter((w) => w.limit > 0);
  if (limited.length > 0) {
    const worst = limited.reduce((a, b) => (b.speed / b.limit > a.speed / a.limit ? b : a));
    const share = worst.speed / worst.limit;
    const line = row('fastest wheel', `${Math.round(100 * share)} %`, `${worst.name}: ${figure((worst.speed * 30) / Math.PI)} of ${figure((worst.limit * 30) / Math.PI)} rpm`, share >= 0.999 ? 'warn' : '');
    line.querySelector('.label')!.after(el('span', { class: 'bar' }, el('span', { style: `width:${Math.min(100 * share, 100).toFixed(1)}%` })));
    rows.push(line);
  } else if (wheels.length > 0) {
    const fastest = wheels.reduce((a, b) => (b.speed > a.speed ? b : a));
    rows.push(row('fastest wheel', `${figure(Number(((fastest.speed * 30) / Math.PI).toPrecision(4)))} rpm`, `${fastest.name}, which has no limit`));
  }
  if (rows.length === 0) rows.push(el('p', { class: 'row note' }, 'No thrusters, no wheels.'));
  return card('effort', 'Effort', ...rows);
}

const isTrust = (n: KeyNumber) => /audit|violation/.test(n.label);

/** Audits in one line each of what matters; everything else unfolds. */
function trustCard(run: Run, open: boolean): HTMLElement {
  const failed = run.expectations.filter((e) => !e.met).length;
  const audits = run.numbers.filter((n) => /audit/.test(n.label));
  const worst = run.numbers.filter((n) => /violation/.test(n.label) && n.level !== '').sort((a, b) => Number(b.value) - Number(a.value))[0];
  const lines = [...audits, ...(worst ? [worst] : [])].map((n) =>
    row(n.label.replace(' audit', '').replace(' momentum', ' mom.'), `${n.value}${n.unit ? ` ${n.unit}` : ''}`, n.note, n.level));
  if (run.expectations.length > 0) {
    lines.push(row('expectations', failed ? `${failed} failed` : `all ${run.expectations.length} met`, '', failed ? 'bad' : 'good'));
  }
  if (run.warnings.length > 0) lines.push(row('warnings', String(run.warnings.length), run.warnings.join('\n'), 'warn'));
  return card('trust', 'Trust', ...lines,
    ...run.expectations.filter((e) => !e.met).slice(0, 2).map((e) => el('p', { class: 'row note' }, mark('bad'), el('span', {}, e.text))),
    el('details', { open }, el('summary', {}, 'all audits and expectations'), ...remarks(run)));
}

/** Warnings, expectations and all numbers of a run. */
export function remarks(run: Run): HTMLElement[] {
  return [
    el('p', { class: 'verdict-text' }, run.verdict.text || 'No verdict.'),
    run.warnings.length > 0 ? el('ul', { class: 'remarks', 'aria-label': 'Warnings' }, ...run.warnings.map((w) => el('li', {}, mark('warn'), el('span', {}, w)))) : null,
    run.expectations.length > 0 ? el('ul', { class: 'remarks expectations', 'aria-label': 'Expectations' },
      ...run.expectations.map((e) => el('li', {}, mark(e.met ? 'good' : 'bad'), el('span', {}, e.text)))) : null,
    el('dl', { class: 'numbers-list' }, ...run.numbers.flatMap((n) => [
      el('dt', { title: n.note }, n.label), el('dd', {}, mark(n.level), `${n.value}${n.unit ? ` ${n.unit}` : ''}`)])),
  ].filter((e): e is NonNullable<typeof e> => e !== null);
}
