// Runs a program that must not outlive a test: `node leash.mjs PROGRAM ARGUMENTS…`. The test holds the other end of this
// process's stdin; when it lets go, by ending or by dying, the program and all that it started are ended.
import { spawn } from 'node:child_process';

const [program, ...args] = process.argv.slice(2);
// A group of its own, so that children of the program are reached as well.
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });

process.stdin.resume();
process.stdin.once('end', () => end('SIGKILL'));
process.stdin.once('error', () => end('SIGKILL'));
process.on('SIGTERM', () => end('SIGTERM'));
child.once('error', (error) => {
  process.stderr.write(`${program} cannot be started: ${error.message}\n`);
  process.exit(127);
});
child.once('exit', (code) => {
  end('SIGKILL');
  process.exit(code ?? 1);
});

function end(signal) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}
