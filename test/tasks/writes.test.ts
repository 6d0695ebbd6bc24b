import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FlowError } from '../../src/model/errors.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { catalog, finished, one, rig } from './task-rig.ts';

/** A type that books by itself, in 60 ms, and fails so many times. `says` declares that it writes. */
function booking(log: string[], says: boolean, failures = 0) {
  let begun = 0;
  return defineNodeType({
    name: 'acme.book',
    description: 'Books.',
    input: z.strictObject({ seat: z.number().default(1) }),
    output: z.strictObject({ seat: z.number() }),
    ...(says ? { capabilities: { writes: true } } : {}),
    async run({ seat }, { clock, key, signal }) {
      begun += 1;
      const attempt = begun;
      log.push(`begin ${key}`);
      await new Promise<void>((resolve) => clock.schedule(60, resolve));
      log.push(signal.aborted ? 'told to stop' : `booked ${seat}`);
      if (attempt <= failures) throw new FlowError('test-full', 'it is full.');
      return { seat };
    },
  });
}

const types = (log: string[], says = true, failures = 0) =>
  createCatalog([...catalog.values(), booking(log, says, failures)]);

const policy = 'policy: { timeout_ms: 20, retry: { max_attempts: 3 } }';

describe('a node that writes', () => {
  test('is waited for past its time limit, and never run beside itself; its real end counts', async () => {
    const log: string[] = [];
    const run = rig(one(`{ type: acme.book, ${policy} }`), {}, types(log));
    const { result } = await finished(run);
    expect(log).toEqual(['begin session/a', 'booked 1']);
    expect(result).toMatchObject({ status: 'complete', durationMs: 60, outputs: { a: { seat: 1 } } });
    expect(run.lines(result.events)).toContain('20 task:overdue taskId="a" limitMs=20');
  });

  test('that failed is tried again under its key once the attempt before has ended', async () => {
    const log: string[] = [];
    const { result } = await finished(rig(one(`{ type: acme.book, ${policy} }`), {}, types(log, true, 1)));
    expect(log).toEqual(['begin session/a', 'booked 1', 'begin session/a', 'booked 1']);
    expect(result).toMatchObject({ status: 'complete', durationMs: 120 });
  });

  test('has no further attempt once the time of all attempts is over', async () => {
    const log: string[] = [];
    const node = '{ type: acme.book, policy: { total_timeout_ms: 30, retry: { max_attempts: 3 } } }';
    const { result } = await finished(rig(one(node), {}, types(log, true, 3)));
    expect(log).toEqual(['begin session/a', 'booked 1']);
    expect(result.failures).toMatchObject([{ code: 'task-timeout', timedOut: true, attempts: 1 }]);
  });

  test('is joined by the attempt of what it is inside of, whose own time is over', async () => {
    const log: string[] = [];
    const inner = one('{ type: acme.book }');
    const outer = one(`{ type: control.subflow, input: { name: inner }, ${policy} }`);
    const { result } = await finished(rig(outer, { flows: { inner } }, types(log)));
    expect(log).toEqual(['begin session/a/a', 'booked 1']);
    // The third attempt is under way when the write ends.
    expect(result).toMatchObject({ status: 'complete', outputs: { a: { outputs: { a: { seat: 1 } } } } });
  });
});

describe('`effect: write` on a node whose type does not say that it writes', () => {
  test('means the same', async () => {
    const log: string[] = [];
    const { result } = await finished(rig(one(`{ type: acme.book, effect: write, ${policy} }`), {}, types(log, false)));
    expect(log).toEqual(['begin session/a', 'booked 1']);
    expect(result.status).toBe('complete');
  });

  test('is told where the node only computes, or where its type writes and it says read', () => {
    const found = (node: string) =>
      checkFlow(one(node), { catalog: types([]) }).diagnostics.map(({ code, line, column }) => [code, line, column]);
    expect(found('{ type: data.set, effect: write, input: { object: {}, path: a, value: 1 } }')).toEqual([
      ['conflicting-keys', 3, 24],
    ]);
    expect(found('{ type: acme.book, effect: read }')).toEqual([['conflicting-keys', 3, 25]]);
  });
});
