import { describe, expect, it } from 'vitest';
import { explore, report } from './explore.ts';

/** `.ci/run` walks a thousand seeds of the engine and 200 of a session. */
describe('a random walk', () => {
  it.each([
    ['engine', 1, 25],
    ['session', 1, 8],
  ] as const)(
    'through the %s from seed %i breaks no invariant, on %i seeds',
    { timeout: 300_000 },
    async (level, from, seeds) => {
      const finding = await explore({ level, from, seeds });
      expect(finding === null ? 'all hold' : report(finding, level)).toBe('all hold');
    },
  );
});
