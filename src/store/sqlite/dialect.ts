import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { FlowError } from '../../model/errors.ts';
import type { SqliteFile } from './file.ts';

/** A Kysely dialect for a file whose thread runs one statement at a time. Only migrations use its transactions. */
export function sqliteDialect(file: SqliteFile): Dialect {
  return {
    createAdapter: () => new ExclusiveAdapter(),
    createDriver: () => createDriver(file),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Runs migrations in one transaction that locks the file, so a second process waits and finds them applied. */
class ExclusiveAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function createDriver(file: SqliteFile): Driver {
  const execute = async (sql: string): Promise<void> => void (await file.run({ sql, parameters: [[]] }));
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await file.run({ sql, parameters: [parameters] });
      return { rows: rows as Row[], numAffectedRows: BigInt(changes) }; // Kysely derives Row from the statement.
    },
    streamQuery: () => {
      throw new FlowError('store-failed', 'the SQLite store does not support streaming.');
    },
  };
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: () => execute('begin immediate'),
    commitTransaction: () => execute('commit'),
    rollbackTransaction: () => execute('rollback'),
    releaseConnection: () => Promise.resolve(),
    destroy: () => file.close(),
  };
}
