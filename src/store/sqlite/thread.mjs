// The thread in which SQLite works, so that no commit keeps audio waiting. Plain JavaScript, because a thread of Node 20
// loads no TypeScript. It answers each request [id, together, ...statements] by {id, results} or {id, error}, and one that
// is to be done together by {id}, {id, rows}, {id, refused} or {id, error}; without statements it empties the log. Between requests it sleeps by Atomics, which wake it
// without its event loop.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

const { path, isReadOnly, busyTimeoutMs, calls } = workerData;
const [attempts, attemptMs] = [20, 25];
const texts = [];
const prepared = [];
let db, begin, commit;

try {
  const { default: Database } = await import('better-sqlite3');
  db = new Database(path, { timeout: busyTimeoutMs, readonly: isReadOnly, fileMustExist: isReadOnly });
  const version = db.prepare('select sqlite_version()').pluck().get();
  if (!isReadOnly) {
    // Half of the usual: a commit writes each page that it touches. An older file keeps its own.
    db.pragma('page_size = 2048');
    useWriteAheadLog();
    db.pragma('synchronous = FULL');
    // Zeros take the place of what is deleted or replaced, at once: a deletion needs no VACUUM, which locks the file for its whole size.
    db.pragma('secure_delete = ON');
  }
  parentPort.postMessage({ id: 0, version });
} catch (error) {
  parentPort.postMessage({ id: 0, error: described(error) });
}

for (let isOpen = true; isOpen;) {
  const called = Atomics.load(calls, 0);
  const received = receiveMessageOnPort(parentPort);
  if (received === undefined) Atomics.wait(calls, 0, called);
  else isOpen = answer(received.message);
}

function answer([id, isTogether, ...statements]) {
  if (isTogether === undefined) {
    db?.close();
    parentPort.postMessage({ id });
    return false;
  }
  // A text comes the first time only, and is its number from then on.
  for (const [number, text] of statements) if (text !== null) texts[number] = text;
  try {
    if (statements.length === 0) emptyLog();
    parentPort.postMessage(isTogether ? inTransaction(id, statements) : { id, results: statements.map(run) });
  } catch (error) {
    parentPort.postMessage({ id, error: described(error) });
  }
  return true;
}

function inTransaction(id, statements) {
  begin ??= db.prepare('begin immediate');
  commit ??= db.prepare('commit');
  begin.run();
  try {
    const returned = [];
    for (const [index, one] of statements.entries()) {
      const mustChange = one[2];
      const { rows, changes } = run(one);
      if (changes !== mustChange && mustChange !== null) {
        db.exec('rollback');
        return { id, refused: index };
      }
      if (rows.length > 0) returned.push(...rows);
    }
    commit.run();
    return returned.length === 0 ? { id } : { id, rows: returned };
  } catch (error) {
    // Some errors have rolled back already.
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
}

/**
 * Takes out of the log what the file holds by now. While a reader is busy this fails, and holds the lock of writers meanwhile: so each
 * attempt is short, and others write in between. After the last attempt the log keeps its old pages until the next time.
 */
function emptyLog() {
  db.pragma('wal_checkpoint(passive)');
  try {
    db.pragma(`busy_timeout = ${attemptMs}`);
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const [{ busy }] = db.pragma('wal_checkpoint(truncate)');
      if (busy === 0) return;
      sleep(attemptMs);
    }
  } finally {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Runs a statement once for each list of parameters. */
function run([number, , , ...parameters]) {
  const one = (prepared[number] ??= db.prepare(texts[number]));
  const result = { rows: [], changes: 0 };
  for (const values of parameters) {
    if (one.reader) result.rows.push(...one.all(values));
    else result.changes += one.run(values).changes;
  }
  return result;
}

/** Of several processes that open a new file at once, one changes its mode; SQLite does not let the others wait for it. */
function useWriteAheadLog() {
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (error.code !== 'SQLITE_BUSY' || attempt === 100) throw error;
      sleep(20);
    }
  }
}

function described(error) {
  return { code: String(error?.code ?? ''), message: String(error?.message ?? error) };
}
