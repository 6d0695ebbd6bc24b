// The thread in which SQLite works, so that no commit keeps audio waiting. Plain JavaScript, because a thread of Node 20
// loads no TypeScript. It answers each request {id, queries, together} by {id, results} or {id, error}, and one
// that is to be done together by {id}, {id, refused} or {id, error}.
import { parentPort, workerData } from 'node:worker_threads';

const prepared = new Map();
let db;

try {
  const { default: Database } = await import('better-sqlite3');
  db = new Database(workerData.path, { timeout: workerData.busyTimeoutMs });
  const version = db.prepare('select sqlite_version()').pluck().get();
  useWriteAheadLog();
  db.pragma('synchronous = FULL');
  parentPort.postMessage({ id: 0, version });
} catch (error) {
  parentPort.postMessage({ id: 0, error: described(error) });
}

parentPort.on('message', ({ id, queries, together }) => {
  if (queries === undefined) {
    db?.close();
    parentPort.postMessage({ id });
    parentPort.close();
    return;
  }
  try {
    parentPort.postMessage({ id, ...(together ? inTransaction(queries) : { results: queries.map(run) }) });
  } catch (error) {
    parentPort.postMessage({ id, error: described(error) });
  }
});

function inTransaction(queries) {
  statement('begin immediate').run();
  try {
    for (const [index, query] of queries.entries()) {
      const { changes } = run(query);
      if (query.changes !== undefined && query.changes !== changes) {
        db.exec('rollback');
        return { refused: index };
      }
    }
    statement('commit').run();
    return {};
  } catch (error) {
    // Some errors have rolled back already.
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}

/** Runs a statement once for each list of parameters. */
function run({ sql, parameters }) {
  const one = statement(sql);
  const result = { rows: [], changes: 0 };
  for (const values of parameters) {
    if (one.reader) result.rows.push(...one.all(values));
    else result.changes += one.run(values).changes;
  }
  return result;
}

function statement(sql) {
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  const made = db.prepare(sql);
  prepared.set(sql, made);
  return made;
}

/** Of several processes that open a new file at once, one changes its mode; SQLite does not let the others wait for it. */
function useWriteAheadLog() {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (error.code !== 'SQLITE_BUSY' || attempt === 100) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function described(error) {
  return { code: String(error?.code ?? ''), message: String(error?.message ?? error) };
}
