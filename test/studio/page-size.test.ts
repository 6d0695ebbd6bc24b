import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readAssets } from '../../src/studio/page-shell.ts';

const folder = join(import.meta.dirname, '../../dist/studio/page');

/** Returns the gzipped size of the matching files, in KB. */
function gzipKb(isCounted: (name: string) => boolean): number {
  const files = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name) && isCounted(name));
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0) / 1000;
}

// Rules for languages other than English load only with a flow in that language.
const later = /^(code-editor|language-of)-/;

test('the page is at most 400 KB with kernel and voice, and 60 KB before either is needed', () => {
  const all = gzipKb((name) => !later.test(name));
  const shell = gzipKb((name) => !later.test(name) && !/^(fold|room-voice)-/.test(name));
  const editor = gzipKb((name) => name.startsWith('code-editor-'));
  console.log(
    `studio page, gzip: ${all.toFixed(0)} KB, of which the shell ${shell.toFixed(0)} KB; editor ${editor.toFixed(0)} KB`,
  );
  expect(all).toBeLessThanOrEqual(400);
  expect(shell).toBeLessThanOrEqual(60);
});

test('the page contains the licences of its parts, and no code of the layout', () => {
  const licences = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
  expect(licences).toMatch(/^preact \(MIT\)$/m);
  expect(licences).toMatch(/^livekit-client \(Apache-2.0\)$/m);
  expect(licences).not.toMatch(/elkjs|EPL/);
});

test('the layout is served unchanged, with its licence beside it', () => {
  const assets = readAssets(folder);
  const { resolve } = createRequire(import.meta.url);
  const kept = readFileSync(resolve('elkjs/lib/elk-worker.min.js'));
  expect(assets.get('elk-worker.min.js')?.body.equals(kept)).toBe(true);
  expect(assets.get('elkjs-LICENSE.txt')?.body.toString()).toMatch(/^# Eclipse Public License - v 2\.0/);
});
