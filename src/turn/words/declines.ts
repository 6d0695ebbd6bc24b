import type { Graph, GraphSlot } from '../../graph/graph.ts';
import { sameValue } from '../../expression/same-value.ts';
import { typeOf } from '../../slots/slot-types.ts';
import { nodeOf } from '../../kernel/offers.ts';
import { nextNeed, valueOf } from '../../kernel/slots.ts';
import { readingOptions } from './read-slot.ts';
import type { Moment } from '../../kernel/names.ts';
import type { SessionState } from '../../kernel/state.ts';

/** A refusal with more words than that says something else as well. */
const mostWordsOfRefusal = 8;

/** Whether the caller will not say what is asked for: the words lean to a no, are few, and hold no value of any slot. */
export function declines({ graph, state, civil }: Moment, text: string): boolean {
  const isShort = graph.reader.wordCount(text) <= mostWordsOfRefusal;
  const node = isShort && graph.reader.leaning(text) === 'no' ? nodeOf(graph, state, state.node) : null;
  const need = node === null ? null : node.task === null ? nextNeed(graph, state, node) : askedIn(graph, state);
  if (need === null || need.known !== null) return false;
  const heard = (slot: GraphSlot, asked: boolean) => {
    const found = graph.reader.value(typeOf(slot).readAs, text, { ...readingOptions(slot, civil), asked });
    // "I don't have one" names no number.
    return found.ok && found.said.toLowerCase() !== 'one' ? found : null;
  };
  // Any words are a text, but a plain no leaves out what may stay unsaid.
  const { slot } = need;
  if (typeOf(slot).isAnyWords === true && slot.optional && graph.reader.consent(text).answer === 'no') return true;
  if (heard(slot, true) !== null) return false;
  // Any text is one, and any no is a boolean. What is known already is not said by a refusal; another value of it is.
  return [...graph.slots.values()].every((slot) => {
    if (typeOf(slot).isTold !== true) return true;
    const told = heard(slot, false);
    const known = valueOf(state, slot.name);
    return told === null || (known !== undefined && (!told.certain || sameValue(told.value, known.value)));
  });
}

/** What a catalog node has asked for, which needs nothing itself. */
function askedIn(graph: Graph, state: SessionState): ReturnType<typeof nextNeed> {
  const slot = graph.slots.get(state.pendingAskKey ?? '');
  return slot === undefined ? null : { slot, known: valueOf(state, slot.name) ?? null };
}
