import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { memoryCalls } from './calls.ts';
import { memoryEffects } from './effects.ts';
import { memoryGraphs } from './graphs.ts';
import { createMemoryInbox } from './inbox.ts';
import { memoryLeases } from './leases.ts';
import { memorySessions } from './sessions.ts';
import { memorySteps } from './steps.ts';
import { createTables } from './tables.ts';

export interface MemoryStore extends Store {
  /** Number of commits so far. */
  readonly transactions: number;
}

/**
 * Creates a store that exists as long as its object. It holds JSON texts like a database, so callers cannot mutate
 * stored values.
 *
 * An expired lease can still commit until another owner takes it; the token decides. The last commit that names an
 * effect's key defines it: a commit that settles an effect contains it in its final state.
 */
export function createMemoryStore({ clock }: { readonly clock: Clock }): MemoryStore {
  const tables = createTables(clock);
  const inbox = createMemoryInbox(tables);
  return {
    get transactions() {
      return tables.transactions;
    },
    sessions: memorySessions(tables, inbox),
    steps: memorySteps(tables, inbox),
    graphs: memoryGraphs(tables),
    effects: memoryEffects(tables),
    inbox: inbox.port,
    audit: inbox.audit,
    leases: memoryLeases(tables),
    calls: memoryCalls(tables),
    watch(listener) {
      tables.assertOpen();
      tables.listeners.add(listener);
      return () => void tables.listeners.delete(listener);
    },
    async close() {
      tables.isClosed = true;
      tables.listeners.clear();
      inbox.close();
    },
  };
}
