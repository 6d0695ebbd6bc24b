import { describe, expect, it } from 'vitest';
import { explore, report } from './explore.ts';

describe('a random walk', () => {
  it.each([
    ['engine', 1, 100],
    ['session', 1, 24],
  ] as const)(
    'through the %s from seed %i breaks no invariant, on %i seeds',
    { timeout: 300_000 },
    async (level, from, seeds) => {
      const finding = await explore({ level, from, seeds });
      expect(finding === null ? 'all hold' : report(finding, level)).toBe('all hold');
    },
  );
});
