import { expect, test } from 'vitest';
import { createMemoryStore, type MemoryStore } from '../../src/durable/memory-store.ts';
import { noon, scenes } from './crash/scenes.ts';
import { allPoints, clockAt, crash, type Place, uncrashed } from './crash/sweep.ts';
function inMemory(): Place {
  let store: MemoryStore | undefined;
  let clock = clockAt(noon);
  return {
    open: (newClock) => {
      clock = newClock;
      store ??= createMemoryStore({ clock: { now: () => clock.now(), schedule: clock.schedule } });
      return Promise.resolve({ ...store, close: () => Promise.resolve() });
    },
  };
}
test('x', async () => {
  const scene = scenes.at(-1)!;
  const { expected, writes } = await uncrashed(scene, inMemory());
  console.log(JSON.stringify(expected), writes);
  const d: string[] = [];
  for (const point of allPoints(writes)) {
    const one = await crash(scene, inMemory(), point, expected);
    if (one !== null) d.push(one);
  }
  console.log(d.length, d.slice(0, 3).join('\n'));
  expect(d).toEqual([]);
}, 500_000);
