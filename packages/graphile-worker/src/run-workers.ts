import { EventEmitter } from 'node:events';
import { runTaskList, type TaskList, type WorkerPool, type WorkerPoolOptions } from 'graphile-worker';
import { Pool, type PoolClient } from 'pg';

/** How long it takes until workers that could not go on are replaced, in milliseconds. */
const restartMs = 1_000;

/**
 * Runs workers until `stop`, which waits for what they have begun. Workers that cannot do their work any more are ended, and
 * others begun. `onError` is told why.
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
    // graphile-worker keeps the failure of its very first question, and gives it as the answer to each later one.
    events.on('worker:getJob:error', ({ error }: { error: unknown }) => void (hasAsked || giveUp(error)));
    // A worker that cannot mark its job as done leaves, and nobody takes its place.
    events.on('worker:fatalError', ({ error }: { error: unknown }) => giveUp(error));
    // Not `run`: its timetable, which is not used here, ends the process where its first question fails.
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
      // Workers that are being replaced are ended by that, and none are begun any more.
      await replacing;
      await end(workers);
    },
  };
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (done?: unknown) => void) => void;

/** graphile-worker gives a connection back twice where it is lost as the workers end; the second time counts as none. */
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
