import { EventEmitter } from 'node:events';
import { runTaskList, type TaskList, type WorkerPool, type WorkerPoolOptions } from 'graphile-worker';
import { Pool, type PoolClient } from 'pg';

/** Delay before failed workers are replaced, in milliseconds. */
const restartMs = 1_000;

/**
 * Runs workers until `stop`, which waits for running jobs. Failed workers are ended and replaced, and `onError` gets the
 * reason.
 */
export function runWorkers(
  options: WorkerPoolOptions & { readonly pgPool: Pool },
  tasks: TaskList,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let restart: NodeJS.Timeout | undefined;
  let replacing: Promise<void> = Promise.resolve();
  let workers = begin();

  function begin(): WorkerPool {
    const events = new EventEmitter();
    let hasAsked = false;
    const giveUp = (error: unknown): void => {
      if (isStopped || restart !== undefined) return;
      onError(error);
      restart = setTimeout(() => void (replacing = replace()), restartMs);
    };
    const note = (): void => void (hasAsked = true);
    events.on('worker:getJob:empty', note);
    events.on('job:start', note);
    // graphile-worker caches the failure of its first query, and returns it for each later one.
    events.on('worker:getJob:error', ({ error }: { error: unknown }) => void (hasAsked || giveUp(error)));
    // A worker that cannot mark its job as done ends without a replacement.
    events.on('worker:fatalError', ({ error }: { error: unknown }) => giveUp(error));
    // Not `run`, because its cron, which is not used here, ends the process if its first query fails.
    const begun = runTaskList({ ...options, events }, tasks, options.pgPool);
    begun.promise.catch(onError);
    return begun;
  }

  async function replace(): Promise<void> {
    await end(workers);
    restart = undefined;
    if (!isStopped) workers = begin();
  }

  const end = (running: WorkerPool): Promise<void> => running.gracefulShutdown().catch(onError);

  return {
    async stop() {
      isStopped = true;
      clearTimeout(restart);
      // A running replacement ends the old workers and starts no new ones.
      await replacing;
      await end(workers);
    },
  };
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (done?: unknown) => void) => void;

/** A pool that ignores a second release: graphile-worker releases a connection twice if it is lost as the workers end. */
export class LenientPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (callback === undefined) return super.connect();
    return super.connect((error, client, release) => {
      let isReleased = false;
      callback(error, client, (done) => {
        if (isReleased) return;
        isReleased = true;
        release(done);
      });
    });
  }
}
