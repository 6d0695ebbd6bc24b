import { endsInQuestion } from '../flow/expression/wordings.ts';
import { scalarText } from '../flow/expression/same-value.ts';
import { resolveBinding } from '../flow/expression/binding.ts';
import type { InboundWords } from '../model/signals/generator-yield.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { GraphAction, GraphNode, GraphSlot } from '../flow/graph/graph.ts';
import { typeOf } from '../flow/slots/slot-types.ts';
import { mentionedSlots } from './dialogue/utterance.ts';
import { fillLine, lastQuestionOf } from '../flow/expression/sentences.ts';
import { callersQuestion, cancelWaiting, leaveWaiting, sayWaitingLine } from './wait/outside-waits.ts';
import { type Draft, emit, intend, openOfKind, waitingIn } from './state/draft.ts';
import { plainReason } from './question/ladder-help.ts';
import { lookupOf, questionId, sayValue, speakHere } from './state/names.ts';
import { callByNode } from './call/node-call.ts';
import { leavePending } from './call/pending-calls.ts';
import { isAskedAgain, nextNeed } from './state/slots.ts';
import { callingFlow } from './state/stack.ts';
import { sayFallback } from './move/trouble.ts';
import { unwrittenIn } from './state/view.ts';
import { askedBack, inOtherWords } from './question/in-other-words.ts';
import { cancelWaits, openWait } from './wait/waits.ts';
import { nameWords } from '../model/ports/name-words.ts';

/**
 * The situation in which a node speaks. `answer`: the caller waits for an answer. `asked`: the completion that led here
 * already asked a question. `spoken`: it said something that a flow question can follow. `superseded`: the caller's
 * next words wait for an answer. `return`: the flow comes back after a digression.
 */
export type Arrival = 'answer' | 'asked' | 'spoken' | 'superseded' | 'return';

/** Checks whether the agent has already spoken or the caller is next. The model then does not reply. */
function isAnswered(arrival: Arrival): boolean {
  return arrival === 'asked' || arrival === 'spoken' || arrival === 'superseded';
}

/** If the flow said a line after the model's question, that question is no longer the last word. */
function behindLines({ effects }: Draft, arrival: Arrival): Arrival {
  const line = effects.findLast((effect) => effect.kind === 'say');
  return arrival === 'asked' && line !== undefined && lastQuestionOf(line.payload.text) === '' ? 'answer' : arrival;
}

/** Lets a node speak, ask or reply: once on entry, and again when the conversation returns to it. */
export function answer(draft: Draft, node: GraphNode, reached: Arrival): void {
  if (node.interrupt !== null) return waitWith(draft, node, reached);
  const asks = node.collect.length > 0 || node.functions.length > 0 || node.messages.length > 0;
  // On return the question is asked again. If the line itself is the question, the line is repeated.
  const asksOtherwise = node.collect.length > 0 || (node.messages.length > 0 && !asksByLine(node));
  const isHeard = hears(draft, node, reached);
  const says = node.say !== null && !(reached === 'return' && asksOtherwise);
  // The caller's earlier words may already answer the question, so it is asked only if they do not.
  if (says && isHeard && asksByLine(node)) draft.state.dialogue.lineDue = draft.state.position.visit;
  else if (says) say(draft, node, reached === 'return');
  const arrival = behindLines(draft, reached);
  if (node.call !== null && node.end === null) {
    askNext(draft, node, arrival);
    return;
  }
  if (isHeard) {
    forgetMentions(draft.state);
    reply(draft, node, 'answer');
    return;
  }
  if (!node.respondImmediately && arrival !== 'return') return;
  if (node.end !== null) {
    // The author leaves the last words to the model.
    if (node.say === null && node.messages.length > 0) reply(draft, node, arrival);
    return;
  }
  if (node.collect.length > 0) askNext(draft, node, arrival);
  else if (asks && !says) reply(draft, node, arrival);
}

/** Announces the wait to the caller, and answers words that no node has read yet. */
function waitWith(draft: Draft, node: GraphNode, reached: Arrival): void {
  const asksCaller = node.interrupt?.asksCaller === true;
  if (asksCaller && reached === 'superseded') return;
  if (reached === 'return') return asksCaller ? askCaller(draft, node) : sayWaitingLine(draft, node);
  say(draft, node);
  if (asksCaller) return askCaller(draft, node);
  const { words } = draft.state.turn;
  const { said } = draft.state.dialogue;
  if (words?.isUnheard === true) reply(draft, node, reached);
  // Without a line of the node, a caller who has just spoken still gets an answer.
  else if (words !== null && said.text === '')
    intend(draft, { kind: 'say', payload: { text: draft.graph.speech.lines.working[0], reason: 'aside' } });
}

/** Asks the caller for the node's decision. */
export function askCaller(draft: Draft, node: GraphNode): void {
  const question = callersQuestion(draft, node);
  if (question !== null) openWait(draft, question, { kind: 'node', node: node.id }, inOtherWords(draft, question));
}

/**
 * Checks whether the caller's words are for the node just entered: no node has read them yet, or they contain a value
 * that the node collects and that the model did not record.
 */
function hears({ graph, state }: Draft, node: GraphNode, arrival: Arrival): boolean {
  const { words } = state.turn;
  if (words === null || node.end !== null || (arrival !== 'answer' && arrival !== 'return')) return false;
  const takes = node.collect.length > 0 || node.functions.length > 0 || node.messages.length > 0;
  const mentions = mentionedSlots(words.utterance);
  if (words.isUnheard) return takes;
  return node.collect.some(
    (name) =>
      mentions.includes(name) &&
      graph.slots.has(name) &&
      (!Object.hasOwn(state.knowledge.slots, name) || isAskedAgain(graph, state, node, name)),
  );
}

/** Checks whether the node's line is the question that its functions answer. */
export function asksByLine({ collect, functions, keys, say }: GraphNode): boolean {
  if (collect.length === 0 && keys.size > 0) return say !== null;
  return collect.length === 0 && functions.length > 0 && say !== null && endsInQuestion(say);
}

/** Says a question that was deferred until the caller's words were read. Returns false if there is none. */
export function sayDueLine(draft: Draft, node: GraphNode): boolean {
  const { state } = draft;
  if (state.dialogue.lineDue !== state.position.visit) return false;
  state.dialogue.lineDue = 0;
  say(draft, node);
  return true;
}

/** Drops the mentioned slots from the words once a model has read them in the node that collects them. */
export function forgetMentions(state: Draft['state']): void {
  const { words } = state.turn;
  if (words == null || words.utterance === null) return;
  const mentioned = mentionedSlots(words.utterance);
  if (mentioned.length === 0) return;
  const acts = words.utterance.acts.filter((one) => one.act !== 'inform' || !mentioned.includes(one.slot));
  state.turn.words = { ...words, utterance: { ...words.utterance, acts } };
}

/**
 * Asks for what the node still needs: reads a value back, asks the slot's question, or lets the model ask. If nothing
 * is missing, makes the node's call.
 */
export function askNext(draft: Draft, node: GraphNode, arrival: Arrival): void {
  const { graph, state } = draft;
  const need = nextNeed(graph, state, node);
  if (need === null) {
    // The caller's next words belong to this node first and would overtake a call.
    if (arrival === 'superseded' || !callByNode(draft, node)) reply(draft, node, arrival);
    return;
  }
  // The caller's next words cannot answer a question they have not heard.
  if (arrival === 'superseded') return;
  const { slot, known } = need;
  state.dialogue.pendingAskKey = slot.name;
  // One question at a time: the read-back follows when the model's question is answered.
  if (arrival === 'asked') return;
  if (known !== null) {
    // A call that waits for its yes is asked about first.
    if (state.dialogue.confirmations.length > 0) return;
    readBack(draft, slot, known.value);
  } else if (slot.ask === null) reply(draft, node, arrival);
  else if (arrival !== 'spoken') {
    state.dialogue.asked = questionId(state, `slot:${slot.name}`);
    const question = inOtherWords(draft, speakHere(draft, slot.ask));
    intend(draft, { kind: 'say', payload: { text: `${untaken(draft, slot)} ${question}`.trim(), reason: 'ask' } });
  }
}

/** Returns why a value that the caller gave before being asked was rejected; empty if there was none. */
function untaken(draft: Draft, slot: GraphSlot): string {
  const problem = draft.untaken.get(slot.name);
  return problem === undefined ? '' : plainReason(draft, slot, problem);
}

/** Asks whether a value is right. */
export function readBack(draft: Draft, slot: GraphSlot, value: Json): void {
  const question = readBackQuestion(draft, slot, value);
  openWait(draft, question, { kind: 'slot', slot: slot.name, value }, inOtherWords(draft, question));
}

/** Returns the read-back question of a value: the author's wording, or the built-in one. */
export function readBackQuestion(draft: Draft, slot: GraphSlot, value: Json): string {
  const said = sayValue(draft, slot, value);
  const name = nameWords(slot.name);
  const named = typeOf(slot).isPersonal === true ? '' : `${name} `;
  return slot.readback === null
    ? fillLine(draft.graph.speech.lines.readBack[0], {
        value: `${named.charAt(0).toUpperCase()}${named.slice(1)}${said}`,
      })
    : speakHere(draft, slot.readback, { value: said });
}

/**
 * Lets the model reply in the node's view, unless the caller was already answered. Limits the number of replies in a
 * turn, as moves are limited.
 */
export function reply(draft: Draft, node: GraphNode, arrival: Arrival): void {
  const { graph, state } = draft;
  if (isAnswered(arrival) || openOfKind(state, 'reply') !== undefined) return;
  state.turn.replies += 1;
  // Two per allowed move: one with calls and one with speech.
  if (state.turn.replies > 2 * graph.maxTransitionsPerTurn) sayFallback(draft, node);
  else {
    for (const name of unwrittenIn(graph, state)) emit(draft, { type: 'text:too-long', data: { name } });
    if (state.turn.words?.isUnheard === true) state.turn.words = { ...state.turn.words, isUnheard: false };
    intend(draft, { kind: 'reply', payload: { node: state.position.node, visit: state.position.visit } });
  }
}

/** Performs one pre or post action. */
export function perform(draft: Draft, action: GraphAction, when: 'pre' | 'post'): void {
  const { state } = draft;
  if (state.status !== 'active') return;
  const text = action.text === null ? '' : speakHere(draft, action.text);
  if (action.type === 'tts_say' || action.type === 'end_conversation') {
    if (text !== '') intend(draft, { kind: 'say', payload: { text, reason: 'action' } });
    if (action.type === 'end_conversation') end(draft, 'end_conversation');
    return;
  }
  // Binding a map returns a JSON map.
  const data = resolveBinding(action.data, lookupOf(draft.graph, state), (name) => {
    emit(draft, { type: 'text:too-long', data: { name } });
  }) as JsonObject;
  if (action.type === 'send_keys') {
    const keys = (scalarText(data['keys']) ?? '').replaceAll(/[^0-9*#A-Dw]/g, '');
    if (keys !== '') intend(draft, { kind: 'keys', payload: { keys, when } });
    return;
  }
  intend(draft, {
    kind: 'action',
    payload: { action: action.type, handler: action.handler ?? action.type, when, data },
  });
}

/** Ends the flow after all earlier speech. A called flow returns to its caller, which answers `inbound`. */
export function end(draft: Draft, reason: string, inbound?: InboundWords): void {
  cancelWaits(draft);
  if (callingFlow(draft.state) === null) {
    for (const wait of waitingIn(draft.state)) cancelWaiting(draft, wait, 'left');
    leavePending(draft);
  } else leaveWaiting(draft);
  draft.state.status = 'ending';
  const words = inbound === undefined ? {} : { inbound };
  intend(draft, { kind: 'end', payload: { reason, returns: callingFlow(draft.state), ...words } });
}

/** Ends the session, including the flows that called this one. */
export function endAll(draft: Draft, reason: string): void {
  cancelWaits(draft);
  for (const wait of waitingIn(draft.state)) cancelWaiting(draft, wait, 'left');
  leavePending(draft);
  draft.state.status = 'ending';
  intend(draft, { kind: 'end', payload: { reason, returns: null } });
}

/** Says the line of a node. On return to a question that the caller has just heard, only the question itself. */
function say(draft: Draft, node: GraphNode, isReturn = false): void {
  if (node.say === null) return;
  const text = speakHere(draft, node.say);
  if (text === '') return;
  const again = isReturn ? askedBack : inOtherWords;
  const spoken = endsInQuestion(node.say) ? again(draft, text) : text;
  intend(draft, { kind: 'say', payload: { text: spoken, reason: 'node' } });
}
