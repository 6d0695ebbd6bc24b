import { type Effect, type EffectKey, isShared } from '../../model/effect.ts';
import { FlowError } from '../../model/errors.ts';
import type { StepCommit } from '../../model/ports/store.ts';
import { type InboxChange, inboxChange } from './inbox-texts.ts';
import { toJsonText } from '../json-text.ts';

/** A commit in the form of a database: JSON texts and the indexed columns. */
export interface CommitTexts {
  readonly state: string;
  readonly signals: readonly string[];
  /** One row per key; if a commit names an effect twice, the last one counts. */
  readonly effects: readonly EffectRow[];
  readonly inputKeys: readonly string[];
  /** Whether the commit adds effects that other processes may perform or resolve. */
  readonly intends: boolean;
  readonly inbox: InboxChange | null;
}

export interface EffectRow {
  readonly key: EffectKey;
  readonly kind: Effect['kind'];
  readonly state: Effect['state'];
  readonly deadline: number | null;
  readonly text: string;
}

/**
 * Converts a commit. Throws `state-not-json` for values that a store cannot hold, and `store-conflict` for signals that
 * leave a gap in the log.
 */
export function commitTexts(commit: StepCommit): CommitTexts {
  const { lease, baseSeq, inputKeys, signals, state, effects } = commit;
  const rows = new Map<EffectKey, EffectRow>();
  for (const effect of effects) {
    const { key, kind, deadline = null } = effect;
    rows.set(key, { key, kind, state: effect.state, deadline, text: toJsonText(effect, 'an effect') });
  }
  const texts: CommitTexts = {
    state: toJsonText(state, 'the state'),
    signals: signals.map((signal) => toJsonText(signal, 'a signal')),
    effects: [...rows.values()],
    inputKeys: [...new Set(inputKeys)],
    intends: effects.some(({ state, kind }) => state === 'intended' && isShared(kind)),
    inbox: inboxChange(commit),
  };
  if (signals.some((signal, index) => signal.seq !== baseSeq + index + 1))
    throw conflict(lease.sessionId, 'does not continue the end of its log');
  return texts;
}

/** Returns the error for a commit that lost against another writer. */
export function conflict(sessionId: string, fact: string): FlowError {
  return new FlowError(
    'store-conflict',
    `a commit for session "${sessionId}" ${fact}. Load the session again and continue from there.`,
  );
}

/** Returns the error for a lease that another owner has taken. */
export function leaseLost(sessionId: string): FlowError {
  return new FlowError(
    'lease-lost',
    `session "${sessionId}" is no longer owned under this lease. Stop speaking and writing for it.`,
  );
}

/** Returns the error of a closed store. */
export function storeClosed(): FlowError {
  return new FlowError('store-closed', 'the store is closed. Open a new one to continue.');
}
