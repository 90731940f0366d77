// SPDX-License-Identifier: Apache-2.0
// Puts the page of a live run together: state and times, scene beside rolling plots, then margin, times and counters.
import 'uplot/dist/uPlot.min.css';
import '../base.css';
import '../style.css';
import './live.css';
import { Block, Damaged } from '../data';
import { button, el, menu, setText } from '../dom';
import { theme } from '../theme';
import { figure } from '../ticks';
import { helpDialog } from '../transport';
import { units } from '../units';
import { type Head, type Maybe, type Now, readHead } from './data';
import { Histogram } from './histogram';
import { buildGauge } from './margin';
import { count, duration, energyText, fixed } from './numbers';
import { Picture } from './picture';
import { Status } from './status';
import { Store } from './store';
import { Stream } from './stream';
import { type Definition, type Line, Strip } from './strip';

const page = document.getElementById('page')!;
const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';

const keys = [
  ['space', 'hold plots and scene, or follow again; the run goes on'],
  ['1 2 3 4', 'chase, port camera, cutaway, free'],
  ['f', 'the scene fills the screen'],
  ['?', 'this help'],
  ['drag on the scene', 'turn; right button moves, wheel comes nearer'],
  ['← → ↑ ↓ + − on the scene', 'the same by keys, with the scene in focus'],
  ['shaded in plots', 'the contact touches'],
  ['points of plots', 'smallest and largest of every 20 ms, at their own times'],
] as const;

function start(): void {
  try {
    fill(readHead(textOf('berth-head')), Block.decode(textOf('berth-data')));
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    page.replaceChildren(el('p', { class: 'complaint', role: 'alert' }, error.message));
  }
}

/** The four plots of every run, top to bottom. */
function definitions(store: Store): Definition[] {
  const { head } = store;
  const one = (name: 'force' | 'gap' | 'energy') => [{ label: name, trace: store.trace(name), color: 0 }];
  const peak = (name: 'force' | 'jitter') => store.now?.peaks[name] ?? [null, null];
  const limits = (list: [Maybe, string][]): Line[] => list.flatMap(([value, label]) => (value === null ? [] : [{ value, label, kind: 'limit' as const }]));
  return [
    {
      name: 'force', title: 'contact force', units: [['kN', 1e-3], ['N', 1]], from: 0, curves: one('force'), lines: limits([[head.force_limit, `limit ${figure(head.force_limit)} N`]]),
      note: () => ({ text: peak('force')[0] === null ? '' : `peak ${units.text(peak('force')[0], 'N')} at ${fixed(peak('force')[1], 3)} s`, warns: head.force_limit !== null && (peak('force')[0] ?? 0) > head.force_limit }),
    },
    { name: 'gap', title: 'gap', units: [['m', 1], ['mm', 1e3]], curves: one('gap'), lines: [{ value: 0, label: '', kind: 'zero' }], note: () => ({ text: store.now?.touching ? 'touching' : '', warns: false }) },
    {
      name: 'energy', title: 'contact energy balance', units: [['J', 1], ['mJ', 1e3], ['µJ', 1e6]], from: 0, curves: one('energy'), lines: [{ value: 0, label: '', kind: 'zero' }],
      warns: (value) => store.feeds(value),
      note: () => energyNote(store),
    },
    {
      name: 'timing', title: 'times', units: [['µs', 1e6]], log: true,
      curves: [{ label: 'round trip', trace: store.trace('round_trip'), color: 1 }, { label: 'jitter', trace: store.trace('jitter'), color: 2 }],
      lines: limits([[head.late_after, ''], [head.latency, `latency ${duration(head.latency)}`]]),
      note: () => ({ text: head.late_after === null ? '' : `┄ late ${duration(head.late_after)}`, warns: false }),
    },
  ];
}

function energyNote(store: Store): { text: string; warns: boolean } {
  const energy = store.now?.energy ?? null;
  if (energy === null) return { text: '', warns: false };
  if (store.feeds(energy)) return { text: '▲ loop feeds energy', warns: true };
  const peak = store.now!.peaks.energy;
  if (store.feeds(peak[0])) return { text: `▲ loop fed energy at ${fixed(peak[1], 3)} s`, warns: true };
  return { text: store.largestEnergy > 1e-9 ? 'contact takes energy' : 'above 0 the loop feeds energy', warns: false };
}

const readingsOf = (now: Now | null, name: string): Maybe[] =>
  (!now ? [] : name === 'force' ? [now.force] : name === 'gap' ? [now.gap] : name === 'energy' ? [now.energy] : name === 'timing' ? [now.round_trip, now.jitter] : []);

/** Names and figures, one below the other. */
function table(rows: readonly [string, string][]): HTMLElement {
  return el('dl', { class: 'numbers-list' }, ...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

class Cards {
  readonly element: HTMLElement;
  private readonly jitter: Histogram;
  private readonly roundTrip: Histogram;
  private readonly peaks = el('div');
  private readonly counters = el('div');
  private shown = '';

  constructor(private readonly store: Store) {
    const { head } = store;
    const card = (title: string, ...parts: HTMLElement[]) => el('article', { class: 'card' }, el('h2', { class: 'card-title' }, title), ...parts);
    this.jitter = new Histogram('jitter of ticks', head.bins, head.late_after === null ? null : { value: head.late_after, label: 'late' });
    this.roundTrip = new Histogram('round trips', head.bins, head.latency === null ? null : { value: head.latency, label: 'latency' });
    this.element = el('section', { class: 'cards live-cards', 'aria-label': 'Times and counters' },
      card('Jitter of ticks', this.jitter.element), card('Round trip', this.roundTrip.element), card('Largest so far', this.peaks), card('Counters', this.counters));
  }

  update(): void {
    const { store } = this;
    const { now, head } = store;
    this.jitter.update(store.jitters);
    this.roundTrip.update(store.roundTrips);
    if (!now) return;
    const { peaks } = now;
    const at = ([value, t]: [Maybe, Maybe], text: (x: Maybe) => string) => (value === null ? '–' : `${text(value)} at ${fixed(t, 3)} s`);
    const figures: [string, string][] = [
      ['force', at(peaks.force, (x) => units.text(x, 'N'))], ['energy balance', at(peaks.energy, energyText)],
      ['jitter', at(peaks.jitter, duration)], ['round trip', at(peaks.round_trip, duration)],
    ];
    const refused = head.refusals.map((name, i): [string, number] => [name, now.refused[i] ?? 0]).filter(([, n]) => n > 0);
    const counted: [string, string][] = [
      ['ticks', count(now.ticks)], ['late', count(now.late)], ['lost answers', count(now.lost)], ['refused', count(now.refused.reduce((a, b) => a + b, 0))],
      ...refused.map(([name, n]): [string, string] => [`· ${name}`, count(n)]), ['frames not shown here', count(store.dropped)],
    ];
    const text = JSON.stringify([figures, counted]);
    if (text === this.shown) return;
    this.shown = text;
    this.peaks.replaceChildren(table(figures));
    this.counters.replaceChildren(table(counted));
  }
}

function fill(head: Head, models: Block): void {
  const store = new Store(head);
  const status = new Status(store);
  const help = helpDialog(keys);
  const first = definitions(store);
  const strips = first.map((d, i) => new Strip(store, d, i === first.length - 1));
  const added = head.more.map((m, i) => new Strip(store, {
    name: m.name, title: m.name, units: [[m.unit || '-', 1]], curves: [{ label: m.name, trace: store.traces[store.traces.length - head.more.length + i]!, color: 0 }], lines: [],
    note: () => ({ text: '', warns: false }),
  }, true));
  const scene = el('div', { class: 'scene-place' }, el('p', { class: 'waiting' }, head.scene ? 'The scene is there with the first tick.' : head.scene_note || 'This run has no 3-D scene.'));
  const picture = new Picture(store, models, scene);
  const cards = new Cards(store);

  // Lengths of the plots, in simulated time.
  const spans = [1 / 3, 2 / 3, 1].map((part) => Number((part * store.span).toPrecision(3)));
  let span = spans[1]!;
  let held = false;
  const hold = button('Hold', 'Hold plots and scene (space)', () => setHeld(!held));
  const heldNote = el('p', { class: 'held', role: 'status' });
  const setHeld = (on: boolean) => {
    held = on;
    hold.setAttribute('aria-pressed', String(on));
    setText(hold, on ? 'Follow' : 'Hold');
    setText(heldNote, on && store.now ? `Plots and scene are held at t = ${fixed(store.now.t, 3)} s. The run goes on.` : '');
    heldNote.hidden = !heldNote.textContent;
    picture.clock.playing = false;
    picture.clock.tick(); // a picture at rest is drawn more finely
    schedule();
  };
  hold.setAttribute('aria-pressed', 'false');
  heldNote.hidden = true;

  page.replaceChildren(
    el('div', { class: 'first-screen' },
      el('header', { class: 'summary' }, el('h1', { title: head.title }, head.title || 'A live run of berth'),
        el('div', { class: 'tools' }, menu('Length of the plots', spans.map((s) => [String(s), `last ${s} s`] as const), String(span), (s) => { span = Number(s); schedule(); }), hold,
          button('◐', 'Light or dark', () => theme.toggle()), button('?', 'Keys and mouse (?)', () => help.showModal()), help)),
      status.element, heldNote,
      el('main', { class: 'live-main' }, scene, el('div', { class: 'strips' }, buildGauge(head), ...strips.map((s) => s.element)))),
    cards.element,
    ...(added.length > 0 ? [el('section', { class: 'added', 'aria-label': 'Further numbers' }, ...added.map((s) => s.element))] : []),
    el('p', { class: 'program' }, head.program));

  let scheduled = false;
  let drawn = { t: NaN, span: 0, ticks: -1 };
  const draw = () => {
    scheduled = false;
    const { now } = store;
    status.update(stream.connected, (performance.now() - stream.heard) / 1000, stream.heard > 0);
    document.documentElement.classList.toggle('stale', !stream.connected && stream.heard > 0);
    cards.update();
    strips.forEach((strip, i) => strip.read(readingsOf(now, first[i]!.name)));
    added.forEach((strip, i) => strip.read([now?.more[i] ?? null]));
    if (held && drawn.span === span) return;
    const t = held ? drawn.t : now?.t ?? 0;
    if (!held && (drawn.ticks !== now?.ticks || picture.clock.playing !== (store.state === 'running' && stream.connected))) picture.update(store.state === 'running' && stream.connected);
    if (drawn.t !== t || drawn.span !== span || now === null) {
      // A run that has just begun fills the plots from the left.
      const from = Math.max(t - span, store.traces[0]!.t[0] ?? 0);
      for (const strip of [...strips, ...added]) strip.draw(from, from + span);
    }
    drawn = { t, span, ticks: now?.ticks ?? -1 };
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  };
  const stream = new Stream('stream', (message) => { store.apply(message); schedule(); }, schedule);
  window.setInterval(schedule, 500); // silence is shown too
  schedule();

  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
    const at = e.target as HTMLElement;
    if (at.matches('input, select') || (e.key === ' ' && at.closest('button, summary'))) return;
    const views = ['chase', 'port', 'cutaway', 'free'] as const;
    const actions: Record<string, () => void> = {
      ' ': () => setHeld(!held), f: () => picture.panel?.fullscreen(), '?': () => help.showModal(),
      ...Object.fromEntries(views.map((view, i) => [String(i + 1), () => picture.panel?.setView(view)])),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    action();
  });
  // For tests, and for the curious at the console.
  Object.assign(window, { berthLive: { store, stream, get scene() { return picture.panel; }, get held() { return held; } } });
}

start();
