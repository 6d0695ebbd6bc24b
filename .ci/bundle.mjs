// Writes the entries of the package as a few files: Node takes most of a millisecond for each that it opens. Called by
// setup.mjs after the compiler, whose files stay beside them for the benchmarks. Prints the files that it wrote.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, posix, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { createModuleGraph, isPackage } from './module-graph.mjs';

/** Entries that are not public: the process of a call, that of a studio's sessions, that of watched tests, that of a configuration beside an editor, and what is imported by file in tests. */
const inner = ['worker/job', 'cli/stage', 'cli/test/test-watched-round', 'lsp/checker/checker-process', 'model/errors'];
/** What an application's bundler takes alone: kept out of the chunk with the core, whose modules run on import. */
const alone = [
  'config/define-config',
  'model/errors',
  'model/error-codes',
  'flow/document/define',
  'flow/document/problems/diagnostic',
  'flow/document/problems/suggestion',
  'livekit/tools/next',
];
/** Packages of many small files, or of which a few functions are needed: they go into the core, with their licences. Opening the files of yaml took as long as the whole core. */
const small = [
  're2js',
  'yaml',
  '@noble/hashes',
  'fastest-levenshtein',
  'libphonenumber-js',
  'p-limit',
  'p-timeout',
  'yocto-queue',
];
/** The client of MCP and what it needs: a chunk that is read with the first server, instead of 73 packages of which most are for servers. */
const mcp = [
  '@modelcontextprotocol/sdk',
  'content-type',
  'cross-spawn',
  'eventsource-parser',
  'isexe',
  'path-key',
  'pkce-challenge',
  'shebang-command',
  'shebang-regex',
  'which',
];
const inlined = [...small, ...mcp];
/** Stands before a path inside dist/ until it is known which file holds it. */
const fromDist = '@dist/';

const source = (name) => resolve('src', `${name}.ts`);

/** Code that looks for files beside its own finds them as if it still stood where the compiler puts it. */
const ownPlaces = {
  name: 'own-places',
  transform: {
    filter: { id: /[\\/]src[\\/].*\.ts$/, code: 'import.meta.url' },
    handler(code, id) {
      const place = relative('src', id).replaceAll('\\', '/').replace(/ts$/, 'js');
      return code.replaceAll('import.meta.url', `new URL('${fromDist}${place}', import.meta.url).href`);
    },
  },
};

/** The client brings a validator that generates code. Ours is used in its place. */
const ownValidator = {
  name: 'own-validator',
  load: {
    filter: { id: /[\\/]validation[\\/]ajv-provider\.js$/ },
    handler: () => 'export class AjvJsonSchemaValidator {}',
  },
};

/** The numbering plans, 160 kB: kept as text and parsed with the first telephone number. */
const numberingPlans = {
  name: 'numbering-plans',
  load: {
    filter: { id: /[\\/]metadata\.max\.json\.js$/ },
    handler(id) {
      const text = readFileSync(id.slice(0, -3), 'utf8');
      const members = Object.keys(JSON.parse(text)).map((name) => `get ${name}() { return plans().${name}; }`);
      return `let parsed; const plans = () => (parsed ??= JSON.parse(${JSON.stringify(text)}));
        export default { ${members.join(', ')} };`;
    },
  },
};

const graph = createModuleGraph();

const { bin = {}, exports = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const open = [...Object.values(bin), ...Object.values(exports).map((entry) => entry.default ?? entry)];
const names = [...open.flatMap((file) => /^\.\/dist\/(.+)\.js$/.exec(file)?.[1] ?? []), ...inner];
const rolled = await rolldown({
  input: Object.fromEntries(names.map((name) => [name, source(name)])),
  external: (id) => isPackage(id) && !inlined.some((name) => id === name || id.startsWith(`${name}/`)),
  platform: 'node',
  // The SDK imports it for servers; its code for clients calls nothing of it.
  treeshake: { moduleSideEffects: [{ test: /^zod-to-json-schema$/, sideEffects: false }] },
  plugins: [ownPlaces, ownValidator, numberingPlans, graph.plugin],
  logLevel: 'silent',
});
let core;
const { output: chunks } = await rolled.generate({
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  minifyInternalExports: false,
  // Editors read docstrings in the declarations.
  comments: { jsdoc: false },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: 'core', debugName: 'core', test: (id) => (core ??= coreModules()).has(id) }],
  },
});
await rolled.close();

/** What the entry of the core needs, save what stays alone with all that it needs: so no two chunks import each other. */
function coreModules() {
  const reached = graph.reachedFrom([source('index')]);
  for (const id of [source('index'), ...graph.reachedFrom(alone.map(source))]) reached.delete(id);
  return reached;
}

for (const { fileName, code } of chunks) {
  const up = posix.relative(posix.dirname(fileName), '.') || '.';
  mkdirSync(dirname(`dist/${fileName}`), { recursive: true });
  writeFileSync(`dist/${fileName}`, code.replaceAll(`'${fromDist}`, `'${up}/`).replaceAll(`"${fromDist}`, `"${up}/`));
}
const licences = 'chunks/LICENSES.txt';
writeFileSync(`dist/${licences}`, inlined.map(licenceOf).join('\n'));
process.stdout.write([licences, ...chunks.map(({ fileName }) => fileName)].join('\n'));

function licenceOf(name) {
  const file = readdirSync(`node_modules/${name}`).find((entry) => /^licen[cs]e(\.md)?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence that could be given with its code.`);
  return `${name}\n\n${readFileSync(`node_modules/${name}/${file}`, 'utf8')}`;
}
