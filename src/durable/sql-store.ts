import { FlowError } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { storeClosed } from './commit-texts.ts';
import { sqlCalls } from './sql-calls.ts';
import type { Database, SqlParts } from './sql-database.ts';
import { sqlEffects } from './sql-effects.ts';
import { sqlGraphs } from './sql-graphs.ts';
import { sqlInbox } from './sql-inbox.ts';
import { sqlSessions } from './sql-sessions.ts';
import { sqlSteps } from './sql-steps.ts';

/** Delays before retries of a temporary failure, in milliseconds. */
const retryAfterMs = [20, 100, 400, 1_000];

/** Creates a store on a SQL database. */
export function createSqlStore(database: Database, clock: Clock): Store {
  let isClosed = false;
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let failures = 0; ; failures += 1) {
      if (isClosed) throw storeClosed();
      try {
        return await work();
      } catch (error) {
        if (error instanceof FlowError) throw error;
        const delayMs = retryAfterMs[failures];
        if (delayMs === undefined || !database.isPassing(error)) throw database.explain(error);
        await new Promise<void>((resolve) => void clock.schedule(delayMs, resolve));
      }
    }
  };
  const parts: SqlParts = { database, clock, run };
  return {
    ...sqlSessions(parts),
    ...sqlSteps(parts),
    ...sqlEffects(parts),
    ...sqlCalls(parts),
    ...sqlGraphs(parts),
    ...sqlInbox(parts),
    watch(listener) {
      if (isClosed) throw storeClosed();
      return database.watch(listener);
    },
    watchInbox(listener) {
      if (isClosed) throw storeClosed();
      return database.watchInbox(listener);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await database.close();
    },
  };
}
