import { action, entry, event, heard, say, step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of what a store deletes, and of how it behaves after it is closed. */
export function describeEnds({ describe, test, expect }: StoreRunner): void {
  describe('deleting', () => {
    test('a session forgets all of it and nothing else, and its lease never fits again', async ({
      store,
      own,
      kept,
      expectRefusal,
    }) => {
      const lease = await own();
      const effects = [say('s/1/0', 'x'), action('s/1/1')];
      await store.steps.create(step(lease, { inputKeys: ['k'], effects, events: () => [event(1)] }));
      await store.steps.create(step(await own('t'), { inputKeys: ['other'] }));
      await store.inbox.post([entry('e', 1), entry('of t', 1, 't')]);
      const others = await kept('t');

      await store.sessions.delete(lease);
      expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
      expect(await store.steps.listEvents('s')).toEqual([]);
      expect(await store.inbox.isConsumed('k')).toBe(false);
      expect(await store.effects.listOpen({ kind: 'action', limit: 9 })).toEqual([]);
      expect((await store.sessions.list({ limit: 9 })).map(({ sessionId }) => sessionId)).toEqual(['t']);
      expect((await store.inbox.list({ limit: 9 })).map(({ entry: { key } }) => key)).toEqual(['of t']);
      expect(await kept('t')).toEqual(others);
      expect(await store.inbox.isConsumed('other')).toBe(true);

      const again = await own();
      await expectRefusal('lease-lost', store.steps.create(step(lease)));
      await store.steps.create(step(again));
    });

    test('a session makes those that begin later others, whatever their ids', async ({ store, own }) => {
      const first = await own();
      expect(first.incarnation ?? null).toBeNull();
      await store.steps.create(step(first));
      await store.sessions.delete(first);
      const second = await own();
      await store.steps.create(step(second));
      await store.sessions.delete(second);
      const third = await own();
      const [one = 0, two = 0] = [second.incarnation, third.incarnation];
      expect([one > 0, two > one]).toEqual([true, true]);
    });

    test('needs the lease', async ({ store, clock, own, kept, expectRefusal }) => {
      const late = await own('s', 'first');
      await store.steps.create(step(late));
      await clock.advance(1_000);
      await own('s', 'second');
      await expectRefusal('lease-lost', store.sessions.delete(late));
      expect((await kept()).log).toHaveLength(1);
    });

    test('inputs forgets those that are older, and returns how many', async ({ store, clock, own }) => {
      const lease = await own();
      // More than a store reads at once, and the new one between them.
      const many = Array.from({ length: 5_100 }, (_, index) => `many${index}`);
      await store.steps.create(step(lease, { inputKeys: ['old', ...many] }));
      await clock.advance(10);
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], inputKeys: ['new'] }));
      expect(await store.inbox.forgetConsumed(clock.now())).toBe(5_101);
      expect(await store.inbox.forgetConsumed(clock.now())).toBe(0);
      expect(await store.inbox.isConsumed('old')).toBe(false);
      expect(await store.inbox.isConsumed('many99')).toBe(false);
      expect(await store.inbox.isConsumed('new')).toBe(true);
    });
  });

  test('a closed store refuses everything with a code, and may be closed again', async ({
    store,
    own,
    expectRefusal,
  }) => {
    const lease = await own();
    await store.close();
    await store.close();
    await Promise.all(
      [
        store.leases.acquire({ sessionId: 's', owner: 'me', ttlMs: 1 }),
        store.leases.renew(lease, 1),
        store.leases.release(lease),
        store.inbox.isConsumed('k'),
        store.sessions.get('s'),
        store.effects.list('s'),
        store.steps.list('s'),
        store.steps.create(step(lease)),
        store.graphs.save('g', {}),
        store.graphs.get('g'),
        store.steps.listEvents('s'),
        store.sessions.list({ limit: 1 }),
        store.effects.listOpen({ kind: 'wait', limit: 1 }),
        store.effects.claim({ kind: 'action', ttlMs: 1, limit: 1 }),
        store.effects.update([{ sessionId: 's', key: 's/1/0' }], { until: null }),
        store.calls.save({ sessionId: 's', place: {} }),
        store.calls.claimLost({ ttlMs: 1, limit: 1 }),
        store.calls.list({ ownedBy: 'me', limit: 1 }),
        store.calls.delete('s'),
        store.sessions.delete(lease),
        store.inbox.forgetConsumed(0),
        store.inbox.post([entry('e', 1)]),
        store.inbox.listDue({ sessionId: 's', dueBy: 1, limit: 1 }),
        store.inbox.nextDue('s'),
        store.inbox.claim({ ttlMs: 1, limit: 1 }),
        store.inbox.defer('e', { until: 1, reason: 'busy' }),
        store.inbox.list({ limit: 1 }),
        store.inbox.repost('e'),
        store.inbox.withdraw('e'),
        store.audit.list({ limit: 1 }),
      ].map((refused) => expectRefusal('store-closed', refused)),
    );
  });
}
