import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { sqlAudit } from './audit.ts';
import { storeClosed } from './commit-texts.ts';
import { sqlCalls } from './calls.ts';
import type { Database, SqlParts } from './database.ts';
import { sqlEffects } from './effects.ts';
import { sqlGraphs } from './graphs.ts';
import { sqlInbox } from './inbox.ts';
import { sqlLeases } from './leases.ts';
import { sqlSessions } from './sessions.ts';
import { sqlSteps } from './steps.ts';

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
    sessions: sqlSessions(parts),
    steps: sqlSteps(parts),
    graphs: sqlGraphs(parts),
    effects: sqlEffects(parts),
    inbox: {
      ...sqlInbox(parts),
      watch(listener) {
        if (isClosed) throw storeClosed();
        return database.watchInbox(listener);
      },
    },
    audit: sqlAudit(parts),
    leases: sqlLeases(parts),
    calls: sqlCalls(parts),
    watch(listener) {
      if (isClosed) throw storeClosed();
      return database.watch(listener);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await database.close();
    },
  };
}
