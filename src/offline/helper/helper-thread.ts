import { Worker } from 'node:worker_threads';
import type { Workplace, WorkplaceEvents } from './helper.ts';

/** A script of plain JavaScript in a thread of this process. */
export function openThread(script: URL, workerData: unknown, { onMessage, onLost }: WorkplaceEvents): Workplace {
  // The flags of the process, such as a loader of TypeScript, are nothing to the script.
  const worker = new Worker(script, { workerData, execArgv: [] });
  worker.on('message', onMessage);
  worker.on('error', onLost);
  worker.on('exit', onLost);
  return {
    post: (question) => worker.postMessage(question),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    end: () => void worker.terminate(),
  };
}
