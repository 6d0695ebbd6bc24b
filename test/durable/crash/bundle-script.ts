import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const cache = join(import.meta.dirname, '../../../.cache');

/**
 * Bundles a script and its imports from this repository into one plain JavaScript file, and returns its path. A process
 * that compiles its sources takes three times the CPU.
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

/** Keeps the source's location, so that files beside a module are found. */
async function withOwnPlaces(path: string): Promise<string> {
  return (await readFile(path, 'utf8'))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
}
