import type { InboxEntry } from '../../model/inbox.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import { entry, heard, rich, step, wait } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of entries that are posted to sessions, and of what commits do with them. */
export function describeInbox({ describe, test, expect }: StoreRunner): void {
  const keys = (found: readonly StoredEntry[]): string[] => found.map(({ entry: { key } }) => key);
  const kept = async (store: Store): Promise<string[]> => keys(await store.inbox.list({ limit: 99 }));
  const late = 1e15;

  describe('an entry', () => {
    test('is given back whole when it is due, in the order of due time and posting', async ({ store, clock }) => {
      const now = clock.now();
      const whole: InboxEntry = {
        ...{ key: 'c', sessionId: 's', dueAt: now + 5, reach: 'call', actor: { id: 'ann', name: 'Ann' } },
        signal: { type: 'user:turn', eventId: 'c', text: 'Ä "\u0000\ud800', via: 'proxy' },
        correlation: { escalationId: 'e1', scheduledFor: 7 },
      };
      const before = await store.inbox.post([entry('later', now + 9), entry('b', now + 5), whole]);
      const after = await store.inbox.post([entry('a', now + 1), entry('d', now + 5), entry('other', now, 't')]);
      expect([...before, ...after]).toEqual(Array.from({ length: 6 }, () => 'posted'));

      const due = (dueBy: number, limit = 9) => store.inbox.listDue({ sessionId: 's', dueBy, limit });
      expect(await due(now)).toEqual([]);
      expect(keys(await due(now + 5))).toEqual(['a', 'b', 'c', 'd']);
      expect(keys(await due(now + 9, 2))).toEqual(['a', 'b']);
      const place = (await due(late))[2]?.place ?? -1;
      const none = { attempts: 0, reason: null, claims: 0, claimedBy: null } as const;
      const open = { ...none, state: 'open', notBefore: now + 5 } as const;
      expect((await due(late))[2]).toEqual({ entry: whole, place, ...open });
      expect(await store.inbox.nextDue('s')).toBe(now + 1);
      expect(await store.inbox.nextDue('unknown')).toBeNull();
      expect(keys(await store.inbox.list({ sessionId: 's', limit: 3 }))).toEqual(['a', 'b', 'c']);
      expect(keys(await store.inbox.list({ limit: 1 }))).toEqual(['other']);
    });

    test('that is known is a duplicate: open, a dead letter, consumed, and twice at once', async ({ store, own }) => {
      expect(await store.inbox.post([entry('open', 1), entry('open', 2), entry('dead', 1)])).toEqual([
        ...['posted', 'duplicate', 'posted'],
      ]);
      await store.inbox.defer('dead', { until: null, reason: 'broken' });
      await store.steps.create(step(await own(), { inputKeys: ['consumed'] }));
      const again = ['open', 'dead', 'consumed', 'new'].map((key) => entry(key, 9));
      expect(await store.inbox.post(again)).toEqual(['duplicate', 'duplicate', 'duplicate', 'posted']);
      expect(await kept(store)).toEqual(['open', 'dead', 'new']);
      const both = await Promise.all([store.inbox.post([entry('race', 1)]), store.inbox.post([entry('race', 1)])]);
      expect(both.flat().toSorted()).toEqual(['duplicate', 'posted']);
    });

    test('is deleted by the commit that it causes, be it a dead letter, and by no commit that is refused', async ({
      store,
      own,
      expectRefusal,
    }) => {
      const lease = await own();
      await store.inbox.post([entry('a', 1), entry('b', 1), entry('c', 1)]);
      await store.inbox.defer('b', { until: null, reason: 'broken' });
      const inputKeys = ['a', 'b'];
      await expectRefusal(
        'store-conflict',
        store.steps.create(rich(lease, { baseSeq: 7, signals: [heard(8)], inputKeys })),
      );
      expect(await kept(store)).toEqual(['a', 'b', 'c']);
      await store.steps.create(step(lease, { inputKeys }));
      expect(await kept(store)).toEqual(['c']);
      expect(await store.inbox.post([entry('a', 1)])).toEqual(['duplicate']);
    });

    test('is posted and withdrawn by a commit, or neither', async ({ store, own, expectRefusal }) => {
      const lease = await own();
      await store.inbox.post([entry('tick 1', 1), entry('moved', 1), entry('known', 1)]);
      const change = {
        inputKeys: ['tick 1'],
        withdraws: ['moved', 'never posted'],
        posts: [entry('tick 2', 2), entry('moved', 3), entry('run', 4, 't'), entry('known', 5), entry('tick 1', 6)],
      };
      await expectRefusal(
        'store-conflict',
        store.steps.create(step(lease, { ...change, baseSeq: 1, signals: [heard(2)] })),
      );
      expect(await kept(store)).toEqual(['tick 1', 'moved', 'known']);
      await store.steps.create(step(lease, change));
      expect(await kept(store)).toEqual(['known', 'tick 2', 'moved', 'run']);
      expect(await store.inbox.nextDue('t')).toBe(4);
      expect(await store.inbox.withdraw('run')).toBe(true);
      expect(await store.inbox.withdraw('run')).toBe(false);
    });

    test('wakes who watches, however it came', async ({ store, clock, own }) => {
      const lease = await own();
      let told: (string | null)[] = [];
      let wake = (): void => undefined;
      const stop = store.inbox.watch((sessionId) => {
        told.push(sessionId);
        wake();
      });
      const isTold = (sessionId: string): boolean => told.includes(sessionId) || told.includes(null);
      const telling = async (sessionId: string, work: () => Promise<unknown>): Promise<void> => {
        told = [];
        await work();
        while (!isTold(sessionId)) await new Promise<void>((resolve) => (wake = resolve));
      };
      await telling('t', () => store.inbox.post([entry('a', late, 't')]));
      await telling('u', () => store.steps.create(step(lease, { posts: [entry('b', 1, 'u')] })));
      await store.inbox.defer('a', { until: null, reason: 'broken' });
      await telling('t', () => store.inbox.repost('a'));
      stop();
      told = [];
      await store.inbox.post([entry('c', clock.now())]);
      await store.inbox.nextDue('s');
      expect(told).toEqual([]);
    });
  });

  describe('the deadline of a wait', () => {
    const deadline = 50;
    const key = `s/1/0/deadline/${deadline}`;

    test('is an entry, posted with the wait and deleted when it settles', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [wait('s/1/0', deadline), wait('s/1/1')] }));
      expect(await store.inbox.listDue({ sessionId: 's', dueBy: deadline - 1, limit: 9 })).toEqual([]);
      const [due] = await store.inbox.listDue({ sessionId: 's', dueBy: deadline, limit: 9 });
      const signal = { type: 'wait:expired', key: 's/1/0' };
      const rest = { reach: 'wait', correlation: {}, actor: null };
      expect(due?.entry).toEqual({ key, sessionId: 's', dueAt: deadline, signal, ...rest });

      // A question still waits, whether it was heard or not.
      for (const [index, state] of (['started', 'failed'] as const).entries()) {
        const effects = [{ ...wait('s/1/0', deadline), state }];
        await store.steps.create(step(lease, { baseSeq: index + 1, signals: [heard(index + 2)], effects }));
        expect(await kept(store)).toEqual([key]);
      }
      const effects = [{ ...wait('s/1/0', deadline), state: 'done' as const }];
      await store.steps.create(step(lease, { baseSeq: 3, signals: [heard(4)], effects }));
      expect(await kept(store)).toEqual([]);
    });

    test('moves with it, and goes where the wait may last for ever', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [wait('s/1/0', deadline), wait('s/1/9', deadline)] }));
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [wait('s/1/0', 70)] }));
      expect(await kept(store)).toEqual(['s/1/9/deadline/50', 's/1/0/deadline/70']);
      await store.steps.create(step(lease, { baseSeq: 2, signals: [heard(3)], effects: [wait('s/1/0')] }));
      expect(await kept(store)).toEqual(['s/1/9/deadline/50']);
    });

    test('comes once, also where the wait stays open', async ({ store, own }) => {
      const lease = await own();
      const effects = [wait('s/1/0', deadline)];
      await store.steps.create(step(lease, { effects }));
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], effects, inputKeys: [key] }));
      expect(await kept(store)).toEqual([]);
    });

    test('is neither posted nor deleted by a commit that is refused', async ({ store, own, expectRefusal }) => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [wait('s/1/0', deadline)] }));
      const effects = [{ ...wait('s/1/0', deadline), state: 'done' as const }, wait('s/1/1', 60)];
      await expectRefusal('store-conflict', store.steps.create(rich(lease, { effects })));
      expect(await kept(store)).toEqual([key]);
    });
  });
}
