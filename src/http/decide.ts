import { resolveWait, type WaitAnswer } from '../people/resolve-wait.ts';
import type { HttpParts } from './parts.ts';
import { HttpProblem } from './problem.ts';
import { refusalOf } from './refusal-of.ts';

/** How long a decision whose wait is not stored yet is kept waiting, in milliseconds. */
export const longestPark = 60_000;

/** Posts a decision, now or once its wait is stored. Throws what it is refused by. */
export async function decide(parts: HttpParts, answer: WaitAnswer & { readonly parkMs: number }): Promise<void> {
  const { parking, stopping } = parts;
  const resolve = () => resolveWait(parts, { ...answer, signal: stopping });
  const outcome = await (answer.parkMs > 0 ? parking.park(resolve) : resolve());
  if (outcome.outcome === 'posted' || outcome.outcome === 'same') return;
  if (outcome.outcome === 'unknown' && stopping.aborted)
    throw new HttpProblem(503, 'server-stopping', 'The server is stopping. Try again in a moment.');
  throw refusalOf(outcome);
}
