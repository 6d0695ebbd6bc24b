// How code is bundled for a page, as esbuild takes it: what is loaded later is a file of its own.
import { dirname, join } from 'node:path';

/** Of the messages in forty languages that zod brings along a page shows none: without them it is a fifth smaller. */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from './en.js';`,
      resolveDir: join(dirname(path)),
    }));
  },
};

const notInPage = (name) => `export function ${name}() { throw new Error('${name} is not in the page.'); }`;

/** No page makes schemas of JSON Schema, or code of schemas, which its policy refuses. */
const withoutUnused = {
  name: 'without-unused',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/ }, () => ({
      contents: notInPage('fromJSONSchema'),
    }));
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]compile\.js$/ }, () => ({
      contents: [
        "export const INVALID = Symbol.for('zod.compile.invalid');",
        'export class ZodCompileAsyncError extends Error {}',
        'export class ZodCompileUnsupportedError extends Error {}',
        ...['compile', 'withParser', 'compileFn'].map(notInPage),
      ].join('\n'),
    }));
  },
};

export const pageOptions = {
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  plugins: [englishOnly, withoutUnused],
  // Before zod is loaded: with its first schema it would try to make code of text, which the policy of the page refuses.
  banner: { js: 'globalThis.__zod_globalConfig={jitless:true};' },
};
