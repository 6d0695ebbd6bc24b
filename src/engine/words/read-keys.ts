import type { Act, Utterance } from '../../model/dialogue.ts';
import type { Json } from '../../model/json.ts';
import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { isSealedSlot } from '../../kernel/keys/sealed-slot.ts';
import { withinRules } from '../../kernel/state/slots.ts';
import { readText } from './read-slot.ts';

/** The text of a turn whose keys no log may contain. */
const hiddenKeys = '[keys]';

/** A turn of keys as the session receives it. */
export interface ReadKeys {
  readonly text: string;
  readonly utterance: Utterance;
}

/** Reads the digits that the caller entered for a slot. `seal` encrypts the value of a personal slot. */
export function readEntry(
  { graph, civil }: { readonly graph: Graph; readonly civil: string },
  slot: GraphSlot,
  digits: string,
  seal: (value: Json) => string,
): ReadKeys {
  const isHidden = isSealedSlot(slot);
  const of = { act: 'enter', by: 'keys', slot: slot.name } as const;
  const text = isHidden ? hiddenKeys : digits;
  const { least, most } = slot.dtmf ?? { least: 1, most: 32 };
  if (digits.length < least || digits.length > most)
    return { text, utterance: alone({ ...of, problem: `must have ${countText(least, most)} digits` }) };
  const value = typeOf(slot).ofKeys?.(digits) ?? digits;
  const read = withinRules(slot, readText(graph.reader, slot, value, civil), civil);
  if (!read.ok) return { text, utterance: alone({ ...of, problem: read.problem }) };
  return { text, utterance: alone({ ...of, value: isHidden ? seal(read.value) : read.value }) };
}

/** Reads a key of a menu. */
export function readMenuKey(key: string): ReadKeys {
  return { text: key, utterance: alone({ act: 'press', by: 'keys', key }) };
}

/** Reads keys that may be the digits of a personal slot, pressed when nothing asked for them: they answer nothing. */
export function readStrayKeys(): ReadKeys {
  return { text: hiddenKeys, utterance: alone({ act: 'noise', by: 'keys' }) };
}

function alone(act: Act): Utterance {
  return { acts: [act], rest: false, unfinished: false, foreign: false };
}

function countText(least: number, most: number): string {
  return least === most ? String(least) : `${least} to ${most}`;
}
