import { isGone } from '../engine/session/process-owner.ts';
import { ownerOf } from '../engine/session/session-lease.ts';
import type { Store } from '../model/ports/store.ts';
import { systemClock } from '../system.ts';
import { complain } from './output.ts';

/** How often the owner of a session is checked, in milliseconds. */
const lookEveryMs = 250;

/** Waits until a session has no owner and prints a line about it. An owner on this machine that has died is ignored. */
export async function whenFree(store: Store, sessionId: string): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const owner = await ownerOf(store, sessionId, systemClock);
    if (owner === null || isGone(owner)) return;
    if (isFirst)
      complain(
        `session "${sessionId}" is owned by another process. Waiting until it releases the session, or for 15 seconds if it has died. ` +
          'Use --no-wait to exit instead.',
      );
    await new Promise<void>((resolve) => systemClock.schedule(lookEveryMs, resolve));
  }
}
