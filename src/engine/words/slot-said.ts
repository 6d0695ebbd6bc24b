import type { ToolPayload } from '../../model/effect.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { confirmationIn, lastSaid } from '../../kernel/state/draft.ts';
import { type Moment, sayValue } from '../../kernel/state/names.ts';
import { valueToAsk } from '../../kernel/state/proposed.ts';
import { askedAbout } from './asked-about.ts';
import { valueOf, withinRules } from '../../kernel/state/slots.ts';
import { namesOfQuestion, slotsOfQuestion } from '../../kernel/wait/waits.ts';
import { guessSaid } from './guess-said.ts';
import { readingOptions } from './read-slot.ts';
import { mayCorrectName } from './name-corrected.ts';
import { completedSaid } from './partial-number.ts';
import { type SaidSlot, valueSaid } from './value-said.ts';

/** Returns the value for the slot that is asked for or read back; undefined if the text has other words too. */
export function slotSaid(moment: Moment, text: string): SaidSlot {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind === 'call') return slotCorrected(moment, subject.call, text);
  const name = subject?.kind === 'slot' ? subject.slot : state.dialogue.pendingAskKey;
  const slot = name === null ? undefined : graph.slots.get(name);
  const value =
    slot === undefined
      ? undefined
      : (completedSaid(moment, slot, text) ?? valueSaid(moment, slot, text) ?? valueKept(moment, slot, text));
  if (slot === undefined || subject !== undefined) return value;
  if (value === undefined) return isOwnQuestion(moment, slot) ? guessSaid(moment, slot, text) : undefined;
  return askedAbout(graph, state, slot, lastSaid(state)) === 'this' ? value : { ...value, isUnsure: true };
}

/** Checks whether the caller heard the question of the flow for the slot, and the slot is empty. */
function isOwnQuestion({ state }: Moment, { name }: GraphSlot): boolean {
  return !state.dialogue.modelAsked && valueOf(state, name) === undefined;
}

/** Keeps the known value if the caller answers "the same" to a slot that is asked for again. */
function valueKept({ graph, state }: Moment, { name }: GraphSlot, text: string): SaidSlot {
  const known = valueOf(state, name);
  if (known === undefined || !state.knowledge.askAgain.includes(name) || !graph.reader.keeps(text)) return undefined;
  return { slot: name, value: known.value };
}

/** Chooses between two slots that the words may fill: the one whose rules accept the value, or neither if both do. */
export function oneOf(moment: Moment, one: SaidSlot, other: SaidSlot): SaidSlot {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.slot === other.slot) return one;
  if (confirmationIn(moment.state) !== undefined) return !fits(moment, one) && fits(moment, other) ? other : one;
  // "I meant thirty of us" is surely a number of people, and hardly the thirtieth.
  if (one.isUnsure === true && other.isUnsure !== true) return other;
  const fit = [one, other].filter((each) => fits(moment, each));
  return fit.length === 1 ? fit[0] : undefined;
}

/** Checks whether the slot's rules accept a value: nine digits are hardly a number of people. */
function fits({ graph, civil }: Moment, { slot: name, value }: NonNullable<SaidSlot>): boolean {
  const slot = graph.slots.get(name);
  return slot !== undefined && withinRules(slot, { ok: true, value }, civil).ok;
}

/**
 * Returns a new value for a slot that the caller has filled, if the text corrects the old
 * one: "no, sorry, I meant". The latest slot comes first, whichever slot is asked for.
 */
export function correctionSaid(moment: Moment, text: string): SaidSlot {
  const { graph, state } = moment;
  const told = Object.entries(state.knowledge.slots).flatMap(([name, known]) => {
    const { source, grounded } = known;
    const turn = grounded === false || (source?.kind !== 'said' && source?.kind !== 'correction') ? 0 : source.turn;
    return turn === 0 ? [] : [{ slot: graph.slots.get(name), value: valueToAsk(known), turn }];
  });
  const last = Math.max(...told.map(({ turn }) => turn));
  const correctedIn = (some: typeof told): readonly NonNullable<SaidSlot>[] =>
    some.flatMap(({ slot, value }) => {
      if (slot === undefined || typeOf(slot).isYesOrNo === true) return [];
      const found = valueSaid(moment, slot, text, !tellsItself(moment, slot));
      if (found === undefined || found.value === value) return [];
      if (typeOf(slot).readAs !== 'name') return [found];
      // Almost any few words can be read as a name and may answer the current question. A single word hardly corrects a name
      // without a no, or at a question about something else.
      const isNo = graph.reader.leaning(text) === 'no' || graph.reader.consent(text).leansNo === true;
      const isLong = /\S\s+\S/.test(typeof found.value === 'string' ? found.value : '');
      const isName = isLong || (isNo && mayCorrectName(moment, slot, text));
      return isName ? [{ ...found, isUnsure: true as const }] : [];
    });
  const newest = correctedIn(told.filter(({ turn }) => turn === last));
  // An earlier slot is corrected by a value of the same kind that no other known slot accepts.
  const said = newest.length > 0 ? newest : correctedIn(told.filter(({ turn }) => turn !== last));
  return theOne(moment, said);
}

/** Returns the only value, or the only value within the rules of its slot. */
function theOne(moment: Moment, said: readonly NonNullable<SaidSlot>[]): SaidSlot {
  if (said.length === 1) return said[0];
  const fit = said.filter((each) => fits(moment, each));
  return fit.length === 1 ? fit[0] : undefined;
}

/**
 * Checks whether a value of the slot corrects it without correcting words, because the question is about no
 * other value of its form. "My number is 415 555 0000" to "Shall I book Friday?" means the known number.
 */
function tellsItself({ graph, state }: Moment, slot: GraphSlot): boolean {
  const subject = confirmationIn(state)?.payload.subject;
  const { isPersonal, readAs } = typeOf(slot);
  // Almost any few words can be read as a name.
  if (subject === undefined || state.dialogue.modelAsked || isPersonal !== true || readAs === 'name') return false;
  const asked = subject.kind === 'slot' ? graph.slots.get(subject.slot) : undefined;
  return asked === undefined || typeOf(asked).readAs !== readAs;
}

/** Returns the new value for a slot of the call that waits for a yes; undefined unless the text changes exactly one slot. */
function slotCorrected(moment: Moment, call: ToolPayload, text: string): SaidSlot {
  const { graph, state } = moment;
  const about = slotsOfQuestion(graph, state, call);
  const names = namesOfQuestion(graph, state, call);
  const named = about.filter(({ name }) => names === null || names.includes(name));
  const said = about.flatMap((slot) => {
    // "Yesterday" to a question that names a day is about that day. Correcting words are needed to change another date.
    const mustCorrect = !named.includes(slot) && named.some((one) => typeOf(one).readAs === typeOf(slot).readAs);
    const value = typeOf(slot).isYesOrNo === true ? undefined : valueSaid(moment, slot, text, mustCorrect);
    const known = state.knowledge.slots[slot.name];
    // The question names a proposed value; the known one corrects it.
    if (value === undefined || (known !== undefined && value.value === valueToAsk(known))) return [];
    // "Yes, we have one" agrees and does not count.
    if (value.value === 1 && graph.reader.consent(text).leansYes === true) return [];
    // Almost any few words can be read as a name, so correcting one requires a no.
    const isName = typeOf(slot).readAs === 'name';
    if (isName && (value.isUnsure === true || graph.reader.leaning(text) !== 'no')) return [];
    return mayCorrectName(moment, slot, text) ? [value] : [];
  });
  return theOne(moment, said);
}

/**
 * Returns the one value that the words add to a yes or a no at an open question: "yes, but there are three of us". It may
 * be of any slot, also if the question does not name it. Without a yes or a no, only of a slot that the node lacks.
 */
export function addedSaid(moment: Moment, text: string): SaidSlot {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject === undefined || state.dialogue.modelAsked) return undefined;
  const behind = graph.reader.behindAnswer(text);
  if (behind === null && subject.kind !== 'slot') return undefined;
  const rest = text.slice(behind?.start ?? 0);
  const lacking = nodeOf(graph, state, state.position.node)?.collect ?? [];
  const said = [...graph.slots.values()].flatMap((slot) => {
    const known = valueOf(state, slot.name);
    if (behind === null && (known !== undefined || !lacking.includes(slot.name))) return [];
    const value = showsSlot(moment, slot, rest) ? valueSaid(moment, slot, rest) : undefined;
    return value === undefined || value.isUnsure === true ? [] : [{ ...value, known }];
  });
  const [only] = said;
  if (only === undefined || said.length > 1) return undefined;
  const { known, ...value } = only;
  if (known !== undefined && sameValue(valueToAsk(known), value.value)) return undefined;
  const isBeside = subject.kind === 'slot' && subject.slot !== value.slot;
  return { ...value, ...(behind?.answer === 'yes' && isBeside ? { agrees: true as const } : {}) };
}

/** Checks whether words show that they are of a slot that no question asks for: "three of us", and not "three". */
function showsSlot(moment: Moment, slot: GraphSlot, text: string): boolean {
  const { graph, civil } = moment;
  const { readAs, isTold } = typeOf(slot);
  if (isTold !== true) return false;
  const found = graph.reader.value(readAs, text, { ...readingOptions(slot, civil), asked: readAs !== 'name' });
  if (!found.ok || !found.certain) return false;
  if (readAs !== 'integer' && readAs !== 'number') return true;
  // "Yes, we have one" only agrees.
  if (found.value === 1) return false;
  return graph.reader.wordCount(text) > graph.reader.wordCount(sayValue(moment, slot, found.value));
}
