import type { Clock } from '../ports/time.ts';

/** The promise's value, or `late` once `ms` have passed on the clock. Rejects as the promise does. */
export async function timeLimit<Value>(promise: Promise<Value>, clock: Clock, ms: number): Promise<Value | 'late'> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => (cancel = clock.schedule(ms, () => resolve('late'))));
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}
