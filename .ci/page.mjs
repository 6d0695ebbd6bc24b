// Bundles the page of the studio into dist/studio/page/: what is loaded later is a file of its own, and a list of licences is
// beside them. Called by setup.mjs after bundle.mjs. Prints the files that it wrote, relative to dist/.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pageOptions } from './page-options.mjs';

const folder = 'studio/page';
const source = `src/${folder}`;
const { outputFiles, metafile } = await build({
  ...pageOptions,
  entryPoints: [`${source}/studio.tsx`, `${source}/studio.css`],
  outdir: `dist/${folder}`,
  tsconfig: `${source}/tsconfig.json`,
  write: false,
});
mkdirSync(`dist/${folder}`, { recursive: true });
const written = outputFiles.map(({ path, contents }) => {
  writeFileSync(`dist/${folder}/${basename(path)}`, contents);
  return `${folder}/${basename(path)}`;
});
const packages = [...new Set(Object.keys(metafile.inputs).flatMap((path) => packageOf(path) ?? []))].toSorted();
writeFileSync(`dist/${folder}/LICENSES.txt`, packages.map(licenceOf).join('\n'));
process.stdout.write([...written, `${folder}/LICENSES.txt`].join('\n'));

function packageOf(path) {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function licenceOf(name) {
  const place = join('node_modules', name);
  const file = readdirSync(place).find((entry) => /^licen[cs]e([.-].*)?$/i.test(entry));
  const { license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  return `${name} (${license})\n\n${file === undefined ? '' : readFileSync(join(place, file), 'utf8')}`;
}
