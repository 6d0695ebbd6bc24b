// Makes a checkout ready to run, and does nothing when it is: `node .ci/setup.mjs [browser] [build] [flat] [rooms] [speech] [sqlite]`.
// Plain Node, because it runs before any dependency is there. Speaks on stderr only: stdout belongs to the command that follows.
import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

requireNode(20, 12);
process.chdir(join(dirname(fileURLToPath(import.meta.url)), '..'));

const livekitModule = 'test/livekit-server';
const bundlers = ['.ci/bundle.mjs', '.ci/declarations.mjs', '.ci/page.mjs'];
const flattener = '.ci/flatten.mjs';
/** What a browser loads is no module of Node: it is bundled, and not compiled file by file. */
const page = join('studio', 'page');
const wanted = new Set(process.argv.slice(2));
const steps = [{ isDone: isInstalled, run: install }];
if (wanted.has('flat')) steps.push({ isDone: isFlat, run: flatten });
if (wanted.has('build')) steps.push({ isDone: isBuilt, run: build }, { isDone: arePackagesBuilt, run: buildPackages });
if (wanted.has('rooms')) steps.push({ isDone: hasLivekitServer, run: buildLivekitServer });
if (wanted.has('browser')) steps.push({ isDone: hasBrowser, run: unpackBrowser });
steps.push({ isDone: wanted.has('sqlite') ? hasSqlite : keepsSqlite, run: buildSqlite });
if (wanted.has('speech')) steps.push({ isDone: hasSpeechWeights, run: fetchSpeechWeights });
// Most runs find everything done and never take the lock; the others look again once they have it.
if (!steps.every((step) => step.isDone())) {
  acquireLock('.cache/setup.lock');
  for (const step of steps) if (!step.isDone()) step.run();
}

function requireNode(major, minor) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  fail(`this is Node ${process.versions.node}, but ${major}.${minor} or newer is needed: install one from nodejs.org.`);
}

// npm writes node_modules/.package-lock.json last, so it tells a finished install from a broken one. It lists what this
// platform needed: a package may be absent only if it is optional.
function isInstalled() {
  const needed = packagesIn('package-lock.json');
  const found = packagesIn('node_modules/.package-lock.json');
  if (!needed || !found) return false;
  const isMet = ([path, { version, integrity, optional }]) =>
    path === '' || (found[path] ? found[path].version === version && found[path].integrity === integrity : optional);
  return Object.entries(needed).every(isMet) && Object.keys(found).every((path) => needed[path] && fs.existsSync(path));
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(fs.readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  say('installing dependencies (npm ci), which may take a minute');
  fs.rmSync('node_modules/.package-lock.json', { force: true });
  // The options outweigh what a surrounding `npm run -s` or NODE_ENV=production hands down.
  const npm = spawnSync('npm', ['ci', '--include=dev', '--include=optional', '--loglevel=error'], {
    // onnxruntime-node would otherwise download CUDA libraries, which nothing here uses.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (npm.status === 0) return;
  process.stderr.write(`${npm.stdout ?? ''}${npm.stderr ?? ''}`);
  const cause = npm.error?.message ?? npm.signal ?? `exit code ${npm.status}`;
  fail(`npm ci failed (${cause}), so nothing can run yet: npm's reason is above.`, npm.status);
}

// For the tests, which start two hundred processes with LiveKit. A new installation by npm has no flat files, so each file is
// looked for.
function isFlat() {
  if (!fs.existsSync(flattener)) return true;
  const [hash, ...written] = noted('.cache/flat').split('\n');
  return hash === flatHash() && written.every((file) => fs.existsSync(file));
}

function flatten() {
  say('writing LiveKit as a few files (once)');
  const options = { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' };
  const { status, stdout } = spawnSync(process.execPath, [flattener], options);
  if (status !== 0) fail(`${flattener} could not write its files: the errors are above.`, status);
  // Vitest keeps with each module which files it imports, and would load a package from both.
  fs.rmSync('.cache/vitest', { recursive: true, force: true });
  fs.writeFileSync('.cache/flat', [flatHash(), ...stdout.trim().split('\n')].join('\n'));
}

function flatHash() {
  const hash = createHash('sha256').update(fs.readFileSync('package-lock.json'));
  return hash.update(fs.readFileSync(flattener)).digest('hex');
}

// Compares contents, not times: a fresh clone, a switched branch and a deleted output are all told apart.
function isBuilt() {
  const [hash, ...bundled] = noted('.cache/built').split('\n');
  const written = new Set(filesIn('dist'));
  const isComplete = [...new Set([...outputs(), ...bundled])].every((file) => written.delete(file));
  return isComplete && written.size === 0 && hash === sourceHash();
}

function build() {
  say('building dist/');
  const hash = sourceHash();
  const expected = new Set(outputs());
  fs.rmSync('.cache/built', { force: true });
  for (const file of filesIn('dist')) if (!expected.has(file)) fs.rmSync(join('dist', file));
  // The compiler remembers what it wrote, and would not write a file again that was deleted since.
  if (filesIn('dist').length < expected.size) fs.rmSync('.cache/src.tsbuildinfo', { force: true });

  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json'];
  const { status } = spawnSync(process.execPath, compiler, { stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('src/ does not compile: the errors are above.', status);
  for (const file of filesIn('src').filter((file) => isAsset(file) && !isOfPage(file)))
    fs.cpSync(join('src', file), join('dist', file));
  forgetOldTexts();
  const bundled = bundle();
  if (expected.has('cli/main.js')) fs.chmodSync('dist/cli/main.js', 0o755);
  fs.writeFileSync('.cache/built', [hash, ...bundled].join('\n'));
}

// The tests keep what they compile under a hash of its text, and never delete it: most of it is of texts that are gone.
function forgetOldTexts() {
  const longestMs = 7 * 24 * 60 * 60 * 1000;
  for (const name of filesIn('.cache/vitest')) {
    const file = join('.cache/vitest', name);
    if (Date.now() - fs.statSync(file).mtimeMs > longestMs) fs.rmSync(file, { force: true });
  }
}

// The packages beside this one, which use its built types.
function packages() {
  if (!fs.existsSync('packages')) return [];
  return fs.readdirSync('packages').filter((name) => fs.existsSync(`packages/${name}/tsconfig.json`));
}

function arePackagesBuilt() {
  if (packages().length === 0) return true;
  const isComplete = packages().every((name) => {
    const written = filesIn(`packages/${name}/dist`);
    return outputs(`packages/${name}/src`).toString() === written.toString();
  });
  return isComplete && noted('.cache/built-packages') === packagesHash();
}

function buildPackages() {
  say('building packages/');
  const hash = packagesHash();
  fs.rmSync('.cache/built-packages', { force: true });
  for (const name of packages()) {
    fs.rmSync(`packages/${name}/dist`, { recursive: true, force: true });
    const compiler = ['node_modules/typescript/bin/tsc', '-p', `packages/${name}`];
    const { status } = spawnSync(process.execPath, compiler, { stdio: ['ignore', 2, 2] });
    if (status !== 0) fail(`packages/${name} does not compile: the errors are above.`, status);
  }
  fs.writeFileSync('.cache/built-packages', hash);
}

function packagesHash() {
  const hash = createHash('sha256').update(fs.readFileSync('package-lock.json'));
  for (const name of packages())
    for (const file of filesIn(`packages/${name}`)) {
      if (/^(dist|node_modules)[\\/]/.test(file)) continue;
      hash.update(`\0${name}/${file}\0`).update(fs.readFileSync(join('packages', name, file)));
    }
  return hash.digest('hex');
}

// The files of the package's entries, relative to dist/. A package without entries has nothing to bundle.
function bundle() {
  if (JSON.parse(fs.readFileSync('package.json', 'utf8')).exports === undefined) return [];
  return bundlers
    .filter((bundler) => fs.existsSync(bundler))
    .flatMap((bundler) => {
      const options = { stdio: ['ignore', 'pipe', 2], encoding: 'utf8' };
      const { status, stdout } = spawnSync(process.execPath, [bundler], options);
      if (status !== 0) fail(`${bundler} could not bundle: the errors are above.`, status);
      return stdout.split('\n').map((file) => join(file));
    });
}

// better-sqlite3 is native. `npm ci` does not build it (allowScripts in package.json), so that whoever only talks to a flow
// does not wait for it: a download where there is one for this Node, else two minutes of compiling.
function hasSqlite() {
  const [built, kept] = [sqliteBinary(), keptSqliteBinary()];
  if (kept === undefined) return true;
  return fs.existsSync(built) && fs.existsSync(kept) && fs.statSync(built).size === fs.statSync(kept).size;
}

// Whoever has built it once has it after an `npm install` of their own as well.
function keepsSqlite() {
  const kept = keptSqliteBinary();
  return kept === undefined || !fs.existsSync(kept) || hasSqlite();
}

function buildSqlite() {
  const [built, kept] = [sqliteBinary(), keptSqliteBinary()];
  if (!fs.existsSync(kept)) {
    say('building better-sqlite3 (once; a download, or two minutes of compiling)');
    const options = { cwd: 'node_modules/better-sqlite3', encoding: 'utf8', shell: process.platform === 'win32' };
    const { status, stdout, stderr } = spawnSync('npm', ['run', 'install'], { ...options, stdio: 'pipe' });
    if (status !== 0) {
      process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
      say('better-sqlite3 could not be built (the reason is above), so there is no SQLite store here.');
      return;
    }
    fs.copyFileSync(built, `${kept}.${process.pid}`);
    fs.renameSync(`${kept}.${process.pid}`, kept);
  }
  fs.mkdirSync(dirname(built), { recursive: true });
  fs.copyFileSync(kept, built);
}

function sqliteBinary() {
  return 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
}

// Kept outside of node_modules, which every change of the lock file makes anew. Undefined where there is no such package.
function keptSqliteBinary() {
  const manifest = 'node_modules/better-sqlite3/package.json';
  if (!fs.existsSync(manifest)) return undefined;
  const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return join(
    '.cache',
    `better-sqlite3-${version}-node${process.versions.modules}-${process.platform}-${process.arch}.node`,
  );
}

// Complete and checked before they appear there; what is wrong in them is found by the command.
function hasSpeechWeights() {
  const folder = '.cache/speech/moonshine-tiny-en-0.0.73';
  return ['encoder_model.ort', 'decoder_model_merged.ort', 'tokenizer.bin'].every((file) =>
    fs.existsSync(join(folder, file)),
  );
}

function fetchSpeechWeights() {
  if (!fs.existsSync('dist/cli/main.js')) return;
  say('fetching the weights of offline speech recognition (once, 44 MB)');
  const { status } = spawnSync(process.execPath, ['dist/cli/main.js', 'setup-speech'], {
    env: { ...process.env, ROOMFLOW_CACHE: resolve('.cache') },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) say('no weights (the reason is above), so the tests of spoken calls will be skipped.');
}

// A Chromium that comes packed in an npm package, for Linux on x64. It is taken from a folder with the version in its name: the
// package itself would take whatever lies in the folder for temporary files. test/studio/open-browser.ts looks there.
function hasBrowser() {
  const folder = browserFolder();
  return Boolean(process.env.ROOMFLOW_TEST_BROWSER) || folder === undefined || fs.existsSync(folder);
}

function unpackBrowser() {
  const folder = browserFolder();
  say('unpacking Chromium for the tests of the studio (once, 210 MB)');
  const partial = resolve(`${folder}.${process.pid}`);
  fs.mkdirSync(partial, { recursive: true });
  const script = "await (await import('@sparticuz/chromium')).default.executablePath();";
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: partial },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    fs.rmSync(partial, { recursive: true, force: true });
    say('Chromium could not be unpacked (the reason is above), so the tests in a browser will be skipped.');
    return;
  }
  fs.renameSync(partial, folder);
  for (const name of fs.readdirSync('.cache'))
    if (/^chromium-\d+\.\d+\.\d+$/.test(name) && join('.cache', name) !== folder)
      fs.rmSync(join('.cache', name), { recursive: true, force: true });
}

// Undefined where the package holds no program for this machine.
function browserFolder() {
  const manifest = 'node_modules/@sparticuz/chromium/package.json';
  if (process.platform !== 'linux' || process.arch !== 'x64' || !fs.existsSync(manifest)) return undefined;
  return join('.cache', `chromium-${JSON.parse(fs.readFileSync(manifest, 'utf8')).version}`);
}

function sourceHash() {
  const hash = createHash('sha256').update(fs.readFileSync('package-lock.json'));
  for (const file of ['package.json', '.ci/module-graph.mjs', '.ci/page-options.mjs', ...bundlers])
    if (fs.existsSync(file)) hash.update(fs.readFileSync(file));
  for (const file of filesIn('src')) hash.update(`\0${file}\0`).update(fs.readFileSync(join('src', file)));
  return hash.digest('hex');
}

// Room tests run against a real server: one that is named or on the PATH, else one that Go builds from pinned sources.
// Without any of them they are skipped, and say so; test/rooms/livekit-server.ts looks in the same places.
function hasLivekitServer() {
  return Boolean(process.env.ROOMFLOW_TEST_LIVEKIT) || isOnPath('livekit-server') || fs.existsSync(livekitBinary());
}

function buildLivekitServer() {
  if (!isOnPath('go')) return;
  say('building livekit-server for the room tests (once; 2 to 5 minutes, and a download of 100 MB)');
  const binary = livekitBinary();
  const partial = `${binary}.${process.pid}`;
  const source = 'github.com/livekit/livekit-server/cmd/server';
  const go = spawnSync('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', resolve(partial), source], {
    cwd: livekitModule,
    // Sums decide, not a workspace or flags of this machine.
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly' },
    stdio: ['ignore', 2, 2],
  });
  if (go.status !== 0) {
    fs.rmSync(partial, { force: true });
    say("livekit-server could not be built (Go's reason is above), so the room tests will be skipped.");
    return;
  }
  fs.renameSync(partial, binary);
  for (const file of filesIn('.cache'))
    if (/^livekit-server-[0-9a-f]{16}(\.exe)?$/.test(file) && join('.cache', file) !== binary)
      fs.rmSync(join('.cache', file), { force: true });
}

function livekitBinary() {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(fs.readFileSync(join(livekitModule, file)));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return join('.cache', `livekit-server-${hash.digest('hex').slice(0, 16)}${suffix}`);
}

function isOnPath(program) {
  const names = process.platform === 'win32' ? [`${program}.exe`] : [program];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => names.some((name) => fs.existsSync(join(folder, name))));
}

function outputs(folder = 'src') {
  const files = filesIn(folder).flatMap((file) => {
    if (isOfPage(file)) return [];
    if (isAsset(file)) return [file];
    return file.endsWith('.ts') ? [file.replace(/ts$/, 'js'), file.replace(/ts$/, 'd.ts')] : [];
  });
  return files.toSorted();
}

function isAsset(file) {
  return !file.endsWith('.ts') && file !== 'tsconfig.json';
}

function isOfPage(file) {
  return dirname(file) === page || file.startsWith(join(page, sep));
}

// Another set-up may remove a folder, or make it again, while this one looks.
function filesIn(folder) {
  try {
    const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).toSorted();
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

// What a step has noted of what it made; empty where nothing was made yet, or is being made.
function noted(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

// The lock is a folder that holds one file, named after its owner. It appears whole, by renaming, which fails while
// another's is in place. Only a dead owner's own file is ever removed, so that two who take over at once cannot both win.
function acquireLock(lock) {
  const owner = `${process.pid}-${randomUUID()}`;
  const prepared = `${lock}-${owner}`;
  fs.mkdirSync(prepared, { recursive: true });
  fs.writeFileSync(join(prepared, owner), '');
  process.on('exit', () => {
    fs.rmSync(prepared, { recursive: true, force: true });
    removeOwner(lock, owner);
  });
  for (let waits = 0; !renames(prepared, lock); waits += 1) {
    for (const holder of filesIn(lock)) {
      if (!isAlive(Number.parseInt(holder, 10))) removeOwner(lock, holder);
      else if (waits === 0)
        say(`waiting for the set-up in process ${Number.parseInt(holder, 10)} (if it is none, delete ${lock})`);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

function renames(from, to) {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(error.code)) return false;
    throw error;
  }
}

function removeOwner(lock, owner) {
  fs.rmSync(join(lock, owner), { force: true });
  try {
    fs.rmdirSync(lock);
  } catch {
    // Someone else's by now, or gone.
  }
}

function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function say(line) {
  process.stderr.write(`roomflow: ${line}\n`);
}

function fail(line, status) {
  say(line);
  process.exit(status || 1);
}
