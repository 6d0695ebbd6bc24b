import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');
let checkout: string;

// A checkout of one dependency and one source. Its npm is a script that records its arguments and "installs" the lock file.
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'roomflow-setup-'));
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  cpSync(join(root, '.ci/setup.mjs'), join(checkout, '.ci/setup.mjs'));
  // The types of the language alone, unchecked: the compiler would otherwise check those of a whole browser in each build.
  const light = { types: [], lib: ['ES2022'], skipLibCheck: true };
  const compilerOptions = { module: 'NodeNext', declaration: true, outDir: '../dist', rootDir: '.', ...light };
  const record = { incremental: true, tsBuildInfoFile: '../.cache/src.tsbuildinfo' };
  write('src/tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, ...record }, include: ['.'] }));
  write('src/cli/main.ts', "#!/usr/bin/env node\nexport const answer: string = 'yes';\n");
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/typescript': { version: '1.0.0' } } }));
  write(
    'bin/npm',
    `#!/bin/sh
     echo "$@" ONNXRUNTIME_NODE_INSTALL=$ONNXRUNTIME_NODE_INSTALL >> npm.log
     test -f npm-fails && echo no such package >&2 && exit 7
     rm -rf node_modules && mkdir node_modules && ln -s '${join(root, 'node_modules/typescript')}' node_modules/typescript
     cp package-lock.json node_modules/.package-lock.json`,
    0o755,
  );
});

test('a fresh clone is installed and built, and the next run does nothing and says nothing', () => {
  const first = setUp();
  expect(first).toMatchObject({ status: 0, stdout: '' });
  expect(first.stderr.split('\n')).toEqual([
    expect.stringContaining('installing dependencies'),
    expect.stringContaining('building'),
    '',
  ]);
  expect(read('npm.log')).toMatch(/^ci .*--include=dev.* ONNXRUNTIME_NODE_INSTALL=skip\n$/);
  expect(statSync(join(checkout, 'dist/cli/main.js')).mode & 0o111).toBe(0o111);

  expect(setUp()).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test.each([
  ['a new version in the lock file', () => writeLock({ typescript: { version: '1.0.1' } })],
  [
    'a new content under the same version',
    () => writeLock({ typescript: { version: '1.0.0', integrity: 'sha512-b' } }),
  ],
  ['a new package', () => writeLock({ typescript: { version: '1.0.0' }, zod: { version: '4.0.0' } })],
  ['an install that broke off', () => rmSync(join(checkout, 'node_modules/.package-lock.json'))],
  ['a package that was deleted', () => rmSync(join(checkout, 'node_modules/typescript'))],
])('%s is installed', (_what, change) => {
  setUp([]);
  change();
  expect(setUp([]).stderr).toContain('installing dependencies');
});

test('SQLite is built once, outlives a new install, and its failure stops nothing', () => {
  setUp([]);
  const addPackage = (): void => write('node_modules/better-sqlite3/package.json', '{ "version": "1.0.0" }');
  const npm = (install: string): void => write('bin/npm', `#!/bin/sh\ntest "$*" = "run install" && ${install}`, 0o755);
  const binary = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
  expect(setUp(['sqlite'])).toMatchObject({ status: 0, stderr: '' });

  addPackage();
  npm('echo no compiler >&2 && exit 1');
  expect(setUp(['sqlite'])).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/no compiler\n.*no SQLite store/),
  });
  npm('mkdir -p build/Release && echo native > build/Release/better_sqlite3.node');
  expect(setUp(['sqlite']).stderr).toContain('building better-sqlite3');
  expect(setUp(['sqlite']).stderr).toBe('');

  rmSync(join(checkout, 'node_modules/better-sqlite3'), { recursive: true });
  addPackage();
  npm('exit 1');
  // A second setup has nothing to do.
  expect(setUp([])).toMatchObject({ status: 0, stderr: '' });
  expect(read(binary)).toBe('native\n');
});

test('an optional package of another platform is not missed', () => {
  setUp([]);
  writeLock({ typescript: { version: '1.0.0' }, 'other-platform': { version: '1.0.0', optional: true } });
  expect(setUp([]).stderr).toBe('');
});

test('a failed install stops with the reason, one clear line and the exit code of npm', () => {
  write('npm-fails', '');
  const { status, stderr } = setUp();
  expect(status).toBe(7);
  expect(stderr).toMatch(/no such package\nroomflow: npm ci failed \(exit code 7\).*\n$/);
  expect(existsSync(join(checkout, 'dist'))).toBe(false);
});

test('dist follows the sources: changes are built, deleted outputs come back, outputs without a source go', () => {
  write('src/old.ts', 'export const old = 1;\n');
  write('src/page.html', '<p>one</p>');
  setUp();
  expect(existsSync(join(checkout, 'dist/old.js'))).toBe(true);
  expect(read('dist/page.html')).toBe('<p>one</p>');

  rmSync(join(checkout, 'src/old.ts'));
  write('src/cli/main.ts', "export const answer: string = 'no';\n");
  setUp();
  expect(existsSync(join(checkout, 'dist/old.js'))).toBe(false);
  expect(existsSync(join(checkout, 'dist/old.d.ts'))).toBe(false);
  expect(read('dist/cli/main.js')).toContain("'no'");

  rmSync(join(checkout, 'dist'), { recursive: true });
  setUp();
  expect(read('dist/cli/main.js')).toContain("'no'");
});

test('packages beside it are built as well, and again once they change', () => {
  write('packages/one/src/index.ts', 'export const one: number = 1;\n');
  const compilerOptions = { module: 'NodeNext', types: [], declaration: true, outDir: 'dist', rootDir: 'src' };
  write('packages/one/tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  expect(setUp().stderr).toContain('building packages/');
  expect(read('packages/one/dist/index.js')).toContain('one = 1');
  expect(setUp().stderr).toBe('');

  write('packages/one/src/index.ts', 'export const one: number = 2;\n');
  setUp();
  expect(read('packages/one/dist/index.js')).toContain('one = 2');
  rmSync(join(checkout, 'packages/one/dist/index.d.ts'));
  expect(setUp().stderr).toContain('building packages/');

  write('packages/one/src/index.ts', "export const one: number = 'three';\n");
  const { status, stderr } = setUp();
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/packages\/one\/src\/index\.ts\(1,14\)[^]*packages\/one does not compile/);
});

test('sources that do not compile stop the command, again and again', () => {
  write('src/cli/main.ts', 'export const answer: string = 1;\n');
  for (let run = 0; run < 2; run += 1) {
    const { status, stdout, stderr } = setUp();
    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/src\/cli\/main\.ts\(1,14\)[^]*src\/ does not compile/);
  }
});

test('of several set-ups at once one does the work and all succeed', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => setUpInParallel()));
  for (const { status, stderr } of runs) expect(status, stderr).toBe(0);
  const said = runs.map((run) => run.stderr).join('');
  expect(said.match(/installing/g)).toHaveLength(1);
  expect(said.match(/building/g)).toHaveLength(1);
});

test('the lock of a set-up that was killed is taken over, by one of several', async () => {
  const dead = spawnSync(execPath, ['--version']).pid;
  write(`.cache/setup.lock/${dead}-killed`, '');
  const runs = await Promise.all([1, 2, 3].map(() => setUpInParallel()));
  for (const { status, stderr } of runs) expect(status, stderr).toBe(0);
  expect(read('npm.log').split('\n')).toHaveLength(2);
  expect(existsSync(join(checkout, '.cache/setup.lock'))).toBe(false);
});

test('an old Node is told which one is needed', () => {
  const pretence = "data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '18.20.1' } })";
  const { status, stderr } = spawnSync(execPath, ['--import', pretence, '.ci/setup.mjs'], {
    cwd: checkout,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toBe('roomflow: this is Node 18.20.1, but 20.12 or newer is needed: install one from nodejs.org.\n');
});

test('the lock file names the optional packages of every platform, without which npm ci refuses it', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((name) => !names.has(name))).toEqual([]);
});

const options = () => ({ cwd: checkout, env: { ...env, PATH: `${join(checkout, 'bin')}:${env['PATH']}` } });

function setUp(steps = ['build']) {
  return spawnSync(execPath, ['.ci/setup.mjs', ...steps], { ...options(), encoding: 'utf8' });
}

function setUpInParallel(): Promise<{ status: number | null; stderr: string }> {
  const child = spawn(execPath, ['.ci/setup.mjs', 'build'], { ...options(), stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stderr }));
  });
}

function writeLock(packages: Record<string, object>): void {
  const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]);
  write('package-lock.json', JSON.stringify({ packages: Object.fromEntries(entries) as object }));
}

function write(file: string, text: string, mode?: number): void {
  mkdirSync(join(checkout, file, '..'), { recursive: true });
  writeFileSync(join(checkout, file), text, { mode });
}

function read(file: string): string {
  return readFileSync(join(checkout, file), 'utf8');
}
