import type { EffectOf, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';

/**
 * How long a claim on a message lasts and how often it is renewed, in milliseconds. Short, so that messages of a dead
 * process are sent soon.
 */
export const claimMs = 10_000;
const renewEveryMs = 3_000;

/** An exclusive claim of this process on a message. */
interface MessageClaim {
  /** Epoch milliseconds. */
  heldUntil(): number;
  /** Ends the renewal. Resolves when the message can be settled. */
  letGo(): Promise<void>;
}

/** Renews claims on messages while they are held. If the store fails, they expire. */
export function createMessageClaims({ store, clock }: { store: Pick<Store, 'effects'>; clock: Clock }) {
  const held = new Map<EffectOf, number>();
  let renewing: Promise<void> = Promise.resolve();
  let cancel: (() => void) | null = null;

  async function renew(): Promise<void> {
    const all = [...held.keys()];
    const until = clock.now() + claimMs;
    await store.effects.update(all, { until });
    for (const one of all) if (held.has(one)) held.set(one, until);
  }
  const plan = (): void => {
    cancel ??= clock.schedule(renewEveryMs, () => {
      cancel = null;
      if (held.size === 0) return;
      renewing = renew().catch(() => undefined); // The claims expire and are taken again.
      void renewing.then(plan);
    });
  };

  return {
    hold(message: EffectOf, until: number): MessageClaim {
      held.set(message, until);
      plan();
      return {
        heldUntil: () => held.get(message) ?? -Infinity,
        async letGo() {
          held.delete(message);
          if (held.size === 0) {
            cancel?.();
            cancel = null;
          }
          await renewing;
        },
      };
    },
  };
}
