import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const cache = join(import.meta.dirname, '../../../.cache');

/**
 * Writes a script and all that it imports of this repository into one file of plain JavaScript, and returns its path. A
 * process that compiles its sources on the way takes three times as much of the processor.
 */
export async function bundleScript(script: string, name: string): Promise<string> {
  const outfile = join(cache, name);
  await build({
    ...{ entryPoints: [script], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' },
    plugins: [
      {
        name: 'own-places',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, async ({ path }) => ({ loader: 'ts', contents: await withOwnPlaces(path) }));
        },
      },
    ],
  });
  return outfile;
}

/** Files beside a module are found as if it still stood where its source is. */
async function withOwnPlaces(path: string): Promise<string> {
  return (await readFile(path, 'utf8'))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
}
