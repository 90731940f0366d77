// SPDX-License-Identifier: Apache-2.0
// The connection to the program. It sends at least once a second; silence is as good as a connection that is lost, and
// either is tried again for as long as the page is open.
import type { Message } from './data';

const patience = 3500; // [ms] without a message
const pause = 1000; // [ms] before it is tried again

export class Stream {
  connected = false;
  heard = 0; // [ms] of the page, when the last message came
  private source: EventSource | null = null;
  private timer = 0;

  constructor(private readonly address: string, private readonly take: (message: Message) => void, private readonly changed: () => void) {
    this.open();
    window.setInterval(() => { if (this.connected && performance.now() - this.heard > patience) this.lose(); }, 500);
  }

  private open(): void {
    const source = new EventSource(this.address);
    this.source = source;
    source.onmessage = (event: MessageEvent<string>) => {
      if (source !== this.source) return;
      this.heard = performance.now();
      const message = JSON.parse(event.data) as Message;
      if (!this.connected) {
        this.connected = true;
        this.changed();
      }
      this.take(message);
    };
    // Tried again here: what a browser does on its own differs with the reason, and takes longer.
    source.onerror = () => { if (source === this.source) this.lose(); };
  }

  private lose(): void {
    this.source?.close();
    this.source = null;
    this.connected = false;
    this.changed();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), pause);
  }
}
