import type { EffectKey } from '../events/effect.ts';
import type { InboxEntry } from '../events/inbox.ts';
import type { Json } from '../events/json.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/** What has become of a message. */
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
 * Tells sessions what has become of their messages, by entries of their inboxes: what settles while something is written
 * goes with the next writing, for each post with a notice costs Postgres a turn of its own.
 */
export function createMessageOutcomes({ store, clock }: { store: Pick<Store, 'post' | 'holdEffects'>; clock: Clock }) {
  let waiting: Settled[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        // The session is told first: a message that is held for good and told to nobody would stay open.
        await store.post(batch.map((one) => entryOf(one, clock.now())));
        await store.holdEffects(batch, null);
        for (const { noted } of batch) noted();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    isWriting = false;
  }

  return {
    /** Resolves once it is kept; rejects with what the store throws, and then the message is claimed and sent again. */
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
