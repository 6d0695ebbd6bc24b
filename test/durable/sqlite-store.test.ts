import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { afterAll, describe } from 'vitest';
import { sqliteDialect } from '../../src/store/sqlite/dialect.ts';
import { openSqliteFile } from '../../src/store/sqlite/file.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { describeStore } from './conformance.ts';
import { describeOlderTables } from './older-tables.ts';
import { describePlans } from './query-plans.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => join(folder, `${(files += 1)}.db`);

const missing = whyNoSqlite();
describe.skipIf(missing !== null)(missing ?? 'on SQLite', () => {
  describeStore('sqlite', (clock) => openSqliteStore(newFile(), { clock }));

  describeOlderTables(async () => {
    const path = newFile();
    return {
      database: 'sqlite',
      db: new Kysely<never>({ dialect: sqliteDialect(await openSqliteFile(path)) }),
      openStore: () => openSqliteStore(path, { clock: createVirtualClock() }),
    };
  });

  describePlans({
    database: 'sqlite',
    bytewise: (column) => sql.ref(column),
    connect: async () => sqliteDialect(await openSqliteFile(newFile())),
    async explain(db, query) {
      const { rows } = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
      return rows.map(({ detail }) => detail).join('\n');
    },
  });
});
