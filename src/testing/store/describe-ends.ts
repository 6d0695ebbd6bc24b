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
      await store.commit(step(lease, { inputKeys: ['k'], effects, events: () => [event(1)] }));
      await store.commit(step(await own('t'), { inputKeys: ['other'] }));
      await store.post([entry('e', 1), entry('of t', 1, 't')]);
      const others = await kept('t');

      await store.deleteSession(lease);
      expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
      expect(await store.readEvents('s')).toEqual([]);
      expect(await store.wasConsumed('k')).toBe(false);
      expect(await store.openEffects({ kind: 'action', limit: 9 })).toEqual([]);
      expect((await store.listSessions(9)).map(({ sessionId }) => sessionId)).toEqual(['t']);
      expect((await store.listEntries({ limit: 9 })).map(({ entry: { key } }) => key)).toEqual(['of t']);
      expect(await kept('t')).toEqual(others);
      expect(await store.wasConsumed('other')).toBe(true);

      const again = await own();
      await expectRefusal('lease-lost', store.commit(step(lease)));
      await store.commit(step(again));
    });

    test('a session makes those that begin later others, whatever their ids', async ({ store, own }) => {
      const first = await own();
      expect(first.incarnation ?? null).toBeNull();
      await store.commit(step(first));
      await store.deleteSession(first);
      const second = await own();
      await store.commit(step(second));
      await store.deleteSession(second);
      const third = await own();
      const [one = 0, two = 0] = [second.incarnation, third.incarnation];
      expect([one > 0, two > one]).toEqual([true, true]);
    });

    test('needs the lease', async ({ store, clock, own, kept, expectRefusal }) => {
      const late = await own('s', 'first');
      await store.commit(step(late));
      await clock.advance(1_000);
      await own('s', 'second');
      await expectRefusal('lease-lost', store.deleteSession(late));
      expect((await kept()).log).toHaveLength(1);
    });

    test('inputs forgets those that are older, and returns how many', async ({ store, clock, own }) => {
      const lease = await own();
      // More than a store reads at once, and the new one between them.
      const many = Array.from({ length: 5_100 }, (_, index) => `many${index}`);
      await store.commit(step(lease, { inputKeys: ['old', ...many] }));
      await clock.advance(10);
      await store.commit(step(lease, { baseSeq: 1, signals: [heard(2)], inputKeys: ['new'] }));
      expect(await store.forgetInputs(clock.now())).toBe(5_101);
      expect(await store.forgetInputs(clock.now())).toBe(0);
      expect(await store.wasConsumed('old')).toBe(false);
      expect(await store.wasConsumed('many99')).toBe(false);
      expect(await store.wasConsumed('new')).toBe(true);
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
        store.acquireLease('s', 'me', 1),
        store.renewLease(lease, 1),
        store.releaseLease(lease),
        store.wasConsumed('k'),
        store.loadSnapshot('s'),
        store.loadEffects('s'),
        store.readLog('s'),
        store.commit(step(lease)),
        store.saveGraph('g', {}),
        store.loadGraph('g'),
        store.readEvents('s'),
        store.listSessions(1),
        store.openEffects({ kind: 'wait', limit: 1 }),
        store.claimEffects({ kind: 'action', ttlMs: 1, limit: 1 }),
        store.holdEffects([{ sessionId: 's', key: 's/1/0' }], null),
        store.keepCall({ sessionId: 's', place: {} }),
        store.claimLostCalls({ ttlMs: 1, limit: 1 }),
        store.heldCalls({ ownedBy: 'me', limit: 1 }),
        store.dropCall('s'),
        store.deleteSession(lease),
        store.forgetInputs(0),
        store.post([entry('e', 1)]),
        store.dueEntries({ sessionId: 's', dueBy: 1, limit: 1 }),
        store.nextDue('s'),
        store.claimEntries({ ttlMs: 1, limit: 1 }),
        store.deferEntry('e', 1, 'busy'),
        store.listEntries({ limit: 1 }),
        store.repost('e'),
        store.withdraw('e'),
        store.readAudit({ limit: 1 }),
      ].map((refused) => expectRefusal('store-closed', refused)),
    );
  });
}
