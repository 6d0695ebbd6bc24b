import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import type { FlowRunResult } from '../../src/runner/flow-run.ts';
import type { Channel } from '../../src/model/ports/channel.ts';
import type { Log } from '../../src/model/ports/log.ts';
import { allPoints, mortal } from '../durable/crash/mortal.ts';
import { postgresForTests } from '../durable/postgres-for-tests.ts';
import { whyNoPostgres } from '../durable/postgres-server.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { newPlace, newPlaceIn, type Place, sessionId } from './durable-rig.ts';
import { given, inner, orders } from './orders-flow.ts';
import { one } from './task-rig.ts';

const outcomeOf = ({ written }: Place, result: FlowRunResult | undefined) => ({
  status: result?.status,
  outputs: result?.outputs,
  failures: result?.failures,
  written: [...written].toSorted(([one], [other]) => (one < other ? -1 : 1)),
});

/** Returns the keys of the attempts that are stored as done. */
async function keptKeys({ store }: Place): Promise<ReadonlySet<string>> {
  const log = await store.steps.list(sessionId);
  return new Set(log.flatMap(({ signal }) => (signal.type === 'attempt:done' ? `${signal.place}/${signal.task}` : [])));
}

/** Lets `orders` die before or after every n-th write and resume in another process. */
async function sweep(open: () => Place | Promise<Place>, every: number): Promise<void> {
  const whole = await open();
  const counting = mortal(whole.store, null, () => undefined);
  const expected = outcomeOf(whole, await whole.run(orders, { ...given, store: counting.store }));
  await whole.store.close();
  expect(expected).toMatchObject({ status: 'complete', outputs: { done: { text: 'at last 3' } } });
  expect(expected.written).toHaveLength(4);
  expect(counting.steps().writes).toBeGreaterThan(15);

  const differences: unknown[] = [];
  const points = allPoints(counting.steps()).filter((_, index) => index % every === 0);
  for (const point of points) {
    const place = await open();
    let isDead = false;
    const { store } = mortal(place.store, point, () => (isDead = true));
    await place.run(orders, { ...given, store }, () => isDead);
    expect(isDead).toBe(true);
    place.die();
    const done = await keptKeys(place);
    place.ran.length = 0;
    // The input is stored with the first commit.
    const isKept = (await place.store.sessions.get(sessionId)) !== null;
    const found = outcomeOf(place, await place.run(orders, isKept ? { flows: { inner } } : given));
    const again = place.ran.filter((key) => done.has(key));
    const isSame = JSON.stringify(found) === JSON.stringify(expected);
    if (!isSame || again.length > 0) differences.push({ point, again, ...(isSame ? {} : { found }) });
    await place.store.close();
  }
  expect(differences).toEqual([]);
}

describe('a run of tasks that dies before or after any of its writes ends as if it had not, and repeats no node that is kept as done', () => {
  test('in memory', () => sweep(newPlace, 1));

  const missing = whyNoPostgres();
  describe.skipIf(missing !== null)('with a server', () => {
    const server = postgresForTests();

    // An odd step alternates between before and after writes.
    test('on Postgres', { timeout: 120_000 }, () =>
      sweep(async () => {
        const address = await server.createDatabase();
        return newPlaceIn((clock) => openPostgresStore(address, { clock, leaseTime: 'clock' }));
      }, 5),
    );
  });
});

describe('a node in the middle of which the process dies', () => {
  test('and that waits goes on with the rest of its time', async () => {
    const place = newPlace();
    const startedAt = place.clock.now();
    // The process itself waits for short times.
    const flow = one('{ type: control.wait, input: { ms: 9000 } }');
    void place.make(flow).run();
    await place.clock.advance(4_000);
    place.die();
    const result = await place.run(flow);
    const waitedMs = place.clock.now() - startedAt;
    expect(waitedMs).toBeGreaterThanOrEqual(9_000);
    expect(result).toMatchObject({ outputs: { a: { waitedMs } }, durationMs: waitedMs });
  });

  test('beside one that waits is run again, and the wait goes on with the rest of its time', async () => {
    const place = newPlace();
    const startedAt = place.clock.now();
    const flow = `flow: {}
nodes:
  a: { type: control.wait, input: { ms: 1800000 } }
  b: { type: test.look, input: { value: 1, ms: 1500000 } }
`;
    void place.make(flow).run();
    await place.clock.advance(1_000_000);
    place.die();
    expect(await place.run(flow)).toMatchObject({ outputs: { a: { waitedMs: 1_800_000 } }, status: 'complete' });
    expect(place.clock.now() - startedAt).toBeGreaterThanOrEqual(1_000_000 + 1_500_000);
  });

  test('and whose next attempt is due later waits for that moment, within the time that all of them have', async () => {
    const tried = async (policy: string): Promise<readonly [ms: number, result: FlowRunResult | undefined]> => {
      const place = newPlace();
      const startedAt = place.clock.now();
      const flow = one(`{ type: test.work, input: { failures: 1 }, policy: { ${policy} } }`);
      void place.make(flow).run();
      await place.clock.advance(20_000);
      place.die();
      const result = await place.run(flow);
      return [place.clock.now() - startedAt, result];
    };
    const retry = 'retry: { max_attempts: 2, backoff_ms: 90000 }';
    expect(await tried(retry)).toMatchObject([90_000, { status: 'complete' }]);
    const late = { failures: [{ code: 'task-timeout', attempts: 2 }] };
    expect(await tried(`${retry}, total_timeout_ms: 85000`)).toMatchObject([85_000, late]);
  });

  test('asks again what was not answered, and never what was', async () => {
    const place = newPlace();
    const flow = `flow: {}
nodes:
  a: { type: control.gate, input: { prompt: One? } }
  b: { type: control.gate, input: { prompt: Two? } }
edges: [{ from: a, to: b }]
`;
    const asked: string[] = [];
    const person = (answers: readonly string[]): Channel => ({
      name: 'person',
      ask(question) {
        asked.push(question);
        const answer = answers[asked.length - 1];
        return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
      },
    });
    await place.run(flow, { channels: [person(['yes'])] }, () => asked.length === 2);
    place.die();
    // If no channel can ask, the state stays unchanged.
    const message = await expectRefusal('no-channel', place.run(flow));
    expect(message).toContain('node "b" asks');
    const result = await place.run(flow, { channels: [person(['', '', 'no'])] });
    expect((await place.run(flow))?.outputs).toEqual(result?.outputs);
    expect(asked).toEqual(['One?', 'Two?', 'Two?']);
    expect(result?.outputs).toMatchObject({ a: { response: { content: 'yes' } }, b: { response: { content: 'no' } } });
  });

  test('refuses to go on where a flow that was answered in one place asks in another', async () => {
    const place = newPlace();
    const inner = `flow: {}
nodes:
  ask: { type: control.gate, input: { prompt: Well? } }
  tell: { type: system.log, input: { level: info, message: answered } }
  wait: { type: control.wait, input: { ms: 1000000 } }
edges: [{ from: ask, to: tell }, { from: tell, to: wait }]
`;
    const flows = { inner };
    const sub = '{ type: control.subflow, input: { name: inner } }';
    const flow = `flow: {}\nnodes:\n  a: ${sub}\n  b: ${sub}\nedges: [{ from: a, to: b }]\n`;
    let isAnswered = false;
    const log: Log = { write: () => (isAnswered = true) };
    const person: Channel = { name: 'person', ask: () => Promise.resolve('yes') };
    await place.run(flow, { channels: [person], flows, log }, () => isAnswered);
    place.die();
    expect(await expectRefusal('no-channel', place.run(flow, { flows }))).toContain('node "b.ask" asks');
  });
});

describe('a run that is broken off', () => {
  test('waits for a write in the body of a node, and goes on later from there', async () => {
    const place = newPlace();
    const flow = `flow: {}
nodes:
  each:
    type: control.foreach
    input: { list: [1, 2] }
    body:
      nodes:
        book: { type: test.book, input: { what: "{{ item }}", ms: 100 } }
`;
    const instance = place.make(flow);
    const ended = instance.run();
    await place.clock.advance(50);
    instance.abort();
    await place.clock.advance(100);
    expect(await ended).toMatchObject({ status: 'aborted', durationMs: 100 });
    expect(place.clock.pending).toBe(0);
    const result = await place.run(flow);
    expect(result?.status).toBe('complete');
    expect(place.ran).toEqual(['run/each.0/book', 'run/each.1/book']);
  });
});
