import { type JobHelpers, Logger, makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import { escapeIdentifier } from 'pg';
import { FlowError, type SqlTransaction, type Timekeeper } from 'roomflow';
import { LenientPool, runWorkers } from './run-workers.ts';

export interface GraphileTimekeeperOptions {
  /** The address of the database: `postgres://USER@HOST/DATABASE`. */
  readonly url: string;
  /** The schema of graphile-worker's tables. Default: `roomflow_timers`. */
  readonly schema?: string;
  /** Maximum number of running deliveries per process. Default: 20. */
  readonly concurrency?: number;
  /**
   * How long a delivery may take before its process counts as dead and the delivery starts again, in milliseconds.
   * Default: 10,000.
   */
  readonly staleMs?: number;
  /** Called with errors of deliveries, which are retried, and of the database. Default: no action. */
  readonly onError?: (error: unknown) => void;
}

const task = 'roomflow_timer';

/** Maximum delay before a failed delivery is retried, in milliseconds. */
const longestRetryMs = 30_000;

interface Payload {
  readonly key: string;
  readonly dueAt: number;
  /** The number of failed deliveries. */
  readonly failures: number;
}

/**
 * Keeps timers as jobs of graphile-worker in Postgres, one job for each timer. The first call connects and creates the
 * tables.
 *
 * Throws nothing; the methods reject as `Timekeeper` says.
 *
 * @example
 * const timekeeper = createGraphileTimekeeper({ url: 'postgres://me@localhost/calls' });
 * await timekeeper.keep('session-1/reminder', Date.now() + 60_000);
 * await timekeeper.start(async (key) => console.log(key));
 */
export function createGraphileTimekeeper({
  url,
  schema = 'roomflow_timers',
  concurrency = 20,
  staleMs = 10_000,
  onError = () => undefined,
}: GraphileTimekeeperOptions): Timekeeper & Required<Pick<Timekeeper, 'keepIn'>> {
  // A worker takes one connection to listen, and one for each job that it updates.
  const pool = new LenientPool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000 });
  pool.on('error', onError);
  // Without a handler, a connection that is lost in graphile-worker would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  const logger = new Logger(() => (level: string, message) => {
    if (level === 'error') onError(new Error(message));
  });
  const shared = { pgPool: pool, schema, logger };
  const inSchema = escapeIdentifier(schema);
  let utils: Promise<WorkerUtils> | undefined;
  let workers: ReturnType<typeof runWorkers> | undefined;
  let janitor: NodeJS.Timeout | undefined;

  const prepared = (): Promise<WorkerUtils> => {
    utils ??= prepare();
    // The next call tries again.
    utils.catch(() => (utils = undefined));
    return utils;
  };

  /** Creates the schema. The second of two processes waits, because concurrent creation fails. */
  async function prepare(): Promise<WorkerUtils> {
    const connection = await pool.connect();
    try {
      await connection.query('select pg_advisory_lock(hashtext($1))', [`roomflow:${schema}`]);
      const made = await makeWorkerUtils(shared);
      await made.migrate();
      await connection.query('select pg_advisory_unlock(hashtext($1))', [`roomflow:${schema}`]);
      connection.release();
      return made;
    } catch (error) {
      // Ends the connection, and with it the lock.
      connection.release(true);
      throw error;
    }
  }

  async function keepBy(transaction: SqlTransaction, key: string, dueAt: number): Promise<void> {
    const payload: Payload = { key, dueAt, failures: 0 };
    await transaction.query(
      `select from ${inSchema}.add_job($1, $2::json, run_at => $3::timestamptz, max_attempts => 1000, job_key => $4)`,
      [task, JSON.stringify(payload), new Date(dueAt).toISOString(), jobKey(key, dueAt)],
    );
  }

  /** Unlocks the jobs of dead workers, which would stay locked for four hours. */
  async function takeOver(): Promise<void> {
    const { rows } = await pool.query<{ locked_by: string }>(
      `select distinct locked_by from ${inSchema}.jobs
        where task_identifier = $1 and locked_at < now() - make_interval(secs => $2)`,
      [task, staleMs / 1_000],
    );
    if (rows.length > 0) await (await prepared()).forceUnlockWorkers(rows.map((row) => row.locked_by));
  }

  return {
    keep: (key, dueAt) =>
      answered(async () => {
        await prepared();
        await keepBy(pool, key, dueAt);
      }),
    keepIn: (transaction, key, dueAt) =>
      answered(async () => {
        await prepared();
        await keepBy(transaction, key, dueAt);
      }),
    forget: (key, dueAt) =>
      answered(async () => {
        await prepared();
        await pool.query(`select ${inSchema}.remove_job($1)`, [jobKey(key, dueAt)]);
      }),
    start: (deliver) =>
      answered(async () => {
        await prepared();
        workers = runWorkers(
          {
            ...shared,
            concurrency,
            // Jobs that are due later wait for the next poll. Jobs that are due now are announced.
            pollInterval: 250,
            noHandleSignals: true,
          },
          { [task]: (payload, helpers) => work(payload as Payload, helpers, deliver) },
          onError,
        );
        janitor = setInterval(() => void takeOver().catch(onError), staleMs / 2);
      }),
    async stop() {
      clearInterval(janitor);
      await workers?.stop();
      await (await utils?.catch(() => undefined))?.release();
      await pool.end();
    },
  };

  async function work(
    { key, dueAt, failures }: Payload,
    { addJob }: JobHelpers,
    deliver: (key: string) => Promise<void>,
  ) {
    try {
      await deliver(key);
    } catch (error) {
      onError(error);
      // A separate job, because graphile-worker's own retries are hours apart.
      await addJob(task, { key, dueAt, failures: failures + 1 } satisfies Payload, {
        jobKey: jobKey(key, dueAt),
        runAt: new Date(Date.now() + Math.min(1_000 * 2 ** failures, longestRetryMs)),
        maxAttempts: 1_000,
      });
    }
  }
}

function jobKey(key: string, dueAt: number): string {
  return `${key}@${dueAt}`;
}

async function answered(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    throw new FlowError(
      'timekeeper-failed',
      `graphile-worker cannot keep time: its database does not answer as it should. See the cause.`,
      { cause: error },
    );
  }
}
