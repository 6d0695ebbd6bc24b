import type { Utterance } from '../../model/dialogue.ts';
import { type Effect, effectKinds } from '../../model/effect.ts';
import type { Graph, GraphNode } from '../../flow/graph/graph.ts';
import { end, reply, sayDueLine } from '../answer.ts';
import { saysNothing } from '../dialogue/utterance.ts';
import { type Draft, isConfirmation, openOfKind, settle } from '../state/draft.ts';
import { nodeOf } from '../move/offers.ts';
import { isPending } from '../call/pending-calls.ts';
import type { SessionState } from '../state/state.ts';

/**
 * Checks whether words before the end is performed are still answered: at a node that ends the conversation, and after
 * an end for lack of input. An end by command, hook, deadline or code is final.
 */
export function reopens(graph: Graph, state: SessionState): boolean {
  const open = openOfKind(state, 'end');
  if (state.status !== 'ending' || state.position.generator !== null || open === undefined) return false;
  const node = nodeOf(graph, state, state.position.node);
  const { returns, reason } = open.payload;
  return returns === null && node !== null && (reason === node.end || (reason === 'no-input' && node.end === null));
}

/** Reopens a conversation whose last line the caller spoke over. It ends after the answer. */
export function reopen(draft: Draft): void {
  const { state } = draft;
  const open = openOfKind(state, 'end');
  if (open !== undefined) settle(draft, open, 'cancelled');
  for (const effect of Object.values(state.effects)) {
    if (!isLastLine(draft, effect)) continue;
    settle(draft, effect, 'cancelled');
    state.dialogue.lineDue = state.position.visit;
  }
  state.status = 'active';
  state.dialogue.modelAsked = false;
}

/**
 * Answers words over the last line. Thanks, a yes and a no need no answer, unless the model asked for one. Words
 * without rules go to the model.
 */
export function answerLastWords(draft: Draft, node: GraphNode, utterance: Utterance | null | undefined): void {
  const { state } = draft;
  const isAsked = state.dialogue.modelAsked;
  state.dialogue.modelAsked = false;
  if (isAsked || utterance == null || !saysNothing(utterance)) reply(draft, node, 'answer');
}

/** Checks whether an effect is the line of the node that ends the conversation. */
export function isLastLine({ state }: Draft, { kind, payload, node, visit }: Effect): boolean {
  const isOfNode = kind === 'say' && 'reason' in payload && payload.reason === 'node';
  return state.status === 'ending' && isOfNode && node === state.position.node && visit === state.position.visit;
}

/** Ends the conversation after words over the last line were answered. The line is repeated unless the caller heard it. */
export function endAgain(draft: Draft): void {
  const { graph, state } = draft;
  if (state.status !== 'active' || state.position.generator !== null || state.people.takeover !== null) return;
  const node = nodeOf(graph, state, state.position.node);
  if (node === null || node.end === null || state.dialogue.patience || state.dialogue.modelAsked) return;
  if (state.dialogue.confirmations.length > 0 || Object.values(state.effects).some(isWork)) return;
  sayDueLine(draft, node);
  end(draft, node.end);
}

function isWork(effect: Effect): boolean {
  return isConfirmation(effect) || (effectKinds[effect.kind].isWork && !isPending(effect));
}
