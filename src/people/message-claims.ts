import type { EffectOf, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';

/**
 * For how long a message is one process's alone, and how often that is made longer while it has not been sent, in
 * milliseconds: nobody waits long for what a dead process had at hand.
 */
export const claimMs = 10_000;
const renewEveryMs = 3_000;

/** A message that this process alone may send. */
interface MessageClaim {
  /** Epoch milliseconds. */
  heldUntil(): number;
  /** Resolves when nothing makes the claim longer any more: then it may be settled. */
  letGo(): Promise<void>;
}

/** Makes claims on messages longer as long as they are held. Where the store fails they run out. */
export function createMessageClaims({ store, clock }: { store: Pick<Store, 'holdEffects'>; clock: Clock }) {
  const held = new Map<EffectOf, number>();
  let renewing: Promise<void> = Promise.resolve();
  let cancel: (() => void) | null = null;

  async function renew(): Promise<void> {
    const all = [...held.keys()];
    const until = clock.now() + claimMs;
    await store.holdEffects(all, until);
    for (const one of all) if (held.has(one)) held.set(one, until);
  }
  const plan = (): void => {
    cancel ??= clock.schedule(renewEveryMs, () => {
      cancel = null;
      if (held.size === 0) return;
      renewing = renew().catch(() => undefined); // They run out, and are claimed again.
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
