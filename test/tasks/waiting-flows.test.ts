import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Json } from '../../src/model/json.ts';
import { loadTaskGraph } from '../../src/flow/load/load-task-graph.ts';
import { replayRun } from '../../src/runner/tasks/replay-run.ts';
import { taskRunState } from '../../src/runner/tasks/task-run-state.ts';
import { postgresForTests } from '../durable/postgres-for-tests.ts';
import { whyNoPostgres } from '../durable/postgres-server.ts';
import { temporaryFolder } from '../load/temporary-folder.ts';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { clerkOf, decideFirst } from '../people/clerk-of.ts';
import { newPlace, newPlaceIn, type Place, sessionId } from './durable-rig.ts';
import { catalog } from './task-rig.ts';

const inner = {
  flow: { name: 'inner', input: { order: 'number' as const } },
  nodes: [
    { id: 'look', type: 'control.noop', input: { value: 'order {{ flow.input.order }}' } },
    { id: 'ask', type: 'interrupt.escalate', input: { to: 'refunds', question: 'Refund {{ look.value }}?' } },
    { id: 'tell', type: 'data.template', input: { template: 'It is: {{ ask.decision }}.' } },
  ],
  edges: [
    { from: 'look', to: 'ask' },
    { from: 'ask', to: 'tell' },
  ],
};
const middle = {
  flow: { name: 'middle' },
  nodes: [{ id: 'one', type: 'control.subflow', input: { name: 'inner', input: { order: 7 } } }],
};
const outer = {
  flow: { name: 'outer' },
  nodes: [
    { id: 'all', type: 'control.subflow', input: { name: 'middle' } },
    { id: 'last', type: 'data.template', input: { template: '{{ all.outputs.one.outputs.tell.text }}' } },
  ],
  edges: [{ from: 'all', to: 'last' }],
};
const flows = { outer, middle, inner };
const compile = (document: Json, name: string) => loadTaskGraph(document as object, { catalog, name });

/** A run that waits two flows deep. Its process ends, and a clerk takes over from the decision on. */
async function play(place: Place): Promise<void> {
  const { store } = place;
  expect((await place.run(outer, { flows }))?.status).toBe('waiting');
  const [open] = await store.effects.listOpen({ kind: 'wait', limit: 9 });
  expect(open?.effect).toMatchObject({ node: 'all.one.ask', payload: { question: 'Refund order 7?' } });
  expect(await replayRun(store, sessionId, compile)).toMatchObject({ isKept: true });
  place.die();
  const { clock } = place;
  const clerk = clerkOf({ config: { flows, catalog }, store, clock });
  await clerk.start();
  expect(await decideFirst(store, clock, 'approve')).toBe('posted');
  const status = async () => taskRunState((await store.sessions.get(sessionId))?.state ?? null)?.status;
  for (let second = 0; second < 30 && (await status()) !== 'complete'; second += 1) await clock.advance(1_000);
  expect(await status()).toBe('complete');
  await clerk.stop();
  // A second caller finds the outcome.
  expect(await place.run(outer, { flows })).toMatchObject({
    status: 'complete',
    outputs: { last: { text: 'It is: approve.' } },
  });
  expect(await replayRun(store, sessionId, compile)).toMatchObject({ isKept: true });
  expect(await store.inbox.list({ limit: 9 })).toEqual([]);
  await store.close();
}

describe('a run waits in a flow that its flow runs, and is gone on with by a clerk', () => {
  test('in memory', () => play(newPlace()));

  test.skipIf(whyNoSqlite() !== null)('on SQLite', async () => {
    const file = join(temporaryFolder(), 'a.db');
    await play(await newPlaceIn((clock) => openSqliteStore(file, { clock })));
  });

  const missing = whyNoPostgres();
  describe.skipIf(missing !== null)('with a server', () => {
    const server = postgresForTests();

    test('on Postgres', { timeout: 60_000 }, async () => {
      const address = await server.createDatabase();
      await play(await newPlaceIn((clock) => openPostgresStore(address, { clock, leaseTime: 'clock' })));
    });
  });
});
