import type { Effect, EffectKey, EffectKind, SharedEffectKind } from '../events/effect.ts';
import { FlowError } from '../errors.ts';
import type { StepCommit } from '../ports/store.ts';
import { type InboxChange, inboxChange } from './inbox-texts.ts';
import { toJsonText } from './json-text.ts';

/** A commit as a database takes it: JSON texts, and the columns that are searched by. */
export interface CommitTexts {
  readonly state: string;
  readonly signals: readonly string[];
  /** One for each key: of an effect that a commit names twice, the last counts. */
  readonly effects: readonly EffectRow[];
  readonly inputKeys: readonly string[];
  /** Whether something is intended that somebody else may do or answer. */
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

/** Throws `state-not-json` for what a store cannot keep, and `store-conflict` for signals that leave a gap in the log. */
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
    throw conflict(lease.sessionId, 'does not go on from the end of its log');
  return texts;
}

export function isShared(kind: EffectKind): boolean {
  return Object.hasOwn(shared, kind);
}

const shared: Readonly<Record<SharedEffectKind, true>> = {
  tool: true,
  wait: true,
  action: true,
  task: true,
  message: true,
};

/** Whether a dispatcher may perform effects of a kind also where the session has an owner, who does not. */
export function isForAnybody(kind: SharedEffectKind): boolean {
  return kind === 'message';
}

/** Another writer was faster, or this one has lost its place. */
export function conflict(sessionId: string, fact: string): FlowError {
  return new FlowError(
    'store-conflict',
    `a commit for session "${sessionId}" ${fact}. Load the session again and go on from there.`,
  );
}

/** The session is another's by now. */
export function leaseLost(sessionId: string): FlowError {
  return new FlowError(
    'lease-lost',
    `session "${sessionId}" is not owned under this lease any more. Stop speaking and writing for it.`,
  );
}

/** Every store throws it once it is closed. */
export function storeClosed(): FlowError {
  return new FlowError('store-closed', 'the store is closed. Open a new one to go on.');
}
