import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';

/** How late a loaded database answers a commit, in milliseconds. */
const lateMs = 60;

/** A store that commits at once and answers late: other readers see the commit before its writer does. */
export function lateStore(store: Store, clock: Clock, ms = lateMs): Store {
  return {
    ...store,
    steps: {
      ...store.steps,
      async create(commit) {
        await store.steps.create(commit);
        await new Promise<void>((resolve) => void clock.schedule(ms, resolve));
      },
    },
  };
}
