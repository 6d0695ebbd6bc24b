// Runs a program that must not outlive a test: `node leash.mjs PROGRAM ARGUMENTS…`. The test holds the other end of this
// process's stdin; when it lets go, by ending or by dying, the program and all that it started are ended.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [program, ...args] = process.argv.slice(2);
const graceMs = 5_000;
// A group of its own, so that children of the program are reached as well.
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
// What the program has started should end with it, and is reported where it does not.
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

/** Linux shares the cores among sessions first, and the new one of the program would have the usual share. */
function keepPriority() {
  try {
    const [, nice] = / nice (-?\d+)/.exec(readFileSync('/proc/self/autogroup', 'utf8'));
    writeFileSync(`/proc/${child.pid}/autogroup`, nice);
  } catch {
    // Not Linux, or not root: the program has its share.
  }
}

/** The processes of the group that run; one that has ended and was not yet collected does not. */
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
    // Gone already.
  }
}
