import { describe, expect, it } from 'vitest';
import type { ToolPayload } from '../../src/events/effect.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createCancellation } from '../../src/turn/engine/cancellation.ts';
import { createExecutor } from '../../src/turn/calls/executor.ts';

const call = (write: boolean): ToolPayload => ({
  ...{ name: 'book', node: 'a', visit: 1, handler: 'book', callId: 'c', arguments: {}, write, confirmed: false },
});

/** Runs a function that takes 60 ms of each attempt's 40 ms, three times at most. */
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

describe('a function that takes longer than its time', () => {
  it('is not begun beside itself where it writes: the next attempt waits for the one before', async () => {
    const { outcome, log } = await outcomeOf(true);
    expect(log).toEqual(['begin', 'booked']);
    expect(outcome).toEqual({ ok: true, result: 'booked' });
  });

  it('is begun anew where it reads', async () => {
    const { outcome, log } = await outcomeOf(false);
    expect(log.filter((line) => line === 'begin')).toHaveLength(3);
    expect(outcome).toMatchObject({ ok: false, error: 'The function took longer than 40 ms.' });
  });
});
