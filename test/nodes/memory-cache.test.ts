import { expect, test } from 'vitest';
import { createMemoryCache } from '../../src/flow/nodes/memory-cache.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

test('the cache gives a value until its time is over', async () => {
  const clock = createVirtualClock();
  const cache = createMemoryCache(clock);
  await cache.set('a', { n: 1 }, 500);
  await cache.set('b', null);
  await clock.advance(499);
  expect(await cache.get('a')).toEqual({ n: 1 });
  await clock.advance(1);
  expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual([undefined, null, undefined]);
});

test('the cache loses what was set first where there is no more room', async () => {
  const cache = createMemoryCache(createVirtualClock(), 2);
  for (const key of ['a', 'b', 'a', 'c']) await cache.set(key, key);
  expect([await cache.get('a'), await cache.get('b'), await cache.get('c')]).toEqual(['a', undefined, 'c']);
});
