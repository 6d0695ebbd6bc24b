// Runs a program that must not outlive a test: `node leash.mjs PROGRAM ARGUMENTS…`. The test holds the other end of
// this process's stdin. When that end closes, because the test ended or died, the program and its descendants are
// ended.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [program, ...args] = process.argv.slice(2);
const graceMs = 5_000;
// A separate process group, so that signals also reach children of the program.
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
keepPriority();

process.stdin.resume();
process.stdin.once('end', () => end('SIGKILL'));
process.stdin.once('error', () => end('SIGKILL'));
process.on('SIGTERM', () => end('SIGTERM'));
child.once('error', (error) => {
  process.stderr.write(`${program} cannot be started: ${error.message}\n`);
  process.exit(127);
});
// Child processes must end with the program. Those that do not are reported.
child.once('exit', (code) => {
  const leave = () => {
    end('SIGKILL');
    process.exit(code ?? 1);
  };
  const until = Date.now() + (code === null ? 0 : graceMs);
  const look = setInterval(() => {
    const left = Date.now() < until ? null : leftBehind();
    if (left === null && leftBehind().length > 0) return;
    clearInterval(look);
    if (left !== null && left.length > 0 && code !== null) process.stderr.write(`left behind: ${left.join(' ')}\n`);
    leave();
  }, 100);
});

/** Linux shares the cores among sessions first, and the program's new session would have the default share. */
function keepPriority() {
  try {
    const [, nice] = / nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'));
    writeFileSync(`/proc/${child.pid}/autogroup`, nice);
  } catch {
    // Not Linux or not root: the program keeps the default share.
  }
}

/** Returns the running processes of the group, without zombies. */
function leftBehind() {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, group, stat = 'Z'] = line.trim().split(/\s+/);
    return Number(group) === child.pid && !stat.startsWith('Z') ? [pid] : [];
  });
}

function end(signal) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}
