import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Effect } from '../../src/events/effect.ts';
import type { Json } from '../../src/events/json.ts';
import type { Lease, LoggedSignal, StepCommit, Store } from '../../src/ports/store.ts';
import type { Clock } from '../../src/ports/time.ts';
import type { VirtualClock } from '../../src/testing/virtual-clock.ts';
import { expectRefusal } from './refusal.ts';
import { action, event, heard, say, step } from './steps.ts';

/** What every store must do. `open` gives an empty store each time, which tells the time by the clock beside it. */
export function describeStore(
  name: string,
  open: (clockOf: (clock: VirtualClock) => Clock) => Promise<{ store: Store; clock: VirtualClock }>,
): void {
  describe(`${name} store`, () => {
    let store: Store;
    let clock: VirtualClock;
    /** How far the store's clock is ahead of the time that it is, in milliseconds. */
    let aheadMs = 0;
    beforeEach(async () => {
      aheadMs = 0;
      ({ store, clock } = await open((given) => ({ ...given, now: () => given.now() + aheadMs })));
    });
    afterEach(() => store.close());

    const own = async (sessionId = 's', owner = 'me'): Promise<Lease> => {
      const lease = await store.acquireLease(sessionId, owner, 1_000);
      if (lease === null) throw new Error('the lease was not to be had');
      return lease;
    };
    const kept = async (sessionId = 's') => ({
      snapshot: await store.loadSnapshot(sessionId),
      log: await store.readLog(sessionId),
      effects: await store.loadEffects(sessionId),
    });

    describe('a lease', () => {
      test('is taken by one owner at a time', async () => {
        expect(await own('s', 'first')).toEqual({
          sessionId: 's',
          owner: 'first',
          token: expect.any(Number),
          expiresAt: clock.now() + 1_000,
        });
        expect(await store.acquireLease('s', 'second', 1_000)).toBeNull();
        expect(await store.acquireLease('other', 'second', 1_000)).not.toBeNull();
      });

      test('is renewed by its owner, who keeps the token and may use the older lease', async () => {
        const lease = await own();
        await clock.advance(600);
        const renewed = await store.renewLease(lease, 1_000);
        expect(renewed).toEqual({ ...lease, expiresAt: lease.expiresAt + 600 });

        await clock.advance(600);
        expect(await store.acquireLease('s', 'second', 1_000)).toBeNull();
        await store.commit(step(lease));
        expect((await kept()).log).toHaveLength(1);
      });

      test('is free for another owner at the moment in which it runs out, and not before', async () => {
        const lease = await own('s', 'first');
        await clock.advance(999);
        expect(await store.acquireLease('s', 'second', 1_000)).toBeNull();
        await clock.advance(1);
        expect((await own('s', 'second')).token).toBeGreaterThan(lease.token);
      });

      test('that has run out still commits and is renewed while nobody else has taken it', async () => {
        const lease = await own();
        await clock.advance(5_000);
        await store.commit(step(lease));
        expect(await store.renewLease(lease, 1_000)).toMatchObject({ token: lease.token });
        expect(await store.acquireLease('s', 'second', 1_000)).toBeNull();
      });

      test('that is taken again under the same name has a new token, and shuts the older one out', async () => {
        const older = await own('s', 'host-1');
        const lease = await own('s', 'host-1');
        expect(lease.token).toBeGreaterThan(older.token);
        expect(await store.renewLease(older, 1_000)).toBeNull();
        await expectRefusal('lease-lost', store.commit(step(older)));
        await store.commit(step(lease));
      });

      test('that was released or taken is not renewed', async () => {
        const released = await own('s', 'first');
        await store.releaseLease(released);
        expect(await store.renewLease(released, 1_000)).toBeNull();
        const late = await own('s', 'first');
        await clock.advance(1_000);
        await own('s', 'second');
        expect(await store.renewLease(late, 1_000)).toBeNull();
      });

      test('that a wrong clock made to end later than its length from now is over', async () => {
        aheadMs = 30 * 86_400_000;
        const lease = await own('s', 'first');
        await store.keepCall({ sessionId: 's', place: {} });
        aheadMs = 0;
        expect(await store.claimLostCalls({ ttlMs: 1_000, limit: 9 })).toMatchObject([{ sessionId: 's' }]);
        expect((await own('s', 'second')).token).toBeGreaterThan(lease.token);
        await expectRefusal('lease-lost', store.commit(step(lease)));
      });

      test('that a renewal under a wrong clock made to end too late is over as well', async () => {
        const lease = await own('s', 'first');
        aheadMs = 3_600_000;
        await store.renewLease(lease, 1_000);
        aheadMs = 0;
        expect(await store.acquireLease('s', 'second', 1_000)).not.toBeNull();
      });

      test('that another owner took commits nothing, and takes nothing by being released', async () => {
        const late = await own('s', 'first');
        await clock.advance(1_000);
        const lease = await own('s', 'second');

        await expectRefusal('lease-lost', store.commit(step(late)));
        await store.releaseLease(late);

        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.acquireLease('s', 'first', 1_000)).toBeNull();
        await store.commit(step(lease));
      });

      test('that was released is free at once, and does not commit any more', async () => {
        const lease = await own('s', 'first');
        await store.releaseLease(lease);
        await expectRefusal('lease-lost', store.commit(step(lease)));
        expect((await own('s', 'second')).token).toBeGreaterThan(lease.token);
      });

      test('has a greater token after its release, also for the owner who had it', async () => {
        const lease = await own();
        await store.releaseLease(lease);
        expect((await own()).token).toBeGreaterThan(lease.token);
        await expectRefusal('lease-lost', store.commit(step(lease)));
      });

      test('goes to one of two owners who ask at the same time', async () => {
        const asked = await Promise.all(['first', 'second'].map((owner) => store.acquireLease('s', owner, 1_000)));
        expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
      });

      test('of a session that was never owned cannot be made up', async () => {
        const lease = { sessionId: 's', owner: 'me', token: 0, expiresAt: clock.now() + 1_000 };
        await expectRefusal('lease-lost', store.commit(step(lease)));
      });
    });

    describe('a commit', () => {
      test('keeps signals, state, effects and inputs', async () => {
        const effects = [say('s/1/0', 'Hello.')];
        await store.commit(step(await own(), { state: { node: 'a' }, effects, inputKeys: ['k'] }));

        expect(await kept()).toEqual({
          snapshot: { sessionId: 's', seq: 1, stateVersion: 1, state: { node: 'a' }, graphHash: 'g' },
          log: [heard(1)],
          effects,
        });
        expect(await store.wasConsumed('k')).toBe(true);
      });

      test('of several signals, or of none, leaves the session at its last signal', async () => {
        const lease = await own();
        await store.commit(step(lease, { signals: [heard(1), heard(2), heard(3)] }));
        await store.commit(step(lease, { baseSeq: 3, signals: [], state: { node: 'b' }, graphHash: 'h' }));
        const { snapshot, log } = await kept();
        expect(snapshot).toMatchObject({ seq: 3, state: { node: 'b' }, graphHash: 'h' });
        expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      });

      test('from where the session does not stand any more changes nothing', async () => {
        const lease = await own();
        await store.commit(step(lease));
        const before = await kept();
        for (const baseSeq of [0, 2])
          await expectRefusal('store-conflict', store.commit(rich(lease, { baseSeq, signals: [heard(baseSeq + 1)] })));
        expect(await kept()).toEqual(before);
        expect(await store.wasConsumed('rich')).toBe(false);
      });

      test('whose signals leave a gap in the log changes nothing', async () => {
        const lease = await own();
        for (const signals of [[heard(2)], [heard(1), heard(3)], [heard(1), heard(1)]])
          await expectRefusal('store-conflict', store.commit(rich(lease, { signals })));
        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.wasConsumed('rich')).toBe(false);
      });

      test('under a lost lease changes nothing', async () => {
        const lease = await own();
        await store.releaseLease(lease);
        await expectRefusal('lease-lost', store.commit(rich(lease)));
        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.wasConsumed('rich')).toBe(false);
      });

      test('of two from the same place is taken once', async () => {
        const lease = await own();
        const results = await Promise.allSettled([store.commit(step(lease)), store.commit(step(lease))]);
        expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
        expect((await kept()).log).toHaveLength(1);
      });
    });

    describe('an input', () => {
      test('is unknown until a commit consumes it', async () => {
        expect(await store.wasConsumed('k')).toBe(false);
        await store.commit(step(await own(), { inputKeys: ['k', '__proto__'] }));
        expect(await store.wasConsumed('k')).toBe(true);
        expect(await store.wasConsumed('__proto__')).toBe(true);
        expect(await store.wasConsumed('constructor')).toBe(false);
      });

      test('that was consumed refuses a whole commit, in its own session and in another, by whatever owner', async () => {
        const first = await own('s', 'first');
        await store.commit(step(first, { inputKeys: ['k'] }));
        const before = await kept('s');
        const again = { baseSeq: 1, signals: [heard(2)], inputKeys: ['rich', 'k'] };
        await expectRefusal('store-conflict', store.commit(rich(first, again)));

        await store.releaseLease(first);
        await expectRefusal('store-conflict', store.commit(rich(await own('s', 'second'), again)));
        const elsewhere = await own('t', 'second');
        await expectRefusal('store-conflict', store.commit(rich(elsewhere, { inputKeys: ['rich', 'k'] })));

        expect(await kept('s')).toEqual(before);
        expect(await kept('t')).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.wasConsumed('rich')).toBe(false);
      });

      test('is consumed once by two sessions at the same time', async () => {
        const leases = [await own('s'), await own('t')];
        const results = await Promise.allSettled(
          leases.map((lease) => store.commit(step(lease, { inputKeys: ['k'] }))),
        );
        expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      });
    });

    describe('what was kept', () => {
      test('of a session that is unknown, or only owned, is nothing', async () => {
        await own();
        for (const sessionId of ['s', 'unknown', '__proto__', ''])
          expect(await kept(sessionId)).toEqual({ snapshot: null, log: [], effects: [] });
      });

      test('belongs to its session alone, whatever its name', async () => {
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
          await store.commit(
            step(await own(sessionId), { state: index, effects: [say(`${sessionId}/0/0`, sessionId)] }),
          );
        expect((await store.loadSnapshot('__proto__'))?.state).toBe(1);
        expect((await store.loadSnapshot("'; --"))?.state).toBe(3);
        expect((await store.loadSnapshot('a\u0000'))?.state).toBe(5);
        expect((await store.loadSnapshot('\ud800'))?.state).toBe(7);
        expect((await store.listSessions(99)).map(({ sessionId }) => sessionId)).toContain('a\u0000');
        expect(await store.loadEffects('ä/…')).toEqual([say('ä/…/0/0', 'ä/…')]);
        expect(await store.readLog('constructor')).toHaveLength(1);
      });

      test.each([
        [undefined, [1, 2, 3, 4]],
        [0, [1, 2, 3, 4]],
        [-3, [1, 2, 3, 4]],
        [1, [1, 2, 3, 4]],
        [3, [3, 4]],
        [4, [4]],
        [5, []],
      ])('is read from the log starting at %s', async (fromSeq, expected) => {
        const lease = await own();
        await store.commit(step(lease, { signals: [heard(1), heard(2)] }));
        await store.commit(step(lease, { baseSeq: 2, signals: [heard(3), heard(4)] }));
        expect((await store.readLog('s', fromSeq)).map(({ seq }) => seq)).toEqual(expected);
      });

      test('of an effect is what the last commit said, in the order of intending', async () => {
        const lease = await own();
        const intended = [say('s/1/0', 'One.'), action('s/1/1'), say('s/1/2', 'Two.'), action('s/1/3')] as const;
        await store.commit(step(lease, { effects: intended }));
        const said: Effect = { ...intended[0], state: 'done', result: { heard: 'One.' } };
        const done: Effect = { ...intended[3], state: 'done' };
        const effects = [done, said, action('s/2/0'), say('s/2/1', 'Three.')];
        await store.commit(step(lease, { baseSeq: 1, signals: [heard(2)], effects }));
        expect(await store.loadEffects('s')).toEqual([said, intended[1], intended[2], done, ...effects.slice(2)]);
      });

      test('cannot be changed from outside, neither by the writer nor by a reader', async () => {
        const state = { slots: { name: 'kept' } };
        const signals = [heard(1)];
        const effects = [say('s/1/0', 'kept')];
        const document = { nodes: ['kept'] };
        await store.commit(step(await own(), { state, signals, effects }));
        await store.saveGraph('g', document);
        const before = JSON.stringify([await kept(), await store.loadGraph('g')]);

        state.slots.name = 'changed';
        document.nodes.push('changed');
        signals.length = 0;
        spoil(effects);
        spoil([await kept(), await store.loadGraph('g')]);

        expect(JSON.stringify([await kept(), await store.loadGraph('g')])).toBe(before);
      });

      test('is the same byte for byte, for any JSON value', async () => {
        let count = 0;
        await fc.assert(
          fc.asyncProperty(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), async (value) => {
            const sessionId = `any-${(count += 1)}`;
            // fast-check's type of a JSON value is not readonly, and says the same.
            await store.commit(step(await own(sessionId), { state: value as Json }));
            expect(JSON.stringify((await store.loadSnapshot(sessionId))?.state)).toBe(JSON.stringify(value));
          }),
          { numRuns: 40 },
        );
      });

      test('keeps keys in their order, names that mean something to JavaScript, and text that databases dislike', async () => {
        const text =
          '{"z":1,"a":{"__proto__":{"x":1},"constructor":null},"":"\\u0000 \\ud800 \'\\"","n":[1e+308,5e-324,-0.1]}';
        await store.commit(step(await own(), { state: JSON.parse(text) as Json }));
        expect(JSON.stringify((await store.loadSnapshot('s'))?.state)).toBe(text);
      });

      test('may be large: states, signals, effects and flows of 1 MB', async () => {
        const large = 'ä'.repeat(2 ** 19);
        const signal: LoggedSignal = {
          seq: 1,
          signal: { type: 'user:turn', at: 1, eventId: 'e', text: large, via: 'text' },
        };
        const effects = [say('s/1/0', large)];
        await store.commit(step(await own(), { state: { large }, signals: [signal], effects }));
        await store.saveGraph('g', { large });

        expect(await kept()).toMatchObject({ snapshot: { state: { large } }, log: [signal], effects });
        expect(await store.loadGraph('g')).toEqual({ large });
      });
    });

    describe('what is no JSON', () => {
      const circle: { self?: unknown } = {};
      circle.self = circle;
      let deep: unknown = null;
      for (let level = 0; level < 100_000; level += 1) deep = [deep];
      const hole = [1];
      hole.length = 2;

      test.each([
        ['undefined', undefined],
        ['no number', Number.NaN],
        ['an infinite number', { slots: [Number.NEGATIVE_INFINITY] }],
        ['a function', { slots: { run: () => 1 } }],
        ['a big integer', 1n],
        ['a symbol', Symbol('s')],
        ['a date', { born: new Date(0) }],
        ['a map', new Map()],
        ['a list with a hole', hole],
        ['a list with undefined', [undefined]],
        ['a circle', circle],
        ['a value that nests without end', deep],
        ['an object that makes its own JSON', { toJSON: () => 1 }],
      ])('is refused with a code, and nothing is kept: %s', async (_what, value) => {
        // What the types forbid and a handler written in JavaScript can still return.
        const given = value as Json;
        const lease = await own();
        await expectRefusal('state-not-json', store.commit(rich(lease, { state: given })));
        const settled: Effect = { ...say('s/1/0', 'x'), result: given };
        if (value !== undefined)
          await expectRefusal('state-not-json', store.commit(rich(lease, { effects: [settled] })));
        await expectRefusal('state-not-json', store.saveGraph('g', given));
        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.loadGraph('g')).toBeNull();
        expect(await store.wasConsumed('rich')).toBe(false);
      });

      test('is refused in signals too', async () => {
        const lease = await own();
        const at = Number.NaN;
        const signals: LoggedSignal[] = [{ seq: 1, signal: { type: 'session:resumed', at } }];
        await expectRefusal('state-not-json', store.commit(rich(lease, { signals })));
        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
      });

      test('is named by its place and never by its content', async () => {
        const state = { slots: { born: [1, { value: new Date(0) }] }, said: 'secret' } as unknown as Json;
        await expect(store.commit(step(await own(), { state }))).rejects.toThrow(/state\.slots\.born\[1\]\.value is/);
        await expect(store.commit(step(await own(), { state }))).rejects.not.toThrow(/secret/);
      });

      test('is not a member that is undefined: it counts as absent', async () => {
        const state = { node: 'a', gone: undefined } as unknown as Json;
        await store.commit(step(await own(), { state }));
        expect(JSON.stringify((await store.loadSnapshot('s'))?.state)).toBe('{"node":"a"}');
      });
    });

    describe('a flow', () => {
      test('is found by its hash', async () => {
        await store.saveGraph('g', { name: 'one' });
        await store.saveGraph('__proto__', { name: 'two' });
        expect(await store.loadGraph('g')).toEqual({ name: 'one' });
        expect(await store.loadGraph('__proto__')).toEqual({ name: 'two' });
        expect(await store.loadGraph('constructor')).toBeNull();
      });

      test('may be saved again, and stays what it was', async () => {
        await store.saveGraph('g', { name: 'one' });
        await store.saveGraph('g', { name: 'other' });
        expect(await store.loadGraph('g')).toEqual({ name: 'one' });
      });
    });

    describe('the events of a session', () => {
      test('are those of its commits, in their order', async () => {
        const lease = await own();
        await store.commit(step(lease, { events: () => [event(1), event(2)] }));
        await store.commit(step(lease, { baseSeq: 1, signals: [heard(2)], events: () => [event(3)] }));
        await store.commit(step(await own('t'), { events: () => [event(9)] }));
        expect(await store.readEvents('s')).toEqual([event(1), event(2), event(3)]);
        expect(await store.readEvents('unknown')).toEqual([]);
      });
    });

    describe('the list of sessions', () => {
      test('begins with the one that was committed last, and tells who owns it', async () => {
        const lease = await own('a', 'me');
        await store.commit(step(lease));
        await clock.advance(5);
        const { token } = await own('b', 'you');
        await store.commit(
          step({ ...lease, sessionId: 'b', token }, { signals: [heard(1), heard(2)], graphHash: 'h' }),
        );
        const at = clock.now();
        await store.releaseLease(lease);
        await own('only owned');

        const [first, second, ...more] = await store.listSessions(10);
        const ofYou = { owner: 'you', token, expiresAt: at + 1_000 };
        expect(first).toEqual({ sessionId: 'b', seq: 2, graphHash: 'h', updatedAt: at, lease: ofYou });
        expect(second).toEqual({ sessionId: 'a', seq: 1, graphHash: 'g', updatedAt: at - 5, lease: null });
        expect(more).toEqual([]);
        expect(await store.listSessions(1)).toEqual([first]);
      });
    });

    describe('the open effects of all sessions', () => {
      const wait = (key: string, deadline?: number): Effect => ({
        key,
        kind: 'wait',
        state: 'intended',
        node: 'a',
        visit: 1,
        payload: { wait: 'confirm', say: 'Shall I?', subject: { kind: 'slot', slot: 'x', value: 1 } },
        ...(deadline === undefined ? {} : { deadline }),
      });
      const keys = (found: readonly { effect: Effect }[]): string[] => found.map(({ effect }) => effect.key);

      test('are found by kind, with their sessions, until they settle', async () => {
        const lease = await own();
        await store.commit(step(lease, { effects: [say('s/1/0', 'x'), wait('s/1/1')] }));
        const started: Effect = { ...wait('t/1/0'), state: 'started' };
        await store.commit(step(await own('t'), { effects: [started] }));
        const query = { kind: 'wait', limit: 10 } as const;
        expect(await store.openEffects(query)).toEqual([
          { sessionId: 's', effect: wait('s/1/1') },
          { sessionId: 't', effect: started },
        ]);
        expect(keys(await store.openEffects({ ...query, limit: 1 }))).toEqual(['s/1/1']);
        const settled: Effect = { ...wait('s/1/1'), state: 'done' };
        await store.commit(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [settled] }));
        expect(keys(await store.openEffects(query))).toEqual(['t/1/0']);
      });

      test('are due at their deadline and not before, the earliest first', async () => {
        await store.commit(step(await own(), { effects: [wait('s/1/0', 30), wait('s/1/1', 10), wait('s/1/2')] }));
        const due = async (dueBy: number) => keys(await store.openEffects({ kind: 'wait', dueBy, limit: 10 }));
        expect(await due(9)).toEqual([]);
        expect(await due(10)).toEqual(['s/1/1']);
        expect(await due(1e15)).toEqual(['s/1/1', 's/1/0']);
      });

      test('are claimed by one dispatcher at a time, in the order of intending', async () => {
        const effects = [action('s/1/0'), wait('s/1/1'), action('s/1/2'), say('s/1/3', 'a'), action('s/1/4')];
        await store.commit(step(await own(), { effects }));
        const claim = async (limit: number) => keys(await store.claimEffects({ kind: 'action', ttlMs: 100, limit }));
        expect(await claim(1)).toEqual(['s/1/0']);
        const both = await Promise.all([claim(1), claim(2)]);
        expect(both.flat().toSorted()).toEqual(['s/1/2', 's/1/4']);
        expect(await claim(9)).toEqual([]);
        await clock.advance(99);
        expect(await claim(9)).toEqual([]);
        await clock.advance(1);
        expect(await claim(9)).toEqual(['s/1/0', 's/1/2', 's/1/4']);
      });

      test('are claimed again when they were put off, and never once they were sent or settled', async () => {
        const lease = await own();
        await store.commit(step(lease, { effects: [action('s/1/0'), action('s/1/1'), action('s/1/2')] }));
        const claim = async () => keys(await store.claimEffects({ kind: 'action', ttlMs: 10, limit: 9 }));
        await claim();
        await store.holdEffect('s/1/0', clock.now() + 50);
        await store.holdEffect('s/1/1', null);
        await store.holdEffect('unknown', null);
        const cancelled: Effect = { ...action('s/1/2'), state: 'cancelled' };
        await store.commit(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [cancelled] }));
        await clock.advance(49);
        expect(await claim()).toEqual([]);
        await clock.advance(1);
        expect(await claim()).toEqual(['s/1/0']);
      });

      test('call who watches when a commit intends one that is no speech, until nobody listens any more', async () => {
        const lease = await own();
        let calls = 0;
        const called = (): Promise<void> => new Promise((resolve) => (resolveCall = resolve));
        let resolveCall = (): void => undefined;
        const stop = store.watch(() => {
          calls += 1;
          resolveCall();
        });
        const first = called();
        await store.commit(step(lease, { effects: [wait('s/1/0')] }));
        await first;
        expect(calls).toBeGreaterThan(0);
        stop();
        const before = calls;
        await store.commit(step(lease, { baseSeq: 1, signals: [heard(2)], effects: [wait('s/2/0')] }));
        await store.openEffects({ kind: 'wait', limit: 1 });
        expect(calls).toBe(before);
      });
    });

    describe('a call', () => {
      const claim = (limit = 9) => store.claimLostCalls({ ttlMs: 100, limit });
      const keep = (sessionId: string, room = 'r') => store.keepCall({ sessionId, place: { room } });

      test('is lost once nobody owns its session, and is given away once for a time', async () => {
        await own('s');
        await keep('s');
        expect(await claim()).toEqual([]);
        await clock.advance(999);
        expect(await claim()).toEqual([]);

        await clock.advance(1);
        const lostAt = clock.now();
        expect(await claim()).toEqual([{ sessionId: 's', place: { room: 'r' }, lostAt }]);
        expect(await claim()).toEqual([]);
        await clock.advance(100);
        expect(await claim()).toEqual([{ sessionId: 's', place: { room: 'r' }, lostAt }]);
      });

      test('is lost when the lease is released, and where the session was never owned', async () => {
        const lease = await own('s');
        await keep('s');
        await keep('never');
        await store.releaseLease(lease);
        expect((await claim()).map(({ sessionId }) => sessionId).toSorted()).toEqual(['never', 's']);
      });

      test('goes to one of two who ask at once', async () => {
        await keep('s');
        expect((await Promise.all([claim(), claim()])).flat()).toHaveLength(1);
      });

      test('that was taken longest ago comes first', async () => {
        await keep('first');
        await claim();
        await clock.advance(1);
        await keep('second');
        await claim();
        await clock.advance(100);
        expect((await claim(1)).map(({ sessionId }) => sessionId)).toEqual(['first']);
        expect((await claim(1)).map(({ sessionId }) => sessionId)).toEqual(['second']);
      });

      test('that is kept anew is not lost any more, but is not given away sooner for that', async () => {
        await keep('s');
        await claim();
        await clock.advance(50);
        await keep('s', 'other');
        expect(await claim()).toEqual([]);
        await clock.advance(50);
        expect(await claim()).toEqual([{ sessionId: 's', place: { room: 'other' }, lostAt: clock.now() }]);
      });

      test('is left as it is where something is kept of it already, if that is asked for', async () => {
        await keep('s');
        await store.keepCall({ sessionId: 's', place: { room: 'other' } }, true);
        await store.keepCall({ sessionId: 't', place: { room: 'new' } }, true);
        const rooms = new Map((await claim()).map(({ sessionId, place }) => [sessionId, place['room']]));
        expect(rooms).toEqual(
          new Map([
            ['s', 'r'],
            ['t', 'new'],
          ]),
        );
      });

      test('that is dropped, or whose session is deleted, is forgotten', async () => {
        const lease = await own('s');
        await keep('s');
        await keep('t');
        await store.deleteSession(lease);
        await store.dropCall('t');
        await store.dropCall('never kept');
        expect(await claim()).toEqual([]);
      });

      test('keeps names and places of any text', async () => {
        const sessionId = '__proto__\u0000\ud800';
        await store.keepCall({ sessionId, place: { '"\u0000': ['\ud800'] } });
        expect(await claim()).toEqual([{ sessionId, place: { '"\u0000': ['\ud800'] }, lostAt: clock.now() }]);
      });
    });

    describe('deleting', () => {
      test('a session forgets all of it and nothing else, and its lease never fits again', async () => {
        const lease = await own();
        const effects = [say('s/1/0', 'x'), action('s/1/1')];
        await store.commit(step(lease, { inputKeys: ['k'], effects, events: () => [event(1)] }));
        await store.commit(step(await own('t'), { inputKeys: ['other'] }));
        const others = await kept('t');

        await store.deleteSession(lease);
        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.readEvents('s')).toEqual([]);
        expect(await store.wasConsumed('k')).toBe(false);
        expect(await store.openEffects({ kind: 'action', limit: 9 })).toEqual([]);
        expect((await store.listSessions(9)).map(({ sessionId }) => sessionId)).toEqual(['t']);
        expect(await kept('t')).toEqual(others);
        expect(await store.wasConsumed('other')).toBe(true);

        const again = await own();
        await expectRefusal('lease-lost', store.commit(step(lease)));
        await store.commit(step(again));
      });

      test('needs the lease', async () => {
        const late = await own('s', 'first');
        await store.commit(step(late));
        await clock.advance(1_000);
        await own('s', 'second');
        await expectRefusal('lease-lost', store.deleteSession(late));
        expect((await kept()).log).toHaveLength(1);
      });

      test('inputs forgets those that are older, and tells how many', async () => {
        const lease = await own();
        // More than a store looks at in one go, and the new one between them.
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

    test('a closed store refuses everything with a code, and may be closed again', async () => {
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
          store.holdEffect('s/1/0', null),
          store.keepCall({ sessionId: 's', place: {} }),
          store.claimLostCalls({ ttlMs: 1, limit: 1 }),
          store.dropCall('s'),
          store.deleteSession(lease),
          store.forgetInputs(0),
        ].map((refused) => expectRefusal('store-closed', refused)),
      );
    });
  });
}

/** A commit with something in each of its parts: if one of them is kept after a refusal, it shows. */
function rich(lease: Lease, changes: Partial<StepCommit> = {}): StepCommit {
  const effects = [say(`${lease.sessionId}/9/9`, 'Rich.')];
  return step(lease, { state: { node: 'rich' }, graphHash: 'rich', inputKeys: ['rich'], effects, ...changes });
}

/** Changes all that can be changed within a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) spoil(member);
  for (const key of Object.keys(value)) Reflect.set(value, key, 'spoiled');
}
