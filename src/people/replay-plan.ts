import { FlowError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import type { SessionSnapshot, Store } from '../ports/store.ts';

/**
 * Folds the log of a schedule or a campaign. `isKept`: it comes to the kept state. Throws `session-unfit` if an older
 * release has written it, which kept no log of it.
 */
export async function replayPlan(
  store: Store,
  { sessionId, seq, state }: SessionSnapshot,
): Promise<{ readonly isKept: boolean; readonly signals: number }> {
  if (seq === 0)
    throw new FlowError(
      'session-unfit',
      `"${sessionId}" was written by a release that kept no log of schedules and campaigns. Its log begins with its next change.`,
    );
  const log = await store.readLog(sessionId);
  const folded = log.reduce<JsonObject>((before, { signal }) => {
    if (signal.type !== 'plan:changed') return before;
    const left = Object.entries(before).filter(([name]) => !signal.unset.includes(name));
    return { ...Object.fromEntries(left), ...signal.set };
  }, {});
  return { isKept: inOrder(folded) === inOrder(state), signals: log.length };
}

/** Its members in the order of their names: a log says which there are, and not where they stand. */
function inOrder(state: Json): string {
  if (!isJsonObject(state)) return JSON.stringify(state);
  return JSON.stringify(Object.entries(state).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
