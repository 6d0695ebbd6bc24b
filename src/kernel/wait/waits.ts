import type { Confirmation, ConfirmSubject, ToolPayload } from '../../model/effect.ts';
import type { FlowEvents } from '../../model/events/event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { scalarText } from '../../flow/expression/same-value.ts';
import { confirmationIn, type Draft, intend, isUnheard, settle, emit } from '../state/draft.ts';
import { functionIn, namesInConfirm, nodeOf } from '../move/offers.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import type { SessionState } from '../state/state.ts';
import { blankNames, isSilent, sayValue, speakHere } from '../state/names.ts';
import { nameWords } from '../../model/ports/name-words.ts';
import { proposedValues } from '../state/proposed.ts';
import { doubtsIn } from '../state/slots.ts';
import { settleSaid } from '../question/unconfirmed-values.ts';
import { unmentionedArguments } from '../question/unmentioned-arguments.ts';

/** Returns the open confirmation. */
export function openConfirmation(draft: Draft): Confirmation | undefined {
  return confirmationIn(draft.state);
}

/** Asks a yes-no question, unless one is open. `put` is the wording for a repetition. */
export function openWait(draft: Draft, question: string, subject: ConfirmSubject, put = question): void {
  if (openConfirmation(draft) !== undefined) return;
  const key = intend(draft, {
    kind: 'wait',
    payload: { wait: 'confirm', say: question, subject, ...(put === question ? {} : { put }) },
  });
  emit(draft, { type: 'wait:opened', data: { key, wait: 'confirm' } });
}

/** Closes a confirmation. The caller of this function handles its subject. */
export function closeWait(draft: Draft, wait: Confirmation, response: 'yes' | 'no' | 'other'): void {
  const { state } = draft;
  settle(draft, wait, response === 'other' ? 'cancelled' : 'done');
  if (response !== 'other') settleSaid(draft, wait, response);
  if (response === 'yes') state.dialogue.refusals = doubtsIn(state);
  if (response === 'yes' && wait.payload.subject.kind === 'call') state.dialogue.agreed = state.position.visit;
  emit(draft, { type: 'wait:answered', data: { key: wait.key, answer: response } });
}

/** Returns the open confirmation if the caller has heard it, so their words can answer it. */
export function heardConfirmation(draft: Draft): Confirmation | undefined {
  const wait = openConfirmation(draft);
  return wait === undefined || isUnheard(draft.state, wait.key) ? undefined : wait;
}

/** Cancels the question of a node that is left: a later yes belongs to the next question. Returns the calls in question. */
export function closeQuestion(draft: Draft): readonly ToolPayload[] {
  const wait = openConfirmation(draft);
  if (wait === undefined) return [];
  closeWait(draft, wait, 'other');
  const { subject } = wait.payload;
  if (subject.kind !== 'call') return [];
  const calls = [subject.call, ...draft.state.dialogue.confirmations];
  draft.state.dialogue.confirmations = [];
  return calls;
}

/** Cancels the open question and every call that still needs a yes. */
export function cancelWaits(draft: Draft): void {
  const wait = openConfirmation(draft);
  const calls = [...draft.state.dialogue.confirmations];
  if (wait !== undefined) {
    closeWait(draft, wait, 'other');
    if (wait.payload.subject.kind === 'call') calls.unshift(wait.payload.subject.call);
  }
  draft.state.dialogue.confirmations = [];
  for (const call of calls) tellCancelled(draft, call);
}

/** Reports that a call will not run. */
export function tellCancelled(draft: Draft, call: ToolPayload): void {
  emit(draft, { type: 'tool:settled', data: { function: call.name, key: call.callId, state: 'cancelled' } });
}

/** Returns the arguments of a call, with slot values in the slot's form. */
export function valuesOf({ arguments: given, values = {} }: ToolPayload): JsonObject {
  return { ...given, ...values };
}

/** Returns the question about a call: the author's, or one generated from its name and arguments. */
export function confirmQuestion(draft: Draft, call: ToolPayload): string {
  return confirmText(draft, call).text;
}

/** The reason for replacing the author's question. */
type Replaced = FlowEvents['confirm:replaced'];

/**
 * Returns the author's question about a call, filled from its arguments, slots, variables, outputs and input. If a
 * value is missing, an argument that the caller never gave is not mentioned, or the text says another value than the
 * call has, returns a generated question instead.
 */
export function confirmText(
  draft: Draft,
  call: ToolPayload,
): { readonly text: string; readonly replaced: Replaced | undefined } {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, call.node);
  const template = node === null ? null : (functionIn(graph, node, call.name)?.confirm ?? null);
  const args = spokenArguments(draft, valuesOf(call));
  const local = { ...spokenArguments(draft, proposedValues(state.knowledge.slots)), ...args, args };
  if (template !== null && template !== 'described') {
    const blank = blankNames(draft, template, local);
    // A caller cannot agree to something they do not hear.
    const names = blank.length > 0 ? blank : unmentionedArguments(draft, template, call);
    if (names.length === 0) return { text: speakHere(draft, template, local), replaced: undefined };
    const reason = blank.length > 0 ? 'no-value' : 'not-said';
    return { text: proposalOf(draft, call, args), replaced: { function: call.name, reason, names } };
  }
  return { text: proposalOf(draft, call, args), replaced: undefined };
}

function proposalOf({ graph }: Draft, { name: called }: ToolPayload, args: JsonObject): string {
  const details = Object.entries(args).flatMap(([name, value]) => {
    const said = spokenArgument(value);
    return isSilent(said) ? [] : `${wordsOf(name)} ${said}`;
  });
  return graph.speech.proposal(wordsOf(called), details);
}

/** Returns the known slots that the question about a call says: its arguments, and the names in the author's question. */
export function slotsOfQuestion(graph: Graph, state: SessionState, call: ToolPayload): readonly GraphSlot[] {
  const names = namesInConfirm(graph, state, call) ?? [];
  return [...graph.slots.values()].filter(
    ({ name }) =>
      Object.hasOwn(state.knowledge.slots, name) && (Object.hasOwn(call.arguments, name) || names.includes(name)),
  );
}

/** Returns the names in the author's question about a call; null if the question says every argument. */
export function namesOfQuestion(graph: Graph, state: SessionState, call: ToolPayload): readonly string[] | null {
  const names = namesInConfirm(graph, state, call);
  return names?.includes('args') === true ? null : names;
}

/** Returns arguments in spoken form. An argument named after a slot is spoken as a value of the slot. */
function spokenArguments(draft: Draft, given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const slot = draft.graph.slots.get(name);
      return [name, slot === undefined || typeof value === 'object' ? value : sayValue(draft, slot, value)];
    }),
  );
}

/** Returns the speakable part of an argument: plain values and lists of them. */
function spokenArgument(value: Json): string {
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => scalarText(item) ?? []).join(' and ');
}

/** Splits a name into words. */
function wordsOf(name: string): string {
  const parted = name.replaceAll(
    /(\p{Ll})(\p{Lu})/gu,
    (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  );
  return nameWords(parted).trim();
}
