import type { Effect, EffectKind } from '../events/effect.ts';
import type { EffectSettled, ReplyFailed, SpeechSettled, ToolCalled } from '../events/signal.ts';
import type { GraphNode } from '../graph/graph.ts';
import {
  changeEffect,
  type Draft,
  isConfirmation,
  intend,
  keep,
  openEffect,
  openOfKind,
  passKey,
  settle,
  tell,
} from './draft.ts';
import { functionIn, nodeOf } from './offers.ts';
import { askNext, sayDueLine } from './answer.ts';
import { isWaitingIn, keepCompany } from './company.ts';
import { keepDecisions } from './decisions.ts';
import { hearPut } from './dialogue/hear-put.ts';
import { changeFrame, openQuestion } from './generator-frame.ts';
import { askAfterFailure, askAgain } from './ladder.ts';
import { clearGenerator } from './generator-trouble.ts';
import { openQuestionIn } from './open-question.ts';
import { takeCorrection, takeSaid } from './said.ts';
import { noteHeard } from './news.ts';
import { provenanceOf } from './provenance.ts';
import { keepSetValues } from './set-values.ts';
import { nextNeed } from './slots.ts';
import { finishTask, runAgain, travel } from './travel.ts';
import { stuck, giveUp, wayOfTrouble } from './stuck.ts';
import { rescue, sayFallback, troubleRule } from './trouble.ts';
import { isLastLine } from './last-line.ts';
import { answerAnew } from './unheard.ts';
import { settleQuestion } from './settle-question.ts';
import { heardConfirmation, openConfirmation } from './waits.ts';
import { leaveByCondition } from './leave-by-condition.ts';

/** An action, a context change, a task or the end has settled. */
export function settleEffect(draft: Draft, signal: EffectSettled): void {
  const { graph, state } = draft;
  const effect = openEffect(state, signal.key);
  if (effect === undefined || settledOtherwise.has(effect.kind)) {
    tell(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  // The end of a called flow stays open until flow:returned, so that a crash in between finds it.
  if (effect.kind === 'end' && effect.payload.returns !== null && state.status === 'ending') return;
  settle(draft, effect, signal.state);
  const summary = signal.state === 'done' ? signal.result : undefined;
  if (effect.kind === 'context' && state.context?.key === effect.key && typeof summary === 'string')
    state.context = { ...state.context, summary };
  if (effect.kind === 'action' && signal.set !== undefined) keepSetValues(draft, signal.set, effect.payload.handler);
  if (effect.kind === 'end' && state.status !== 'ended') {
    state.status = 'ended';
    const goodbye = openOfKind(state, 'reply');
    if (goodbye !== undefined) settle(draft, goodbye, 'cancelled');
    tell(draft, { type: 'flow:ended', data: { reason: effect.payload.reason } });
  }
  // A handoff that takes place is told by the flow that takes over, and one that a reply asked for changes nothing else.
  if (effect.kind === 'handoff' && effect.payload.routed !== true && state.status === 'active')
    clearGenerator(draft, 'handoff-unresolved', effect.payload.to);
  if (effect.kind !== 'task' || state.status !== 'active') return;
  const node = nodeOf(graph, state, state.node);
  if (node === null) return;
  if (node.task?.type.capabilities?.writes === true) keepDecisions(draft);
  if (signal.state !== 'done' && signal.error === unanswered) {
    leaveUnanswered(draft, node);
    return;
  }
  if (signal.state !== 'done' && mayTryAgain(draft, node)) {
    state.triedAgain = state.visit;
    runAgain(draft, node);
    return;
  }
  const move =
    signal.state === 'done'
      ? finishTask(draft, node, signal.result ?? null)
      : stuck(draft, node, 'node-failed', true, signal.error);
  if (move !== null) travel(draft, move, 'answer');
}

/** The code of a node that has asked somebody, as often as it is asked, and was given no answer. */
const unanswered = 'unanswered';

/** The question of a catalog node has no step left: it would only be asked again. */
function leaveUnanswered(draft: Draft, node: GraphNode): void {
  const { graph } = draft;
  tell(draft, { type: 'flow:stuck', data: { reason: 'node-failed', code: unanswered } });
  const answer = draft.state.taskQuestion?.answer;
  const isSilent = answer?.kind === 'none' && answer.cause === 'no-input';
  const { onNoInput, onNoMatch } = graph.trouble.ladder;
  const move = rescue(draft, node) ?? wayOfTrouble(draft, [isSilent ? onNoInput : onNoMatch]);
  if (move === null) giveUp(draft, isSilent ? 'no-input' : 'no-match');
  else travel(draft, move, 'answer');
}

/** Whether a node that failed is tried once more: where its author names no way on, and nothing can be done twice by it. */
function mayTryAgain(draft: Draft, node: GraphNode): boolean {
  const capabilities = node.task?.type.capabilities;
  const hasWay = rescue(draft, node) !== null;
  return (
    !hasWay &&
    capabilities?.writes !== true &&
    capabilities?.fails !== true &&
    draft.state.triedAgain !== draft.state.visit
  );
}

/** What has signals of its own. */
const settledOtherwise: ReadonlySet<EffectKind> = new Set(['reply', 'tool', 'wait', 'advance']);

/** What was heard of a line. A decision hangs on it only where that was nothing: then it neither asked nor answered. */
export function settleSpeech(draft: Draft, signal: SpeechSettled): void {
  // One transaction with it: what counts as said is sent.
  if (signal.written !== undefined)
    intend(draft, { kind: 'message', payload: { ...signal.written, data: { speech: signal.key } } });
  const effect = openEffect(draft.state, signal.key);
  hearPut(draft, signal);
  hearSpeech(draft, signal, effect);
  if (signal.heard !== '') noteHeard(draft, signal.key);
}

function hearSpeech(draft: Draft, signal: SpeechSettled, effect: Effect | undefined): void {
  // A wait stays open when its question was spoken: it is the answer that settles it.
  if (effect?.kind === 'say') {
    if (signal.state === 'cancelled' && isLastLine(draft, effect)) draft.state.lineDue = draft.state.visit;
    settle(draft, effect, signal.state);
    if (draft.state.generator?.question?.key === signal.key && signal.heard === '')
      changeFrame(draft, { question: { key: signal.key, unheard: true } });
  }
  // A question that nobody heard cannot be answered by the caller's next words.
  else if (effect !== undefined && isConfirmation(effect)) {
    // What a hook has said in its place is not the question.
    if (effect.state !== 'cancelled')
      changeEffect(draft, { ...effect, state: signal.heard === '' ? 'failed' : 'started' });
  } else if (signal.heard !== '' || signal.state !== 'cancelled') return;
  // Its calls have not settled yet; what it said besides is no answer.
  else if (effect?.kind === 'reply') changeEffect(draft, { ...effect, state: 'failed' });
  else if (effect === undefined) answerAnew(draft, signal.key);
}

/**
 * A write call is about to run: its intent becomes part of the state under the key that it carries. Without that
 * intent, because the node is over or does not offer it, it may not run.
 */
export function intendCall(draft: Draft, signal: ToolCalled): void {
  const { graph, state } = draft;
  passKey(draft, signal.key);
  const known = openEffect(state, signal.key);
  // What has begun is tried again wherever the flow is by then.
  if (known?.kind === 'tool' && signal.attempt !== undefined)
    return changeEffect(draft, { ...known, payload: { ...known.payload, attempt: signal.attempt } });
  const node = nodeOf(graph, state, signal.node);
  const offered = node === null ? null : functionIn(graph, node, signal.name);
  const isOver = signal.node !== state.node || signal.visit !== state.visit;
  if (offered === null || isOver) {
    const reason = offered === null ? 'not-in-node' : 'over';
    tell(draft, { type: 'tool:blocked', data: { function: signal.name, reason } });
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

/** How many replies in a row may fail before the flow goes another way, where no `on_error` takes over earlier. */
const mostFailures = 3;

/** The model failed or stayed silent: the caller hears a line; a second failure in a row leaves for `on_error`. */
export function failReply(draft: Draft, signal: ReplyFailed): void {
  const { graph, state } = draft;
  const effect = openEffect(state, signal.key);
  if (effect?.kind !== 'reply') {
    tell(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  settle(draft, effect, 'failed');
  // A goodbye that failed: the end follows at once.
  if (state.status !== 'active') return;
  if (state.generator !== null) {
    // A model that has nothing to say did not understand, which is what the ladder of the question counts.
    if (signal.reason !== 'empty') state.failures += 1;
    const asked = nodeOf(graph, state, state.node);
    if (state.failures >= mostFailures) clearGenerator(draft, 'failed');
    else if (asked !== null && openQuestion(draft) !== null) askAgain(draft, asked, 'no-match');
    return;
  }
  const node = nodeOf(graph, state, state.node);
  // What rules are certain of needs no model.
  if (node !== null && takeSaid(draft, node, 'answer')) return;
  const isCorrected = node !== null && takeCorrection(draft);
  if (node !== null && isCorrected && leaveByCondition(draft, node, 'answer')) return;
  if (node !== null && isWaitingIn(draft, node) && openConfirmation(draft) === undefined)
    return keepCompany(draft, node);
  const wait = signal.reason === 'empty' && state.words !== null ? heardConfirmation(draft) : undefined;
  if (node !== null && wait !== undefined) {
    const before = { slots: state.slots, waiting: state.confirmations.length };
    const nothing = { type: 'batch:settled', at: signal.at, reply: signal.key, text: '', calls: [] } as const;
    settleQuestion(draft, node, nothing, { wait, answered: null, before, move: null, asked: false });
    return;
  }
  // It has answered, and has nothing to say to the caller's words: they were not understood.
  const question =
    node !== null && signal.reason === 'empty' && state.words !== null ? openQuestionIn(draft, node) : null;
  if (node !== null && question !== null && question.text !== '') {
    // Words that led here are no attempt at a question that nobody has put yet.
    if (sayDueLine(draft, node)) return;
    if (!question.isPut) askNext(draft, node, 'answer');
    else askAgain(draft, node, isCorrected ? 'aside' : 'no-match');
    return;
  }
  state.failures += 1;
  const isTrouble = state.failures >= mostFailures;
  const move = (state.failures > 1 ? rescue(draft, node) : null) ?? (isTrouble ? wayOfTrouble(draft) : null);
  if (move !== null) {
    state.failures = 0;
    travel(draft, move, 'answer');
  } else if (isTrouble) giveUp(draft, 'model-failed');
  // Where the question is the author's own words, it needs no model to be asked again.
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
