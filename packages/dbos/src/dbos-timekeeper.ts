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
  /** Maximum number of running deliveries per process. Default: 50. */
  readonly concurrency?: number;
  /**
   * How long a delivery may take before its process counts as dead and the delivery starts again, in milliseconds.
   * Default: 10,000.
   */
  readonly staleMs?: number;
  /** Called with errors of deliveries, which are retried, and of the database. Default: no action. */
  readonly onError?: (error: unknown) => void;
}

const application = 'roomflow';
const queue = 'roomflow-timers';
const workflow = 'roomflow-timer';
// Fixed, because the default is a hash of the code and of DBOS's version, and an upgrade would strand every timer.
const version = 'timekeeper-1';

/** Maximum delay before a failed delivery is retried, in milliseconds. */
const longestRetryMs = 30_000;
/** How long the row of a delivered timer is kept, in milliseconds. DBOS would keep it forever. */
const doneMs = 30_000;

/**
 * Keeps timers as delayed workflows of DBOS in Postgres, one workflow for each timer. The first call connects and creates the
 * tables. `keep` and `forget` work beside an application's DBOS; `start` does not, because a process has one DBOS.
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
    // The next call tries again.
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

  /** `from` is the earliest delivery: the due time, or later after a failed delivery. */
  function workflowOf(key: string, dueAt: number, from: number, failures: number) {
    const timer = `${key}@${dueAt}`;
    return {
      ...{ workflowName: workflow, queueName: queue, appVersion: version },
      workflowID: failures === 0 ? timer : `${timer}#${failures}`,
      // Attributes are indexed. A search by id prefix is not, and treats `_` and `%` as patterns.
      attributes: { timer },
      ...(from > Date.now() && { delaySeconds: (from - Date.now()) / 1_000 }),
    };
  }

  /** Returns deliveries of dead processes to the queue, and deletes completed ones. */
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

  /** Waits until a timer is due by the shared clock of the database. DBOS uses the clock of the process that polls. */
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
        // DBOS only calls `query`.
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
          // One id for each process: with the default id a restart would take over the work of another process.
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
