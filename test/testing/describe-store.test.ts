import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { describeStore } from '../../src/testing/store/describe-store.ts';

test('a store that breaks one promise fails the tests of that promise', async () => {
  const failed = await failuresOf((clock) => ({ ...createMemoryStore({ clock }), releaseLease: async () => {} }));
  expect(failed).toContain('that was released is free at once, and no longer commits');
  expect(failed).not.toContain('is taken by one owner at a time');
});

test('a store that keeps its promises fails none', async () => {
  expect(await failuresOf((clock) => createMemoryStore({ clock }))).toEqual([]);
});

/** The names of the tests that a store fails, run by a test runner of four lines. */
async function failuresOf(open: (clock: Clock) => Store): Promise<readonly string[]> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  describeStore('some', async (clock) => open(clock), {
    describe: (_name, body) => body(),
    test: (name, body) => tests.push([name, body]),
    expect,
  });
  const failed: string[] = [];
  for (const [name, body] of tests) await body().catch(() => failed.push(name));
  return failed;
}
