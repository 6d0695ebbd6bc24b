import type { Effect, EffectKey } from '../../model/effect.ts';
import type { OutsideSignal } from '../../model/inbox.ts';
import type { Json } from '../../model/json.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';

/** Length of the lease for settling an effect, in milliseconds. */
const leaseMs = 10_000;

/** Limit of due entries per session. */
const allDue = 1_000;

/** Outcomes of a session's effects, from its due entries. */
export interface OwnOutcomes {
  readonly effects: readonly Effect[];
  /** Keys of the entries that the outcomes consume. */
  readonly keys: readonly string[];
}

/** Checks whether a checkpoint is a host's own: no kernel has folded a signal into it, and no kernel takes its inbox. */
export function isOfHost(snapshot: Pick<SessionSnapshot, 'seq'> | null): boolean {
  return snapshot?.seq === 0;
}

/**
 * Settles effects of a session without a kernel by its due entries, in a separate commit. Returns false if a kernel
 * folds the session. If another process owns the session, its next turn settles them. With `now` (epoch milliseconds)
 * passed deadlines are included; otherwise the host handles them.
 */
export async function settleHostEffects(
  store: Store,
  sessionId: string,
  owner: string,
  now: number | null = null,
): Promise<boolean> {
  // Without the state: a conversation's may be large, and each of its outcomes passes here.
  const [listed] = await store.sessions.list({ limit: 1, id: sessionId });
  if (listed === undefined || listed.graphHash === '' || !isOfHost(listed)) return false;
  const lease = await store.leases.acquire({ sessionId, owner, ttlMs: leaseMs });
  if (lease === null) return true;
  try {
    const kept = await store.sessions.get(sessionId);
    const { effects, keys } = await ownOutcomes(store, sessionId, now);
    if (kept === null || keys.length === 0) return true;
    const { seq: baseSeq, state, stateVersion, graphHash } = kept;
    const rest = { state, stateVersion, graphHash, effects, events: () => [] };
    await store.steps.create({ lease, baseSeq, inputKeys: keys, signals: [], ...rest });
    return true;
  } finally {
    await store.leases.release(lease);
  }
}

/** Returns the outcomes in the due entries of such a session; the first one of each effect counts. */
export async function ownOutcomes(store: Store, sessionId: string, now: number | null = null): Promise<OwnOutcomes> {
  const due = await store.inbox.listDue({ sessionId, dueBy: Number.MAX_SAFE_INTEGER, limit: allDue });
  const open = new Map<EffectKey, Effect>();
  for (const effect of await store.effects.list(sessionId))
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
