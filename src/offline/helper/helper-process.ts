import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Workplace, WorkplaceEvents } from './helper.ts';

/**
 * Runs a plain JavaScript file in a child process, which ends with this one. For native code that would end this
 * process if it were stopped during its work.
 */
export function openProcess(script: URL, args: readonly string[], { onMessage, onLost }: WorkplaceEvents): Workplace {
  const child = fork(fileURLToPath(script), args, { serialization: 'advanced', execArgv: [], stdio: 'ignore' });
  child.on('message', onMessage);
  child.on('error', onLost);
  child.on('exit', onLost);
  return {
    post: (question) => void child.send(question as object, () => undefined), // If the process is gone, `exit` reports it.
    ref() {
      child.ref();
      child.channel?.ref();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
    end: () => void child.kill('SIGKILL'),
  };
}
