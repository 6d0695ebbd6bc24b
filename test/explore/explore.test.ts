import { describe, expect, it } from 'vitest';
import { explore, report } from './explore.ts';

describe('a random walk', () => {
  it.each([
    ['engine', 2_000],
    ['session', 100],
  ] as const)('through the %s breaks no invariant, on %i seeds', { timeout: 300_000 }, async (level, seeds) => {
    const finding = await explore({ level, from: 1, seeds });
    expect(finding === null ? 'all hold' : report(finding, level)).toBe('all hold');
  });
});
