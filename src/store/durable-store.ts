import type { Effect } from '../model/effect.ts';
import type { Event } from '../model/events/event.ts';
import { FlowError } from '../model/errors.ts';
import type { DurableStore, TurnTransaction, TurnTxInput } from './durable-contracts.ts';
import type { SessionSnapshot, Store } from '../model/ports/store.ts';
import { isOfHost, ownOutcomes } from './sql/settle-host-effects.ts';
import { type FlatStore, storeOf } from './flat-store.ts';
import { effectOfIntent, effectOfWait, resultOfTurn } from './effect-views.ts';

/**
 * Creates a durable store as a view of a store. A claim is held in this object until its turn completes or fails: two
 * processes can claim the same input, but the store accepts one commit of it. The result of a turn is stored as the
 * effect `INPUT/turn`, and the reason of a failure in the audit log. Throws nothing; its methods throw the store's errors,
 * and `turn-over` for a turn that has ended.
 *
 * @example
 * const durable = createDurableStore(await openStore('memory'));
 */
export function createDurableStore(given: Store | FlatStore): DurableStore {
  const store = storeOf(given);
  const claimed = new Set<string>();
  return {
    async claimInbound(inputKey) {
      if (claimed.has(inputKey)) return 'duplicate';
      claimed.add(inputKey);
      let isConsumed = true;
      try {
        isConsumed = await store.inbox.isConsumed(inputKey);
      } finally {
        // The store itself remembers consumed inputs.
        if (isConsumed) claimed.delete(inputKey);
      }
      return isConsumed ? 'duplicate' : 'claimed';
    },
    loadSessionSnapshot: (sessionId) => store.sessions.get(sessionId),
    beginTurn: async (input) =>
      beginTurn(store, await store.sessions.get(input.sessionId), input, () => claimed.delete(input.inputKey)),
  };
}

/** Limit of a stored reason, in characters. */
const mostOfReason = 500;

/** Begins a turn. Nothing is stored before `complete`, and a failed turn can be claimed again. */
function beginTurn(
  store: Store,
  before: SessionSnapshot | null,
  { sessionId, inputKey, lease }: TurnTxInput,
  release: () => void,
): TurnTransaction {
  let checkpoint = before;
  let isOver = false;
  const effects: Effect[] = [];
  const events: Event[] = [];
  const use = async (work: () => void): Promise<void> => {
    if (isOver) throw new FlowError('turn-over', 'this turn was completed or has failed. Begin another one.');
    work();
  };
  return {
    appendEvent: (event) => use(() => events.push(event)),
    upsertCheckpoint: (given) => use(() => (checkpoint = given)),
    upsertWait: (wait) => use(() => effects.push(effectOfWait(wait))),
    enqueueOutbox: (intent) => use(() => effects.push(effectOfIntent(intent))),
    async complete(result) {
      await use(() => (isOver = true));
      if (checkpoint === null)
        throw new FlowError(
          'checkpoint-missing',
          `session "${sessionId}" has no checkpoint. Upsert one in its first turn.`,
        );
      const { state, stateVersion, graphHash } = checkpoint;
      const baseSeq = before?.seq ?? 0;
      const kept = Object.keys(result).length === 0 ? [] : [resultOfTurn(inputKey, result)];
      const begun = { state, stateVersion, graphHash, events: () => events };
      try {
        // Answers and deliveries that arrived while this turn owned the session.
        const settled = isOfHost(before) ? await ownOutcomes(store, sessionId) : null;
        const all = [...(settled?.effects ?? []), ...effects, ...kept];
        const inputKeys = [inputKey, ...(settled?.keys ?? [])];
        await store.steps.create({ lease, baseSeq, inputKeys, signals: [], ...begun, effects: all });
      } finally {
        release();
      }
    },
    async fail({ code, message }) {
      await use(() => (isOver = true));
      release();
      const details = { inputKey, code, message: message.slice(0, mostOfReason) };
      await store.inbox.post([], [{ actor: null, action: 'turn:fail', outcome: 'denied', sessionId, details }]);
    },
  };
}
