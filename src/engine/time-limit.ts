import type { Clock } from '../model/ports/time.ts';

/** Returns the promise's value, or `late` after `ms` milliseconds on the clock. Rejects if the promise rejects in time. */
export function timeLimit<Value>(promise: Promise<Value>, clock: Clock, ms: number): Promise<Value | 'late'> {
  // Written by hand: each chunk of a reply passes here, and `Promise.race` would create four times as many promises.
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
