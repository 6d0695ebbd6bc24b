import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleBytes } from './bench/bundle.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Hooks of Node's loader that hide all packages of LiveKit. */
const withoutLiveKit = `export const resolve = (specifier, context, next) => {
  if (/^(@livekit\\/|livekit-)/.test(specifier)) throw new Error('no ' + specifier + ' here');
  return next(specifier, context);
};`;

test('roomflow loads nothing of LiveKit, and neither does what it checks, folds, keeps and replays', async () => {
  expect(
    await outputWithoutLiveKit(`
      import { checkFlow, defineFlow, newSession, openStore, replaySession, step, systemClock } from 'roomflow';
      const flow = defineFlow({
        name: 'hello',
        initialNode: 'hello',
        nodes: { hello: { say: 'Hello.', end: 'done' } },
      });
      const { graph } = checkFlow(flow);
      const started = {
        ...{ type: 'session:started', at: 0, sessionId: 's', input: {}, timeZone: 'UTC' },
        flow: { name: graph.name, hash: graph.hash },
      };
      const { effects } = step(graph, newSession('s'), started);
      const store = await openStore('memory', { clock: systemClock });
      const replayed = await replaySession(store, 's').catch(({ code }) => code);
      console.log(JSON.stringify([effects[0].payload.text, replayed]));
    `),
  ).toBe('["Hello.","session-unknown"]');
});

test('the suites for stores and timekeepers need neither LiveKit nor a test runner of their own', async () => {
  expect(
    await outputWithoutLiveKit(`
      import { openStore } from 'roomflow';
      import { describeStore } from 'roomflow/testing/store';
      import { describeTimekeeper } from 'roomflow/testing/timekeeper';
      const found = [];
      const open = (clock) => openStore('memory', { clock });
      const test = (name, body) => found.push(body);
      const passes = new Proxy({}, { get: (_matchers, name) => (name === 'not' ? passes : () => {}) });
      const expect = Object.assign(() => passes, { any: () => null });
      describeStore('memory', open, { describe: (_name, body) => body(), expect, test });
      for (const body of found) await body();
      const count = found.length;
      describeTimekeeper('mine', {}, { describe: (_name, body) => body(), expect, test });
      console.log(count > 50 && found.length > count);
    `),
  ).toBe('true');
});

test('the other entries load it', async () => {
  await expect(outputWithoutLiveKit("import 'roomflow/livekit';")).rejects.toThrow('no @livekit/');
  await expect(outputWithoutLiveKit("import 'roomflow/offline';")).rejects.toThrow('no @livekit/');
});

test.each(['FlowError', 'defineConfig', 'defineFlow', 'next'])(
  '%s alone is a bundle of less than 5 kB',
  async (exported) => {
    expect(await bundleBytes(exported)).toBeLessThan(5_000);
  },
);

test('the types of the entries need no package that a user may not have', () => {
  const { exports: entries, dependencies, peerDependencies, peerDependenciesMeta } = manifest();
  const given = { ...dependencies, ...peerDependencies };
  const isGiven = (name: string): boolean => Object.hasOwn(given, name) && !Object.hasOwn(peerDependenciesMeta, name);
  const doors = Object.values(entries).flatMap(({ types }) => (types === undefined ? [] : [join(root, types)]));
  const { files, packages } = declarationsFrom(doors);
  expect(files).toBe(8);
  expect([...packages].filter((name) => !isGiven(name))).toEqual([]);
});

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  readonly dependencies: object;
  readonly peerDependencies: object;
  readonly peerDependenciesMeta: object;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest; // The manifest of this project.
}

/** Returns the declarations that a compiler reads from these on, and the packages that they name. */
function declarationsFrom(doors: readonly string[]): { readonly files: number; readonly packages: Set<string> } {
  const seen = new Set(doors);
  const packages = new Set<string>();
  for (const file of seen) {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
    for (const [, named = ''] of code.matchAll(/(?:\bfrom |\bimport\()['"]([^'"]+)['"]/g)) {
      if (named.startsWith('.')) seen.add(join(dirname(file), named.replace(/\.[jt]s$/, '.d.ts')));
      else if (!isBuiltin(named)) packages.add(named.split('/', named.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return { files: seen.size, packages };
}

/** Returns the output of a module in a separate process that cannot load LiveKit. Throws the error that ended it. */
async function outputWithoutLiveKit(module: string): Promise<string> {
  const hooks = `data:text/javascript,${encodeURIComponent(withoutLiveKit)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(hooks)});`;
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(register)}`,
    '--input-type=module',
    '-e',
    module,
  ];
  const { stdout } = await run(execPath, args, { cwd: root });
  return stdout.trim();
}

test('the package is at most 400 files, and ten of them are declarations', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  expect(files.length).toBeLessThanOrEqual(400);
  expect(files.filter(({ path }) => /\.d\.m?ts$/.test(path)).length).toBeLessThanOrEqual(10);
  expect(files.some(({ path }) => path === 'dist/types/index.d.ts')).toBe(true);
});
