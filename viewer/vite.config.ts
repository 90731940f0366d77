// SPDX-License-Identifier: Apache-2.0
// Builds dist/template.html, the page of a run, in mode "sweep" dist/sweep_template.html, that of a sweep, and in mode
// "live" dist/live_template.html, that of a live run: one file each, script and style inside, three holes for the
// program to fill.
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

// The holes. Each must be in the finished file exactly once, ahead of the script that reads them:
// the program fills them by plain search and replace.
const holes = ['@BERTH_TITLE@', '@BERTH_HEAD@', '@BERTH_DATA@'];

/** A page carries copies of these libraries, and so, as they ask, their licences. */
const licencesOf = (libraries: readonly string[]) => libraries
  .map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8').trim()}`)
  .join('\n\n')
  .replaceAll('--', '- -'); // which would end the comment they stand in

/** Moves the bundled script and style into the page, and refuses a page the program could not fill. */
function oneFile(input: string, output: string, libraries: readonly string[]): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      for (const [file, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') script += part.code;
        else if (file.endsWith('.css')) style += String(part.source);
        else continue;
        delete bundle[file];
      }
      const page = bundle[input];
      if (page?.type !== 'asset') throw new Error(`the bundle has no ${input}`);

      // Replacements are functions because "$&" in minified code must not be read as a pattern.
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*src=[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('</head>', () => `<style>${style.trim()}</style>\n</head>`)
        .replace('</body>', () => {
          const code = script.trim().replaceAll('</script', '<\\/script');
          const licences = libraries.length > 0 ? `<!-- Parts of this page:\n\n${licencesOf(libraries)}\n-->\n` : '';
          return `<script type="module">${code}</script>\n${licences}</body>`;
        });

      const scriptAt = html.lastIndexOf('<script type="module">');
      for (const hole of holes) {
        const at = html.indexOf(hole);
        if (at < 0 || at > scriptAt || html.indexOf(hole, at + 1) >= 0) {
          throw new Error(`${hole} must be in the page once, ahead of the script`);
        }
      }
      delete bundle[input];
      this.emitFile({ type: 'asset', fileName: output, source: html });
      this.info(`${output}: ${(html.length / 1000).toFixed(0)} kB`);
    },
  };
}

const pages: Record<string, { input: string; output: string; libraries: readonly string[] }> = {
  sweep: { input: 'sweep.html', output: 'sweep_template.html', libraries: ['uplot'] },
  live: { input: 'live.html', output: 'live_template.html', libraries: ['three', 'uplot'] },
};
const pageOfARun = { input: 'index.html', output: 'template.html', libraries: ['three', 'uplot'] };

export default defineConfig(({ mode }) => {
  const { input, output, libraries } = pages[mode] ?? pageOfARun;
  return {
    plugins: [oneFile(input, output, libraries)],
    build: {
      rollupOptions: { input },
      emptyOutDir: !(mode in pages), // the other pages lie there
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      chunkSizeWarningLimit: 1000,
    },
  };
});
