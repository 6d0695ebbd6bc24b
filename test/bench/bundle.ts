import { build } from 'esbuild';
import { join } from 'node:path';

/** Returns the minified bundle size of an application that imports one name from `roomflow`, in bytes. */
export async function bundleBytes(exported: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${exported} } from 'roomflow';`,
      resolveDir: join(import.meta.dirname, '../..'),
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'node',
    // Native code, which no bundler can include.
    external: ['better-sqlite3'],
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild gave no bundle.');
  return file.contents.length;
}
