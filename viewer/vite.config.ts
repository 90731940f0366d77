// SPDX-License-Identifier: Apache-2.0
// Builds dist/template.html, the page of a run, in mode "sweep" dist/sweep_template.html, that of a sweep, and in mode
// "live" dist/live_template.html, that of a live run: one file each, script and style inside, three holes for the
// program to fill.
import { readFileSync, readdirSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

// The holes. Each must be in the finished file exactly once, ahead of the script that reads them:
// the program fills them by plain search and replace.
const holes = ['@BERTH_TITLE@', '@BERTH_HEAD@', '@BERTH_DATA@'];

/** A library of which a page has parts inside, as the page's list of them says. */
interface Bundled {
  name: string;
  version: string;
  licence: string;
  text: string;
}

/** The libraries that these modules are parts of, by name, with the licence each has in its folder. */
function bundledFrom(modules: Iterable<string>): Bundled[] {
  const names = new Set<string>();
  for (const id of modules) {
    const inside = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id);
    if (inside?.[1] !== undefined) names.add(inside[1]);
  }
  return [...names].sort().map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as
      { version: string; license: string };
    const file = readdirSync(folder).sort().find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} would be in the page, and has no file with its licence`);
    return { name, version, licence: license, text: readFileSync(`${folder}/${file}`, 'utf8').trim() };
  });
}

/** Their notices, as they ask for; "--" would end the comment that they stand in. */
const noticesOf = (libraries: readonly Bundled[]) => libraries
  .map(({ name, version, text }) => `${name} ${version}\n\n${text}`)
  .join('\n\n')
  .replaceAll('--', '- -');

/** Moves the bundled script and style into the page, and refuses a page the program could not fill. Beside it: which
 * libraries it has parts of. */
function oneFile(input: string, output: string): Plugin {
  const styles = new Set<string>(); // modules that leave no code but a style

  return {
    name: 'one-file',
    enforce: 'post',
    transform(_code, id) {
      if (id.endsWith('.css')) styles.add(id);
      return null;
    },
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      const modules = new Set(styles);
      for (const [file, part] of Object.entries(bundle)) {
        if (part.type === 'chunk') {
          script += part.code;
          for (const [id, { renderedLength }] of Object.entries(part.modules)) {
            if (renderedLength > 0) modules.add(id);
          }
        } else if (file.endsWith('.css')) style += String(part.source);
        else continue;
        delete bundle[file];
      }
      const page = bundle[input];
      if (page?.type !== 'asset') throw new Error(`the bundle has no ${input}`);

      const libraries = bundledFrom(modules);

      // Replacements are functions because "$&" in minified code must not be read as a pattern.
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*src=[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('</head>', () => `<style>${style.trim()}</style>\n</head>`)
        .replace('</body>', () => {
          const code = script.trim().replaceAll('</script', '<\\/script');
          const notices = libraries.length > 0 ? `<!-- Parts of this page:\n\n${noticesOf(libraries)}\n-->\n` : '';
          return `<script type="module">${code}</script>\n${notices}</body>`;
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
      this.emitFile({ type: 'asset', fileName: `${output}.json`, source: `${JSON.stringify(libraries, null, 1)}\n` });
      this.info(`${output}: ${(html.length / 1000).toFixed(0)} kB`);
    },
  };
}

const pages: Record<string, { input: string; output: string }> = {
  sweep: { input: 'sweep.html', output: 'sweep_template.html' },
  live: { input: 'live.html', output: 'live_template.html' },
};
const pageOfARun = { input: 'index.html', output: 'template.html' };

export default defineConfig(({ mode }) => {
  const { input, output } = pages[mode] ?? pageOfARun;
  return {
    plugins: [oneFile(input, output)],
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
