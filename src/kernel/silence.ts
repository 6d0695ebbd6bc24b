import type { SilenceElapsed } from '../events/signal.ts';
import type { Graph } from '../graph/graph.ts';
import { isWaitingIn, keepCompany } from './company.ts';
import { beginTurn, confirmationIn, createDraft, type Draft, settle, tell } from './draft.ts';
import { askAgain, ladderRule } from './ladder.ts';
import { nodeOf } from './offers.ts';
import { isPending } from './pending-calls.ts';
import { openQuestionIn } from './open-question.ts';
import type { SessionState } from './state.ts';
import { openTaskQuestion, putTaskQuestionAgain } from './task-question.ts';

/** How long a question waits for the caller where no rule says, in milliseconds. */
const defaultNoInputMs = 8_000;

/** How long a caller may be silent who has asked for time. */
const patienceMs = 60_000;

/**
 * How long, in milliseconds, nobody may speak before `silence:elapsed` is due; null where the caller is not waited for,
 * or for ever. `civil` is the wall clock of the session.
 */
export function noInputMsOf(graph: Graph, state: SessionState, civil: string): number | null {
  return waitMs(createDraft(graph, state, { civil, at: 0 }));
}

function waitMs(draft: Draft): number | null {
  const { graph, state } = draft;
  if (state.takeover !== null) return null;
  const node = state.status === 'active' ? nodeOf(graph, state, state.node) : null;
  // The work that asks waits for the answer.
  const isBusy = Object.values(state.effects).some((one) => isWork.has(one.kind) && !isPending(one));
  if (node === null || (isBusy && openTaskQuestion(state) === null)) return null;
  const isWaiting = isWaitingIn(draft, node) && confirmationIn(state) === undefined;
  if (isWaiting && openTaskQuestion(state) === null) return node.interrupt?.company?.everyMs ?? null;
  const ms = ladderRule(draft, node, openQuestionIn(draft, node).slot, 'noInputMs') ?? defaultNoInputMs;
  if (ms === 0) return null;
  return state.patience ? Math.max(ms, patienceMs) : ms;
}

/** What is under way for the caller, who is not asked meanwhile. */
const isWork: ReadonlySet<string> = new Set(['reply', 'tool', 'task', 'advance', 'handoff', 'end']);

/** The caller was waited for, and said nothing, or nothing that could be understood: the open question is put again. */
export function takeSilence(draft: Draft, signal: SilenceElapsed): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.node);
  if (node === null || waitMs(draft) === null) {
    tell(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'stale' } });
    return;
  }
  beginTurn(draft);
  for (const effect of Object.values(state.effects)) if (effect.kind === 'say') settle(draft, effect, 'unknown');
  const cause = signal.unclear === true ? 'no-match' : 'no-input';
  if (openTaskQuestion(state) !== null) putTaskQuestionAgain(draft, node, cause);
  else if (isWaitingIn(draft, node) && confirmationIn(state) === undefined) keepCompany(draft, node);
  else askAgain(draft, node, cause);
}
