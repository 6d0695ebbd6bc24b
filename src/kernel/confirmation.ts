import type { Confirmation, ToolPayload } from '../events/effect.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import type { BatchSettled, SettledCall } from '../events/signal.ts';
import { answerFunctionName } from '../flow/function.ts';
import type { GraphNode } from '../graph/graph.ts';
import { canonical } from '../graph/hash.ts';
import { schemaCheck } from '../graph/schema-check.ts';
import { askNext, reply } from './answer.ts';
import { type Draft, intend, tell } from './draft.ts';
import { isOpenToYes } from './dialogue/hear-put.ts';
import { actOf, hasAct, isHedged, sideOf, strengthOf } from './dialogue/utterance.ts';
import { noteRefusal } from './ladder.ts';
import { functionIn, nodeOf } from './offers.ts';
import { boundAnew, calledBy, sameArguments } from './node-call.ts';
import { asProposed, valueToAsk } from './proposed.ts';
import { provenanceOf } from './provenance.ts';
import { callSaid } from './said.ts';
import { clearSlot, nextNeed, valueOf } from './slots.ts';
import type { SessionState } from './state.ts';
import { travel } from './travel.ts';
import { slotsBehind, unreadBefore } from './unread.ts';
import { callersQuestion } from './outside-waits.ts';
import { askNextConfirmation } from './next-confirmation.ts';
import { closeWait, confirmQuestion, openWait, tellCancelled, valuesOf } from './waits.ts';

/**
 * What a completion says about the question that was open when the caller spoke: that they agreed or refused, or null
 * if it leaves that open. A change of what was asked about is found by `correct`.
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
    if (isRepeated(payload.subject, call) && sideOf(draft.state.words?.utterance) === 'yes' && mayAgree(draft))
      answer = 'yes';
  }
  return answer;
}

/**
 * Whether a model may take the caller's words for a yes to the question on top: it is the flow's, was heard, and rules have
 * seen a yes or the question's own verb, without a condition or a question beside it. In words that no rules know, the
 * model alone tells.
 */
export function mayAgree(draft: Draft): boolean {
  const { state } = draft;
  const utterance = state.words?.utterance;
  const answer = actOf(utterance, 'answer');
  if (state.modelAsked || !isOpenToYes(draft, strengthOf(utterance))) return false;
  if (utterance == null || utterance.foreign) return true;
  // "Yes, I'm still here" answers what was asked first.
  if (state.put?.afterSilence === true && utterance.rest && !hasAct(utterance, 'echo')) return false;
  return !isHedged(utterance) && (answer?.yes === true || hasAct(utterance, 'echo'));
}

/** Whether a call is exactly what the caller is being asked about. */
export function isRepeated(subject: Confirmation['payload']['subject'], call: SettledCall): boolean {
  const given = typedArguments(call);
  if (subject.kind === 'slot')
    return call.name === 'record' && call.state === 'done' && isSame(given[subject.slot], subject.value);
  if (subject.kind === 'node' || call.state !== 'waiting' || call.name !== subject.call.name) return false;
  return isSame(call.arguments, subject.call.arguments) || isSame(given, valuesOf(subject.call));
}

/** The arguments of a call, those that fill slots in the form of their type: a model also writes a value as it was said. */
function typedArguments({ arguments: given, typed = {} }: SettledCall): JsonObject {
  const read = Object.entries(typed).flatMap(([name, one]) => (one.ok ? [[name, one.value] as const] : []));
  return { ...given, ...Object.fromEntries(read) };
}

/**
 * Whether a completion has changed what the question is about; then that question is void, and the one that names the
 * new facts is to be asked. `before` is what was known when the caller spoke, `waiting` how many calls waited then.
 */
export function correct(draft: Draft, wait: Confirmation, before: SessionState['slots'], waiting: number): boolean {
  const { state } = draft;
  const { subject } = wait.payload;
  // What waits behind the question is given what the caller has told, too; a model may have made it again.
  const behind = state.confirmations.slice(0, waiting).flatMap((call): ToolPayload[] => {
    const next = correctedCall(draft, call, before);
    if (next === 'impossible') tellCancelled(draft, call);
    return next === 'impossible' ? [] : [next ?? call];
  });
  const asked = state.confirmations.slice(waiting).filter((call) => !behind.some((one) => isSameCall(one, call)));
  state.confirmations = [...behind, ...asked];
  if (subject.kind === 'slot') {
    const known = valueOf(state, subject.slot);
    if (known === undefined || isSame(valueToAsk(known), subject.value)) return false;
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
    // The question says nothing of what was corrected: that is read back before it is put again.
    if (unreadBefore(draft, subject.call, wait.payload.say) === null) return false;
    closeWait(draft, wait, 'other');
    state.confirmations = [subject.call, ...behind];
    return true;
  }
  closeWait(draft, wait, 'other');
  if (changed === 'impossible') {
    // Nobody agrees to what they have just taken back.
    tellCancelled(draft, subject.call);
    state.confirmations = behind;
    return true;
  }
  if (asked.length > 0) tellCancelled(draft, subject.call);
  // What takes the place of the question comes before what waits behind it.
  const instead = asked.filter(({ name }) => name === subject.call.name);
  const more = asked.filter(({ name }) => name !== subject.call.name);
  state.confirmations = asked.length > 0 ? [...instead, ...behind, ...more] : [changed, ...behind];
  return true;
}

/**
 * The caller has said no to a value that was read back. A call that waits behind that question is given what is known now,
 * or is not made if nothing is: the node makes its own call anew.
 */
export function refuseValue(draft: Draft, name: string): void {
  const { graph, state } = draft;
  const before = state.slots;
  clearSlot(draft, name);
  state.confirmations = state.confirmations.flatMap((call) => {
    if (!slotsBehind(draft, call).includes(name)) return [call];
    const next = valueOf(state, name) === undefined ? 'impossible' : correctedCall(draft, call, before);
    if (next !== 'impossible') return [next ?? call];
    tellCancelled(draft, call);
    const node = nodeOf(graph, state, call.node);
    if (node !== null && calledBy(graph, node)?.name === call.name) state.nodeCall = null;
    return [];
  });
}

function isSameCall(one: ToolPayload, other: ToolPayload): boolean {
  return one.name === other.name && sameArguments(valuesOf(one), valuesOf(other));
}

/**
 * The call with what the caller has just told; `impossible` if the function does not take that; null if the question about it
 * stays the same.
 */
function correctedCall(
  draft: Draft,
  call: ToolPayload,
  earlier: SessionState['slots'],
): ToolPayload | 'impossible' | null {
  const { graph, state } = draft;
  // What is proposed is named by the question, and taken with a yes to it.
  const slots = asProposed(state.slots);
  const before = asProposed(earlier);
  const told = { ...draft, state: { ...state, slots } };
  // What is new and was said by nobody is read back by itself; in the middle of this question a yes would pass it.
  const isTold = (name: string): boolean => Object.hasOwn(before, name) || slots[name]?.grounded !== false;
  const changed = Object.keys(slots).filter((name) => !isSame(before[name]?.value, slots[name]?.value) && isTold(name));
  const node = nodeOf(graph, state, call.node);
  const offered = node === null ? null : functionIn(graph, node, call.name);
  if (changed.length === 0 || node === null || offered === null) return null;
  const properties = offered.parameters['properties'];
  const declared = properties !== undefined && isJsonObject(properties) ? properties : {};
  const bound = node.call?.function === call.name ? node.call.input : {};
  const outputs = draft.outputsBefore;
  const made = Object.keys(state.outputs).filter((name) => !isSame(outputs[name], state.outputs[name]));
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
  const asked = confirmQuestion({ ...draft, state: { ...state, slots: before, outputs } }, call);
  const isOther = !sameArguments(next.arguments, call.arguments) || asked !== confirmQuestion(told, next);
  return isOther ? { ...next, ...(Object.keys(provenance).length === 0 ? {} : { provenance }) } : null;
}

/** The call with these values instead of those that the model gave. */
function withArguments({ values, ...call }: ToolPayload, given: JsonObject): ToolPayload {
  const kept = Object.entries(values ?? {}).filter(([name]) => !Object.hasOwn(given, name));
  const more = kept.length === 0 ? {} : { values: Object.fromEntries(kept) };
  return { ...call, arguments: { ...call.arguments, ...given }, ...more };
}

/**
 * The caller has said no to a call. It is not made, and not offered again before they have spoken once more; where the
 * author does not say where that leads, another function of the node may be meant, or one question is asked.
 */
export function refuse(draft: Draft, node: GraphNode, call: ToolPayload, isAsked = false): void {
  const { graph, state } = draft;
  const origin = nodeOf(graph, state, call.node);
  const offered = origin === null ? null : functionIn(graph, origin, call.name);
  tellCancelled(draft, call);
  state.refused = [...state.refused, call.name];
  if (askNextConfirmation(draft) || noteRefusal(draft, node, null, `confirm:${call.name}`)) return;
  const to = offered?.onRefuse ?? null;
  if (to !== null) travel(draft, { to, cause: 'refused', function: call.name }, isAsked ? 'asked' : 'answer');
  else if (isAsked || callSaid(draft, node)) return;
  else if (node.collect.length > 0 && nextNeed(graph, state, node) !== null) askNext(draft, node, 'answer');
  else if (node.functions.some(({ name }) => !state.refused.includes(name))) reply(draft, node, 'answer');
  else askInstead(draft);
}

/** One open question after a refusal, never the one that was refused. */
export function askInstead(draft: Draft): void {
  const { state } = draft;
  const { instead } = draft.graph.speech.lines;
  const others = instead.filter((line) => !state.saidBefore.text.endsWith(line));
  const text = others[state.turn % others.length] ?? instead[0];
  intend(draft, { kind: 'say', payload: { text, reason: 'ask' } });
}

/** The caller has agreed to a call: it runs, with the arguments that were asked about. */
export function agree(draft: Draft, call: ToolPayload, calls: readonly SettledCall[]): void {
  // The model may have made the very call again: what comes of it is to stand behind the newest one.
  const again = calls.findLast((one) => isRepeated({ kind: 'call', call }, one));
  intend(draft, { kind: 'tool', payload: { ...call, callId: again?.callId ?? call.callId, confirmed: true } });
  if (again !== undefined)
    tell(draft, { type: 'tool:settled', data: { function: call.name, key: call.callId, state: 'repeated' } });
}

/** Whether two values of JSON are the same, in whatever order their members stand. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return (one === undefined) === (other === undefined) && canonical(one) === canonical(other);
}
