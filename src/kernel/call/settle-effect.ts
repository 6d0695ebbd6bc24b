import { type Effect, effectKinds } from '../../model/effect.ts';
import type { EffectSettled, ReplyFailed, SpeechSettled, ToolCalled } from '../../model/signals/signal.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import {
  changeEffect,
  type Draft,
  emit,
  intend,
  isConfirmation,
  keep,
  openEffect,
  openOfKind,
  passKey,
  settle,
} from '../state/draft.ts';
import { functionIn, nodeOf } from '../move/offers.ts';
import { askNext, sayDueLine } from '../answer.ts';
import { isWaitingIn, sayWaitingLine } from '../wait/outside-waits.ts';
import { keepDecisions } from '../move/decisions.ts';
import { recordHeard } from '../dialogue/record-heard.ts';
import { openQuestion } from '../generator/frame.ts';
import { askAfterFailure, askAgain } from '../question/ladder.ts';
import { clearGenerator } from '../generator/trouble.ts';
import { openQuestionIn } from '../question/open-question.ts';
import { takeCorrection, takeSaid } from '../state/values-in-words.ts';
import { noteHeard } from '../question/pending-speech.ts';
import { provenanceOf } from '../state/provenance.ts';
import { keepSetValues } from '../state/set-values.ts';
import { nextNeed } from '../state/slots.ts';
import { finishTask, runAgain, travel } from '../move/travel.ts';
import { giveUp, stuck, wayOfTrouble } from '../move/stuck.ts';
import { rescue, sayFallback, troubleRule } from '../move/trouble.ts';
import { isLastLine } from '../question/last-line.ts';
import { answerAnew } from '../question/hook-decision.ts';
import { settleQuestion } from '../question/settle-question.ts';
import { heardConfirmation, openConfirmation } from '../wait/waits.ts';
import { failHandover } from '../wait/transfer.ts';
import { leaveByCondition } from '../move/leave-by-condition.ts';

/** Settles an action, a context change, a task or the end. */
export function settleEffect(draft: Draft, signal: EffectSettled): void {
  const { graph, state } = draft;
  const effect = openEffect(state, signal.key);
  if (effect === undefined || !effectKinds[effect.kind].isSettledByHost) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  // The end of a called flow stays open until flow:returned, so it survives a crash in between.
  if (effect.kind === 'end' && effect.payload.returns !== null && state.status === 'ending') return;
  settle(draft, effect, signal.state);
  const summary = signal.state === 'done' ? signal.result : undefined;
  if (effect.kind === 'context' && state.position.context?.key === effect.key && typeof summary === 'string')
    state.position.context = { ...state.position.context, summary };
  if (effect.kind === 'action' && signal.set !== undefined) keepSetValues(draft, signal.set, effect.payload.handler);
  if (effect.kind === 'end' && state.status !== 'ended') {
    state.status = 'ended';
    const goodbye = openOfKind(state, 'reply');
    if (goodbye !== undefined) settle(draft, goodbye, 'cancelled');
    emit(draft, { type: 'flow:ended', data: { reason: effect.payload.reason } });
  }
  // The receiving flow reports a successful handoff. A failed handoff that a reply requested has no further effect.
  if (effect.kind === 'handoff' && effect.payload.routed !== true && state.status === 'active') {
    const move = failHandover(draft, effect.node);
    if (move === null) clearGenerator(draft, 'handoff-unresolved', effect.payload.to);
    else travel(draft, move, 'answer');
  }
  if (effect.kind !== 'task' || state.status !== 'active') return;
  const node = nodeOf(graph, state, state.position.node);
  if (node === null) return;
  if (node.task?.type.capabilities?.writes === true) keepDecisions(draft);
  if (signal.state !== 'done' && signal.error === unanswered) {
    leaveUnanswered(draft, node);
    return;
  }
  if (signal.state !== 'done' && mayTryAgain(draft, node)) {
    state.position.triedAgain = state.position.visit;
    runAgain(draft, node);
    return;
  }
  const move =
    signal.state === 'done'
      ? finishTask(draft, node, signal.result ?? null)
      : stuck(draft, node, 'node-failed', true, signal.error);
  if (move !== null) travel(draft, move, 'answer');
}

/** Error code of a node that asked a person as often as allowed and got no answer. */
const unanswered = 'unanswered';

/** Leaves a catalog node whose question is exhausted. */
function leaveUnanswered(draft: Draft, node: GraphNode): void {
  const { graph } = draft;
  emit(draft, { type: 'flow:stuck', data: { reason: 'node-failed', code: unanswered } });
  const answer = draft.state.dialogue.taskQuestion?.answer;
  const isSilent = answer?.kind === 'none' && answer.cause === 'no-input';
  const { onNoInput, onNoMatch } = graph.trouble.ladder;
  const move = rescue(draft, node) ?? wayOfTrouble(draft, [isSilent ? onNoInput : onNoMatch]);
  if (move === null) giveUp(draft, isSilent ? 'no-input' : 'no-match');
  else travel(draft, move, 'answer');
}

/** Checks whether a failed node is retried: the author gives no way out, and a repetition is harmless. */
function mayTryAgain(draft: Draft, node: GraphNode): boolean {
  const capabilities = node.task?.type.capabilities;
  const hasWay = rescue(draft, node) !== null;
  return (
    !hasWay &&
    capabilities?.writes !== true &&
    capabilities?.fails !== true &&
    draft.state.position.triedAgain !== draft.state.position.visit
  );
}

/** Settles a speech. Only its being completely unheard affects decisions: it then neither asked nor answered anything. */
export function settleSpeech(draft: Draft, signal: SpeechSettled): void {
  // In the same transaction: text that counts as said is sent.
  if (signal.written !== undefined)
    intend(draft, { kind: 'message', payload: { ...signal.written, data: { speech: signal.key } } });
  const effect = openEffect(draft.state, signal.key);
  recordHeard(draft, signal);
  hearSpeech(draft, signal, effect);
  if (signal.heard !== '') noteHeard(draft, signal.key);
}

function hearSpeech(draft: Draft, signal: SpeechSettled, effect: Effect | undefined): void {
  // A wait stays open after its question was spoken; the answer settles it.
  if (effect?.kind === 'say') {
    if (signal.state === 'cancelled' && isLastLine(draft, effect))
      draft.state.dialogue.lineDue = draft.state.position.visit;
    settle(draft, effect, signal.state);
  } else if (effect !== undefined && isConfirmation(effect)) changeEffect(draft, { ...effect, state: 'started' });
  else if (signal.heard !== '' || signal.state !== 'cancelled') return;
  // The reply's calls have not settled yet; its other text does not count as an answer.
  else if (effect?.kind === 'reply') changeEffect(draft, { ...effect, state: 'failed' });
  else if (effect === undefined) answerAnew(draft, signal.key);
}

/**
 * Records the intent of a write call under its key. A call without this intent, because its node was left or does not
 * offer it, must not run.
 */
export function intendCall(draft: Draft, signal: ToolCalled): void {
  const { graph, state } = draft;
  passKey(draft, signal.key);
  const known = openEffect(state, signal.key);
  // A started call is retried wherever the flow is now.
  if (known?.kind === 'tool' && signal.attempt !== undefined)
    return changeEffect(draft, { ...known, payload: { ...known.payload, attempt: signal.attempt } });
  const node = nodeOf(graph, state, signal.node);
  const offered = node === null ? null : functionIn(graph, node, signal.name);
  const isOver = signal.node !== state.position.node || signal.visit !== state.position.visit;
  if (offered === null || isOver) {
    const reason = offered === null ? 'not-in-node' : 'over';
    emit(draft, { type: 'tool:blocked', data: { function: signal.name, reason } });
    return;
  }
  if (known !== undefined) return;
  const provenance = provenanceOf(draft, signal.arguments, signal.readings);
  keep(draft, {
    key: signal.key,
    kind: 'tool',
    state: 'intended',
    node: signal.node,
    visit: signal.visit,
    payload: {
      name: signal.name,
      node: signal.node,
      visit: signal.visit,
      handler: offered.handler,
      callId: signal.callId,
      arguments: signal.arguments,
      write: offered.write,
      confirmed: false,
      ...(provenance === undefined ? {} : { provenance }),
    },
  });
}

/** Consecutive failed replies before the flow takes another way, unless `on_error` applies earlier. */
const mostFailures = 3;

/** Handles a failed or empty reply: the caller hears a line, and a second consecutive failure leads to `on_error`. */
export function failReply(draft: Draft, signal: ReplyFailed): void {
  const { graph, state } = draft;
  const effect = openEffect(state, signal.key);
  if (effect?.kind !== 'reply') {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  settle(draft, effect, 'failed');
  // The failed reply was the goodbye: the end follows at once.
  if (state.status !== 'active') return;
  if (state.position.generator !== null) {
    // An empty reply means that the model did not understand, which the question's ladder counts.
    if (signal.reason !== 'empty') state.turn.failures += 1;
    const asked = nodeOf(graph, state, state.position.node);
    if (state.turn.failures >= mostFailures) clearGenerator(draft, 'failed');
    else if (asked !== null && openQuestion(draft) !== null) askAgain(draft, asked, 'no-match');
    return;
  }
  const node = nodeOf(graph, state, state.position.node);
  // Values that the rules are certain of need no model.
  if (node !== null && takeSaid(draft, node, 'answer')) return;
  const isCorrected = node !== null && takeCorrection(draft);
  if (node !== null && isCorrected && leaveByCondition(draft, node, 'answer')) return;
  if (node !== null && isWaitingIn(draft, node) && openConfirmation(draft) === undefined)
    return sayWaitingLine(draft, node);
  const wait = signal.reason === 'empty' && state.turn.words !== null ? heardConfirmation(draft) : undefined;
  if (node !== null && wait !== undefined) {
    const before = { slots: state.knowledge.slots, waiting: state.dialogue.confirmations.length };
    const nothing = { type: 'batch:settled', at: signal.at, reply: signal.key, text: '', calls: [] } as const;
    settleQuestion(draft, node, nothing, { wait, answered: null, before, move: null, asked: false });
    return;
  }
  // The model responded without content: it did not understand the caller.
  const question =
    node !== null && signal.reason === 'empty' && state.turn.words !== null ? openQuestionIn(draft, node) : null;
  if (node !== null && question !== null && question.text !== '') {
    // Words that led here are not an attempt at a question that was not asked yet.
    if (sayDueLine(draft, node)) return;
    if (!question.isPut) askNext(draft, node, 'answer');
    else askAgain(draft, node, isCorrected ? 'aside' : 'no-match');
    return;
  }
  state.turn.failures += 1;
  const isTrouble = state.turn.failures >= mostFailures;
  const move = (state.turn.failures > 1 ? rescue(draft, node) : null) ?? (isTrouble ? wayOfTrouble(draft) : null);
  if (move !== null) {
    state.turn.failures = 0;
    travel(draft, move, 'answer');
  } else if (isTrouble) giveUp(draft, 'model-failed');
  // A question in the author's words can be repeated without a model.
  else if (node !== null && (heardConfirmation(draft) !== undefined || hasFixedQuestion(draft, node))) {
    if (troubleRule(graph, node, 'fallback') === null) askAfterFailure(draft, node);
    else {
      sayFallback(draft, node);
      if (heardConfirmation(draft) === undefined) askNext(draft, node, 'answer');
      else askAgain(draft, node, 'aside');
    }
  } else if (node === null || !sayDueLine(draft, node)) sayFallback(draft, node);
}

function hasFixedQuestion({ graph, state }: Draft, node: GraphNode): boolean {
  const need = nextNeed(graph, state, node);
  return need !== null && (need.known !== null || need.slot.ask !== null);
}
