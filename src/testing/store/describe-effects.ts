import type { Effect } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import { action, heard, say, step, wait } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests of what dispatchers and watchers find in a store. */
export function describeOpenEffects({ describe, test, expect }: StoreRunner): void {
  describe('the open effects of all sessions', () => {
    const keys = (found: readonly { effect: Effect }[]): string[] => found.map(({ effect }) => effect.key);

    test('are found by kind, with their sessions, until they settle', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [say('s/1/0', 'x'), wait('s/1/1')] }));
      const started: Effect = { ...wait('t/1/0'), state: 'started' };
      await store.steps.create(step(await own('t'), { effects: [started] }));
      const query = { kind: 'wait', limit: 10 } as const;
      expect(await store.effects.listOpen(query)).toEqual([
        { sessionId: 's', effect: wait('s/1/1') },
        { sessionId: 't', effect: started },
      ]);
      expect(keys(await store.effects.listOpen({ ...query, limit: 1 }))).toEqual(['s/1/1']);
      const settled: Effect = { ...wait('s/1/1'), state: 'done' };
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [settled] }));
      expect(keys(await store.effects.listOpen(query))).toEqual(['t/1/0']);
    });

    test('that wait for an event are found by its name, page by page, however many others wait', async ({
      store,
      own,
    }) => {
      const waiting = (key: string, event?: string, facts: Json = {}): Effect => {
        const effect = wait(key);
        return {
          ...effect,
          payload: { ...effect.payload, facts, ...(event === undefined ? {} : { event }) },
        } as Effect;
      };
      for (const session of ['s', 't', 'S']) {
        const [other, lookalike] = [
          waiting(`${session}/1/0`, 'PAID'),
          waiting(`${session}/1/1`, '!paid', { event: 'paid' }),
        ];
        const own3 = [waiting(`${session}/1/3`, 'paid'), waiting(`${session}/1/4`), waiting(`${session}/1/2`, 'paid')];
        await store.steps.create(step(await own(session), { effects: [other, lookalike, ...own3] }));
      }
      const pages = async (query: { readonly event?: string }, limit: number): Promise<string[][]> => {
        const found: string[][] = [];
        for (let after: { sessionId: string; key: string } | null = null; ;) {
          const page: readonly { sessionId: string; effect: Effect }[] = await store.effects.listOpen({
            ...{ kind: 'wait', limit, after },
            ...query,
          });
          const last = page.at(-1);
          if (last === undefined) return found;
          found.push(keys(page));
          after = { sessionId: last.sessionId, key: last.effect.key };
        }
      };
      const paid = await pages({ event: 'paid' }, 4);
      expect(paid.map((page) => page.length)).toEqual([4, 2]);
      expect(paid.flat().toSorted()).toEqual(['S/1/2', 'S/1/3', 's/1/2', 's/1/3', 't/1/2', 't/1/3']);
      expect(await pages({ event: '!paid' }, 1)).toHaveLength(3);
      expect(await pages({ event: 'p%' }, 1)).toEqual([]);
      expect(new Set((await pages({}, 2)).flat()).size).toBe(15);
      expect(keys(await store.effects.listOpen({ kind: 'wait', event: 'paid', limit: 9 }))).toHaveLength(6);
    });

    test('are due at their deadline and not before, the earliest first', async ({ store, own }) => {
      await store.steps.create(step(await own(), { effects: [wait('s/1/0', 30), wait('s/1/1', 10), wait('s/1/2')] }));
      const due = async (dueBy: number) => keys(await store.effects.listOpen({ kind: 'wait', dueBy, limit: 10 }));
      expect(await due(9)).toEqual([]);
      expect(await due(10)).toEqual(['s/1/1']);
      expect(await due(1e15)).toEqual(['s/1/1', 's/1/0']);
    });

    test('are claimed by one dispatcher at a time, in the order of intending', async ({ store, clock, own }) => {
      const effects = [action('s/1/0'), wait('s/1/1'), action('s/1/2'), say('s/1/3', 'a'), action('s/1/4')];
      const lease = await own();
      await store.steps.create(step(lease, { effects }));
      await store.leases.release(lease);
      const claim = async (limit: number) => keys(await store.effects.claim({ kind: 'action', ttlMs: 100, limit }));
      expect(await claim(1)).toEqual(['s/1/0']);
      const both = await Promise.all([claim(1), claim(2)]);
      expect(both.flat().toSorted()).toEqual(['s/1/2', 's/1/4']);
      expect(await claim(9)).toEqual([]);
      await clock.advance(99);
      expect(await claim(9)).toEqual([]);
      await clock.advance(1);
      expect(await claim(9)).toEqual(['s/1/0', 's/1/2', 's/1/4']);
    });

    test('are claimed again when they were put off, and never once they were sent or settled', async ({
      store,
      clock,
      own,
    }) => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [action('s/1/0'), action('s/1/1'), action('s/1/2')] }));
      const cancelled: Effect = { ...action('s/1/2'), state: 'cancelled' };
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [cancelled] }));
      await store.leases.release(lease);
      const claim = async () => keys(await store.effects.claim({ kind: 'action', ttlMs: 10, limit: 9 }));
      await claim();
      await store.effects.update([{ sessionId: 's', key: 's/1/0' }], { until: clock.now() + 50 });
      await store.effects.update([{ sessionId: 's', key: 's/1/1' }], { until: null });
      await store.effects.update(
        [
          { sessionId: 's', key: 'unknown' },
          { sessionId: 'other', key: 's/1/0' },
        ],
        { until: null },
      );
      await store.effects.update([], { until: null });
      await clock.advance(49);
      expect(await claim()).toEqual([]);
      await clock.advance(1);
      expect(await claim()).toEqual(['s/1/0']);
    });

    test('store how often and why they could not be delivered', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { effects: [action('s/1/0')] }));
      await store.leases.release(lease);
      const claim = () => store.effects.claim({ kind: 'action', ttlMs: 10, limit: 9 });
      expect(await claim()).toEqual([{ sessionId: 's', effect: action('s/1/0') }]);
      await store.effects.update([{ sessionId: 's', key: 's/1/0' }], { until: 0, reason: 'busy' });
      await store.effects.update([{ sessionId: 's', key: 's/1/0' }], { until: 0, reason: 'gone\u0000' });
      const failed = { times: 2, reason: 'gone\u0000' };
      expect(await claim()).toEqual([{ sessionId: 's', effect: action('s/1/0'), failed }]);
      expect(await store.effects.listOpen({ kind: 'action', limit: 9 })).toMatchObject([{ failed }]);
    });

    test('are left to the owner of their session, but for messages, which it does not send', async ({ store, own }) => {
      const message: Effect = {
        ...{ key: 's/1/1', kind: 'message', state: 'intended', node: 'a', visit: 1 },
        payload: { channel: 'notify', to: 'desk', text: 'Please look.', data: {} },
      };
      const lease = await own();
      await store.steps.create(step(lease, { effects: [action('s/1/0'), message] }));
      const claim = async (kind: 'action' | 'message') => keys(await store.effects.claim({ kind, ttlMs: 9, limit: 9 }));
      expect(await claim('action')).toEqual([]);
      expect(await claim('message')).toEqual(['s/1/1']);
      await store.leases.release(lease);
      expect(await claim('action')).toEqual(['s/1/0']);
    });

    test('call the watcher when a commit intends an effect other than speech, until the watcher stops', async ({
      store,
      own,
    }) => {
      const lease = await own();
      let calls = 0;
      const called = (): Promise<void> => new Promise((resolve) => (resolveCall = resolve));
      let resolveCall = (): void => undefined;
      const stop = store.watch(() => {
        calls += 1;
        resolveCall();
      });
      const first = called();
      await store.steps.create(step(lease, { effects: [wait('s/1/0')] }));
      await first;
      expect(calls).toBeGreaterThan(0);
      stop();
      const before = calls;
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [wait('s/2/0')] }));
      await store.effects.listOpen({ kind: 'wait', limit: 1 });
      expect(calls).toBe(before);
    });
  });
}
