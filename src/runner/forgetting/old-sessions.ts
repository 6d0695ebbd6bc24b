import { isWaiting } from '../../kernel/state/draft.ts';
import { isPlanSession } from '../../model/own-sessions.ts';
import type { SessionSummary, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { taskRunState } from '../tasks/task-run-state.ts';

/** Old sessions that may be deleted, and the number of those that are still needed. */
export interface OldSessions {
  readonly forgettable: readonly string[];
  readonly needed: number;
}

/**
 * Returns the sessions whose last step was before a time, at most `limit`. A session is still needed if a process has it,
 * if it waits for a person or an event, or if the inbox has an entry for it, such as an outcome that was not delivered.
 * Runs that a conversation called are deleted with it. Schedules and campaigns are not listed.
 */
export async function oldSessions(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  before: number,
  limit: number,
): Promise<OldSessions> {
  const forgettable: string[] = [];
  let needed = 0;
  for (const summary of await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER, before })) {
    if (forgettable.length >= limit) break;
    if (summary.updatedAt >= before || isPlanSession(summary.sessionId)) continue;
    if (await belongsToConversation(store, summary)) continue;
    if (await isNeeded(store, summary, clock.now())) needed += 1;
    else forgettable.push(summary.sessionId);
  }
  return { forgettable, needed };
}

async function belongsToConversation(store: Store, { sessionId }: SessionSummary): Promise<boolean> {
  const kept = await store.sessions.get(sessionId);
  const caller = kept === null ? undefined : taskRunState(kept.state)?.calledBy?.sessionId;
  return caller !== undefined && (await store.sessions.get(caller)) !== null;
}

async function isNeeded(store: Store, { sessionId, lease }: SessionSummary, now: number): Promise<boolean> {
  if (lease !== null && lease.expiresAt > now) return true;
  const entries = await store.inbox.list({ sessionId, limit: mostIdle });
  if (entries.some(({ entry }) => entry.signal.type !== 'session:idle')) return true;
  const effects = await store.effects.list(sessionId);
  return effects.some((effect) => effect.state === 'intended' && isWaiting(effect));
}

/** More idle entries than one session has. */
const mostIdle = 10;
