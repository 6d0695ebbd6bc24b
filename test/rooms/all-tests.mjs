// Runs tests: `node all-tests.mjs [rooms]`. Room tests run with a higher priority: a call in real time mostly waits, and fails if
// it gets no core in time. With `rooms` these are the room tests that `npm test` leaves out, and a missing LiveKit server or
// browser is a failure; files may follow. Without it, they are the calls of `npm test`, in parallel to all other tests. Other
// arguments are those of a single run of vitest.
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

const runs = chosenRuns();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
const codes = await Promise.all(runs.map((run) => run.code));
if (chosen.length === 0 && countsFile !== undefined) mergeCounts();
process.exitCode = Math.max(...codes);

function chosenRuns() {
  if (chosen.length === 0) return startBoth();
  if (chosen[0] !== 'rooms') return [start(chosen, { stdio: 'inherit' }, countsFile)];
  // CI does not accept that a server or a browser is missing.
  env.CI = 'true';
  return [startAhead(['few calls', 'rooms'], { stdio: 'inherit' }, countsFile, chosen.slice(1))];
}

function startBoth() {
  const calls = startAhead(['calls'], { stdio: ['ignore', 'pipe', 'pipe'] }, countsOf('calls'));
  const others = start(['--project', 'shared', '--project', 'alone'], { stdio: 'inherit' }, countsOf('parts'));
  // Ctrl-C reaches only the run that has the terminal.
  void others.code.then((code) => code > 128 && end('SIGINT'));
  showAfter(others.code, calls.child);
  return [calls, others];
}

/** Starts a run ahead of all other processes, as far as this user may. */
function startAhead(projects, options, counts, more = []) {
  // Child processes inherit the priority.
  const isAhead = prioritise(() => setPriority(ahead));
  // Own sessions: Linux shares the cores among sessions first, and then among the processes of each.
  const own = { ...options, detached: true, windowsHide: true };
  const args = projects.flatMap((name) => ['--project', name]);
  const run = start([...args, ...more], own, counts);
  if (isAhead) prioritise(() => writeFileSync(`/proc/${run.child.pid}/autogroup`, String(ahead)));
  prioritise(() => setPriority(isAhead ? 0 : 10));
  return run;
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
  const written = [countsOf('calls'), countsOf('parts')].filter((file) => existsSync(file));
  const testResults = written.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).testResults);
  writeFileSync(countsFile, JSON.stringify({ testResults }));
  for (const file of written) rmSync(file);
}
