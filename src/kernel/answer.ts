import { endsInQuestion } from '../expression/wordings.ts';
import { resolveBinding } from '../expression/binding.ts';
import type { InboundWords } from '../events/generator-yield.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { GraphAction, GraphNode, GraphSlot } from '../graph/graph.ts';
import { typeOf } from '../slots/slot-types.ts';
import { mentionedSlots } from './dialogue/utterance.ts';
import { fillLine, lastQuestionOf } from '../expression/sentences.ts';
import { keepCompany } from './company.ts';
import { type Draft, intend, openOfKind, tell, waitingIn } from './draft.ts';
import { plainReason } from './ladder-help.ts';
import { lookupOf, questionId, sayValue, speakHere } from './names.ts';
import { callByNode } from './node-call.ts';
import { leavePending } from './pending-calls.ts';
import { isAskedAgain, nextNeed } from './slots.ts';
import { callersQuestion, cancelWaiting, leaveWaiting } from './outside-waits.ts';
import { callingFlow } from './stack.ts';
import { sayFallback } from './trouble.ts';
import { unwrittenIn } from './view.ts';
import { askedBack, inOtherWords } from './in-other-words.ts';
import { cancelWaits, openWait } from './waits.ts';
import { nameWords } from '../ports/name-words.ts';

/**
 * In which moment a node is to speak: the caller waits for an answer; the completion that led here has already asked
 * something, or said something that a question of the flow's goes behind; the caller's next words are waiting to be
 * answered; or the node is come back to after a digression.
 */
export type Arrival = 'answer' | 'asked' | 'spoken' | 'superseded' | 'return';

/** Whether somebody has the word already: the model replies only where nobody has. */
function isAnswered(arrival: Arrival): boolean {
  return arrival === 'asked' || arrival === 'spoken' || arrival === 'superseded';
}

/** A question of the model's is not the last word any more where the flow has told something behind it. */
function behindLines({ effects }: Draft, arrival: Arrival): Arrival {
  const line = effects.findLast((effect) => effect.kind === 'say');
  return arrival === 'asked' && line !== undefined && lastQuestionOf(line.payload.text) === '' ? 'answer' : arrival;
}

/** Lets a node speak, ask or reply, once on entry and again when the conversation comes back to it. */
export function answer(draft: Draft, node: GraphNode, reached: Arrival): void {
  if (node.interrupt !== null) return waitWith(draft, node, reached);
  const asks = node.collect.length > 0 || node.functions.length > 0 || node.messages.length > 0;
  // Whoever comes back is asked anew; where the line itself is the question, it is said again.
  const asksOtherwise = node.collect.length > 0 || (node.messages.length > 0 && !asksByLine(node));
  const isHeard = hears(draft, node, reached);
  const says = node.say !== null && !(reached === 'return' && asksOtherwise);
  // Words that were said before the question may be the answer to it: it comes where they are not.
  if (says && isHeard && asksByLine(node)) draft.state.lineDue = draft.state.visit;
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
    // Last words that the author leaves to the model.
    if (node.say === null && node.messages.length > 0) reply(draft, node, arrival);
    return;
  }
  if (node.collect.length > 0) askNext(draft, node, arrival);
  else if (asks && !says) reply(draft, node, arrival);
}

/** Tells the caller that somebody is asked, and answers what they have said to nobody yet. */
function waitWith(draft: Draft, node: GraphNode, reached: Arrival): void {
  const asksCaller = node.interrupt?.asksCaller === true;
  if (asksCaller && reached === 'superseded') return;
  if (reached === 'return') return asksCaller ? askCaller(draft, node) : keepCompany(draft, node);
  say(draft, node);
  if (asksCaller) return askCaller(draft, node);
  if (draft.state.words?.isUnheard === true) reply(draft, node, reached);
}

/** Asks the caller what the node is to know of them. */
export function askCaller(draft: Draft, node: GraphNode): void {
  const question = callersQuestion(draft, node);
  if (question !== null) openWait(draft, question, { kind: 'node', node: node.id }, inOtherWords(draft, question));
}

/**
 * Whether what the caller said is for the node that the flow has come to: nobody has heard it yet, or it holds what the
 * node wants to know and the model that moved here kept nothing of it.
 */
function hears({ graph, state }: Draft, node: GraphNode, arrival: Arrival): boolean {
  const { words } = state;
  if (words === null || node.end !== null || (arrival !== 'answer' && arrival !== 'return')) return false;
  const takes = node.collect.length > 0 || node.functions.length > 0 || node.messages.length > 0;
  const mentions = mentionedSlots(words.utterance);
  if (words.isUnheard) return takes;
  return node.collect.some(
    (name) =>
      mentions.includes(name) &&
      graph.slots.has(name) &&
      (!Object.hasOwn(state.slots, name) || isAskedAgain(state, node, name)),
  );
}

/** Whether the line of the node is the question that its functions answer. */
export function asksByLine({ collect, functions, say }: GraphNode): boolean {
  return collect.length === 0 && functions.length > 0 && say !== null && endsInQuestion(say);
}

/** Says the question that has waited for what the caller's words lead to; false where none has. */
export function sayDueLine(draft: Draft, node: GraphNode): boolean {
  const { state } = draft;
  if (state.lineDue !== state.visit) return false;
  state.lineDue = 0;
  say(draft, node);
  return true;
}

/** A model has heard the words in the node that takes what they mention. */
export function forgetMentions(state: Draft['state']): void {
  const { words } = state;
  if (words == null || words.utterance === null) return;
  const mentioned = mentionedSlots(words.utterance);
  if (mentioned.length === 0) return;
  const acts = words.utterance.acts.filter((one) => one.act !== 'inform' || !mentioned.includes(one.slot));
  state.words = { ...words, utterance: { ...words.utterance, acts } };
}

/** Asks for what the node still needs: reads back, asks by the slot's own words, or lets the model ask; then makes its call. */
export function askNext(draft: Draft, node: GraphNode, arrival: Arrival): void {
  const { graph, state } = draft;
  const need = nextNeed(graph, state, node);
  if (need === null) {
    // A call would be overtaken by the caller's next words; they are for this node first.
    if (arrival === 'superseded' || !callByNode(draft, node)) reply(draft, node, arrival);
    return;
  }
  // The caller's next words are not the answer to a question that they have not heard.
  if (arrival === 'superseded') return;
  const { slot, known } = need;
  state.pendingAskKey = slot.name;
  // One question a breath: what is to be read back is read back when that one was answered.
  if (arrival === 'asked') return;
  if (known !== null) {
    // A call that waits for its yes is asked about first; this comes when it has settled.
    if (state.confirmations.length > 0) return;
    readBack(draft, slot, known.value);
  } else if (slot.ask === null) reply(draft, node, arrival);
  else if (arrival !== 'spoken') {
    state.asked = questionId(state, `slot:${slot.name}`);
    const question = inOtherWords(draft, speakHere(draft, slot.ask));
    intend(draft, { kind: 'say', payload: { text: `${untaken(draft, slot)} ${question}`.trim(), reason: 'ask' } });
  }
}

/** Why a value could not be taken that the caller said before they were asked for it; empty where they said none. */
function untaken(draft: Draft, slot: GraphSlot): string {
  const problem = draft.untaken.get(slot.name);
  return problem === undefined ? '' : plainReason(draft, slot, problem);
}

/** Asks whether a value is right. */
export function readBack(draft: Draft, slot: GraphSlot, value: Json): void {
  const question = readBackQuestion(draft, slot, value);
  openWait(draft, question, { kind: 'slot', slot: slot.name, value }, inOtherWords(draft, question));
}

/** The question whether a value is right: in the author's words, or in the product's where the author has none. */
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
 * Lets the model reply under the node's view. Not where the caller was answered already; and a model that calls
 * functions without end is stopped like a chain of moves.
 */
export function reply(draft: Draft, node: GraphNode, arrival: Arrival): void {
  const { graph, state } = draft;
  if (isAnswered(arrival) || openOfKind(state, 'reply') !== undefined) return;
  state.replies += 1;
  // Two for each allowed move: one that calls, one that speaks.
  if (state.replies > 2 * graph.maxTransitionsPerTurn) sayFallback(draft, node);
  else {
    for (const name of unwrittenIn(graph, state)) tell(draft, { type: 'text:too-long', data: { name } });
    if (state.words?.isUnheard === true) state.words = { ...state.words, isUnheard: false };
    intend(draft, { kind: 'reply', payload: { node: state.node, visit: state.visit } });
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
  // A binding over a map yields a map of JSON.
  const data = resolveBinding(action.data, lookupOf(state), (name) => {
    tell(draft, { type: 'text:too-long', data: { name } });
  }) as JsonObject;
  intend(draft, {
    kind: 'action',
    payload: { action: action.type, handler: action.handler ?? action.type, when, data },
  });
}

/** Ends the flow after what was said; a flow that was called gives way to its caller, who is to answer `inbound`. */
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

/** Ends the session, and not only the flow that was called last. */
export function endAll(draft: Draft, reason: string): void {
  cancelWaits(draft);
  for (const wait of waitingIn(draft.state)) cancelWaiting(draft, wait, 'left');
  leavePending(draft);
  draft.state.status = 'ending';
  intend(draft, { kind: 'end', payload: { reason, returns: null } });
}

/** Says the line of a node; whoever comes back to a question that they have just heard hears only what it asks. */
function say(draft: Draft, node: GraphNode, isReturn = false): void {
  if (node.say === null) return;
  const text = speakHere(draft, node.say);
  if (text === '') return;
  const again = isReturn ? askedBack : inOtherWords;
  const spoken = endsInQuestion(node.say) ? again(draft, text) : text;
  intend(draft, { kind: 'say', payload: { text: spoken, reason: 'node' } });
}
