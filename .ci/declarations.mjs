// Rolls the declarations of the package into one file an entry, and two that entries share: dist/types/. Called by setup.mjs
// after the compiler, whose declarations it reads. Prints the files that it wrote, relative to dist/.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { createModuleGraph, isPackage } from './module-graph.mjs';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const types = Object.values(exports).flatMap((entry) => entry.types ?? []);
const names = types.map((file) => /^\.\/dist\/types\/(.+)\.d\.ts$/.exec(file)[1]);
const compiled = (name) => resolve('dist', `${name}.d.ts`);

const graph = createModuleGraph();
const rolled = await rolldown({
  input: Object.fromEntries(names.map((name) => [name, compiled(name)])),
  external: isPackage,
  plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), graph.plugin],
  logLevel: 'silent',
});
/** The entry without LiveKit and all that it imports: a program that only checks flows reads no type of LiveKit. */
let core;
const isEntry = (id) => names.some((name) => id === compiled(name));
const { output } = await rolled.write({
  dir: 'dist/types',
  format: 'esm',
  entryFileNames: '[name].ts',
  chunkFileNames: '[name].ts',
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      {
        name: 'core.d',
        priority: 2,
        test: (id) => !isEntry(id) && (core ??= graph.reachedFrom([compiled('index')])).has(id),
      },
      { name: 'session.d', priority: 1, test: (id) => !isEntry(id) },
    ],
  },
});
await rolled.close();
process.stdout.write(output.map(({ fileName }) => `types/${fileName}`).join('\n'));
