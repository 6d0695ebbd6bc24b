import type { Ids } from '../model/ports/time.ts';

/**
 * Predictable ids for tests: `req-1`, `req-2`, with a separate count for each prefix. Throws nothing.
 * @example
 * const first = createCountingIds().create('req');
 */
export function createCountingIds(): Ids {
  const counts = new Map<string, number>();
  return {
    create(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      return `${prefix}-${count}`;
    },
  };
}
