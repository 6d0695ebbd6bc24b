import type { LoggedSignal } from '../ports/store.ts';

/** After how many resumes in a row that came to nothing a session is not resumed again, and within what time, in milliseconds. */
const mostInVain = 3;
const inVainWithinMs = 600_000;

/**
 * Whether a session ends each process that goes on with it: the last ones have resumed it, said at most that they were gone,
 * and died before anything else came of it.
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
