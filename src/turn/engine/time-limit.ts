import type { Clock } from '../../ports/time.ts';

/** The promise's value, or `late` once `ms` have passed on the clock. Rejects as the promise does, unless it is late. */
export function timeLimit<Value>(promise: Promise<Value>, clock: Clock, ms: number): Promise<Value | 'late'> {
  // By hand, since each chunk of a reply comes this way and a race would make four times as many promises.
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(ms, () => resolve('late'));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error instanceof Error ? error : new Error('It was rejected without an error.', { cause: error }));
      },
    );
  });
}
