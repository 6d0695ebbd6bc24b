import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk';
import { type ClientBase, Pool } from 'pg';
import { FlowError, type Timekeeper } from 'roomflow';
import { migrateAlone } from './migrate-alone.ts';

export interface DbosTimekeeperOptions {
  /** The address of the database: `postgres://USER@HOST/DATABASE`. */
  readonly url: string;
  /** Where DBOS keeps its tables; `roomflow_dbos` where absent. An application that uses DBOS itself has another one. */
  readonly schema?: string;
  /** How many deliveries one process has under way at most; 50 where absent. */
  readonly concurrency?: number;
  /**
   * How long a delivery may take, in milliseconds, before its process counts as dead and it is begun again; 10,000 where
   * absent.
   */
  readonly staleMs?: number;
  /** Is told of a delivery that threw, which is tried again, and of trouble with the database; does nothing where absent. */
  readonly onError?: (error: unknown) => void;
}

const application = 'roomflow';
const queue = 'roomflow-timers';
const workflow = 'roomflow-timer';
// Fixed: by default it is a hash of the code and of DBOS's version, and an upgrade would strand every timer.
const version = 'timekeeper-1';

/** The longest time until a delivery that threw is tried again, in milliseconds. */
const longestRetryMs = 30_000;
/** How long the row of a delivered timer is kept, in milliseconds: DBOS itself keeps it for ever. */
const doneMs = 30_000;

/**
 * Keeps timers as delayed workflows of DBOS in Postgres, where one workflow is one timer. Nothing is connected before the
 * first call; the tables are made by it. `keep` and `forget` work beside an application's own DBOS; `start` does not, for
 * a process has one DBOS.
 *
 * Throws nothing; the methods reject as `Timekeeper` says.
 *
 * @example
 * const timekeeper = createDbosTimekeeper({ url: 'postgres://me@localhost/calls' });
 * await timekeeper.keep('session-1/reminder', Date.now() + 60_000);
 * await timekeeper.start(async (key) => console.log(key));
 */
export function createDbosTimekeeper({
  url,
  schema = 'roomflow_dbos',
  concurrency = 50,
  staleMs = 10_000,
  onError = () => undefined,
}: DbosTimekeeperOptions): Timekeeper & Required<Pick<Timekeeper, 'keepIn'>> {
  const logger = { info() {}, debug() {}, warn() {}, error: onError };
  let opened: Promise<DBOSClient> | undefined;
  let pool: Pool | undefined;
  let janitor: NodeJS.Timeout | undefined;

  const client = (): Promise<DBOSClient> => {
    opened ??= open();
    // Whoever comes later tries again.
    opened.catch(() => (opened = undefined));
    return opened;
  };

  async function open(): Promise<DBOSClient> {
    await migrateAlone(url, schema);
    return await DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: schema,
      applicationName: application,
      logger,
    });
  }

  /** `from` is when it may be delivered first: the due time, or later where a delivery threw before. */
  function workflowOf(key: string, dueAt: number, from: number, failures: number) {
    const timer = `${key}@${dueAt}`;
    return {
      ...{ workflowName: workflow, queueName: queue, appVersion: version },
      workflowID: failures === 0 ? timer : `${timer}#${failures}`,
      // Indexed; a search by the start of an id is none, and takes `_` and `%` for patterns.
      attributes: { timer },
      ...(from > Date.now() && { delaySeconds: (from - Date.now()) / 1_000 }),
    };
  }

  /** What a dead process had begun goes back to the queue; what is done is deleted. */
  async function sweep(): Promise<void> {
    const dbos = await client();
    const dequeuedBefore = new Date(Date.now() - staleMs).toISOString();
    const stale = await dbos.listWorkflows({ queueName: queue, status: 'PENDING', dequeuedBefore, loadInput: false });
    if (stale.length > 0)
      await dbos.resumeWorkflows(
        stale.map((each) => each.workflowID),
        { queueName: queue },
      );
    const done = await dbos.listWorkflows({
      ...{ workflowName: workflow, status: ['SUCCESS', 'CANCELLED'], limit: 500 },
      completedBefore: new Date(Date.now() - doneMs).toISOString(),
      ...{ loadInput: false, loadOutput: false },
    });
    if (done.length > 0) await dbos.deleteWorkflows(done.map((each) => each.workflowID));
  }

  /** DBOS releases a timer by the clock of whichever process looks; this waits for the clock that all of them share. */
  async function isDue(dueAt: number, clock: Pool): Promise<void> {
    for (;;) {
      const { rows } = await clock.query<{ left: number }>(
        'select ($1 - extract(epoch from clock_timestamp()) * 1000)::float8 as left',
        [dueAt],
      );
      const left = rows[0]?.left ?? 0;
      if (left <= 0) return;
      await pause(Math.ceil(left));
    }
  }

  return {
    keep: (key, dueAt) =>
      answered(async () => {
        await (await client()).enqueue(workflowOf(key, dueAt, dueAt, 0), key, dueAt, 0);
      }),
    keepIn: (transaction, key, dueAt) =>
      answered(async () => {
        // DBOS asks nothing of it but `query`.
        await (
          await client()
        ).enqueueInTransaction(transaction as ClientBase, workflowOf(key, dueAt, dueAt, 0), key, dueAt, 0);
      }),
    forget: (key, dueAt) =>
      answered(async () => {
        const dbos = await client();
        const kept = await dbos.listWorkflows({
          ...{ queueName: queue, attributes: { timer: `${key}@${dueAt}` } },
          ...{ status: ['DELAYED', 'ENQUEUED'], loadInput: false },
        });
        if (kept.length > 0) await dbos.deleteWorkflows(kept.map((each) => each.workflowID));
      }),
    start: (deliver) =>
      answered(async () => {
        const dbos = await client();
        if (DBOS.isInitialized())
          throw new FlowError(
            'timekeeper-taken',
            'this process runs DBOS already, which it can do once. Start the timekeeper in another one, such as `roomflow supervise`.',
          );
        const clock = (pool ??= new Pool({ connectionString: url, max: 4, allowExitOnIdle: true }));
        clock.on('error', onError);
        DBOS.registerWorkflow(
          async (key: string, dueAt: number, failures: number) => {
            // A step that throws would end the workflow, and with it the timer.
            const isDelivered = await DBOS.runStep(async () => {
              try {
                await isDue(dueAt, clock);
                await deliver(key);
                return true;
              } catch (error) {
                onError(error);
                return false;
              }
            });
            if (isDelivered) return;
            const again = Date.now() + Math.min(1_000 * 2 ** failures, longestRetryMs);
            await DBOS.runStep(
              async () => {
                await dbos.enqueue(workflowOf(key, dueAt, again, failures + 1), key, dueAt, failures + 1);
              },
              { retriesAllowed: true, maxAttempts: 1_000_000, intervalSeconds: 1, backoffRate: 1 },
            );
          },
          { name: workflow, maxRecoveryAttempts: 1_000_000 },
        );
        DBOS.setConfig({
          name: application,
          ...{ systemDatabaseUrl: url, systemDatabaseSchemaName: schema, runMigrations: false },
          // One for each process: with the default id each restart would take what another one is doing.
          ...{ applicationVersion: version, executorID: randomUUID(), listenQueues: [queue], logger },
        });
        await DBOS.launch();
        await DBOS.registerQueue(queue, { workerConcurrency: concurrency, minPollingIntervalMs: 250 });
        janitor = setInterval(() => void sweep().catch(onError), staleMs / 2);
      }),
    async stop() {
      clearInterval(janitor);
      if (janitor !== undefined) await DBOS.shutdown({ workflowCompletionTimeoutMS: 5_000, deregister: true });
      await (await opened?.catch(() => undefined))?.destroy();
      await pool?.end();
    },
  };
}

async function answered(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (error instanceof FlowError) throw error;
    throw new FlowError(
      'timekeeper-failed',
      'DBOS cannot keep time: its database does not answer as it should. See the cause.',
      { cause: error },
    );
  }
}
