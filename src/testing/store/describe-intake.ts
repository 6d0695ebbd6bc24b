import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import { entry, step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of what clerks find in a store, and of entries that could not be processed. */
export function describeIntake({ describe, test, expect }: StoreRunner): void {
  const keys = (found: readonly StoredEntry[]): string[] => found.map(({ entry: { key } }) => key);
  const claim = async (store: Store, limit = 9): Promise<string[]> =>
    keys(await store.inbox.claim({ ttlMs: 100, limit }));

  describe('a clerk', () => {
    test('gets the first due entry of each session, those that are due longest first', async ({ store, clock }) => {
      const now = clock.now();
      await store.inbox.post([
        entry('s2', now - 1),
        entry('s1', now - 2),
        entry('t1', now - 3, 't'),
        entry('u1', now + 1, 'u'),
      ]);
      expect(await claim(store)).toEqual(['t1', 's1']);
      expect(await claim(store)).toEqual([]);
      await clock.advance(99);
      expect(await claim(store)).toEqual(['u1']);
      await clock.advance(1);
      expect(await claim(store, 1)).toEqual(['t1']);
      expect(await claim(store, 1)).toEqual(['s1']);
      expect(await claim(store, 1)).toEqual([]);
    });

    test('of several who ask at once has each entry alone', async ({ store, clock }) => {
      const sessions = Array.from({ length: 12 }, (_, index) => `s${index}`);
      await store.inbox.post(
        sessions.flatMap((id) => [entry(`${id}/1`, clock.now(), id), entry(`${id}/2`, clock.now(), id)]),
      );
      const claimed = (await Promise.all([claim(store, 5), claim(store, 5), claim(store, 5)])).flat();
      const rest = await claim(store, 99);
      expect([...claimed, ...rest].toSorted()).toEqual(sessions.map((id) => `${id}/1`).toSorted());
    });

    test('gets nothing of an owned session, and the owner gets the entries that a clerk has', async ({
      store,
      clock,
      own,
    }) => {
      const now = clock.now();
      await store.inbox.post([entry('a', now), entry('b', now, 't')]);
      const lease = await own('s');
      expect(await claim(store)).toEqual(['b']);
      await own('t');
      expect(keys(await store.inbox.listDue({ sessionId: 't', dueBy: now, limit: 9 }))).toEqual(['b']);
      await store.leases.release(lease);
      expect(await claim(store)).toEqual(['a']);
    });

    test('gets the next entry of a session when the one before it was taken', async ({ store, clock, own }) => {
      await store.inbox.post([entry('a', clock.now()), entry('b', clock.now())]);
      expect(await claim(store)).toEqual(['a']);
      const lease = await own();
      await store.steps.create(step(lease, { inputKeys: ['a'] }));
      expect(await claim(store)).toEqual([]);
      await store.leases.release(lease);
      expect(await claim(store)).toEqual(['b']);
    });
  });

  describe('a claim', () => {
    const byName = async (store: Store, owner: string, ttlMs = 100) =>
      (await store.inbox.claim({ ttlMs, limit: 9, owner })).map(({ entry: { key }, claims, claimedBy }) => [
        ...[key, claims, claimedBy],
      ]);
    const listed = async (store: Store) =>
      (await store.inbox.list({ limit: 9 })).map(({ entry: { key }, claims, claimedBy }) => [key, claims, claimedBy]);

    test('is counted until its outcome is reported', async ({ store, clock }) => {
      await store.inbox.post([entry('a', clock.now())]);
      expect(await byName(store, 'one')).toEqual([['a', 1, 'one']]);
      expect(await listed(store)).toEqual([['a', 1, 'one']]);
      await clock.advance(100);
      expect(await listed(store)).toEqual([['a', 1, null]]);
      expect(await byName(store, 'two\u0000')).toEqual([['a', 2, 'two\u0000']]);
      await store.inbox.defer('a', { until: clock.now(), reason: 'busy', isTry: false });
      expect(await listed(store)).toEqual([['a', 0, null]]);
      expect(await byName(store, 'three')).toEqual([['a', 1, 'three']]);
      await store.inbox.defer('a', { until: null, reason: 'broken' });
      await store.inbox.repost('a');
      expect(await store.inbox.claim({ ttlMs: 100, limit: 9 })).toMatchObject([{ claims: 1, claimedBy: null }]);
    });

    test('is ended early by its name, and counts unless it made no attempt', async ({ store, clock }) => {
      await store.inbox.post([entry('a', clock.now()), entry('b', clock.now(), 't')]);
      await byName(store, 'one');
      await store.inbox.release({ owner: 'two', keys: ['a', 'b'] });
      expect(await listed(store)).toEqual([
        ['a', 1, 'one'],
        ['b', 1, 'one'],
      ]);
      await store.inbox.release({ owner: 'one', keys: ['a', 'unknown'] });
      await store.inbox.release({ owner: 'one', keys: ['b'], afterMs: 50, isTry: false });
      await store.inbox.release({ owner: 'one', keys: [] });
      expect(await listed(store)).toEqual([
        ['a', 1, null],
        ['b', 0, null],
      ]);
      expect(await byName(store, 'two')).toEqual([['a', 2, 'two']]);
      await clock.advance(50);
      expect(await byName(store, 'two')).toEqual([['b', 1, 'two']]);
    });
  });

  describe('an entry that could not be taken', () => {
    test('is due again when it was put off to, and lets others pass meanwhile', async ({ store, clock }) => {
      const now = clock.now();
      await store.inbox.post([entry('a', now), entry('b', now)]);
      await claim(store);
      await store.inbox.defer('a', { until: now + 50, reason: 'busy' });
      await store.inbox.defer('unknown', { until: now + 50, reason: 'busy' });
      const due = async (dueBy: number) => keys(await store.inbox.listDue({ sessionId: 's', dueBy, limit: 9 }));
      expect(await due(now + 49)).toEqual(['b']);
      expect(await due(now + 50)).toEqual(['a', 'b']);
      expect(await claim(store)).toEqual(['b']);
      await clock.advance(50);
      expect(await claim(store)).toEqual(['a']);
      await store.inbox.defer('a', { until: now + 60, reason: 'not yet', isTry: false });
      await store.inbox.defer('a', { until: now + 60, reason: 'still busy' });
      expect((await store.inbox.list({ sessionId: 's', limit: 1 }))[0]).toMatchObject({
        ...{ state: 'open', attempts: 2, notBefore: now + 60, reason: 'still busy' },
      });
    });

    test('is listed among those to come by when it is due again', async ({ store, clock }) => {
      const now = clock.now();
      await store.inbox.post([entry('a', now), entry('b', now), entry('c', now + 30), entry('d', now + 90)]);
      await store.inbox.defer('b', { until: now + 60, reason: 'busy' });
      await store.inbox.defer('d', { until: null, reason: 'broken' });
      const later = async (dueAfter: number, limit = 9) =>
        keys(await store.inbox.list({ state: 'open', dueAfter, limit }));
      expect(await later(now)).toEqual(['c', 'b']);
      expect(await later(now, 1)).toEqual(['c']);
      expect(await later(now + 30)).toEqual(['b']);
      expect(await later(now + 60)).toEqual([]);
    });

    test('is a dead letter that is not handed out until it is posted again', async ({ store, clock }) => {
      const now = clock.now();
      await store.inbox.post([entry('a', now), entry('b', now + 900)]);
      await store.inbox.defer('a', { until: null, reason: 'broken\u0000' });
      const dead = await store.inbox.list({ state: 'dead', limit: 9 });
      expect(dead).toMatchObject([{ entry: { key: 'a' }, state: 'dead', attempts: 1, reason: 'broken\u0000' }]);
      expect(keys(await store.inbox.list({ state: 'open', limit: 9 }))).toEqual(['b']);
      expect(await store.inbox.listDue({ sessionId: 's', dueBy: now, limit: 9 })).toEqual([]);
      expect(await store.inbox.nextDue('s')).toBe(now + 900);
      expect(await claim(store)).toEqual([]);

      const record = { actor: null, action: 'inbox:repost', outcome: 'allowed', sessionId: 's', details: {} } as const;
      for (const key of ['b', 'unknown']) expect(await store.inbox.repost(key, [record])).toBe(false);
      expect(await store.audit.list({ limit: 9 })).toEqual([]);
      expect(await store.inbox.repost('a', [record])).toBe(true);
      expect(await store.audit.list({ limit: 9 })).toMatchObject([{ action: 'inbox:repost' }]);
      expect(await store.inbox.nextDue('s')).toBe(clock.now());
      expect(await store.inbox.claim({ ttlMs: 1, limit: 9 })).toMatchObject([{ attempts: 0, reason: null }]);
      expect(await store.inbox.repost('a')).toBe(false);
    });
  });
}
