// SPDX-License-Identifier: Apache-2.0
// The large line: how the run stands, its times, and what has gone wrong so far. It is never held.
import { el, setText } from '../dom';
import type { Level } from '../data';
import { count, duration, fixed } from './numbers';
import type { Store } from './store';

const signs = { armed: '◌', running: '▶', stopped: '■', lost: '!' };
const meanings = {
  armed: 'waiting for the start', running: '', stopped: 'without a verdict',
};

export class Status {
  readonly element: HTMLElement;
  private readonly sign = el('span', { class: 'state-sign', 'aria-hidden': 'true' });
  private readonly word = el('span', { class: 'state-word' });
  private readonly verdict = el('span', { class: 'state-verdict' });
  private readonly state = el('div', { class: 'state', role: 'status' }, this.sign, el('span', { class: 'state-text' }, this.word, this.verdict));
  private readonly fields = new Map<string, { value: HTMLElement; note: HTMLElement; box: HTMLElement }>();

  constructor(private readonly store: Store) {
    const { head } = store;
    const field = (name: string, label: string, large = false) => {
      const value = el('span', { class: 'field-value' });
      const note = el('span', { class: 'field-note' });
      const box = el('div', { class: `field of-${name}${large ? ' large' : ''}` }, el('dt', {}, label), el('dd', {}, value, note));
      this.fields.set(name, { value, note, box });
      return box;
    };
    this.element = el('section', { class: 'status', 'aria-label': 'State of the run' }, this.state,
      el('dl', { class: 'fields' }, field('time', 'simulated time', true), field('clock', 'clock', true), field('pace', head.lockstep ? 'pace' : 'factor', true),
        field('contact', 'contact'), field('late', 'late ticks'), field('lost', 'lost answers'), field('refused', 'refused')));
    const rate = head.sample_time ? `${Number((1 / head.sample_time).toPrecision(4))} Hz` : '';
    this.set('pace', head.lockstep ? 'lockstep' : `×${head.factor}`, rate);
  }

  /** `silent` [s]: since the program was last heard, where the connection is lost. */
  update(connected: boolean, silent: number, began: boolean): void {
    const { store } = this;
    const { now, state, verdict } = store;
    let word: string = state;
    let sentence = verdict || meanings[state];
    let level: Level | 'run' = state === 'running' ? 'run' : state === 'stopped' ? store.level : '';
    let sign = signs[state];
    if (!connected && began && state === 'stopped') {
      sentence = `${verdict ? `${verdict}; ` : ''}the program has ended, the picture is the last one`;
    } else if (!connected) {
      word = began ? 'no connection' : 'connecting';
      sentence = !began ? 'to the program that runs it'
        : `for ${silent.toFixed(0)} s, trying again; the picture is the last one, last known: ${state}`;
      level = began ? 'warn' : '';
      sign = signs.lost;
    } else if (state === 'running') {
      const still = (performance.now() - store.moved) / 1000;
      if (now && still > Math.max(1, 10 * (store.head.sample_time ?? 0))) [sentence, level] = [`no tick for ${still.toFixed(0)} s`, 'warn'];
    }
    this.state.dataset.level = level;
    setText(this.sign, sign);
    setText(this.word, word);
    setText(this.verdict, sentence);
    this.verdict.title = sentence;
    if (!now) {
      for (const name of ['time', 'clock', 'contact', 'late', 'lost', 'refused']) this.set(name, '–');
      return;
    }
    const { head } = store;
    this.set('time', `${fixed(now.t, 3)} s`);
    const behind = now.clock - now.t / head.factor;
    this.set('clock', `${fixed(now.clock, 3)} s`, head.lockstep ? '' : Math.abs(behind) < 5e-4 ? 'on schedule' : `${duration(Math.abs(behind))} ${behind > 0 ? 'behind' : 'ahead'}`);
    this.set('contact', now.touching ? 'touching' : 'free', '', now.touching);
    this.set('late', count(now.late), `of ${count(now.ticks)}`, now.late > 0);
    this.set('lost', count(now.lost), '', now.lost > 0);
    const refused = now.refused.reduce((a, b) => a + b, 0);
    this.set('refused', count(refused), 'datagrams', refused > 0);
  }

  private set(name: string, value: string, note = '', marked = false): void {
    const field = this.fields.get(name)!;
    setText(field.value, value);
    setText(field.note, note);
    field.box.classList.toggle('marked', marked);
  }
}
