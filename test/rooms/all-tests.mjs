// Runs all tests: `node all-tests.mjs`. The room tests run separately, in parallel and with a higher priority: a call
// in real time mostly waits, and fails if it gets no core in time. With arguments it is a single run of vitest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';

const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const config = join(import.meta.dirname, '../vitest.config.ts');
const countsFile = env.ROOMFLOW_TEST_COUNTS;
const chosen = process.argv.slice(2);
/** More than half of a core beside ten busy processes, and nearly all of it beside the other tests. Requires root. */
const ahead = -15;

const runs = chosen.length > 0 ? [start(chosen, { stdio: 'inherit' }, countsFile)] : startBoth();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
const codes = await Promise.all(runs.map((run) => run.code));
if (chosen.length === 0 && countsFile !== undefined) mergeCounts();
process.exitCode = Math.max(...codes);

function startBoth() {
  // Child processes inherit the priority.
  const isAhead = prioritise(() => setPriority(ahead));
  // Own sessions: Linux shares the cores among sessions first, and then among the processes of each.
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

/** Prints the output of a run once another run has ended, so that their lines do not mix. */
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

/** Starts a run of vitest. Its exit code is 1 if it cannot start, and above 128 if a signal ended it. */
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

/** Ignores failures, because priorities require root and partly Linux. */
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

/** Merges the counts of both runs. A run without counts has failed, which its exit code reports. */
function mergeCounts() {
  const written = [countsOf('rooms'), countsOf('parts')].filter((file) => existsSync(file));
  const testResults = written.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);
  writeFileSync(countsFile, JSON.stringify({ testResults }));
  for (const file of written) rmSync(file);
}
