import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type Compilable, Kysely, sql } from 'kysely';
import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { forgetInputs } from '../forget-inputs.ts';
import { isMigrated, migrate, olderStore } from '../migrations/migrate.ts';
import { migrationsFor } from '../migrations/migrations.ts';
import { createSqlStore } from '../sql/store.ts';
import { sqliteDialect } from './dialect.ts';
import { openSqliteFile, SqliteError, type SqliteFile } from './file.ts';
import { createNotices } from './notices.ts';
import { sqliteWrites } from './writes.ts';
import type { Tables } from '../sql/tables.ts';

/** Older versions can lose a write when two processes use one file: https://github.com/tursodatabase/libsql/issues/2271 */
const oldestVersion = [3, 51, 3] as const;

/**
 * Opens a store in a local file, which many processes can share. Creates the file and its folder if absent. `isAlone`:
 * no other process writes to it, so none is checked. Throws `store-driver-missing`, `store-driver-old`,
 * `store-unreachable`, `store-corrupted` or `store-newer`.
 */
export async function openSqliteStore(
  path: string,
  { clock, isAlone = false }: { readonly clock: Clock; readonly isAlone?: boolean },
): Promise<Store> {
  try {
    await makeFolder(dirname(path));
  } catch (error) {
    throw explain(error, path);
  }
  return await openAt(path, path, clock, false, isAlone);
}

/**
 * Opens a store for reading. If its files cannot be written, or its tables are of an older release, reads a copy that
 * is deleted on close. Throws the errors of `openSqliteStore`.
 */
export async function lookIntoSqlite(path: string, { clock }: { readonly clock: Clock }): Promise<Store> {
  try {
    return await openAt(path, path, clock, true);
  } catch (error) {
    // SQLite needs write access beside the file to share its log.
    if (!(error instanceof FlowError) || !/^store-(unreachable|older)$/.test(error.code)) throw error;
  }
  const folder = await copyFolder();
  const forget = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    copies.delete(folder);
  };
  try {
    const copy = join(folder, 'store.db');
    await copyFile(path, copy);
    // The last commits may exist only in the log.
    await copyFile(`${path}-wal`, `${copy}-wal`).catch(unlessAbsent);
    const store = await openAt(copy, path, clock, false);
    return {
      ...store,
      async close() {
        try {
          await store.close();
        } finally {
          await forget();
        }
      },
    };
  } catch (error) {
    await forget();
    throw explain(error, path, 'read');
  }
}

/** Folders of copies in use. They are deleted on close, and at the latest when the process exits. */
const copies = new Set<string>();

async function copyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roomflow-look-'));
  if (copies.size === 0) {
    process.off('exit', forgetCopies);
    process.on('exit', forgetCopies);
  }
  copies.add(folder);
  return folder;
}

function forgetCopies(): void {
  try {
    for (const folder of copies) rmSync(folder, { recursive: true, force: true });
  } catch {
    // An open file may not be deletable, and this is the last chance.
  }
}

function unlessAbsent(error: unknown): void {
  if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
}

/**
 * `place` is the path in error messages. A read-only file must have this release's tables; otherwise throws
 * `store-older`.
 */
async function openAt(path: string, place: string, clock: Clock, isReadOnly: boolean, isAlone = false): Promise<Store> {
  const file = await openSqliteFile(path, isReadOnly).catch((error: unknown) => {
    throw explain(error, place);
  });
  const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  try {
    assertVersion(file.version);
    const migrations = migrationsFor('sqlite');
    if (!isReadOnly) await migrate(db.withTables(), migrations, place);
    else if (!(await isMigrated(db.withTables(), migrations, place))) throw olderStore(place);
  } catch (error) {
    await file.close();
    throw explain(error, place);
  }
  return storeOf(file, db, place, clock, isAlone);
}

function storeOf(file: SqliteFile, db: Kysely<Tables>, path: string, clock: Clock, isAlone: boolean): Store {
  const notices = createNotices(file, clock, isAlone);
  return createSqlStore(
    {
      db,
      now: () => sql`cast(${clock.now()} as bigint)`,
      bytewise: (column) => sql`${sql.ref(column)}`,
      skipsLocked: false,
      ...sqliteWrites(file, notices),
      forgetInputs: (consumedBefore) => forgetInputs(db, consumedBefore),
      async erase(statements: readonly Compilable[]) {
        const queries = statements.map((statement) => statement.compile());
        await file.together(queries.map(({ sql, parameters }) => ({ sql, parameters: [parameters] })));
        await file.emptyLog();
      },
      // A local file has no temporary failures; SQLite has already waited for other writers.
      isPassing: () => false,
      explain: (error) => explain(error, path),
      watch: (listener) => notices.watch(listener),
      watchInbox: (listener) => notices.watchInbox(listener),
      async close() {
        notices.close();
        await db.destroy();
      },
    },
    clock,
  );
}

/**
 * Creates a folder with its parents. Node's recursive mkdir never ends in file systems that allow no folders, such as
 * /proc.
 */
async function makeFolder(path: string): Promise<void> {
  const missing = await tryMakeFolder(path);
  if (missing === null) return;
  if (dirname(path) === path) throw missing;
  await makeFolder(dirname(path));
  const stillMissing = await tryMakeFolder(path);
  if (stillMissing !== null) throw stillMissing;
}

/** Returns null if the folder exists now; the error if its parent is missing. */
async function tryMakeFolder(path: string): Promise<Error | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') return null;
    if (isSystemError(error) && error.code === 'ENOENT') return error;
    throw error;
  }
}

function assertVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, least] of oldestVersion.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least)
      throw new FlowError(
        'store-driver-old',
        `better-sqlite3 brings SQLite ${version}, which can lose writes of several processes. ` +
          `Update it to one with ${oldestVersion.join('.')} or newer.`,
      );
  }
}

function explain(error: unknown, path: string, access: 'write to' | 'read' = 'write to'): FlowError {
  if (error instanceof FlowError) return error;
  const { code, message } = error instanceof SqliteError || isSystemError(error) ? error : { code: '', message: '' };
  const options = { cause: error };
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED' || message.includes('bindings file'))
    return new FlowError(
      'store-driver-missing',
      'better-sqlite3 is not installed here, or was not built for this Node. Run ' +
        '"npm run install --prefix node_modules/better-sqlite3" (it needs a C++ compiler where no build can be downloaded), ' +
        'or set store to "memory" or a postgres:// address.',
      options,
    );
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB')
    return new FlowError(
      'store-corrupted',
      `${path} is not a readable database. Restore it, or name another store.`,
      options,
    );
  // The last code also means a full disk: the shared memory file could not grow.
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'SQLITE_IOERR_SHMSIZE')
    return new FlowError('store-full', `the disk of ${path} is full. Make room for it.`, options);
  if (code.startsWith('SQLITE_BUSY'))
    return new FlowError(
      'store-busy',
      `${path} is held by another process. Find the process that writes for so long.`,
      options,
    );
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_READONLY') || unreachable.has(code))
    return new FlowError(
      'store-unreachable',
      `cannot ${access} ${path} (${code}). ${access === 'read' ? 'Let this user read it' : 'Make it writable'}, or set store in agent.config.ts.`,
      options,
    );
  return new FlowError(
    'store-failed',
    `SQLite failed on ${path} (${code || 'no code'}). Check its disk, or name another file.`,
    options,
  );
}

const unreachable: ReadonlySet<string> = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']);

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
