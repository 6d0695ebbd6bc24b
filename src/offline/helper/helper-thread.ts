import { Worker } from 'node:worker_threads';
import type { Workplace, WorkplaceEvents } from './helper.ts';

/** Runs a plain JavaScript file in a thread of this process. */
export function openThread(script: URL, workerData: unknown, { onMessage, onLost }: WorkplaceEvents): Workplace {
  // The script does not need the flags of the process, such as a TypeScript loader.
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
