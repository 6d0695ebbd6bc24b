import type { InboxEntry, OutsideSignal } from '../../model/inbox.ts';
import type { FlowFact } from '../../model/events/event.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/** Rules for what follows a conversation. */
export interface AfterCallRule {
  /** How long a conversation may be left in the middle before it ends, in milliseconds. */
  readonly abandonAfterMs: number;
}

/** The inbox entries that a step posts and withdraws. */
export interface StepEntries {
  readonly posts: readonly InboxEntry[];
  readonly withdraws: readonly string[];
}

const none: StepEntries = { posts: [], withdraws: [] };

/**
 * Returns the entries of a step that begins or ends a conversation. At the beginning it is a deadline for an abandoned
 * conversation, at the end the outcome to deliver.
 */
export function afterCallEntries(
  rule: AfterCallRule | undefined,
  before: SessionState,
  state: SessionState,
  facts: readonly FlowFact[],
  at: number,
): StepEntries {
  if (rule === undefined || before.status === state.status) return none;
  const { abandonAfterMs: afterMs } = rule;
  if (before.status === 'new' && state.status !== 'ended') {
    const idle = entryOf(state, idleKey(state), { type: 'session:idle', afterMs }, at + afterMs);
    return { posts: [idle], withdraws: [] };
  }
  if (state.status !== 'ended') return none;
  const outcome = outcomeIn(facts) ?? 'stopped';
  const due = entryOf(state, `outcome/${idOf(state)}`, { type: 'outcome:due', outcome, endedAt: at }, at);
  return { posts: [due], withdraws: [idleKey(state)] };
}

/** Returns the name of the outcome in the facts of a step; null if the conversation has not ended in it. */
export function outcomeIn(facts: readonly FlowFact[]): string | null {
  const end = facts.find((fact) => fact.type === 'flow:ended');
  return end === undefined ? null : (end.data.outcome ?? end.data.reason);
}

function idleKey(state: SessionState): string {
  return `idle/${idOf(state)}`;
}

/** Distinguishes a new session from a deleted one with the same id. */
function idOf({ sessionId, turn: { incarnation } }: SessionState): string {
  return incarnation === 0 ? sessionId : `${sessionId}/~${incarnation}`;
}

function entryOf({ sessionId }: SessionState, key: string, signal: OutsideSignal, dueAt: number): InboxEntry {
  return { key, sessionId, dueAt, signal, reach: 'wait', correlation: {}, actor: null };
}
