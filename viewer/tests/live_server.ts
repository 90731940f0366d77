// SPDX-License-Identifier: Apache-2.0
// A program that serves the page of a live run the way `berth live` does, moved by the test; and a made-up run for it:
// a probe that bounces off a plate.
import { readFileSync } from 'node:fs';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Maybe, Message, Now, RunState } from '../src/live/data';
import { folder } from './pages';

export const liveTemplate = join(folder, 'dist/live_template.html');

/** What a browser gets: the template with its holes filled. */
export function fillLive(head: object | string, title = 'live'): string {
  const text = typeof head === 'string' ? head : JSON.stringify(head);
  const values: Record<string, string> = { TITLE: title, HEAD: text.replaceAll('<', '\\u003c'), DATA: '' };
  return readFileSync(liveTemplate, 'utf8').replace(/@BERTH_(TITLE|HEAD|DATA)@/g, (_, hole: string) => values[hole]!);
}

export class LiveServer {
  refuses = false; // connections
  private readonly clients = new Set<ServerResponse>();
  private readonly server: Server;

  private constructor(page: string, private readonly first: () => Message) {
    this.server = createServer((request, response) => {
      if (request.url === '/') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      } else if (request.url === '/stream' && !this.refuses) {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
        this.clients.add(response);
        response.on('close', () => this.clients.delete(response));
        this.write(response, this.first());
      } else response.writeHead(this.refuses ? 503 : 404).end();
    });
  }

  /** `first`: what a page is sent when it connects. */
  static async open(page: string, first: () => Message): Promise<LiveServer> {
    const opened = new LiveServer(page, first);
    await new Promise<void>((done) => opened.server.listen(0, '127.0.0.1', done));
    opened.address = `http://127.0.0.1:${(opened.server.address() as AddressInfo).port}/`;
    return opened;
  }

  /** Known even when it is closed: a page may still ask. */
  address = '';

  send(message: Message): void {
    for (const client of this.clients) this.write(client, message);
  }

  /** As when the program is killed, or the machine sleeps. */
  drop(): void {
    for (const client of this.clients) client.destroy();
    this.clients.clear();
  }

  async close(): Promise<void> {
    this.drop();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private write(client: ServerResponse, message: Message): void {
    client.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}

// ---- the run ----

const one = [1, 0, 0, 0] as const;

/** [s] as src/berth/live/time_histogram.h has them. */
export const binEnds = Array.from({ length: 48 }, (_, k) => 1e-6 * 2 ** (k / 2));

export const liveHead = (changes: object = {}) => ({
  format: 1, kind: 'live', program: 'berth 0.1.0', title: 'Probe on a plate, 16 ms late', contact: 'tip', sample_time: 0.001, latency: 0.016, factor: 1, lockstep: false,
  window: 30, force_limit: 60, late_after: 2e-4, h_star: 0.1736, h_E: 0.1438,
  delays: [{ name: 'latency', seconds: 0.016 }, { name: 'half a hold period', seconds: 0.0005 }, { name: 'dead time of the robots', seconds: 0.0043 }],
  more: [{ name: 'meeting.closing', unit: 'm/s' }], refusals: ['crc', 'tag', 'stranger'], bins: binEnds,
  scene: {
    bodies: [
      { name: 'target', kind: 'hub', parent: -1, craft: 1, shapes: [{ kind: 'box', at: [0, 0, 0], q: one, size: [1, 1, 1] }, { kind: 'cone', at: [0.5, 0, 0], q: one, half_angle: 0.5, length: 0.8 }] },
      { name: 'chaser', kind: 'hub', parent: -1, craft: 0, shapes: [{ kind: 'box', at: [0, 0, 0], q: one, size: [1, 1, 1] }, { kind: 'capsule', at: [1.2, 0, 0], q: one, radius: 0.04, length: 0.7 }] },
    ],
    ports: [{ name: 'target.cone', body: 0, at: [0.5, 0, 0], q: one }, { name: 'chaser.tip', body: 1, at: [1.2, 0, 0], q: one }],
    arrows: ['tip'], width: 3 + 14 + 6, models: [],
  },
  scene_note: '',
  facts: { captures: [], contacts: [{ name: 'tip', ports: ['chaser.tip', 'target.cone'], probe: 'sphere', radius: 0.04, surface: 'cone' }], joins: [], thrusters: [], shaped: ['target', 'chaser'], gravity: null },
  ...changes,
});

/** Gap of a bounce at 5 s [m], force [N], energy balance [J]; `gain`: what the bounce gives. */
export class LiveRun {
  t = 0;
  state: RunState = 'running';
  level: Message['level'] = '';
  verdict = '';
  gain = -0.3;
  private sent = 0; // [s] up to which points have been given out

  gap(t: number): number { return Math.abs(t - 5) * 0.02 - (this.touches(t) ? 0.006 : 0); }
  touches(t: number): boolean { return Math.abs(t - 5) < 0.3; }
  force(t: number): number { return this.touches(t) ? 24 * Math.cos(((t - 5) / 0.3) * (Math.PI / 2)) : 0; }
  energy(t: number): number { return t < 4.7 ? 0 : this.touches(t) ? -0.5 * Math.sin((Math.PI * (t - 4.7)) / 0.6) + this.gain * ((t - 4.7) / 0.6) : this.gain; }
  jitter(t: number): number { return 1e-5 * (1 + 0.5 * Math.sin(800 * t)) + (Math.abs(t - 2.5) < 0.005 ? 9e-4 : 0); }

  now(): Now {
    const { t } = this;
    const force = this.force(t);
    const away = 0.9 + this.gap(t); // of the chaser, which faces the target
    const late = t > 2.5 ? 1 : 0;
    const pose: Maybe[] = [0, 0, 0, 0, 0, 0, away + 1.2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, away, 0, 0, force, 0, 0];
    return {
      t, clock: t + 1e-5, force, gap: this.gap(t), energy: this.energy(t), jitter: this.jitter(t), round_trip: 4e-4, touching: this.touches(t), ticks: Math.round(1000 * t) + 1, late, lost: 0,
      refused: [0, 0, 3], more: [t < 5 ? 0.02 : -0.02],
      peaks: { force: t > 5 ? [24, 5] : [force, t], energy: [Math.max(0, t > 5.3 ? this.gain : 0), t > 5.3 ? 5.3 : 0], jitter: late ? [9.1e-4, 2.5] : [1.5e-5, 0.1], round_trip: [4e-4, 0] }, pose,
    };
  }

  /** What a page is sent: on connecting all of the last 30 s, later what is new. */
  message(first = false): Message {
    const from = first ? Math.max(0, this.t - 30) : this.sent;
    const t = Array.from({ length: Math.max(0, Math.ceil((this.t - from) / 0.01)) }, (_, k) => Number((from + 0.01 * k).toFixed(4)));
    const trace = (f: (at: number) => number): [number[], Maybe[]] => [t, t.map(f)];
    this.sent = this.t;
    const bins = binEnds.map((_, k) => (k >= 6 && k <= 8 ? 900 : k === 20 ? 1 : 0));
    return {
      first, state: this.state, level: this.level, verdict: this.verdict, dropped: 0, now: this.now(),
      traces: [trace((x) => this.force(x)), trace((x) => this.gap(x)), trace((x) => this.energy(x)), trace((x) => Number(this.touches(x))), trace((x) => this.jitter(x)), trace(() => 4e-4), trace((x) => (x < 5 ? 0.02 : -0.02))],
      jitters: bins, round_trips: bins.map((_, k) => (k >= 16 && k <= 18 ? 500 : 0)),
    };
  }
}
