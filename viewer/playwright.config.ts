// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  globalSetup: './tests/pages.ts',
  outputDir: 'test-results/runs',
  timeout: 30_000,
  workers: 1, // frame rates are measured: nothing may run beside them
  reporter: [['list']],
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // WebGL in software; the page itself is composed without it, which is twice as quick.
      args: ['--no-sandbox', '--enable-unsafe-swiftshader'],
    },
  },
});
