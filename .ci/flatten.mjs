// Writes the packages that every process with a session loads as a few files each, beside the hundreds that they come in, and has
// `import` take those: half of such a process's start was to open and compile files, and the tests start hundreds of them. The
// code, the types and what `require` takes stay as they are. Called by setup.mjs; prints the files that it wrote.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix, relative, resolve, sep } from 'node:path';

/** Of each package: what it starts by path, and the packages that go into its files since nothing else here loads them. */
const packages = {
  '@bufbuild/protobuf': {},
  '@livekit/agents': {
    started: ['dist/ipc/job_proc_lazy_main.js', 'dist/ipc/inference_proc_lazy_main.js', 'dist/inference/eot/runner.js'],
    inlined:
      /^(@livekit\/(mutex|throws-transformer|typed-emitter)|@opentelemetry\/(?!api$)[^/]+|commander|form-data|jsonrepair|ofetch|pidusage|zod-to-json-schema)(\/|$)/,
  },
  'livekit-server-sdk': { inlined: /^jose$/ },
  openai: {},
};
/** Packages that stay packages everywhere: other code loads them too, and an error must be of the same class for all. */
const shared = /^(@opentelemetry\/api|openai|pino|ws|zod)(\/|$)/;
const flat = 'flat';
/** Stands before a path inside the flat folder until it is known which file holds it. */
const fromFlat = '@flat/';

for (const [name, { started = [], inlined }] of Object.entries(packages)) {
  const folder = join('node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { exports } = manifest;
  const main = exports['.'] ?? exports;
  const imported = main.import ?? main;
  const file = (imported.default ?? imported).replace(`./${flat}/`, './');
  rmSync(join(folder, flat), { recursive: true, force: true });
  await flatten(folder, [file, ...started], inlined);
  const led = `./${posix.join(flat, file)}`;
  if (typeof imported === 'string') main.import = led;
  else imported.default = led;
  replaceFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function flatten(folder, files, inlined) {
  const { outputFiles } = await build({
    entryPoints: files.map((file) => join(folder, file)),
    outbase: folder,
    outdir: join(folder, flat),
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': extname(files[0]) },
    bundle: true,
    splitting: true,
    keepNames: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [ownPlaces(folder), otherPackages(folder, inlined)],
    banner: { js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url);" },
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) {
    const up = relative(dirname(path), resolve(folder, flat)).replaceAll('\\', '/') || '.';
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text.replaceAll(`'${fromFlat}`, `'${up}/`).replaceAll(`"${fromFlat}`, `"${up}/`));
    process.stdout.write(`${relative('.', path)}\n`);
  }
}

/** Code that looks for files beside its own finds them as if it still stood where the package has it. */
function ownPlaces(folder) {
  return {
    name: 'own-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(resolve(folder) + sep)) return undefined;
        const code = readFileSync(path, 'utf8');
        const place = relative(resolve(folder), path).replaceAll('\\', '/');
        return { contents: code.replaceAll('import.meta.url', `new URL('${fromFlat}${place}', import.meta.url).href`) };
      });
    },
  };
}

function otherPackages(folder, inlined) {
  return {
    name: 'other-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point' || inlined?.test(path)) return undefined;
        const isOwn = importer.startsWith(resolve(folder) + sep);
        return isOwn || shared.test(path) ? { path, external: true } : undefined;
      });
    },
  };
}

/** Under another name first: another process may read the file, and it may be one with that of another checkout. */
function replaceFile(file, text) {
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
