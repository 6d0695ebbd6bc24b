import type { Ids } from '../model/ports/time.ts';

/**
 * Ids that a test can foretell: `req-1`, `req-2`, each prefix counted on its own. Throws nothing.
 *
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
