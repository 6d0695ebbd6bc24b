import { expect, test } from 'vitest';
import { play } from './played.ts';
import { sixthUnseen } from './sixth-unseen.ts';

test('whole flows: what callers say changes what they meant and nothing else, or is asked about', async () => {
  const played = (await Promise.all(sixthUnseen.map(play))).flat();
  const wrong = played.filter(({ verdict }) => verdict === 'wrong');
  expect(wrong.map(({ words, change }) => `${words} => ${JSON.stringify(change)}`)).toEqual([]);
  expect(played.length).toBe(90);
  expect(played.filter(({ verdict }) => verdict === 'right').length).toBeGreaterThanOrEqual(76);
}, 60_000);
