import type { Json, JsonObject } from '../../model/json.ts';
import type { ValueReading } from '../../model/provenance.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { otherEnd, saidValue } from '../../kernel/dialogue/utterance.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { askedAbout } from './asked-about.ts';
import type { Heard } from './ground-values.ts';
import { readSlot, readingOptions, typedValue } from './read-slot.ts';

/** Returns the reading that replaces the model's value with the caller's. */
export function taken(value: Json | null): ValueReading | null {
  return value === null ? null : { grounded: true, value };
}

/**
 * Returns the value that makes up the caller's last words, if the rules are certain of it; null if there is none for the
 * slot. A value that breaks a rule of the slot counts: the caller hears the reason, and not a value of the model.
 */
export function certainValue({ graph, state, now }: Heard, slot: GraphSlot): Json | null {
  const said = saidValue(state.turn.words?.utterance);
  const other = otherEnd(graph, state.turn.words?.utterance, said);
  const value =
    said?.certain !== true ? null : said.slot === slot.name ? said.value : other?.slot === slot ? other.value : null;
  if (value === null) return null;
  const typed = typedValue(graph.reader, slot, value, now);
  return typed.ok ? typed.value : null;
}

/**
 * Returns the value that explicitly replaces an earlier one, even if the rules
 * are not certain. It is preferred to a value that the caller did not say.
 */
export function replacementFor({ state }: Heard, slot: GraphSlot): Json | null {
  const said = saidValue(state.turn.words?.utterance);
  return said?.takesBack === true && said.slot === slot.name ? said.value : null;
}

/**
 * Returns a value that is certain among other words, for kinds that are not confused with other
 * words. Null if the call gives another slot of this kind, or another such slot was asked for.
 */
export function valueInWords(heard: Heard, slot: GraphSlot, given: JsonObject): Json | null {
  const { graph, state, turns, now } = heard;
  const { readAs } = typeOf(slot);
  if (!UNMISTAKABLE.has(readAs)) return null;
  const isOfKind = (name: string | null): boolean => {
    const other = name === null ? undefined : graph.slots.get(name);
    return other !== undefined && other !== slot && typeOf(other).readAs === readAs;
  };
  const asked = state.turn.words?.asked ?? null;
  if (Object.keys(given).some(isOfKind) || isOfKind(asked)) return null;
  // Any named day is the day, but a number or an address may belong to another person.
  if (
    readAs !== 'date' &&
    (asked !== slot.name || askedAbout(graph, state, slot, state.dialogue.saidBefore.text) !== 'this')
  )
    return null;
  const reading = graph.reader.value(readAs, turns.at(-1) ?? '', readingOptions(slot, now));
  if (!reading.ok || !reading.certain) return null;
  const typed = readSlot(graph.reader, slot, reading.value, now);
  return typed.ok ? typed.value : null;
}

/** Kinds whose values are not confused with other words. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(['date', 'time', 'phone', 'email']);
