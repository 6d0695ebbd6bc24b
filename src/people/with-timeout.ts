import type { Clock } from '../model/ports/time.ts';

/** Resolves to the result of the work, or to `late` after the time limit. Rejects if the work rejects in time. */
export async function withTimeout<Value>(work: Promise<Value>, clock: Clock, limitMs: number): Promise<Value | 'late'> {
  let cancel: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => (cancel = clock.schedule(limitMs, () => resolve('late'))));
  // A later rejection is ignored.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
