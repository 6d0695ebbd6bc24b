import { Worker } from 'node:worker_threads';
import { FlowError } from '../../model/errors.ts';

/** A statement, run once per parameter list. In `together` it must change exactly `changes` rows. */
export interface SqliteQuery {
  readonly sql: string;
  readonly parameters: readonly (readonly unknown[])[];
  readonly changes?: number;
}

export interface SqliteResult {
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** `refused`: index of the query that changed too few rows; otherwise the returned rows. */
export type SqliteTogether =
  | { readonly refused: number }
  | { readonly refused: null; readonly rows: readonly unknown[] };

/** A database file with its own worker thread. */
export interface SqliteFile {
  /** Version of SQLite. */
  readonly version: string;
  run(query: SqliteQuery): Promise<SqliteResult>;
  /** Runs queries in one transaction, without effect if one of them changes too few rows. */
  together(queries: readonly SqliteQuery[]): Promise<SqliteTogether>;
  /**
   * Removes deleted and replaced data from the write-ahead log, unless another process reads continuously. Writers wait
   * for some milliseconds at most.
   */
  emptyLog(): Promise<void>;
  close(): Promise<void>;
}

/** Time to wait for another writing process, in milliseconds. */
const busyTimeoutMs = 5_000;

/**
 * Opens or creates a file. A read-only file must exist and stays unchanged. The thread keeps the process alive only
 * during requests.
 */
export async function openSqliteFile(path: string, isReadOnly = false): Promise<SqliteFile> {
  const calls = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('thread.mjs', import.meta.url), {
    workerData: { path, isReadOnly, busyTimeoutMs, calls },
    execArgv: [],
  });
  const numbers = new Map<string, number>();
  const open = new Map<number, { resolve: (answer: Answer) => void; reject: (error: unknown) => void }>();
  let requests = 0;
  let gone: FlowError | null = null;

  const ask = (id: number, request?: readonly unknown[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (gone !== null) return reject(gone);
      open.set(id, { resolve, reject });
      worker.ref();
      if (request === undefined) return;
      worker.postMessage(request);
      Atomics.add(calls, 0, 1);
      Atomics.notify(calls, 0);
    });
  const request = (queries: readonly SqliteQuery[], together: boolean): Promise<Answer> => {
    requests += 1;
    return ask(requests, [requests, together, ...queries.map(toStatement)]);
  };
  /** Each statement text is sent once and then referred to by number. */
  const toStatement = ({ sql, parameters, changes }: SqliteQuery): readonly unknown[] => {
    const known = numbers.get(sql);
    if (known === undefined) numbers.set(sql, numbers.size);
    return [known ?? numbers.size - 1, known === undefined ? sql : null, changes ?? null, ...parameters];
  };
  worker.on('message', (answer: Answer) => {
    const asked = open.get(answer.id);
    open.delete(answer.id);
    if (open.size === 0) worker.unref();
    if (answer.error === undefined) asked?.resolve(answer);
    else asked?.reject(new SqliteError(answer.error.code, answer.error.message));
  });
  const lose = (cause?: unknown): void => {
    gone ??= new FlowError('store-failed', 'the thread of the SQLite store has ended. Open the store again.', {
      cause,
    });
    for (const { reject } of open.values()) reject(gone);
    open.clear();
  };
  worker.on('error', lose);
  worker.on('exit', () => lose());

  const opened = await ask(0).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  return {
    version: opened.version ?? '',
    async run(query) {
      const { results } = await request([query], false);
      return results?.[0] ?? { rows: [], changes: 0 };
    },
    async together(queries) {
      const { refused, rows = [] } = await request(queries, true);
      return refused === undefined ? { refused: null, rows } : { refused };
    },
    async emptyLog() {
      await request([], false);
    },
    async close() {
      requests += 1;
      await ask(requests, [requests]);
      await worker.terminate();
    },
  };
}

/** An error of SQLite or its driver, with its code, such as `SQLITE_FULL`. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SqliteError';
    this.code = code;
  }
}

/** The message format of sqlite-thread.mjs. */
interface Answer {
  readonly id: number;
  readonly version?: string;
  readonly results?: readonly SqliteResult[];
  readonly rows?: readonly unknown[];
  readonly refused?: number;
  readonly error?: { readonly code: string; readonly message: string };
}
