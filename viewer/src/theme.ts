// SPDX-License-Identifier: Apache-2.0
// Light and dark. The page follows the system until its button is pressed; the choice lives in
// memory only, because a page opened from disk should leave nothing behind.

export type Mode = 'light' | 'dark';

export interface Colors {
  background: string;
  text: string;
  faint: string; // axis text
  grid: string;
  now: string; // line at the playback time
  event: string; // line at an event
  lines: readonly string[]; // of plots
}

// Lines: hues after Okabe and Ito, distinct to every kind of colour vision; lightness moved until
// each has a contrast of at least 4 : 1 on its background (a test measures it).
const colors: Record<Mode, Colors> = {
  light: {
    background: '#ffffff', text: '#1b2127', faint: '#56606b', grid: '#e3e7eb', event: '#a9b3bd', now: '#b3261e',
    lines: ['#0067b0', '#c24a00', '#00795a', '#a2357e', '#7d6400', '#50565c'],
  },
  dark: {
    background: '#15191e', text: '#e4e8ec', faint: '#9aa5b0', grid: '#2a3038', event: '#56616d', now: '#ff7b6e',
    lines: ['#5cb0f2', '#ff9a50', '#3ecb9d', '#e88cc9', '#e3cc4b', '#b9c0c7'],
  },
};

const system = window.matchMedia('(prefers-color-scheme: dark)');

class Theme {
  private chosen: Mode | null = null;
  private printing = false;
  private readonly listeners: (() => void)[] = [];

  constructor() {
    system.addEventListener('change', () => this.apply());
    // Paper is white.
    window.addEventListener('beforeprint', () => { this.printing = true; this.apply(); });
    window.addEventListener('afterprint', () => { this.printing = false; this.apply(); });
    this.apply();
  }

  get mode(): Mode {
    if (this.printing) return 'light';
    return this.chosen ?? (system.matches ? 'dark' : 'light');
  }

  get colors(): Colors {
    return colors[this.mode];
  }

  toggle(): void {
    this.chosen = this.mode === 'dark' ? 'light' : 'dark';
    this.apply();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.mode;
    for (const listener of this.listeners) listener();
  }
}

export const theme = new Theme();

/** Of further runs in the scene, which is dark always: those of their curves. */
export const ghostColors = colors.dark.lines;

/** For exports, which are meant for paper whatever the screen shows. */
export const paper = colors.light;
