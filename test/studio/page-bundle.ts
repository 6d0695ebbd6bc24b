import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { pageOptions } from '../../.ci/page-options.mjs';

/** Code of src as a page loads it. */
export interface PageBundle {
  /** The files by name. The page loads the first. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The gzipped size of the entry and its static imports, in bytes. */
  readonly gzipBytes: number;
}

/** Bundles a file of src for a page. Throws if it needs a module of Node. */
export async function bundleForPage(file: string): Promise<PageBundle> {
  const root = join(import.meta.dirname, '../..');
  const { outputFiles, metafile } = await build({
    ...pageOptions,
    absWorkingDir: root,
    entryPoints: [join(root, 'src', file)],
    outdir: join(root, '.cache/page'),
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.split(/[\\/]/).at(-1) ?? '', contents]));
  const outputs = Object.entries(metafile.outputs);
  const [entry] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(file)) ?? [];
  const atOnce = new Set([entry ?? '']);
  for (const name of atOnce)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') atOnce.add(path);
  let gzipBytes = 0;
  for (const name of atOnce) gzipBytes += gzipSync(files.get(name.split('/').at(-1) ?? '') ?? '', { level: 9 }).length;
  return { files, gzipBytes };
}
