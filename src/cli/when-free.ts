import { isGone } from '../turn/engine/process-owner.ts';
import { ownerOf } from '../turn/engine/hold-session.ts';
import type { Store } from '../ports/store.ts';
import { systemClock } from '../system.ts';
import { complain } from './output.ts';

/** How often it is looked whether a session is free, in milliseconds. */
const lookEveryMs = 250;

/**
 * Waits until nobody owns a session, with a line that says so: until its owner ends, or gives no sign of life any more. An
 * owner of this machine that has died is not waited for.
 */
export async function whenFree(store: Store, sessionId: string): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const owner = await ownerOf(store, sessionId, systemClock);
    if (owner === null || isGone(owner)) return;
    if (isFirst)
      complain(
        `session "${sessionId}" is owned by another process. Waiting until that one is done with it or, where it has died, ` +
          'for 15 seconds. --no-wait does not.',
      );
    await new Promise<void>((resolve) => systemClock.schedule(lookEveryMs, resolve));
  }
}
