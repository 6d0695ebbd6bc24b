import { heard, rich, say, step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of commits and the inputs that they consume. */
export function describeCommits({ describe, test, expect }: StoreRunner): void {
  describe('a commit', () => {
    test('keeps signals, state, effects and inputs', async ({ store, own, kept }) => {
      const effects = [say('s/1/0', 'Hello.')];
      await store.steps.create(step(await own(), { state: { node: 'a' }, effects, inputKeys: ['k'] }));

      expect(await kept()).toEqual({
        snapshot: { sessionId: 's', seq: 1, stateVersion: 1, state: { node: 'a' }, graphHash: 'g' },
        log: [heard(1)],
        effects,
      });
      expect(await store.inbox.isConsumed('k')).toBe(true);
    });

    test('of several signals, or of none, leaves the session at its last signal', async ({ store, own, kept }) => {
      const lease = await own();
      await store.steps.create(step(lease, { signals: [heard(1), heard(2), heard(3)] }));
      await store.steps.create(step(lease, { baseSeq: 3, signals: [], state: { node: 'b' }, graphHash: 'h' }));
      const { snapshot, log } = await kept();
      expect(snapshot).toMatchObject({ seq: 3, state: { node: 'b' }, graphHash: 'h' });
      expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });

    test('from an older position of the session changes nothing', async ({ store, own, kept, expectRefusal }) => {
      const lease = await own();
      await store.steps.create(step(lease));
      const before = await kept();
      for (const baseSeq of [0, 2])
        await expectRefusal(
          'store-conflict',
          store.steps.create(rich(lease, { baseSeq, signals: [heard(baseSeq + 1)] })),
        );
      expect(await kept()).toEqual(before);
      expect(await store.inbox.isConsumed('rich')).toBe(false);
    });

    test('with signals that leave a gap in the log changes nothing', async ({ store, own, kept, expectRefusal }) => {
      const lease = await own();
      for (const signals of [[heard(2)], [heard(1), heard(3)], [heard(1), heard(1)]])
        await expectRefusal('store-conflict', store.steps.create(rich(lease, { signals })));
      expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
      expect(await store.inbox.isConsumed('rich')).toBe(false);
    });

    test('under a lost lease changes nothing', async ({ store, own, kept, expectRefusal }) => {
      const lease = await own();
      await store.leases.release(lease);
      await expectRefusal('lease-lost', store.steps.create(rich(lease)));
      expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
      expect(await store.inbox.isConsumed('rich')).toBe(false);
    });

    test('of two from the same place is taken once', async ({ store, own, kept }) => {
      const lease = await own();
      const results = await Promise.allSettled([store.steps.create(step(lease)), store.steps.create(step(lease))]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await kept()).log).toHaveLength(1);
    });
  });

  describe('an input', () => {
    test('is unknown until a commit consumes it', async ({ store, own }) => {
      expect(await store.inbox.isConsumed('k')).toBe(false);
      await store.steps.create(step(await own(), { inputKeys: ['k', '__proto__'] }));
      expect(await store.inbox.isConsumed('k')).toBe(true);
      expect(await store.inbox.isConsumed('__proto__')).toBe(true);
      expect(await store.inbox.isConsumed('constructor')).toBe(false);
    });

    test('that was consumed refuses a whole commit, in its own session and in another, by whatever owner', async ({
      store,
      own,
      kept,
      expectRefusal,
    }) => {
      const first = await own('s', 'first');
      await store.steps.create(step(first, { inputKeys: ['k'] }));
      const before = await kept('s');
      const again = { baseSeq: 1, signals: [heard(2)], inputKeys: ['rich', 'k'] };
      await expectRefusal('store-conflict', store.steps.create(rich(first, again)));

      await store.leases.release(first);
      await expectRefusal('store-conflict', store.steps.create(rich(await own('s', 'second'), again)));
      const elsewhere = await own('t', 'second');
      await expectRefusal('store-conflict', store.steps.create(rich(elsewhere, { inputKeys: ['rich', 'k'] })));

      expect(await kept('s')).toEqual(before);
      expect(await kept('t')).toEqual({ snapshot: null, log: [], effects: [] });
      expect(await store.inbox.isConsumed('rich')).toBe(false);
    });

    test('is consumed once by two sessions at the same time', async ({ store, own }) => {
      const leases = [await own('s'), await own('t')];
      const results = await Promise.allSettled(
        leases.map((lease) => store.steps.create(step(lease, { inputKeys: ['k'] }))),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    });
  });
}
