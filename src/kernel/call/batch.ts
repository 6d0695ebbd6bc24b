import type { Confirmation, Effect, ToolPayload } from '../../model/effect.ts';
import type { BatchSettled, SettledCall } from '../../model/signals/signal.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import type { GraphFunction, GraphNode } from '../../flow/graph/graph.ts';
import { type Arrival, forgetMentions, reply as replyIn } from '../answer.ts';
import { arbitrate, type Move, type Verdict, wayOut } from '../move/ways-out.ts';
import { answerBatch, hasFailed, missIn, needsReply, offeredTo } from './after-batch.ts';
import { answerOf, isRepeated } from '../question/confirmation.ts';
import { keepDecisions } from '../move/decisions.ts';
import { isOwnAgain, putsAgain } from '../question/repeated-question.ts';
import { repeatsItself } from '../own-talk.ts';
import { settleQuestion } from '../question/settle-question.ts';
import {
  addSaid,
  confirmationIn,
  type Draft,
  emit,
  keyStart,
  openEffect,
  openOfKind,
  passKey,
  settle,
  trialOf,
} from '../state/draft.ts';
import { forgetDynamicNodes, isNamedRightly, nodeOf } from '../move/offers.ts';
import { settleGeneratorBatch } from '../generator/answer.ts';
import { askBehindTalk } from '../question/ladder.ts';
import { answerLastWords, reopen, reopens } from '../question/last-line.ts';
import { withMember } from '../state/names.ts';
import { noteNodeCall } from './node-call.ts';
import { passWordsOn } from './cut-off-reply.ts';
import { keepPending } from './pending-calls.ts';
import { provenanceOf } from '../state/provenance.ts';
import { keepSetValues, setVariable } from '../state/set-values.ts';
import { arrivalBehind, retake } from '../move/revise-decision.ts';
import { confirmSlot, fillSlot, formOf, isNothing, valueOf } from '../state/slots.ts';
import { forgetComputed } from './outdated-results.ts';
import { travel } from '../move/travel.ts';
import { takeWords } from '../dialogue/to-node.ts';
import { askNextConfirmation } from '../question/next-confirmation.ts';
import { heardConfirmation, tellCancelled } from '../wait/waits.ts';

/**
 * Settles all calls of one completion. Stores what they learned, in call order. Then takes at most one transition: a
 * call's, else an edge's, else the default. Then lets the node speak if the agent has not.
 */
export function settleBatch(draft: Draft, batch: BatchSettled): void {
  const { graph, state } = draft;
  if (state.position.generator !== null) {
    settleGeneratorBatch(draft, batch);
    return;
  }
  if (batch.superseded !== true && state.status === 'active') addSaid(draft, batch.text);
  const isUnheard = batch.reply !== null && openEffect(state, batch.reply)?.state === 'failed';
  passWordsOn(draft, batch);
  const superseded = closeReply(draft, batch);
  const wait = superseded || batch.reply === null ? undefined : heardConfirmation(draft);
  const answered = wait === undefined ? null : answerOf(draft, wait, batch);
  const before = { slots: state.knowledge.slots, waiting: state.dialogue.confirmations.length };
  for (const call of batch.calls) {
    keepWhatItLearned(draft, call, superseded || state.status !== 'active', wait);
    noteNodeCall(draft, call);
  }
  // The result of a write that outlived the conversation is stored, but moves nothing.
  if (state.status !== 'active') return;
  // The model has read the words: values it did not record are dropped.
  const { reply, calls } = batch;
  if (
    reply !== null &&
    batch.superseded !== true &&
    (calls.length === 0 || calls.some(({ name }) => name === recordFunctionName))
  )
    forgetMentions(state);
  const verdict = arbitrate(graph, state, batch.calls, superseded);
  const { move, dropped } = calls.some(isUnconfirmed) ? keepOpen(draft, verdict) : verdict;
  for (const one of dropped) emit(draft, { type: 'transition:dropped', data: one });
  // Nothing moves during a takeover, but the results are stored.
  if (state.people.takeover !== null) {
    if (move?.function !== undefined)
      emit(draft, { type: 'transition:dropped', data: { to: move.to, function: move.function, reason: 'superseded' } });
    return forgetDynamicNodes(draft);
  }
  const node = nodeOf(graph, state, state.position.node);
  if (!superseded && retake(draft, wait, move, batch)) return forgetDynamicNodes(draft);
  const isAgain = node !== null && isOwnAgain(draft, node, batch.text);
  const asked = batch.asks === true && !isUnheard && !isAgain;
  if (asked) state.dialogue.modelAsked = wait === undefined || !putsAgain(batch.text, wait.payload.say);
  if (wait !== undefined && node !== null) {
    const question = { wait, answered, before, move, asked };
    if (settleQuestion(draft, node, batch, question)) return forgetDynamicNodes(draft);
  }
  // An accepted read-back may change what the next confirmation is about.
  if (wait?.payload.subject.kind === 'slot' && retake(draft, undefined, move, batch)) return forgetDynamicNodes(draft);
  const waiting = state.dialogue.confirmations.length > 0;
  const arrival = superseded
    ? arrivalOfLate(draft, batch)
    : waiting
      ? 'spoken'
      : isUnheard || isAgain
        ? 'answer'
        : arrivalBehind(batch);
  const way = move ?? (superseded || waiting || node === null ? null : wayOutAfter(draft, node, batch));
  if (way !== null) {
    const unanswered = superseded ? openOfKind(state, 'reply') : undefined;
    travel(draft, way, arrival);
    if (unanswered !== undefined) answerUnderNewNode(draft, unanswered);
  } else if (node !== null && !superseded && !waiting) {
    if (!isUnheard && repeatsItself(draft, node, batch)) askBehindTalk(draft, node, batch.text, missIn(draft));
    else if (node.end === null) answerBatch(draft, node, batch, arrival);
    else if (batch.calls.some((call) => needsReply(draft, call))) replyIn(draft, node, 'answer');
  }
  if (!superseded && state.status === 'active') askNextConfirmation(draft);
  forgetDynamicNodes(draft);
}

/** Drops a move of the same completion that would end the conversation before the caller has confirmed a waiting call. */
function keepOpen(draft: Draft, verdict: Verdict): Verdict {
  const { move, dropped } = verdict;
  if (move === null || draft.state.dialogue.confirmations.length === 0 || !leadsToEnd(draft, move)) return verdict;
  const one = { to: move.to, function: move.function ?? '', reason: 'unconfirmed' } as const;
  return { move: null, dropped: [...dropped, one] };
}

function isUnconfirmed({ state }: SettledCall): boolean {
  return state === 'waiting';
}

/** Checks whether a move ends the conversation, at once or through nodes that do not wait. */
function leadsToEnd(draft: Draft, move: Move): boolean {
  const trial = trialOf(draft);
  trial.state.dialogue.confirmations = [];
  travel(trial, move, 'spoken');
  return trial.state.status === 'ending';
}

/**
 * Settles the reply of the batch. Returns whether the caller has overtaken it: the reply is void, or a newer one is
 * open.
 */
function closeReply(draft: Draft, batch: BatchSettled): boolean {
  const { state } = draft;
  const own = batch.reply === null ? undefined : openEffect(state, batch.reply);
  if (own?.kind === 'reply') settle(draft, own, 'done');
  if (own?.kind === 'reply' && batch.text !== '' && state.people.unattended !== null) state.people.speaking = own.key;
  const isVoid = batch.reply !== null && own?.kind !== 'reply';
  if (!isVoid) state.turn.failures = 0;
  return batch.superseded === true || isVoid || openOfKind(state, 'reply') !== undefined;
}

/** Returns the arrival after an overtaken write: the next node speaks only if the caller's words are already answered. */
function arrivalOfLate(draft: Draft, batch: BatchSettled): Arrival {
  const { state } = draft;
  const key = batch.reply ?? batch.calls[0]?.key ?? '';
  const wordsToCome = key.startsWith(keyStart(state));
  const asksAboutCall = confirmationIn(state)?.payload.subject.kind === 'call';
  const busy = asksAboutCall || openOfKind(state, 'reply') !== undefined;
  return wordsToCome || busy ? 'superseded' : 'answer';
}

function keepWhatItLearned(draft: Draft, call: SettledCall, superseded: boolean, wait: Confirmation | undefined): void {
  const { graph, state } = draft;
  passKey(draft, call.key);
  const open = openEffect(state, call.key);
  // The node's own call that needs a yes is made again after the yes.
  const outcome = call.state === 'done' ? 'done' : call.state === 'waiting' ? 'cancelled' : 'failed';
  const isAgreed = open?.kind === 'tool' && open.payload.confirmed;
  // A running write stays intended: its outcome is reported under its key, by this process or the next.
  const isRunning = call.isRunning === true && open?.kind === 'tool';
  const isPending = call.state === 'pending' && !isRunning && state.status === 'active';
  if (open?.kind === 'tool' && !isPending && !isRunning) settle(draft, open, outcome);
  // Decisions before a write are final, also while its outcome is unknown.
  if (open?.kind === 'tool' && open.payload.write && (isPending || isRunning)) keepDecisions(draft);
  const offered = offeredTo(draft, call);
  if (call.state === 'blocked' || offered === null) {
    emit(draft, {
      type: 'tool:blocked',
      data: { function: call.name, reason: offered === null ? 'not-in-node' : 'over' },
    });
    return;
  }
  const reason = call.state === 'failed' ? { reason: call.reason ?? ('error' as const) } : {};
  emit(draft, { type: 'tool:settled', data: { function: call.name, key: call.key, state: call.state, ...reason } });
  if (isPending)
    keepPending(
      draft,
      call.key,
      open?.kind === 'tool' ? open.payload : toolPayload(draft, offered, call),
      call.waitsFor,
    );
  if (call.state === 'waiting') {
    const payload = toolPayload(draft, offered, call);
    if (!superseded) keepUnread(draft, call);
    // A question is not asked if it would interrupt the caller's next words.
    if (superseded) tellCancelled(draft, payload);
    else if (wait !== undefined && isRepeated(wait.payload.subject, call))
      emit(draft, { type: 'tool:settled', data: { function: call.name, key: call.callId, state: 'repeated' } });
    else state.dialogue.confirmations = [...state.dialogue.confirmations, payload];
  }
  if (call.state !== 'done') return;
  if (offered.body !== 'record') draft.state.position.troubles = 0;
  if (call.next?.kind === 'dynamic' && isNamedRightly(call.next) && graph.dynamicNode(call.next.node) !== null)
    state.position.dynamicNodes = withMember(state.position.dynamicNodes, call.next.to, call.next.node);
  if (offered.body === 'record' || offered.body === 'edge' || offered.write)
    keepArguments(draft, offered, call, isAgreed);
  if (call.set !== undefined) keepSetValues(draft, call.set, call.name);
  forgetComputed(draft, offered, call.arguments);
  if (offered.saveAs !== null) setVariable(draft, offered.saveAs, call.result ?? null);
}

/**
 * Fills slots with a read-back from the arguments of a waiting write, so they are read back before the caller is asked
 * for the yes.
 */
function keepUnread(draft: Draft, { arguments: given, typed = {}, readings = {} }: SettledCall): void {
  for (const [name, value] of Object.entries(given)) {
    const slot = draft.graph.slots.get(name);
    const found = Object.hasOwn(readings, name) ? readings[name] : undefined;
    // The confirmation question itself names ungrounded values.
    if (slot === undefined || slot.readback === null || isNothing(value) || found?.grounded === false) continue;
    fillSlot(draft, slot, (Object.hasOwn(typed, name) ? typed[name] : undefined) ?? formOf(slot, value), found);
  }
}

/**
 * Stores arguments: those named after slots fill the slots; other arguments that an edge function declares become
 * variables.
 */
function keepArguments(draft: Draft, offered: GraphFunction, call: SettledCall, isAgreed: boolean): void {
  for (const [name, value] of Object.entries(call.arguments)) {
    const slot = draft.graph.slots.get(name);
    const found = call.readings !== undefined && Object.hasOwn(call.readings, name) ? call.readings[name] : undefined;
    // An argument that the caller confirmed counts as said.
    if (slot !== undefined && !isNothing(value)) {
      const typed = call.typed !== undefined && Object.hasOwn(call.typed, name) ? call.typed[name] : undefined;
      const reading = typed ?? formOf(slot, value);
      fillSlot(draft, slot, reading, isAgreed ? { grounded: true } : found);
      if (isAgreed && reading.ok && valueOf(draft.state, name)?.confirmed === false)
        confirmSlot(draft, name, reading.value);
    } else if (slot === undefined && offered.body === 'edge' && declares(offered, name))
      setVariable(draft, name, value);
    else if (slot === undefined && !offered.write)
      emit(draft, { type: 'slot:rejected', data: { slot: name, problem: 'no such slot' } });
  }
}

function declares({ parameters }: GraphFunction, name: string): boolean {
  const properties = parameters['properties'];
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name);
}

function wayOutAfter(draft: Draft, node: GraphNode, batch: BatchSettled): ReturnType<typeof wayOut> {
  const way = wayOut(draft, node);
  if (way === null || way.cause === 'stale' || node.collect.length > 0) return way;
  if (batch.calls.some((call) => hasFailed(draft, call))) return null;
  // A node that only talks is left on the caller's turn, not by its own reply. A call may still satisfy an edge
  // condition.
  const onlyTalks = node.functions.length === 0 && node.call === null;
  const isConditional =
    way.cause === 'edge' && node.edges.some(({ index, when }) => index === way.edge && when !== null);
  return !onlyTalks || (isConditional && batch.calls.length > 0) ? way : null;
}

/** Answers the caller's words in the node that an overtaken write has moved the flow to. */
function answerUnderNewNode(draft: Draft, unanswered: Effect): void {
  const { graph, state } = draft;
  settle(draft, unanswered, 'cancelled');
  const node = nodeOf(graph, state, state.position.node);
  if (node === null) return;
  if (state.status === 'active') takeWords(draft, node);
  else if (reopens(graph, state)) {
    reopen(draft);
    answerLastWords(draft, node, state.turn.words?.utterance);
  }
}

/** Returns the effect payload of a call. */
function toolPayload(draft: Draft, offered: GraphFunction, call: SettledCall): ToolPayload {
  const provenance = provenanceOf(draft, call.arguments, call.readings);
  const values = Object.entries(call.typed ?? {}).flatMap(([name, one]) =>
    one.ok && one.value !== call.arguments[name] ? [[name, one.value] as const] : [],
  );
  return {
    name: call.name,
    node: call.node,
    visit: call.visit,
    handler: offered.handler,
    callId: call.callId,
    arguments: call.arguments,
    write: offered.write,
    confirmed: false,
    ...(values.length === 0 ? {} : { values: Object.fromEntries(values) }),
    ...(provenance === undefined ? {} : { provenance }),
  };
}
