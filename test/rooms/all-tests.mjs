// Runs all the tests: `node all-tests.mjs`. The room tests have a run of their own, beside the others and ahead of them:
// a call in real time mostly waits, and is spoilt where it waits for a core. With arguments it is one run of vitest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const config = join(import.meta.dirname, '../vitest.config.ts');
const countsFile = env.ROOMFLOW_TEST_COUNTS;
const chosen = process.argv.slice(2);
/** More than half of a core beside ten busy processes, and nearly all of it beside the other tests. Only root may take it. */
const ahead = -15;

const runs = chosen.length > 0 ? [start(chosen, { stdio: 'inherit' }, countsFile)] : startBoth();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
const codes = await Promise.all(runs.map((run) => run.code));
if (chosen.length === 0 && countsFile !== undefined) mergeCounts();
process.exitCode = Math.max(...codes);

function startBoth() {
  // What this process starts has its priority.
  const isAhead = prioritise(() => setPriority(ahead));
  // A session of its own: Linux shares the cores among sessions first, and then among the processes of each.
  const options = { stdio: ['ignore', 'pipe', 'pipe'], detached: true, windowsHide: true };
  const rooms = start(['--project', 'few calls', '--project', 'rooms'], options, countsOf('rooms'));
  if (isAhead) prioritise(() => writeFileSync(`/proc/${rooms.child.pid}/autogroup`, String(ahead)));
  prioritise(() => setPriority(isAhead ? 0 : 10));

  const others = start(['--project', 'shared', '--project', 'alone'], { stdio: 'inherit' }, countsOf('parts'));
  // Ctrl-C reaches only the run that has the terminal.
  void others.code.then((code) => code > 128 && end('SIGINT'));
  showAfter(others.code, rooms.child);
  return [rooms, others];
}

/** Shows what a run has written and writes as soon as another is over, so that they do not mix on the screen. */
function showAfter(other, { stdout, stderr }) {
  let waiting = [];
  const show = (stream) => (text) => (waiting === null ? stream.write(text) : waiting.push([stream, text]));
  stdout.on('data', show(process.stdout));
  stderr.on('data', show(process.stderr));
  void other.then(() => {
    for (const [stream, text] of waiting) stream.write(text);
    waiting = null;
  });
}

/** Starts a run of vitest. Its code is 1 where it cannot be started, and above 128 where a signal has ended it. */
function start(args, options, counts) {
  const variables = counts === undefined ? env : { ...env, ROOMFLOW_TEST_COUNTS: counts };
  const child = spawn(execPath, [vitest, 'run', '--config', config, ...args], { ...options, env: variables });
  const code = new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (status) => resolve(status ?? 129));
  });
  return { child, code };
}

function end(signal) {
  for (const { child } of runs) child.kill(signal);
}

/** Another order of who goes first is no reason to fail: it takes root, and Linux for part of it. */
function prioritise(set) {
  try {
    set();
    return true;
  } catch {
    return false;
  }
}

function countsOf(run) {
  return countsFile === undefined ? undefined : `${countsFile}.${run}`;
}

/** As one run would have written them; a run that wrote none has failed, which its code tells. */
function mergeCounts() {
  const written = [countsOf('rooms'), countsOf('parts')].filter((file) => existsSync(file));
  const testResults = written.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);
  writeFileSync(countsFile, JSON.stringify({ testResults }));
  for (const file of written) rmSync(file);
}
