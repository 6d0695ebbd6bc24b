import type { Json, JsonObject } from '../../model/json.ts';
import type { ValueReading, ValueReadings } from '../../model/provenance.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { Graph, GraphFunction, GraphSlot } from '../../flow/graph/graph.ts';
import { somePart } from '../../flow/expression/some-part.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { asksByLine } from '../../kernel/answer.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { plainAnswer, saidValue } from '../../kernel/dialogue/utterance.ts';
import { isNothing, valueOf } from '../../kernel/state/slots.ts';
import { askedAbout, textsOf } from './asked-about.ts';
import { isGivenTwice } from './name-corrected.ts';
import { withoutOtherValues } from './other-values.ts';
import { isSaidAlone, readingOptions, readSlot } from './read-slot.ts';
import { certainValue, taken, replacementFor, valueInWords } from './certain-value.ts';
import { readingForWrite } from './unread-argument.ts';
import type { SlotValue } from '../../kernel/state/knowledge.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { questionId } from '../../kernel/state/names.ts';
import type { Reader, Said, ValueKind } from '../../model/ports/reader.ts';
import type { LoggedSignal } from '../../model/ports/store.ts';
import type { Session } from '../session.ts';

/** Compares the slot values that a model gives with the caller's words, so that the model cannot invent values. */
export interface GroundedValues {
  /** Records words of a signal. `recall` does the same for the log of an earlier process. */
  hear(signal: Signal): void;
  recall(log: readonly LoggedSignal[]): void;
  /** Returns the grounding of arguments that fill slots; undefined if there are none. */
  readingsOf(offered: GraphFunction, given: JsonObject): ValueReadings | undefined;
}

/** How many caller turns are searched, and how many characters of each. */
const turnsKept = 30;
const charactersKept = 2_000;
/** How many lines of the agent may contain the offer that the caller chooses. */
const offersKept = 3;

export function createGroundedValues(session: Session): GroundedValues {
  let turns: readonly string[] = [];
  let offers: readonly string[] = [];
  const hear = (signal: Signal): void => {
    if (signal.type === 'user:turn') {
      turns = [...turns, signal.text.slice(0, charactersKept)].slice(-turnsKept);
      // A refused offer no longer counts as an offer.
      if (plainAnswer(signal.utterance) === 'no') offers = [];
    } else if (signal.type === 'speech:settled' && signal.heard !== '')
      offers = [...offers, signal.heard.slice(0, charactersKept)].slice(-offersKept);
  };
  return {
    hear,
    recall(log) {
      for (const { signal } of log) hear(signal);
    },
    readingsOf(offered, given) {
      const { graph, state } = session;
      if (offered.body !== 'record' && offered.body !== 'edge' && !offered.write) return undefined;
      let readings: ValueReadings | undefined;
      for (const [name, value] of Object.entries(given)) {
        const slot = graph.slots.get(name);
        if (slot === undefined || isNothing(value)) continue;
        const heard = { graph, state, turns, offers, now: session.civil(session.options.clock.now()) };
        const found = readingOf(heard, offered, slot, given);
        const reading = offered.write ? readingForWrite(heard, slot, value, found) : found;
        if (reading !== null) readings = { ...readings, [name]: reading };
      }
      return readings;
    },
  };
}

/** The words that can ground a call's values, with the current state. */
export interface Heard {
  readonly graph: Graph;
  readonly state: SessionState;
  readonly turns: readonly string[];
  /** The agent's last lines. */
  readonly offers: readonly string[];
  readonly now: string;
}

/** Returns null if there is nothing to check: the value is invalid, or already known and grounded. */
function readingOf(heard: Heard, offered: GraphFunction, slot: GraphSlot, given: JsonObject): ValueReading | null {
  const { graph, state, turns, offers, now } = heard;
  const typed = readSlot(graph.reader, slot, given[slot.name] ?? null, now);
  const sure = offered.write ? null : certainValue(heard, slot);
  if (!typed.ok) return taken(sure ?? (offered.write ? null : valueInWords(heard, slot, given)));
  const value = typed.value;
  const known = valueOf(state, slot.name);
  if (known !== undefined && known.value === value) {
    if (sure !== null && sure !== value) return taken(sure);
    if (known.proposed !== undefined && isSaidLast(heard, slot, value)) return { grounded: true };
    return known.grounded === false ? { grounded: false } : null;
  }
  if (typeof value === 'object' || !isInOwnLanguage(graph) || areWordsUnknown(turns)) return { grounded: null };
  if (turns.length === 0) return groundedBefore(heard, value);
  const beside = typeOf(slot).isMeaning === true ? withoutOtherValues(graph, slot, turns.at(-1) ?? '', now) : null;
  const said = {
    turns: answersAnother(heard, slot) ? turns.slice(0, -1) : turns,
    ...askedIn(heard, offered, slot),
    ...(beside === null ? {} : { beside }),
    about: [slot.name, ...textsOf(slot.ask), slot.description].join(' '),
    options: readingOptions(slot, now),
  };
  const since = known === undefined ? said.turns : sinceLastSaid(graph, slot, known.value, said);
  const found = graph.reader.grounding(typeOf(slot).readAs, value, { ...said, turns: since });
  const last = turns.at(-1) ?? '';
  const isEmpty = meansNothing(graph.reader, typeOf(slot).readAs, last) || saysOnlyAnother(heard, slot);
  if (found === null) return taken(sure) ?? { grounded: isEmpty ? false : null };
  // A model may repeat a value that the caller has since corrected, together with an answer to something else.
  const isOld = found !== 'said' && known !== undefined && since.length < said.turns.length;
  if (isOld && !offered.write && tellsOther(heard, slot, given))
    return { grounded: known.grounded ?? null, value: known.value };
  if (found === 'said') return { grounded: !isGivenTwice(heard, slot, given) };
  // An offer replaces a value that the caller gave only after a yes to the last line: "that is all you need" chooses nothing.
  const mustAgree = known !== undefined && known.grounded !== false;
  const named = mustAgree ? offers.slice(-1) : offers;
  const isOffered =
    named.length > 0 &&
    graph.reader.grounding(typeOf(slot).readAs, value, { ...said, turns: named, asked: false }) === 'said';
  if (isOffered && choosesOffer(heard, slot, mustAgree)) return { grounded: true, isOffered: true };
  const from = sourceOf(heard, value);
  // Data of the flow replaces what the caller said only after a read-back.
  if (from !== null) return !offered.write && isOfCaller(known) ? { grounded: false } : { grounded: true, from };
  // A name that only sounds like the words may be their right spelling.
  const isOpen = !offered.write && (found === 'unsaid' || typeOf(slot).readAs === 'date');
  const better = isOpen ? taken(sure ?? valueInWords(heard, slot, given)) : null;
  if (better !== null) return better;
  const corrected = found === 'unsaid' && !offered.write ? replacementFor(heard, slot) : null;
  if (corrected !== null) return { grounded: false, value: corrected };
  // Interpreting the caller's meaning is the model's task; names, days and
  // numbers must be heard. In another language only the model can find either.
  const isForeign = said.asked && !graph.reader.isOwn(last);
  const isMeaning = typeOf(slot).isMeaning === true && !isEmpty;
  return { grounded: (found === 'near' || isForeign) && isMeaning ? null : false };
}

/** Checks whether the caller gave a known value in their words. */
function isOfCaller(known: SlotValue | undefined): boolean {
  const kind = known?.source?.kind;
  return known?.grounded === true && (kind === 'said' || kind === 'correction');
}

/** Checks whether the caller spoke and no words are known, as with a realtime model without transcription. */
function areWordsUnknown(turns: readonly string[]): boolean {
  return turns.length > 0 && turns.every((turn) => turn.trim() === '');
}

/** Before the caller has spoken, only the flow itself can provide a value. */
function groundedBefore(heard: Heard, value: string | number | boolean | null): ValueReading {
  const from = sourceOf(heard, value);
  return from === null ? { grounded: false } : { grounded: true, from };
}

/** Checks whether words cannot mean a choice, a yes or a no: digits alone, and words that say nothing ("Hello."). */
function meansNothing(reader: Reader, kind: ValueKind, text: string): boolean {
  if (kind !== 'enum' && kind !== 'boolean') return false;
  if (/\p{N}/u.test(text) && !/\p{L}/u.test(text)) return true;
  return text.trim() !== '' && reader.saysNothing(text) && reader.consent(text).answer === undefined;
}

/** Checks whether the last words are a certain value of another slot, and so no choice: "six of us". */
function saysOnlyAnother({ state }: Heard, slot: GraphSlot): boolean {
  if (typeOf(slot).readAs !== 'enum') return false;
  const told = saidValue(state.turn.words?.utterance);
  return told !== null && told.certain && told.slot !== slot.name && typeof told.value !== 'boolean';
}

/**
 * Checks whether the caller's last words clearly accept an offer, without a value for another slot. With `mustAgree` they
 * also need a yes.
 */
function choosesOffer({ graph, state, turns }: Heard, slot: GraphSlot, mustAgree: boolean): boolean {
  const text = turns.at(-1) ?? '';
  const consent = graph.reader.consent(text);
  if (!graph.reader.choosesOffered(text) || consent.isHedged || consent.answer === 'no') return false;
  if (mustAgree && consent.answer !== 'yes' && consent.leansYes !== true) return false;
  const told = saidValue(state.turn.words?.utterance);
  return told === null || told.slot === slot.name || typeof told.value === 'boolean';
}

/** Checks whether the caller's last words say a value. */
function isSaidLast({ graph, turns, now }: Heard, slot: GraphSlot, value: Json): boolean {
  if (typeof value === 'object') return false;
  const said = { turns: turns.slice(-1), asked: false, about: slot.name, options: readingOptions(slot, now) };
  return graph.reader.grounding(typeOf(slot).readAs, value, said) === 'said';
}

/** Returns the turns since a value was last said; all turns if it never was. */
function sinceLastSaid(graph: Graph, slot: GraphSlot, value: Json, said: Said): readonly string[] {
  if (value === null || typeof value === 'object') return said.turns;
  const last = said.turns.findLastIndex(
    (turn) => graph.reader.grounding(typeOf(slot).readAs, value, { ...said, turns: [turn], asked: false }) === 'said',
  );
  return said.turns.slice(Math.max(last, 0));
}

/** Checks whether a call also gives a new value of another slot that the caller has just said. */
function tellsOther({ graph, state, turns, now }: Heard, slot: GraphSlot, given: JsonObject): boolean {
  return Object.entries(given).some(([name, value]) => {
    const other = name === slot.name ? undefined : graph.slots.get(name);
    const typed = other === undefined || isNothing(value) ? null : readSlot(graph.reader, other, value, now);
    if (other === undefined || typed?.ok !== true || typeof typed.value === 'object') return false;
    if (valueOf(state, name)?.value === typed.value) return false;
    const about = [name, ...textsOf(other.ask), other.description].join(' ');
    const asked = state.turn.words?.asked === name;
    const said = { turns: turns.slice(-1), asked, about, options: readingOptions(other, now) };
    return graph.reader.grounding(typeOf(other).readAs, typed.value, said) === 'said';
  });
}

/**
 * Checks whether the last words answer a question about another slot: "ten" to "What time?" is not an amount, "three zero
 * five" to "Which code?" not a three. If the model asked, this holds for every kind of value.
 */
function answersAnother(heard: Heard, slot: GraphSlot): boolean {
  const { graph, state, turns } = heard;
  const text = turns.at(-1) ?? '';
  if (state.dialogue.modelAsked) return questionFor(heard, slot) === 'other' && isAllOf(heard, slot, text);
  if (!COUNTED.has(typeOf(slot).readAs)) return false;
  const asked = slotsAskedFor(graph, state);
  if (asked.includes(slot.name)) return false;
  return asked.some((name) => {
    const other = graph.slots.get(name);
    if (other === undefined) return false;
    const { readAs } = typeOf(other);
    return COUNTED.has(readAs) ? isAllOf(heard, other, text) : SPELLED.has(readAs) && isSpelled(heard, readAs, text);
  });
}

/** Checks whether a text spells several characters and says nothing else: "three zero five". Letters count for a code: "a nine". */
function isSpelled({ graph, now }: Heard, readAs: string, text: string): boolean {
  const found = graph.reader.value('code', text, { now, asked: true });
  if (!found.ok || !found.certain) return false;
  return (readAs === 'code' ? /../u : /^\d{2,}$/u).test(String(found.value));
}

/** Checks whether a text says a value of a slot and nothing else. */
function isAllOf({ graph, now }: Heard, slot: GraphSlot, text: string): boolean {
  const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, now));
  return found.ok && isSaidAlone(graph.reader, text, found);
}

/** Returns what the last question that the caller heard asks for, relative to a slot. */
function questionFor({ graph, state }: Heard, slot: GraphSlot): ReturnType<typeof askedAbout> {
  return askedAbout(graph, state, slot, state.dialogue.saidBefore.text);
}

/** Kinds whose values are spoken as numbers. */
const COUNTED: ReadonlySet<string> = new Set(['number', 'integer', 'date', 'time']);

/** Kinds whose values may be spoken digit by digit. */
const SPELLED: ReadonlySet<string> = new Set(['code', 'phone', 'text']);

/** Returns the slots that the caller was asked for. A node's line asks for the parameters of its functions. */
function slotsAskedFor(graph: Graph, state: SessionState): readonly string[] {
  const asked = state.turn.words?.asked ?? null;
  if (asked !== null) return [asked];
  const node = nodeOf(graph, state, state.position.node);
  if (node === null || !asksByLine(node)) return [];
  return node.functions.flatMap(({ parameters }) => Object.keys((parameters['properties'] ?? {}) as JsonObject)); // Compiled: schemas by name.
}

/** Returns whether the caller's last words answer the question for a slot, or are the purpose of the function. */
function askedIn(heard: Heard, offered: GraphFunction, slot: GraphSlot): Pick<Said, 'asked' | 'unput'> {
  const { state } = heard;
  const { name, ask } = slot;
  const required = offered.parameters['required'];
  const isFor = offered.body === 'edge' && Array.isArray(required) && required.includes(name);
  const next = state.turn.words?.asked ?? null;
  const isPut = state.dialogue.asked === questionId(state, `slot:${name}`);
  // The next question is due, but the caller has only heard a question of the model.
  const isLast = isPut && next !== null && state.dialogue.modelAsked;
  if (next !== name || questionFor(heard, slot) !== 'this') return { asked: isFor || isLast };
  return isPut || isFor || ask === null ? { asked: true } : { asked: true, unput: true };
}

/** Returns the source of a value that the flow itself provided: a function result, a node output or the input. */
function sourceOf(
  { graph, state }: Heard,
  value: string | number | boolean | null,
): NonNullable<ValueReading['from']> | null {
  if (typeof value !== 'string' || value.length < 2) return null;
  const isHeld = (held: Json): boolean => somePart(held, (part) => part === value);
  for (const [name, held] of Object.entries({ ...state.knowledge.outputs, ...state.knowledge.variables }))
    if (isHeld(held)) return { kind: 'function', name: functionThatSaves(graph, name) ?? name };
  for (const [name, held] of Object.entries(state.knowledge.input)) if (isHeld(held)) return { kind: 'input', name };
  return null;
}

function functionThatSaves(graph: Graph, variable: string): string | undefined {
  const all = [...graph.functions, ...[...graph.nodes.values()].flatMap((node) => node.functions)];
  return all.find(({ saveAs }) => saveAs === variable)?.name;
}

const ownFlows = new WeakMap<Graph, boolean>();

/** Checks whether the flow is written in the reader's language; the rules do not apply to other languages. */
function isInOwnLanguage(graph: Graph): boolean {
  const known = ownFlows.get(graph);
  if (known !== undefined) return known;
  const asks = [...graph.slots.values()].flatMap(({ ask }) => textsOf(ask));
  const says = [...graph.nodes.values()].flatMap(({ say }) => textsOf(say));
  const prompts = [...graph.persona, ...[...graph.nodes.values()].flatMap(({ messages }) => messages)];
  const isOwn = graph.reader.isOwn([...asks, ...says, ...prompts.map(({ content }) => content.source)].join(' '));
  ownFlows.set(graph, isOwn);
  return isOwn;
}
