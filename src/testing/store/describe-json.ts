import type { Effect } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import { rich, say, step } from './steps.ts';
import type { StoreRunner } from './store-runner.ts';

/** Tests that a store refuses values that are not JSON. */
export function describeJson({ describe, test, expect }: StoreRunner): void {
  describe('values that are not JSON', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    let deep: unknown = null;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const hole = [1];
    hole.length = 2;

    const values: readonly (readonly [string, unknown])[] = [
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
    ];
    for (const [what, value] of values)
      test(`is refused with a code, and nothing is kept: ${what}`, async ({ store, own, kept, expectRefusal }) => {
        // Values that the types forbid, but a handler in JavaScript can still return.
        const given = value as Json;
        const lease = await own();
        await expectRefusal('state-not-json', store.steps.create(rich(lease, { state: given })));
        const settled: Effect = { ...say('s/1/0', 'x'), result: given };
        if (value !== undefined)
          await expectRefusal('state-not-json', store.steps.create(rich(lease, { effects: [settled] })));
        await expectRefusal('state-not-json', store.graphs.save('g', given));
        expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
        expect(await store.graphs.get('g')).toBeNull();
        expect(await store.inbox.isConsumed('rich')).toBe(false);
      });

    test('is refused in signals too', async ({ store, own, kept, expectRefusal }) => {
      const lease = await own();
      const at = Number.NaN;
      const signals: LoggedSignal[] = [{ seq: 1, signal: { type: 'session:resumed', at } }];
      await expectRefusal('state-not-json', store.steps.create(rich(lease, { signals })));
      expect(await kept()).toEqual({ snapshot: null, log: [], effects: [] });
    });

    test('is named by its place and never by its content', async ({ store, own, expectRefusal }) => {
      const state = { slots: { born: [1, { value: new Date(0) }] }, said: 'secret' } as unknown as Json;
      const message = await expectRefusal('state-not-json', store.steps.create(step(await own(), { state })));
      expect(message).toContain('state.slots.born[1].value is');
      expect(message).not.toContain('secret');
    });

    test('is not a member that is undefined: it counts as absent', async ({ store, own }) => {
      const state = { node: 'a', gone: undefined } as unknown as Json;
      await store.steps.create(step(await own(), { state }));
      expect(JSON.stringify((await store.sessions.get('s'))?.state)).toBe('{"node":"a"}');
    });
  });
}
