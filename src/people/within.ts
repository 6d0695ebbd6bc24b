import type { Clock } from '../ports/time.ts';

/** What somebody else's work resolves to, or `late` where it takes longer than is waited for; rejects as it does. */
export async function within<Value>(work: Promise<Value>, clock: Clock, limitMs: number): Promise<Value | 'late'> {
  let cancel: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => (cancel = clock.schedule(limitMs, () => resolve('late'))));
  // Nobody waits for what fails after that.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
