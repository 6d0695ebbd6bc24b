import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Workplace, WorkplaceEvents } from './helper.ts';

/**
 * A script of plain JavaScript in a process of its own, which ends with this one: for native code that takes its whole
 * process along when it is stopped in the middle of its work.
 */
export function openProcess(script: URL, args: readonly string[], { onMessage, onLost }: WorkplaceEvents): Workplace {
  const child = fork(fileURLToPath(script), args, { serialization: 'advanced', execArgv: [], stdio: 'ignore' });
  child.on('message', onMessage);
  child.on('error', onLost);
  child.on('exit', onLost);
  return {
    post: (question) => void child.send(question as object, () => undefined), // Where it is gone, `exit` tells it.
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
