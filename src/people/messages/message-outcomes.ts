import type { EffectKey } from '../../model/effect.ts';
import type { InboxEntry } from '../../model/inbox.ts';
import type { Json } from '../../model/json.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';

/** The final state of a message. */
export type MessageOutcome =
  | { readonly state: 'done'; readonly result: Json }
  | { readonly state: 'failed' | 'cancelled'; readonly error: string };

interface Settled {
  readonly sessionId: string;
  readonly key: EffectKey;
  readonly outcome: MessageOutcome;
  readonly noted: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Reports outcomes of messages to their sessions by inbox entries. Outcomes that arrive during a write are batched into
 * the next one, because each post with a notification costs Postgres a separate round trip.
 */
export function createMessageOutcomes({ store, clock }: { store: Pick<Store, 'inbox' | 'effects'>; clock: Clock }) {
  let waiting: Settled[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        // The session is notified first: a message that is settled without notification would stay open in its session.
        await store.inbox.post(batch.map((one) => entryOf(one, clock.now())));
        await store.effects.update(batch, { until: null });
        for (const { noted } of batch) noted();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  return {
    /**
     * Resolves when the outcome is stored. Rejects with the error of the store; the message is then claimed and sent
     * again.
     */
    settle: (sessionId: string, key: EffectKey, outcome: MessageOutcome): Promise<void> =>
      new Promise((resolve, reject) => {
        waiting.push({ sessionId, key, outcome, noted: resolve, failed: reject });
        if (!isWriting) void write();
      }),
  };
}

function entryOf({ sessionId, key, outcome }: Settled, now: number): InboxEntry {
  return {
    key: `${key}/sent`,
    sessionId,
    dueAt: now,
    signal: { type: 'effect:settled', key, ...outcome },
    reach: 'wait',
    correlation: {},
    actor: null,
  };
}
