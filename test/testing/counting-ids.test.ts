import { expect, test } from 'vitest';
import { createCountingIds } from '../../src/testing/counting-ids.ts';

test('ids count from 1, each prefix on its own and whatever it is called', () => {
  const ids = createCountingIds();
  const made = ['req', 'req', '__proto__', 'event', '__proto__', 'req'].map((prefix) => ids.create(prefix));
  expect(made).toEqual(['req-1', 'req-2', '__proto__-1', 'event-1', '__proto__-2', 'req-3']);
});
