import type { Confirmation, ToolPayload } from '../../model/effect.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { BatchSettled, SettledCall } from '../../model/signals/signal.ts';
import { answerFunctionName } from '../../flow/document/function.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { canonical } from '../../flow/graph/hash.ts';
import { schemaCheck } from '../../flow/graph/schema-check.ts';
import { askNext, reply } from '../answer.ts';
import { type Draft, intend, emit } from '../state/draft.ts';
import { isOpenToYes } from '../dialogue/record-heard.ts';
import { actOf, hasAct, isHedged, sideOf, strengthOf } from '../dialogue/utterance.ts';
import { noteRefusal } from './ladder.ts';
import { functionIn, nodeOf } from '../move/offers.ts';
import { boundAnew, calledBy, sameArguments } from '../call/node-call.ts';
import { asProposed, isAsked } from '../state/proposed.ts';
import { provenanceOf } from '../state/provenance.ts';
import { callSaid } from '../state/values-in-words.ts';
import { clearSlot, nextNeed, valueOf } from '../state/slots.ts';
import type { SessionState } from '../state/state.ts';
import { travel } from '../move/travel.ts';
import { slotsBehind, unreadBefore } from './unconfirmed-values.ts';
import { callersQuestion } from '../wait/outside-waits.ts';
import { askNextConfirmation } from './next-confirmation.ts';
import { closeWait, confirmQuestion, openWait, tellCancelled, valuesOf } from '../wait/waits.ts';

/**
 * Returns the caller's answer to the open question as the completion reports it; null if it leaves the question open.
 * `correct` handles changed values.
 */
export function answerOf(draft: Draft, { payload }: Confirmation, batch: BatchSettled): 'yes' | 'no' | null {
  let answer: 'yes' | 'no' | null = null;
  for (const call of batch.calls) {
    if (call.name === answerFunctionName && call.state === 'done') {
      const { agrees, instead } = call.arguments;
      const isWhole = typeof instead !== 'string' || instead.trim() === '';
      if (agrees === false) return 'no';
      if (agrees === true && isWhole && mayAgree(draft)) answer = 'yes';
    }
    // The model also repeats its call after "one second" and after words that it does not understand.
    if (isRepeated(payload.subject, call) && sideOf(draft.state.turn.words?.utterance) === 'yes' && mayAgree(draft))
      answer = 'yes';
  }
  return answer;
}

/**
 * Checks whether the model may treat the caller's words as a yes to the question on top. The question must be the
 * flow's and must have been heard. The rules must have found a yes or the question's verb, without a condition or a
 * question. For words without rules, the model decides.
 */
export function mayAgree(draft: Draft): boolean {
  const { state } = draft;
  const utterance = state.turn.words?.utterance;
  const answer = actOf(utterance, 'answer');
  if (state.dialogue.modelAsked || !isOpenToYes(draft, strengthOf(utterance))) return false;
  if (utterance == null || (utterance.foreign && utterance.consentRead !== true)) return true;
  // "Yes, I'm still here" answers the presence check.
  if (state.dialogue.put?.afterSilence === true && utterance.rest && !hasAct(utterance, 'echo')) return false;
  if (isHedged(utterance)) return false;
  // A caller who has not heard the verb of the question does not repeat it.
  return answer?.yes === true || (hasAct(utterance, 'echo') && state.dialogue.put?.isOver === true);
}

/** Checks whether a call repeats exactly what the caller is being asked about. */
export function isRepeated(subject: Confirmation['payload']['subject'], call: SettledCall): boolean {
  const given = typedArguments(call);
  if (subject.kind === 'slot')
    return call.name === 'record' && call.state === 'done' && isSame(given[subject.slot], subject.value);
  if (subject.kind === 'node' || call.state !== 'waiting' || call.name !== subject.call.name) return false;
  return isSame(call.arguments, subject.call.arguments) || isSame(given, valuesOf(subject.call));
}

/**
 * Returns the arguments of a call, with slot values converted to the slot's type. A model may write a value as the
 * caller said it.
 */
function typedArguments({ arguments: given, typed = {} }: SettledCall): JsonObject {
  const read = Object.entries(typed).flatMap(([name, one]) => (one.ok ? [[name, one.value] as const] : []));
  return { ...given, ...Object.fromEntries(read) };
}

/**
 * Updates the open question if the completion changed its subject: the question is void, and one with the new values
 * follows. `before` contains the slots when the caller spoke, `waiting` the number of calls that waited then. Returns
 * whether the question changed.
 */
export function correct(
  draft: Draft,
  wait: Confirmation,
  before: SessionState['knowledge']['slots'],
  waiting: number,
): boolean {
  const { state } = draft;
  const { subject } = wait.payload;
  // Calls waiting behind the question also get the new values; the model may have repeated them.
  const behind = state.dialogue.confirmations.slice(0, waiting).flatMap((call): ToolPayload[] => {
    const next = correctedCall(draft, call, before);
    if (next === 'impossible') tellCancelled(draft, call);
    return next === 'impossible' ? [] : [next ?? call];
  });
  const asked = state.dialogue.confirmations
    .slice(waiting)
    .filter((call) => !behind.some((one) => isSameCall(one, call)));
  state.dialogue.confirmations = [...behind, ...asked];
  if (subject.kind === 'slot') {
    const known = valueOf(state, subject.slot);
    if (known === undefined || isAsked(known, subject.value)) return false;
    closeWait(draft, wait, 'other');
    return true;
  }
  if (subject.kind === 'node') {
    const node = nodeOf(draft.graph, state, subject.node);
    const question = node === null ? null : callersQuestion(draft, node);
    if (question === null || question === wait.payload.say) return false;
    closeWait(draft, wait, 'other');
    openWait(draft, question, subject);
    return true;
  }
  const changed = asked[0] ?? correctedCall(draft, subject.call, before);
  if (changed === null) {
    // The question does not mention the corrected value, so that value is read back before the question is repeated.
    if (unreadBefore(draft, subject.call, wait.payload.say) === null) return false;
    closeWait(draft, wait, 'other');
    state.dialogue.confirmations = [subject.call, ...behind];
    return true;
  }
  closeWait(draft, wait, 'other');
  if (changed === 'impossible') {
    // The caller has just retracted the value and cannot agree to it.
    tellCancelled(draft, subject.call);
    state.dialogue.confirmations = behind;
    return true;
  }
  if (asked.length > 0) tellCancelled(draft, subject.call);
  // The call that replaces the question's call comes before the other waiting calls.
  const instead = asked.filter(({ name }) => name === subject.call.name);
  const more = asked.filter(({ name }) => name !== subject.call.name);
  state.dialogue.confirmations = asked.length > 0 ? [...instead, ...behind, ...more] : [changed, ...behind];
  return true;
}

/**
 * Clears a value that the caller rejected in a read-back. Waiting calls get the current value, or are cancelled if
 * there is none; the node then makes its own call again.
 */
export function refuseValue(draft: Draft, name: string, rejected: Json): void {
  const { graph, state } = draft;
  const before = state.knowledge.slots;
  clearSlot(draft, name, rejected);
  state.dialogue.confirmations = state.dialogue.confirmations.flatMap((call) => {
    if (!slotsBehind(draft, call).includes(name)) return [call];
    const next = valueOf(state, name) === undefined ? 'impossible' : correctedCall(draft, call, before);
    if (next !== 'impossible') return [next ?? call];
    tellCancelled(draft, call);
    const node = nodeOf(graph, state, call.node);
    if (node !== null && calledBy(graph, node)?.name === call.name) state.position.nodeCall = null;
    return [];
  });
}

function isSameCall(one: ToolPayload, other: ToolPayload): boolean {
  return one.name === other.name && sameArguments(valuesOf(one), valuesOf(other));
}

/**
 * Returns the call with the values the caller has just given; `impossible` if the function does not accept them; null
 * if its question stays the same.
 */
function correctedCall(
  draft: Draft,
  call: ToolPayload,
  earlier: SessionState['knowledge']['slots'],
): ToolPayload | 'impossible' | null {
  const { graph, state } = draft;
  // The question names a proposed value, and a yes accepts it.
  const slots = asProposed(state.knowledge.slots);
  const before = asProposed(earlier);
  const told = { ...draft, state: { ...state, knowledge: { ...state.knowledge, slots } } };
  // A new value that the caller did not say is read back separately; inside this question a yes would accept it
  // unnoticed.
  const isTold = (name: string): boolean => Object.hasOwn(before, name) || slots[name]?.grounded !== false;
  const changed = Object.keys(slots).filter((name) => !isSame(before[name]?.value, slots[name]?.value) && isTold(name));
  const node = nodeOf(graph, state, call.node);
  const offered = node === null ? null : functionIn(graph, node, call.name);
  if (changed.length === 0 || node === null || offered === null) return null;
  const properties = offered.parameters['properties'];
  const declared = properties !== undefined && isJsonObject(properties) ? properties : {};
  const bound = node.call?.function === call.name ? node.call.input : {};
  const outputs = draft.outputsBefore;
  const made = Object.keys(state.knowledge.outputs).filter(
    (name) => !isSame(outputs[name], state.knowledge.outputs[name]),
  );
  const given = changed
    .filter(
      (name) => (Object.hasOwn(call.arguments, name) || Object.hasOwn(declared, name)) && !Object.hasOwn(bound, name),
    )
    .map((name): [string, Json] => [name, slots[name]?.value ?? null]);
  const values = { ...Object.fromEntries(given), ...boundAnew(told, bound, [...changed, ...made]) };
  const next = withArguments(call, values);
  const provenance = { ...call.provenance, ...provenanceOf(told, values) };
  if (schemaCheck(offered.parameters).violations(next.arguments).length > 0)
    return sameArguments(next.arguments, call.arguments) ? null : 'impossible';
  const asked = confirmQuestion(
    { ...draft, state: { ...state, knowledge: { ...state.knowledge, slots: before, outputs } } },
    call,
  );
  const isOther = !sameArguments(next.arguments, call.arguments) || asked !== confirmQuestion(told, next);
  return isOther ? { ...next, ...(Object.keys(provenance).length === 0 ? {} : { provenance }) } : null;
}

/** Returns the call with these values instead of the model's. */
function withArguments({ values, ...call }: ToolPayload, given: JsonObject): ToolPayload {
  const kept = Object.entries(values ?? {}).filter(([name]) => !Object.hasOwn(given, name));
  const more = kept.length === 0 ? {} : { values: Object.fromEntries(kept) };
  return { ...call, arguments: { ...call.arguments, ...given }, ...more };
}

/**
 * Handles the caller's no to a call. The call is dropped and not offered again until the caller has spoken once more.
 * Without an `on_refuse` of the author, another function of the node may apply, or one open question is asked.
 */
export function refuse(draft: Draft, node: GraphNode, call: ToolPayload, isAsked = false): void {
  const { graph, state } = draft;
  const origin = nodeOf(graph, state, call.node);
  const offered = origin === null ? null : functionIn(graph, origin, call.name);
  tellCancelled(draft, call);
  state.dialogue.refused = [...state.dialogue.refused, call.name];
  if (askNextConfirmation(draft) || noteRefusal(draft, node, null, `confirm:${call.name}`)) return;
  const to = offered?.onRefuse ?? null;
  if (to !== null) travel(draft, { to, cause: 'refused', function: call.name }, isAsked ? 'asked' : 'answer');
  else if (isAsked || callSaid(draft, node)) return;
  else if (node.collect.length > 0 && nextNeed(graph, state, node) !== null) askNext(draft, node, 'answer');
  else if (node.functions.some(({ name }) => !state.dialogue.refused.includes(name))) reply(draft, node, 'answer');
  else askInstead(draft);
}

/** Asks one open question after a refusal, never the refused one. */
export function askInstead(draft: Draft): void {
  const { state } = draft;
  const { instead } = draft.graph.speech.lines;
  const others = instead.filter((line) => !state.dialogue.saidBefore.text.endsWith(line));
  const text = others[state.turn.number % others.length] ?? instead[0];
  intend(draft, { kind: 'say', payload: { text, reason: 'ask' } });
}

/** Runs a call that the caller agreed to, with the arguments that the question named. */
export function agree(draft: Draft, call: ToolPayload, calls: readonly SettledCall[]): void {
  // The model may have repeated the call: the result belongs to the latest one.
  const again = calls.findLast((one) => isRepeated({ kind: 'call', call }, one));
  intend(draft, { kind: 'tool', payload: { ...call, callId: again?.callId ?? call.callId, confirmed: true } });
  if (again !== undefined)
    emit(draft, { type: 'tool:settled', data: { function: call.name, key: call.callId, state: 'repeated' } });
}

/** Compares two JSON values, ignoring the order of members. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return (one === undefined) === (other === undefined) && canonical(one) === canonical(other);
}
