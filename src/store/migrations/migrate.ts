import { type Kysely, type Migration, Migrator } from 'kysely';
import { FlowError } from '../../model/errors.ts';
import { additiveSuffix } from './additive-migrations.ts';

/**
 * Migrates a database to this version's tables; several processes may do so at once. Throws `store-newer` without
 * changes if a newer version has migrated it.
 */
export async function migrate(db: Kysely<never>, migrations: Record<string, Migration>, place: string): Promise<void> {
  if (await isMigrated(db, migrations, place)) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error instanceof Error ? error : new Error('a migration failed', { cause: error });
}

/**
 * Checks whether a database has this version's tables, or those of a newer version that only added to them. Only reads.
 * Throws `store-newer` if a newer version has changed them.
 */
export async function isMigrated(
  db: Kysely<never>,
  migrations: Record<string, Migration>,
  place: string,
): Promise<boolean> {
  const done = await namesDone(db);
  const unknown = done.find((name) => !Object.hasOwn(migrations, name) && !name.endsWith(additiveSuffix));
  if (unknown !== undefined)
    throw new FlowError(
      'store-newer',
      `${place} has the tables of a newer Roomflow ("${unknown}"). Update this one, or name another store.`,
    );
  return Object.keys(migrations).every((name) => done.includes(name));
}

const table = 'roomflow_migrations';

/** Returns the error for reading a store of an older release, which must first be opened for writing. */
export function olderStore(place: string): FlowError {
  return new FlowError(
    'store-older',
    `${place} has the tables of an older Roomflow. Open it once to write, as a worker does, or use that release.`,
  );
}

async function namesDone(db: Kysely<never>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === table)) return [];
  const rows = await db
    .selectFrom(table as never)
    .select('name' as never)
    .execute(); // The migrator's own table.
  return (rows as { name: string }[]).map(({ name }) => name);
}
