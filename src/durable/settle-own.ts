import type { Effect, EffectKey } from '../events/effect.ts';
import type { OutsideSignal } from '../events/inbox.ts';
import type { Json } from '../events/json.ts';
import type { SessionSnapshot, Store } from '../ports/store.ts';

/** How long a session is owned to settle an effect, in milliseconds. */
const leaseMs = 10_000;

/** More entries than are due for one session at once. */
const allDue = 1_000;

/** The outcomes of a session's effects, by the entries that are due for it. */
export interface OwnOutcomes {
  readonly effects: readonly Effect[];
  /** The entries, consumed with that. */
  readonly keys: readonly string[];
}

/** Whether a checkpoint is of a host's own: no kernel has folded a signal into it, and none takes its inbox. */
export function isOfHost(snapshot: Pick<SessionSnapshot, 'seq'> | null): boolean {
  return snapshot?.seq === 0;
}

/**
 * Settles the effects of a session that no kernel folds by the entries that are due for it, in a separate commit. False if
 * a kernel folds the session. If another process owns the session, its next turn settles them. `now` also takes the
 * deadlines that have come by then, in epoch milliseconds; else they are the host's to look for.
 */
export async function settleOwn(
  store: Store,
  sessionId: string,
  owner: string,
  now: number | null = null,
): Promise<boolean> {
  // Without its state: a conversation may have a large one, and each of its outcomes comes here.
  const [listed] = await store.listSessions(1, { id: sessionId });
  if (listed === undefined || listed.graphHash === '' || !isOfHost(listed)) return false;
  const lease = await store.acquireLease(sessionId, owner, leaseMs);
  if (lease === null) return true;
  try {
    const kept = await store.loadSnapshot(sessionId);
    const { effects, keys } = await ownOutcomes(store, sessionId, now);
    if (kept === null || keys.length === 0) return true;
    const { seq: baseSeq, state, stateVersion, graphHash } = kept;
    const rest = { state, stateVersion, graphHash, effects, events: () => [] };
    await store.commit({ lease, baseSeq, inputKeys: keys, signals: [], ...rest });
    return true;
  } finally {
    await store.releaseLease(lease);
  }
}

/** The outcomes that the due entries of such a session hold; the first one of an effect counts. */
export async function ownOutcomes(store: Store, sessionId: string, now: number | null = null): Promise<OwnOutcomes> {
  const due = await store.dueEntries({ sessionId, dueBy: Number.MAX_SAFE_INTEGER, limit: allDue });
  const open = new Map<EffectKey, Effect>();
  for (const effect of await store.loadEffects(sessionId))
    if (effect.state === 'intended' || effect.state === 'started') open.set(effect.key, effect);
  const effects: Effect[] = [];
  const keys: string[] = [];
  for (const { entry } of due) {
    const { signal } = entry;
    const isExpired = signal.type === 'wait:expired' && now !== null && entry.dueAt <= now;
    if (signal.type !== 'wait:resolved' && signal.type !== 'effect:settled' && !isExpired) continue;
    keys.push(entry.key);
    const effect = open.get(signal.key);
    if (effect === undefined) continue;
    open.delete(signal.key);
    effects.push({ ...effect, ...outcomeOf(signal) });
  }
  return { effects, keys };
}

function outcomeOf(
  signal: Extract<OutsideSignal, { readonly type: 'wait:resolved' | 'wait:expired' | 'effect:settled' }>,
): { readonly state: Effect['state']; readonly result?: Json; readonly error?: string } {
  if (signal.type === 'wait:resolved') return { state: 'done', result: signal.resolution };
  if (signal.type === 'wait:expired') return { state: 'failed' };
  const { state, result, error } = signal;
  return { state, ...(result === undefined ? {} : { result }), ...(error === undefined ? {} : { error }) };
}
