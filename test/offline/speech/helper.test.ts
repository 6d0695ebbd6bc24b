import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Helper, type WorkplaceEvents } from '../../../src/offline/helper/helper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A helper whose processes do what the test sends for them. */
function helper(): {
  readonly asked: Helper;
  readonly started: readonly WorkplaceEvents[];
  readonly ended: () => number;
} {
  const started: WorkplaceEvents[] = [];
  let ended = 0;
  const nothing = (): void => undefined;
  const asked = new Helper((events) => {
    started.push(events);
    return { post: nothing, ref: nothing, unref: nothing, end: () => void (ended += 1) };
  });
  return { asked, started, ended: () => ended };
}

test('a start on a busy machine, which takes minutes and shows its steps, is not ended', async () => {
  const { asked, started, ended } = helper();
  const answer = asked.ask('a question');
  for (let step = 0; step < 5; step += 1) {
    await vi.advanceTimersByTimeAsync(50_000);
    started[0]?.onMessage({});
  }
  started[0]?.onMessage({ answer: 'its answer' });
  expect(await answer).toBe('its answer');
  expect([started.length, ended()]).toEqual([1, 0]);
});

test('a helper that shows no sign of life is ended, its question fails, and the next one starts another', async () => {
  const { asked, started, ended } = helper();
  const lost = expect(asked.ask('one')).rejects.toThrow('speech-helper-died');
  started[0]?.onMessage({});
  await vi.advanceTimersByTimeAsync(61_000);
  await lost;
  expect(ended()).toBe(1);
  const answer = asked.ask('another');
  started[1]?.onMessage({ answer: 'its answer' });
  expect(await answer).toBe('its answer');
});

test('a helper without a question is not ended, however long it shows nothing', async () => {
  const { asked, ended } = helper();
  asked.start();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(ended()).toBe(0);
});
