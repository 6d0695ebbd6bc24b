import { llm } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { next } from '../../src/livekit/tools/next.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { calls, desk, outputs, replies, tool } from './desk-functions.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

describe('several calls of one completion', () => {
  const orders = [
    ['a', 'b', 'c'],
    ['a', 'c', 'b'],
    ['b', 'a', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['c', 'b', 'a'],
  ] as const;
  it.each(orders)('finishing in the order %s, %s, %s take the transition of the first called', async (...order) => {
    const gates = new Map(order.map((name) => [name as string, createGate()]));
    const running = new Map(order.map((name) => [name as string, createGate()]));
    const waiting = (name: string, value: unknown) =>
      tool(name, async () => {
        running.get(name)?.open();
        await gates.get(name)?.opened;
        return value;
      });
    const { runner, model, path, events } = await live(
      desk([{ name: 'a' }, { name: 'b', transitionTo: 'garden' }, { name: 'c', transitionTo: 'tea' }]),
      replies(calls('a', 'b', 'c'), { text: 'There.' }),
      { tools: [waiting('a', 'plain'), waiting('b', 'ok'), waiting('c', { done: true })] },
    );
    const answered = runner.send('go');
    await Promise.all([...running.values()].map(({ opened }) => opened));
    for (const name of order) {
      gates.get(name)?.open();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await answered;
    expect(path).toEqual(['desk -> garden']);
    expect(events.filter(({ type }) => type === 'transition:dropped')).toEqual([
      { type: 'transition:dropped', data: { to: 'tea', function: 'c', reason: 'another-won' } },
    ]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.items.slice(-6)).toEqual([
      'call: a',
      'call: b',
      'call: c',
      'output: a plain',
      'output: b ok',
      'output: c {"done":true}\nIts transition was not taken: another call decided where to go.',
    ]);
  });

  it('of one function are distinguished: the second transition is not taken', async () => {
    let count = 0;
    const { runner, model, path } = await live(desk([{ name: 'go' }]), replies(calls('go', 'go', 'go')), {
      tools: [tool('go', () => next(`call ${(count += 1)}`, count === 1 ? null : 'tea'))],
    });
    await runner.send('go');
    expect(path).toEqual(['desk -> tea']);
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: go call 1',
      'output: go call 2',
      'output: go call 3\nIts transition was not taken: another call decided where to go.',
    ]);
  });

  it('a failed call does not move, and does not prevent the others from moving', async () => {
    const { runner, path, model } = await live(
      desk([
        { name: 'broken', transitionTo: 'garden' },
        { name: 'fine', transitionTo: 'tea' },
      ]),
      replies(calls('broken', 'fine')),
      {
        tools: [
          tool('broken', () => {
            throw new Error('no');
          }),
          tool('fine', () => 'ok'),
        ],
      },
    );
    await runner.send('go');
    expect(path).toEqual(['desk -> tea']);
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: broken An internal error occurred. The function did not succeed.',
      'output: fine ok',
    ]);
  });
});

describe('before and after', () => {
  it('run around execute: before may change the arguments, after receives the value', async () => {
    const trace: string[] = [];
    const pour = flowTool({
      name: 'pour',
      description: 'Pour.',
      parameters: z.object({ cups: z.number() }),
      before: ({ cups }) => {
        trace.push(`before ${cups}`);
        return { cups: cups + 1 };
      },
      execute: ({ cups }) => {
        trace.push(`execute ${cups}`);
        return next(`poured ${cups}`, 'tea');
      },
      after: (value, { cups }) => void trace.push(`after ${String(value)} of ${cups}`),
    });
    const { runner } = await live(
      desk([{ name: 'pour' }]),
      replies({ calls: [{ name: 'pour', arguments: { cups: 1 } }] }),
      { tools: [pour] },
    );
    await runner.send('pour');
    expect(trace).toEqual(['before 1', 'execute 2', 'after poured 2 of 2']);
    expect(runner.currentNode).toBe('tea');
  });

  it('a before that throws refuses the call: nothing runs, and the model reads why', async () => {
    const trace: string[] = [];
    const pour = flowTool({
      name: 'pour',
      description: 'Pour.',
      before: () => {
        throw new llm.ToolError('Not before noon.');
      },
      execute: () => trace.push('execute'),
      after: () => void trace.push('after'),
    });
    const { runner, model } = await live(
      desk([{ name: 'pour', transitionTo: 'tea' }]),
      replies(calls('pour'), { text: 'Later.' }),
      { tools: [pour] },
    );
    await runner.send('pour');
    expect(trace).toEqual([]);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: pour Not before noon.']);
    expect(runner.currentNode).toBe('desk');
  });
});

describe('a function that fails', () => {
  it('is retried under the same key after a doubling back-off', async () => {
    const clock = createVirtualClock();
    const attempts: { at: number; attempt: number; key: string }[] = [];
    const begun = createGate();
    const flaky = tool('flaky', (_input, { attempt, key }) => {
      attempts.push({ at: clock.now(), attempt, key });
      begun.open();
      if (attempt < 3) throw new Error('not yet');
      return 'at last';
    });
    const { runner, model } = await live(
      desk([{ name: 'flaky', retry: { maxAttempts: 4, backoffMs: 200 }, transitionTo: 'tea' }]),
      replies(calls('flaky'), { text: 'Done.' }),
      { tools: [flaky], clock },
    );
    const answered = runner.send('try');
    await begun.opened;
    await clock.advance(3_000);
    await answered;
    const [first] = attempts;
    expect(attempts.map(({ at, attempt }) => [at - (first?.at ?? 0), attempt])).toEqual([
      [0, 1],
      [200, 2],
      [600, 3],
    ]);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
    expect(model.requests[1]?.items.at(-1)).toBe('output: flaky at last');
    expect(runner.currentNode).toBe('tea');
  });

  it('has a timeout for each attempt, at which its signal aborts', async () => {
    const clock = createVirtualClock();
    const begun = createGate();
    const aborted: number[] = [];
    const hanging = tool('hanging', (_input, { attempt, signal }) => {
      begun.open();
      signal.addEventListener('abort', () => aborted.push(attempt));
      return new Promise(() => undefined);
    });
    const { runner, model } = await live(
      desk([{ name: 'hanging', timeoutMs: 500, retry: { maxAttempts: 2 }, transitionTo: 'tea' }]),
      replies(calls('hanging'), { text: 'Sorry.' }),
      { tools: [hanging], clock },
    );
    const answered = runner.send('try');
    await begun.opened;
    await clock.advance(2_000);
    await answered;
    expect(aborted).toEqual([1, 2]);
    expect(model.requests[1]?.items.at(-1)).toBe('output: hanging The function took longer than 500 ms.');
    expect(runner.currentNode).toBe('desk');
  });
});

it('every call has a unique key, within a completion and across turns', async () => {
  const keys: string[] = [];
  const { runner } = await live(
    desk([{ name: 'work' }]),
    replies(calls('work', 'work'), { text: 'One.' }, calls('work'), { text: 'Two.' }),
    { tools: [tool('work', (_input, { key }) => keys.push(key))] },
  );
  await runner.send('work');
  await runner.send('more');
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(3);
  expect(keys.every((key) => key.startsWith(`${runner.sessionId}/`))).toBe(true);
});

describe('a model that answers a question of the flow', () => {
  it.each<[string | number, boolean]>([
    ['no', false],
    ['false', false],
    [0, false],
    ['yes', true],
    [1, true],
  ])('with agrees: %j is understood', async (agrees, isBooked) => {
    const booked: unknown[] = [];
    const { runner, model } = await live(
      desk([{ name: 'book', effect: 'write', confirm: 'Shall I book it?' }]),
      replies(calls('book'), { calls: [{ name: 'answer', arguments: { agrees } }] }, { text: 'Well then.' }),
      { tools: [tool('book', () => booked.push(1))] },
    );
    await runner.send('book it');
    // Words that the rules leave to the model.
    await runner.send(isBooked ? 'go on, that would be lovely, yes' : 'I would rather leave it for today');
    expect(booked).toHaveLength(isBooked ? 1 : 0);
    expect(model.requests.flatMap(({ items }) => items).join()).not.toContain('do not fit');
  });
});
