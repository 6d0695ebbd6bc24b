import { FlowError } from '../../model/errors.ts';

/** The deliveries, in the order of arrival. */
export interface Deliveries {
  /** Records a delivery now, by the clock of this process. */
  note(key: string): void;
  of(key: string): readonly number[];
  /**
   * Resolves once each key was delivered this often. Rejects with `condition-not-met` if one was not within `limitMs`.
   */
  each(keys: readonly string[], limitMs: number, count?: number): Promise<void>;
}

export function createDeliveries(): Deliveries {
  const times = new Map<string, number[]>();
  const waiting = new Set<() => void>();
  const of = (key: string): readonly number[] => times.get(key) ?? [];
  return {
    note(key) {
      times.set(key, [...of(key), Date.now()]);
      for (const look of waiting) look();
    },
    of,
    each: (keys, limitMs, count = 1) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        const look = (): void => {
          if (keys.some((key) => of(key).length < count)) return;
          end();
          resolve();
        };
        const timer = setTimeout(() => {
          end();
          const missing = keys.filter((key) => of(key).length < count);
          reject(
            new FlowError(
              'condition-not-met',
              `${missing.length} of ${keys.length} timers did not come within ${limitMs} ms, such as "${missing[0]}".`,
            ),
          );
        }, limitMs);
        waiting.add(look);
        look();
      }),
  };
}
