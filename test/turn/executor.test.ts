import { describe, expect, it } from 'vitest';
import type { ToolPayload } from '../../src/model/effect.ts';
import type { ExecutionOutcome } from '../../src/model/ports/executor.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createCancellation } from '../../src/engine/cancellation.ts';
import { createExecutor } from '../../src/engine/calls/executor.ts';

const call = (write: boolean): ToolPayload => ({
  ...{ name: 'book', node: 'a', visit: 1, handler: 'book', callId: 'c', arguments: {}, write, confirmed: false },
});

/** Runs a function that takes 60 ms with a timeout of 40 ms, three times at most. */
async function outcomeOf(write: boolean) {
  const clock = createVirtualClock(0);
  const log: string[] = [];
  const executor = createExecutor({
    clock,
    policyOf: () => ({ timeoutMs: 40, maxAttempts: 3, backoffMs: 0 }),
    async run() {
      log.push('begin');
      await new Promise<void>((resolve) => clock.schedule(60, resolve));
      log.push('booked');
      return { ok: true, result: 'booked' };
    },
    errorText: () => 'error',
  });
  const outcome = executor.execute('key', call(write), createCancellation());
  let isOver = false;
  void outcome.then(() => (isOver = true));
  await clock.runUntil(() => isOver, 1_000);
  return { outcome: await outcome, log };
}

/** Equal writes of 60 ms, each begun when the one before it was given up, after 40 ms. */
async function oneAfterTheOther(ends: readonly ('books' | 'fails')[]) {
  const clock = createVirtualClock(0);
  const log: string[] = [];
  const left = [...ends];
  const executor = createExecutor({
    clock,
    policyOf: () => ({ timeoutMs: 40, maxAttempts: 1, backoffMs: 0 }),
    async run(key) {
      const end = left.shift();
      log.push(`begin ${key}`);
      await new Promise<void>((resolve) => clock.schedule(60, resolve));
      log.push(`${end === 'books' ? 'booked' : 'failed'} ${key}`);
      return end === 'books' ? { ok: true, result: key } : { ok: false, cancelled: false, error: 'no' };
    },
    errorText: () => 'error',
  });
  const outcomes: ExecutionOutcome[] = [];
  for (const [index, key] of ['one', 'two', 'three'].slice(0, ends.length).entries()) {
    void executor.execute(key, call(true), createCancellation()).then((outcome) => outcomes.push(outcome));
    await clock.runUntil(() => outcomes.length > index, 1_000);
  }
  await clock.advance(1_000);
  return { outcomes, log };
}

describe('a function that takes longer than its time', () => {
  it('is not begun beside itself where it writes: the next attempt waits for the one before', async () => {
    const { outcome, log } = await outcomeOf(true);
    expect(log).toEqual(['begin', 'booked']);
    expect(outcome).toEqual({ ok: true, result: 'booked' });
  });

  it('is not begun beside itself by an equal write of another key either, which takes over what it comes to', async () => {
    const { outcomes, log } = await oneAfterTheOther(['books', 'books']);
    expect(log).toEqual(['begin one', 'booked one']);
    expect(outcomes).toEqual([
      { ok: false, cancelled: false, error: 'The function took longer than 40 ms.', reason: 'timeout' },
      { ok: true, result: 'one' },
    ]);
  });

  it('that fails at last is begun by an equal write, and by none whose own time is over', async () => {
    const { outcomes, log } = await oneAfterTheOther(['fails', 'books', 'books']);
    expect(log).toEqual(['begin one', 'failed one', 'begin two', 'booked two']);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, true]);
  });

  it('is begun anew where it reads', async () => {
    const { outcome, log } = await outcomeOf(false);
    expect(log.filter((line) => line === 'begin')).toHaveLength(3);
    expect(outcome).toMatchObject({ ok: false, error: 'The function took longer than 40 ms.' });
  });
});
