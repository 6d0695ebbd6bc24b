import type { Json, JsonObject } from '../../events/json.ts';
import type { ValueReading } from '../../events/provenance.ts';
import type { GraphSlot } from '../../graph/graph.ts';
import { saidValue } from '../../kernel/dialogue/utterance.ts';
import { typeOf } from '../../slots/slot-types.ts';
import { askedAbout } from './asked-about.ts';
import type { Heard } from './ground-values.ts';
import { readSlot, readingOptions } from './read-slot.ts';

/** What the caller's words say in the place of what the model gives. */
export function taken(value: Json | null): ValueReading | null {
  return value === null ? null : { grounded: true, value };
}

/** The value that is all of the caller's last words, as rules read them for certain; null if there is none for the slot. */
export function surelySaid({ graph, state, now }: Heard, slot: GraphSlot): Json | null {
  const said = saidValue(state.words?.utterance);
  if (said === null || said.slot !== slot.name || !said.certain) return null;
  const typed = readSlot(graph.reader, slot, said.value, now);
  return typed.ok ? typed.value : null;
}

/** The value that the words give in place of another, though rules are not certain of it: it comes before a value that the caller did not say. */
export function takenBackFor({ state }: Heard, slot: GraphSlot): Json | null {
  const said = saidValue(state.words?.utterance);
  return said?.takesBack === true && said.slot === slot.name ? said.value : null;
}

/**
 * The value that stands for certain among other words of the caller's, of a kind that other words are not taken for: the one
 * that the call gives of this kind, and not the answer to the question for another slot of it.
 */
export function valueInWords(heard: Heard, slot: GraphSlot, given: JsonObject): Json | null {
  const { graph, state, turns, now } = heard;
  const { readAs } = typeOf(slot);
  if (!UNMISTAKABLE.has(readAs)) return null;
  const isOfKind = (name: string | null): boolean => {
    const other = name === null ? undefined : graph.slots.get(name);
    return other !== undefined && other !== slot && typeOf(other).readAs === readAs;
  };
  const asked = state.words?.asked ?? null;
  if (Object.keys(given).some(isOfKind) || isOfKind(asked)) return null;
  // Any day that is named is the day; a number or an address may be somebody else's.
  if (readAs !== 'date' && (asked !== slot.name || askedAbout(graph, state, slot, state.saidBefore.text) !== 'this'))
    return null;
  const reading = graph.reader.value(readAs, turns.at(-1) ?? '', readingOptions(slot, now));
  if (!reading.ok || !reading.certain) return null;
  const typed = readSlot(graph.reader, slot, reading.value, now);
  return typed.ok ? typed.value : null;
}

/** Kinds whose values cannot be made of words that say something else. */
const UNMISTAKABLE: ReadonlySet<string> = new Set(['date', 'time', 'phone', 'email']);
