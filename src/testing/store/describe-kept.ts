import type { Effect } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import { action, event, heard, say, step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests that a store returns the values that it was given. */
export function describeKept({ describe, test, expect }: StoreRunner): void {
  describe('stored values', () => {
    test('of a session that is unknown, or only owned, is nothing', async ({ own, kept }) => {
      await own();
      for (const sessionId of ['s', 'unknown', '__proto__', ''])
        expect(await kept(sessionId)).toEqual({ snapshot: null, log: [], effects: [] });
    });

    test('belongs to its session alone, whatever its name', async ({ store, own }) => {
      for (const [index, sessionId] of [
        'a',
        '__proto__',
        'constructor',
        "'; --",
        'ä/…',
        'a\u0000',
        'a\\u0000',
        '\ud800',
        '\ufffd',
      ].entries())
        await store.steps.create(
          step(await own(sessionId), { state: index, effects: [say(`${sessionId}/0/0`, sessionId)] }),
        );
      expect((await store.sessions.get('__proto__'))?.state).toBe(1);
      expect((await store.sessions.get("'; --"))?.state).toBe(3);
      expect((await store.sessions.get('a\u0000'))?.state).toBe(5);
      expect((await store.sessions.get('\ud800'))?.state).toBe(7);
      expect((await store.sessions.list({ limit: 99 })).map(({ sessionId }) => sessionId)).toContain('a\u0000');
      expect(await store.effects.list('ä/…')).toEqual([say('ä/…/0/0', 'ä/…')]);
      expect(await store.steps.list('constructor')).toHaveLength(1);
    });

    test('is read from the log starting at any place', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { signals: [heard(1), heard(2)] }));
      await store.steps.create(step(lease, { baseSeq: 2, signals: [heard(3), heard(4)] }));
      const read = async (fromSeq?: number) => (await store.steps.list('s', fromSeq)).map(({ seq }) => seq);
      expect(await read()).toEqual([1, 2, 3, 4]);
      for (const fromSeq of [0, -3, 1]) expect(await read(fromSeq)).toEqual([1, 2, 3, 4]);
      expect(await read(3)).toEqual([3, 4]);
      expect(await read(4)).toEqual([4]);
      expect(await read(5)).toEqual([]);
    });

    test('of an effect is what the last commit said, in the order of intending', async ({ store, own }) => {
      const lease = await own();
      const intended = [say('s/1/0', 'One.'), action('s/1/1'), say('s/1/2', 'Two.'), action('s/1/3')] as const;
      await store.steps.create(step(lease, { effects: intended }));
      const said: Effect = { ...intended[0], state: 'done', result: { heard: 'One.' } };
      const done: Effect = { ...intended[3], state: 'done' };
      const effects = [done, said, action('s/2/0'), say('s/2/1', 'Three.')];
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], effects }));
      expect(await store.effects.list('s')).toEqual([said, intended[1], intended[2], done, ...effects.slice(2)]);
    });

    test('cannot be changed from outside, neither by the writer nor by a reader', async ({ store, own, kept }) => {
      const state = { slots: { name: 'kept' } };
      const signals = [heard(1)];
      const effects = [say('s/1/0', 'kept')];
      const document = { nodes: ['kept'] };
      await store.steps.create(step(await own(), { state, signals, effects }));
      await store.graphs.save('g', document);
      const before = JSON.stringify([await kept(), await store.graphs.get('g')]);

      state.slots.name = 'changed';
      document.nodes.push('changed');
      signals.length = 0;
      spoil(effects);
      spoil([await kept(), await store.graphs.get('g')]);

      expect(JSON.stringify([await kept(), await store.graphs.get('g')])).toBe(before);
    });

    test('keeps keys in their order, names that mean something to JavaScript, and text that databases dislike', async ({
      store,
      own,
    }) => {
      const text =
        '{"z":1,"a":{"__proto__":{"x":1},"constructor":null},"":"\\u0000 \\ud800 \'\\"","n":[1e+308,5e-324,-0.1]}';
      await store.steps.create(step(await own(), { state: JSON.parse(text) as Json }));
      expect(JSON.stringify((await store.sessions.get('s'))?.state)).toBe(text);
    });

    test('may be large: states, signals, effects and flows of 1 MB', async ({ store, own, kept }) => {
      const large = 'ä'.repeat(2 ** 19);
      const signal: LoggedSignal = {
        seq: 1,
        signal: { type: 'user:turn', at: 1, eventId: 'e', text: large, via: 'text' },
      };
      const effects = [say('s/1/0', large)];
      await store.steps.create(step(await own(), { state: { large }, signals: [signal], effects }));
      await store.graphs.save('g', { large });

      expect(await kept()).toMatchObject({ snapshot: { state: { large } }, log: [signal], effects });
      expect(await store.graphs.get('g')).toEqual({ large });
    });
  });

  describe('a flow', () => {
    test('is found by its hash', async ({ store }) => {
      await store.graphs.save('g', { name: 'one' });
      await store.graphs.save('__proto__', { name: 'two' });
      expect(await store.graphs.get('g')).toEqual({ name: 'one' });
      expect(await store.graphs.get('__proto__')).toEqual({ name: 'two' });
      expect(await store.graphs.get('constructor')).toBeNull();
    });

    test('may be saved again, and stays what it was', async ({ store }) => {
      await store.graphs.save('g', { name: 'one' });
      await store.graphs.save('g', { name: 'other' });
      expect(await store.graphs.get('g')).toEqual({ name: 'one' });
    });
  });

  describe('the events of a session', () => {
    test('are those of its commits, in their order', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { events: () => [event(1), event(2)] }));
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2)], events: () => [event(3)] }));
      await store.steps.create(step(await own('t'), { events: () => [event(9)] }));
      expect(await store.steps.listEvents('s')).toEqual([event(1), event(2), event(3)]);
      expect(await store.steps.listEvents('unknown')).toEqual([]);
    });

    test('are read from a sequence on, with those of a commit that held no signal', async ({ store, own }) => {
      const lease = await own();
      await store.steps.create(step(lease, { events: () => [event(1)] }));
      await store.steps.create(step(lease, { baseSeq: 1, signals: [], events: () => [event(2)] }));
      await store.steps.create(step(lease, { baseSeq: 1, signals: [heard(2), heard(3)], events: () => [event(3)] }));
      await store.steps.create(step(lease, { baseSeq: 3, signals: [heard(4)], events: () => [] }));
      expect(await store.steps.listEvents('s', 1)).toEqual([event(1), event(2), event(3)]);
      expect(await store.steps.listEvents('s', 2)).toEqual([event(3)]);
      expect(await store.steps.listEvents('s', 4)).toEqual([]);
      expect(await store.steps.listEvents('unknown', 1)).toEqual([]);
    });
  });

  describe('the list of sessions', () => {
    test('begins with the session that was committed last, and names its owner', async ({ store, clock, own }) => {
      const lease = await own('a', 'me');
      await store.steps.create(step(lease));
      await clock.advance(5);
      const { token } = await own('b', 'you');
      await store.steps.create(
        step({ ...lease, sessionId: 'b', token }, { signals: [heard(1), heard(2)], graphHash: 'h' }),
      );
      const at = clock.now();
      await store.leases.release(lease);
      await own('only owned');

      const [first, second, ...more] = await store.sessions.list({ limit: 10 });
      const ofYou = { owner: 'you', token, expiresAt: at + 1_000 };
      expect(first).toEqual({ sessionId: 'b', seq: 2, graphHash: 'h', updatedAt: at, lease: ofYou });
      expect(second).toEqual({ sessionId: 'a', seq: 1, graphHash: 'g', updatedAt: at - 5, lease: null });
      expect(more).toEqual([]);
      expect(await store.sessions.list({ limit: 1 })).toEqual([first]);
      expect(await store.sessions.list({ limit: 9, before: at })).toEqual([second]);
      expect(await store.sessions.list({ limit: 9, before: at - 5 })).toEqual([]);
    });

    test('is that of one id, or of those that begin so, where it is asked for', async ({ store, own }) => {
      for (const id of ['plan/a', 'plan/b%', 'plan_c', 'plan/ü\u0000', 'PLAN/d'])
        await store.steps.create(step(await own(id)));
      const listed = async (of: { prefix?: string; id?: string }, limit = 9) =>
        (await store.sessions.list({ limit, ...of })).map(({ sessionId }) => sessionId).toSorted();
      expect(await listed({ prefix: 'plan/' })).toEqual(['plan/a', 'plan/b%', 'plan/ü\u0000']);
      expect(await listed({ prefix: 'plan/ü\u0000' })).toEqual(['plan/ü\u0000']);
      expect(await listed({ prefix: 'plan/' }, 1)).toHaveLength(1);
      expect(await listed({ prefix: 'plan%' })).toEqual([]);
      expect(await listed({ id: 'plan/b%' })).toEqual(['plan/b%']);
      expect(await listed({ id: 'plan/' })).toEqual([]);
    });
  });
}

/** Changes everything that can be changed in a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) spoil(member);
  for (const key of Object.keys(value)) Reflect.set(value, key, 'spoiled');
}
