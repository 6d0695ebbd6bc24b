import type { LoggedSignal } from '../../model/ports/store.ts';

/** After this many failed resumes within this time in milliseconds, a session is not resumed again. */
const mostInVain = 3;
const inVainWithinMs = 600_000;

/**
 * Checks whether a session ends each process that resumes it: the last processes
 * resumed it, at most mentioned the gap, and died before anything else happened.
 */
export function isPoisoned(log: readonly LoggedSignal[], now: number): boolean {
  const lastSign = log.findLastIndex(
    ({ signal }) => signal.type !== 'session:resumed' && signal.type !== 'speech:settled',
  );
  const inVain = log
    .slice(lastSign + 1)
    .filter(({ signal }) => signal.type === 'session:resumed' && now - signal.at < inVainWithinMs);
  return inVain.length >= mostInVain;
}
