import { FlowError } from '../errors.ts';
import type { Effect } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import type { Store, WaitRegistry } from '../ports/store.ts';
import { effectOfWait, waitOfEffect } from './effect-views.ts';

/** How long a session is owned for one change, in milliseconds. */
const leaseMs = 10_000;

/** More open waits than one registry is asked about at once. */
const allWaits = 100_000;

/**
 * A wait registry as a view of the effects: for waits that a host opens, under its owner's name. Those that
 * the kernel opens are answered by signals: they are only found here, and refused with `wait-of-session`. Throws
 * `session-taken` where another process owns the session.
 *
 * @example
 * const waits = createWaitRegistry(await openStore('memory', { clock: systemClock }), 'desk-1');
 */
export function createWaitRegistry(store: Store, owner: string): WaitRegistry {
  const change = async (sessionId: string, effect: Effect, isNew = false): Promise<void> => {
    const lease = await store.acquireLease(sessionId, owner, leaseMs);
    if (lease === null)
      throw new FlowError('session-taken', `session "${sessionId}" is owned by another process. Ask that one.`);
    try {
      // A wait is opened once: registered again it stays as it is, open or answered.
      if (isNew && (await store.loadEffects(sessionId)).some(({ key }) => key === effect.key)) return;
      const kept = await store.loadSnapshot(sessionId);
      if (kept === null)
        throw new FlowError('session-unknown', `there is no session "${sessionId}". Begin it before it waits.`);
      const { seq: baseSeq, state, stateVersion, graphHash } = kept;
      const rest = { state, stateVersion, graphHash, effects: [effect], events: () => [] };
      await store.commit({ lease, baseSeq, inputKeys: [], signals: [], ...rest });
    } finally {
      await store.releaseLease(lease);
    }
  };
  return {
    register: (wait) => change(wait.sessionId, effectOfWait(wait), true),
    async resolve(waitId, payload) {
      const open = await store.openEffects({ kind: 'wait', limit: allWaits });
      const found = open.find(({ effect }) => effect.key === waitId);
      // Answered before, or by somebody else at the same moment.
      if (found === undefined) return;
      if (found.effect.node !== '')
        throw new FlowError(
          'wait-of-session',
          `session "${found.sessionId}" asks its caller "${waitId}" itself, and only the caller's words answer it.`,
        );
      await change(found.sessionId, { ...found.effect, state: 'done', result: payload as Json }); // The store refuses what is no JSON.
    },
    async timeoutDue(now, limit) {
      const due = await store.openEffects({ kind: 'wait', dueBy: now.getTime(), limit });
      return due.map(waitOfEffect);
    },
  };
}
