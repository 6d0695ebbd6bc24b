import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { nextNeed, valueOf } from '../../kernel/state/slots.ts';
import { readingOptions } from './read-slot.ts';
import type { Moment } from '../../kernel/state/names.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/** A longer refusal says something else as well. */
const mostWordsOfRefusal = 8;

/** Checks whether the caller refuses to give a value: few words that lean to a no, without the value of any slot. */
export function declines({ graph, state, civil }: Moment, text: string): boolean {
  const isShort = graph.reader.wordCount(text) <= mostWordsOfRefusal;
  const node = isShort ? nodeOf(graph, state, state.position.node) : null;
  const need = node === null ? null : node.task === null ? nextNeed(graph, state, node) : askedIn(graph, state);
  if (need === null || need.known !== null) return false;
  // "Skip it" leaves out an optional value, but does not refuse a required one.
  const isSkipped = need.slot.optional && graph.reader.consent(text).answer === 'no';
  if (graph.reader.leaning(text) !== 'no' && !isSkipped) return false;
  const heard = (slot: GraphSlot, asked: boolean) => {
    const found = graph.reader.value(typeOf(slot).readAs, text, { ...readingOptions(slot, civil), asked });
    // "I don't have one" does not name a number.
    return found.ok && found.said.toLowerCase() !== 'one' ? found : null;
  };
  // Any words are a valid text, but a plain no means that an optional value stays empty.
  const { slot } = need;
  if (typeOf(slot).isAnyWords === true && slot.optional && graph.reader.consent(text).answer === 'no') return true;
  if (heard(slot, true) !== null) return false;
  // Any text is a text value and any no is a boolean. A refusal may repeat a known value, but not give another one.
  return [...graph.slots.values()].every((slot) => {
    if (typeOf(slot).isTold !== true) return true;
    const told = heard(slot, false);
    const known = valueOf(state, slot.name);
    return told === null || (known !== undefined && (!told.certain || sameValue(told.value, known.value)));
  });
}

/** Returns the slot that a catalog node asked for; the node itself needs no value. */
function askedIn(graph: Graph, state: SessionState): ReturnType<typeof nextNeed> {
  const slot = graph.slots.get(state.dialogue.pendingAskKey ?? '');
  return slot === undefined ? null : { slot, known: valueOf(state, slot.name) ?? null };
}
