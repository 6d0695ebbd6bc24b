import { resolveWait, type WaitAnswer } from '../people/resolve-wait.ts';
import { findWait } from '../people/waits.ts';
import type { HttpParts } from './parts.ts';
import { HttpProblem } from './problem.ts';
import { refusalOf } from './refusal-of.ts';

/** How long a decision waits for its wait to be stored, in milliseconds. */
export const longestPark = 60_000;

/** Posts a decision, now or once its wait is stored. Throws the refusal. */
export async function decide(parts: HttpParts, answer: WaitAnswer & { readonly parkMs: number }): Promise<void> {
  const { parking, stopping, store } = parts;
  const { key, link, actor, parkMs } = answer;
  // A stored wait needs no parking.
  const isEarly = parkMs > 0 && (await findWait(store, key)) === null;
  const resolve = () => resolveWait(parts, { ...answer, parkMs: isEarly ? parkMs : 0, signal: stopping });
  const by = link === undefined ? ({ kind: 'actor', id: actor.id } as const) : ({ kind: 'link', id: link } as const);
  const outcome = await (isEarly ? parking.park(by, resolve) : resolve());
  if (outcome.outcome === 'posted' || outcome.outcome === 'same') return;
  if (outcome.outcome === 'unknown' && stopping.aborted)
    throw new HttpProblem(503, 'server-stopping', 'The server is stopping. Try again in a moment.');
  throw refusalOf(outcome);
}
