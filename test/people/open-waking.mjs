// The store as a timekeeper, for its suite: an entry is a timer, and a short clerk takes due entries.
import { systemClock } from '../../dist/system.js';
import { openStore } from '../../dist/store/open-store.js';
import { pollInbox } from '../../dist/people/poll-inbox.js';

const staleMs = 1_500;

export default async (place) => {
  const store = await openStore(place, { clock: systemClock });
  const onError = (error) => process.stderr.write(`${error}\n`);
  const underWay = [];
  let waking;
  const nameOf = (key, dueAt) => JSON.stringify([key, dueAt]);
  return {
    async keep(key, dueAt) {
      const name = nameOf(key, dueAt);
      const signal = { type: 'node:requested', to: 'next' };
      const rest = { signal, reach: 'wait', correlation: {}, actor: null };
      await store.inbox.post([{ ...rest, key: name, sessionId: name, dueAt }]);
    },
    async forget(key, dueAt) {
      await store.inbox.withdraw(nameOf(key, dueAt));
    },
    async start(deliver) {
      const take = async ({ entry, attempts }) => {
        const [key] = JSON.parse(entry.key);
        const failed = await deliver(key).then(
          () => null,
          (error) => `${error}`,
        );
        if (failed === null) await store.inbox.withdraw(entry.key);
        else await store.inbox.defer(entry.key, { until: systemClock.now() + 500 * (attempts + 1), reason: failed });
      };
      const wake = async () => {
        for (;;) {
          const claimed = await store.inbox.claim({ ttlMs: staleMs, limit: 10 });
          if (claimed.length === 0) return;
          // A slow entry does not delay the others.
          for (const one of claimed) underWay.push(take(one).catch(onError));
        }
      };
      waking = pollInbox({ store, clock: systemClock, wake, onError });
      await waking.start();
    },
    async stop() {
      await waking?.stop();
      await Promise.allSettled(underWay);
      await store.close();
    },
  };
};
