import type { Json } from '../../model/json.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Cache } from '../../model/ports/values.ts';

/** Creates a memory cache for up to `room` values. Beyond that it drops the oldest. */
export function createMemoryCache(clock: Clock, room: number = 10_000): Cache {
  const kept = new Map<string, { readonly value: Json; readonly until: number }>();
  return {
    async get(key) {
      const found = kept.get(key);
      if (found !== undefined && found.until > clock.now()) return Promise.resolve(found.value);
      kept.delete(key);
      return Promise.resolve(undefined);
    },
    async set(key, value, ttlMs = Infinity) {
      kept.delete(key);
      kept.set(key, { value, until: clock.now() + ttlMs });
      const [first] = kept.keys();
      if (kept.size > room && first !== undefined) kept.delete(first);
      return Promise.resolve();
    },
  };
}
