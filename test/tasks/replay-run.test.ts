import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../src/model/json.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import type { TaskGraph } from '../../src/flow/graph/task-graph.ts';
import { loadTaskGraph } from '../../src/flow/load/load-task-graph.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { replayRun, replayRunAgainst } from '../../src/runner/tasks/replay-run.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { newPlace, sessionId } from './durable-rig.ts';
import { given, orders } from './orders-flow.ts';
import { catalog } from './task-rig.ts';

/** The types of a replay: a task that runs fails. */
const notRun = (name: string) =>
  defineNodeType({
    name,
    description: 'It is not run.',
    input: z.looseObject({}),
    output: z.looseObject({}),
    capabilities: { writes: name === 'test.book' },
    run: () => Promise.reject(new Error('a task ran in a replay')),
  });
const types = createCatalog([...catalog.values(), notRun('test.book'), notRun('test.look'), notRun('test.service')]);
const compile = (document: Json, name: string): TaskGraph =>
  loadTaskGraph(document as object, { catalog: types, name });

describe('the log of a run of tasks', () => {
  test('folds to the kept end, and before it to the tasks that are kept as open', async () => {
    const place = newPlace();
    for (const key of ['run/flaky', 'run/each.0/book', 'run/inner/pay']) {
      await place.run(orders, given, () => place.ran.includes(key));
      expect(await replayRun(place.store, sessionId, compile)).toMatchObject({ isKept: true });
      place.die();
    }
    expect((await place.run(orders, given))?.status).toBe('complete');
    const signals = (await place.store.steps.list(sessionId)).length;
    expect(await replaySession(place.store, sessionId, { catalog: types })).toEqual({ isKept: true, signals });
  });

  test('folds to a failure, and to what came of trying it again', async () => {
    let isDown = true;
    const service = defineNodeType({
      name: 'test.service',
      description: 'It is down at first.',
      input: z.strictObject({}),
      output: z.strictObject({ up: z.boolean() }),
      run: () => (isDown ? Promise.reject(new Error('It is down.')) : Promise.resolve({ up: true })),
    });
    const place = newPlace(service);
    const flow = `flow: {}
nodes:
  a: { type: test.look, input: { value: 1 } }
  extra: { type: test.service, policy: { continue_on_error: true } }
  needed: { type: test.service }
  end: { type: data.template, input: { template: "{{ a.value }} {{ extra.failed }} {{ needed.up }}" } }
edges: [{ from: a, to: needed }, { from: extra, to: needed }, { from: needed, to: end }]
`;
    expect((await place.run(flow))?.status).toBe('failed');
    expect(await replayRun(place.store, sessionId, compile)).toMatchObject({ isKept: true });
    place.die();
    isDown = false;
    expect((await place.run(flow, { retry: true }))?.outputs).toMatchObject({ end: { text: '1 true true' } });
    expect(await replayRun(place.store, sessionId, compile)).toMatchObject({ isKept: true });
  });

  test('that says something else than what is kept is told', async () => {
    const place = newPlace();
    await place.run(orders, given);
    const changed: Store = {
      ...place.store,
      steps: {
        ...place.store.steps,
        list: async (id) =>
          (await place.store.steps.list(id)).map((one) =>
            one.signal.type === 'attempt:done' && one.signal.task === 'flaky' && one.signal.place === sessionId
              ? { ...one, signal: { ...one.signal, result: { value: 'something else' } } }
              : one,
          ),
      },
    };
    expect(await replayRun(changed, sessionId, compile)).toMatchObject({ isKept: false });
  });

  test('is told where a changed flow would part ways, by the task that does', async () => {
    const place = newPlace();
    await place.run(orders, given);
    const nodes = orders.nodes as Record<string, object>; // It is written as a map.
    const other = (changes: Record<string, object>): TaskGraph =>
      compile({ ...orders, nodes: { ...nodes, ...changes } } as unknown as Json, 'orders');
    const against = (graph: TaskGraph) => replayRunAgainst(place.store, sessionId, compile, graph);
    expect(await against(other({ each: { ...nodes.each, description: 'Each of them.' } }))).toBeNull();
    const done = { type: 'data.template', input: { template: 'Booked: {{ inner.outputs.pay.booked }}' } };
    const log = await place.store.steps.list(sessionId);
    const ended = log.find(({ signal }) => signal.type === 'attempt:done' && signal.task === 'said');
    expect(await against(other({ done }))).toEqual({ seq: ended?.seq, signal: 'attempt:done', task: 'done' });
  });

  test('of a version that cannot be read any more is refused', async () => {
    const place = newPlace();
    await place.run(orders, given);
    const without = (document: Json, name: string): TaskGraph => loadTaskGraph(document as object, { catalog, name });
    await expectRefusal('flow-version-missing', replayRun(place.store, sessionId, without));
  });
});
