import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FlowError } from '../../src/model/errors.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import type { TaskNodeDocument } from '../../src/flow/document/task-node.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { newPlace, sessionId } from './durable-rig.ts';

/** A place with a service that is down until it is started. */
function placeWithService() {
  const service = { isUp: false, asked: [] as unknown[] };
  const ask = defineNodeType({
    name: 'test.ask',
    description: 'Asks a service.',
    input: z.strictObject({ what: z.unknown().optional() }),
    output: z.strictObject({ answer: z.unknown() }),
    async run({ what }) {
      await Promise.resolve();
      service.asked.push(what);
      if (!service.isUp) throw new FlowError('test-down', 'the service is down.');
      return { answer: what };
    },
  });
  return { place: newPlace(ask), service };
}

const chain = (f: object, more: Partial<TaskFlow['flow']> = {}): TaskFlow => ({
  flow: { name: 'chain', ...more },
  nodes: {
    seat: { type: 'data.set', input: { object: {}, path: 'row', value: 7 } },
    book: { type: 'test.book', input: { what: '{{ seat.object.row }}' } },
    f: { type: 'test.ask', input: { what: 'now' }, ...f },
    last: { type: 'test.book', input: { what: '{{ f.answer }}' } },
  },
  edges: [
    { from: 'seat', to: 'book' },
    { from: 'book', to: 'f' },
    { from: 'f', to: 'last' },
  ],
});

describe('a run that has failed', () => {
  test('goes on from what has failed, under the same keys, and does nothing twice', async () => {
    const { place, service } = placeWithService();
    const failed = await place.run(chain({}));
    expect(failed).toMatchObject({ status: 'failed', failures: [{ taskId: 'f', code: 'test-down' }] });
    // Without `retry` it stays as it is.
    expect(await place.run(chain({}))).toMatchObject({ status: 'failed' });
    service.isUp = true;
    const result = await place.run(chain({}), { retry: true });
    expect(result).toMatchObject({ status: 'complete', outputs: { last: { booked: 'now' } } });
    expect(place.ran).toEqual(['run/book', 'run/last']);
    expect([...place.written]).toEqual([
      ['run/book', 7],
      ['run/last', 'now'],
    ]);
    expect(await place.run(chain({}), { retry: true })).toMatchObject({ status: 'complete' });
    expect(place.ran).toHaveLength(2);
  });

  test('tells what is computed anew when it is tried again, and keeps that', async () => {
    const place = newPlace();
    const flow = (f: object): TaskFlow => ({
      flow: { name: 'check' },
      nodes: {
        seat: { type: 'data.set', input: { object: {}, path: 'row', value: 7 } },
        book: { type: 'test.book', input: { what: '{{ seat.object.row }}' } },
        f: f as TaskNodeDocument,
        last: { type: 'data.template', input: { template: 'done' } },
      },
      edges: [
        { from: 'seat', to: 'book' },
        { from: 'book', to: 'f' },
        { from: 'f', to: 'last' },
      ],
    });
    const fails = flow({ type: 'control.fail', input: { message: 'not today' } });
    expect(await place.run(fails)).toMatchObject({ status: 'failed' });
    const told = async () =>
      (await place.store.steps.listEvents(sessionId)).flatMap(({ type, data }) =>
        type.startsWith('task:') && 'taskId' in data ? `${type} ${data.taskId}` : [],
      );
    const before = await told();
    expect(await place.run(fails, { retry: true })).toMatchObject({ status: 'failed' });
    expect((await told()).slice(before.length)).toEqual(['task:start f', 'task:failed f']);
    expect(await place.run(flow({ type: 'control.noop' }), { retry: true })).toMatchObject({ status: 'complete' });
    const following = ['task:start f', 'task:complete f', 'task:start last', 'task:complete last'];
    expect((await told()).slice(before.length + 2)).toEqual(following);
  });

  test('that fails again may be tried again, and one that dies while it is tried again goes on', async () => {
    const { place, service } = placeWithService();
    await place.run(chain({}));
    expect(await place.run(chain({}), { retry: true })).toMatchObject({ status: 'failed' });
    service.isUp = true;
    await place.run(chain({}), { retry: true }, () => place.ran.includes('run/last'));
    place.die();
    expect(await place.run(chain({}))).toMatchObject({ status: 'complete' });
    expect(place.ran).toEqual(['run/book', 'run/last', 'run/last']);
    expect(service.asked).toHaveLength(3);
    const seqs = (await place.store.steps.listEvents(sessionId)).map(({ seq }) => seq);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
  });

  test('goes on in a flow that was mended where it had failed', async () => {
    const { place, service } = placeWithService();
    await place.run(chain({}));
    service.isUp = true;
    const mended = chain({ input: { what: 'mended' }, policy: { timeoutMs: 100 } }, { description: 'Mended.' });
    expect(await place.run(mended, { retry: true })).toMatchObject({ outputs: { last: { booked: 'mended' } } });
    expect(place.ran).toEqual(['run/book', 'run/last']);
    expect(await place.run(mended)).toMatchObject({ status: 'complete' });
  });

  test.each<[what: string, change: (flow: TaskFlow) => void]>([
    [
      'its definition has changed',
      ({ nodes }) => Object.assign(nodes, { book: { type: 'test.book', input: { what: 8 } } }),
    ],
    ['is not there any more', ({ nodes }) => Reflect.deleteProperty(nodes, 'book')],
    [
      'is given something else by what is computed',
      ({ nodes }) => Object.assign(nodes, { seat: { type: 'data.set', input: { object: {}, path: 'row', value: 8 } } }),
    ],
  ])('is refused in a flow in which what was done %s', async (_what, change) => {
    const { place } = placeWithService();
    await place.run(chain({}));
    const other = structuredClone(chain({}));
    change(other);
    const { nodes, edges = [] } = other;
    const sound = { ...other, edges: edges.filter(({ from, to }) => from in nodes && to in nodes) };
    await expectRefusal('flow-changed', place.run(sound, { retry: true }));
    expect(place.ran).toEqual(['run/book']);
    // It is unchanged.
    expect(await place.run(chain({}), { retry: true })).toMatchObject({ status: 'failed' });
  });

  test('goes on inside of the flows and the bodies in which it has failed', async () => {
    const { place, service } = placeWithService();
    const inner: TaskFlow = {
      flow: { name: 'inner' },
      nodes: { paid: { type: 'test.book', input: { what: 'paid' } }, f: { type: 'test.ask' } },
      edges: [{ from: 'paid', to: 'f' }],
    };
    const body = {
      nodes: { b: { type: 'test.book', input: { what: '{{ item }}' } }, f: { type: 'test.ask' } },
      edges: [{ from: 'b', to: 'f' }],
    };
    const outer: TaskFlow = {
      flow: { name: 'outer', policy: { failFast: false } },
      nodes: {
        sub: { type: 'control.subflow', input: { name: 'inner' }, policy: { retry: { maxAttempts: 2 } } },
        each: { type: 'control.foreach', input: { list: [1, 2] }, body },
        passed: { type: 'control.fail', input: { message: 'no' }, policy: { continueOnError: true } },
      },
    };
    const options = { flows: { inner } };
    expect(await place.run(outer, options)).toMatchObject({ status: 'failed' });
    const before = [...place.ran];
    service.isUp = true;
    const result = await place.run(outer, { ...options, retry: true });
    expect(result).toMatchObject({ status: 'complete', outputs: { passed: { failed: true } } });
    // No item of the list after the first one had begun.
    expect(place.ran.slice(before.length)).toEqual(['run/each.1/b']);
    expect(place.written.size).toBe(3);
  });

  test('can only be tried again where it is kept', async () => {
    const { place } = placeWithService();
    await expectRefusal('session-unknown', place.run(chain({}), { retry: true }));
  });
});

describe('a run that was broken off', () => {
  const broken = async () => {
    const world = placeWithService();
    world.service.isUp = true;
    await world.place.run(chain({}), {}, () => world.place.ran.includes('run/book'));
    world.place.die();
    return world;
  };
  const changed = chain({ input: { what: 'changed' } });

  test('goes on in the version of the flow that it began with, and says so', async () => {
    const { place } = await broken();
    const result = await place.run(changed);
    expect(result).toMatchObject({ status: 'complete', outputs: { last: { booked: 'now' } } });
    const start = result?.events.find(({ type }) => type === 'harness:start');
    expect(start?.data).toMatchObject({ recovered: true, keptVersion: expect.stringMatching(/^[0-9a-f]{32}$/) });
    // It has ended: its result does not depend on the current file.
    expect(await place.run(changed)).toMatchObject({ outputs: { last: { booked: 'now' } } });
  });

  test('goes on in a newer one where that is asked for, or declared as a move', async () => {
    const asked = await broken();
    expect(await asked.place.run(changed, { retry: true })).toMatchObject({ outputs: { last: { booked: 'changed' } } });
    const moved = await broken();
    const { graphHash: from = '' } = (await moved.place.store.sessions.get(sessionId)) ?? {};
    const moves = [{ from, to: 'chain' }];
    expect(await moved.place.run(changed, { moves })).toMatchObject({ outputs: { last: { booked: 'changed' } } });
  });

  test('goes on in the versions of the flows that it runs, too', async () => {
    const { place } = placeWithService();
    const inner = (what: string): TaskFlow => ({
      flow: { name: 'inner' },
      nodes: { a: { type: 'test.book', input: { what: 'a' } }, b: { type: 'test.book', input: { what } } },
      edges: [{ from: 'a', to: 'b' }],
    });
    const outer: TaskFlow = {
      flow: { name: 'outer' },
      nodes: { sub: { type: 'control.subflow', input: { name: 'inner' } } },
    };
    await place.run(outer, { flows: { inner: inner('old') } }, () => place.ran.includes('run/sub/a'));
    place.die();
    const result = await place.run(outer, { flows: { inner: inner('new') } });
    expect(result).toMatchObject({ status: 'complete' });
    expect(place.written.get('run/sub/b')).toBe('old');
  });

  test('is no run of another flow', async () => {
    const { place } = await broken();
    await expectRefusal('flow-version-missing', place.run({ ...chain({}), flow: { name: 'other' } }));
  });
});
