import type { Graph, GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { readingOptions } from './read-slot.ts';

/**
 * Returns a text without the values of slots other than `own`, and without the "no" that introduces a
 * correction. For a yes or no, clauses that name a choice are removed too. Null if the text has no such value.
 */
export function withoutOtherValues(graph: Graph, own: GraphSlot, text: string, now: string): string | null {
  let rest = text;
  for (const slot of graph.slots.values()) {
    const { readAs, isTold, isMeaning } = typeOf(slot);
    // The same words may mean two choices.
    if (slot === own || isTold !== true || (isMeaning === true && typeOf(own).isYesOrNo !== true)) continue;
    const found = graph.reader.value(readAs, rest, readingOptions(slot, now));
    if (!found.ok || (readAs === 'name' && !isWrittenAsName(found.said))) continue;
    const start = found.corrects === true ? 0 : isMeaning === true ? clauseStart(rest, found.start) : found.start;
    const end = isMeaning === true ? clauseEnd(rest, found.end) : found.end;
    rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  return rest === text ? null : rest;
}

/** Almost any few words can be read as a name, so at least two capitalised words are required. */
function isWrittenAsName(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
  return words.length > 1 && words.every((word) => /^\p{Lu}/u.test(word));
}

const CLAUSE_ENDS = /[.!?;:,…]/;

function clauseStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !CLAUSE_ENDS.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function clauseEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !CLAUSE_ENDS.test(text.charAt(end))) end += 1;
  return end;
}
