import { FlowError } from '../../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';

/**
 * Replays the log of a schedule or a campaign. `isKept` is true if the result equals the stored state. Throws
 * `session-kind-wrong` if an older release wrote it without a log.
 */
export async function replayPlan(
  store: Store,
  { sessionId, seq, state }: SessionSnapshot,
): Promise<{ readonly isKept: boolean; readonly signals: number }> {
  if (seq === 0)
    throw new FlowError(
      'session-kind-wrong',
      `"${sessionId}" was written by a release without logs of schedules and campaigns. Its log starts with the next change.`,
    );
  const log = await store.steps.list(sessionId);
  const folded = log.reduce<JsonObject>((before, { signal }) => {
    if (signal.type !== 'plan:changed') return before;
    const left = Object.entries(before).filter(([name]) => !signal.unset.includes(name));
    return { ...Object.fromEntries(left), ...signal.set };
  }, {});
  return { isKept: inOrder(folded) === inOrder(state), signals: log.length };
}

/** Serializes the members in the order of their names, because a log does not preserve their order. */
function inOrder(state: Json): string {
  if (!isJsonObject(state)) return JSON.stringify(state);
  return JSON.stringify(Object.entries(state).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
