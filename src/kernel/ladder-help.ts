import type { GraphSlot } from '../graph/graph.ts';
import { anyOf } from '../language/lines.ts';

/** More values than these are no help to somebody who listens. */
const mostChoices = 6;

/** What can be said to a slot's question, as it follows "You can say"; null where nothing is known of it. */
export function sayableFor(slot: GraphSlot): string | null {
  switch (slot.type) {
    case 'enum': {
      const values = [...slot.values.keys()].map((value) => value.replaceAll(/[_-]+/g, ' '));
      return values.length > 0 && values.length <= mostChoices ? anyOf(values) : null;
    }
    case 'date':
      return 'a day, such as next Friday or March 4';
    case 'time':
      return 'a time, such as half past two in the afternoon';
    case 'phone':
      return 'the number digit by digit, with its area code';
    case 'email':
      return 'the address letter by letter, with "at" and "dot"';
    case 'number':
    case 'integer':
      return sayableNumber(slot);
    case 'name':
      return 'the first and the last name, or spell it';
    case 'boolean':
      return 'yes or no';
    case 'text':
      return null;
  }
}

function sayableNumber({ minimum, maximum }: GraphSlot): string {
  if (minimum !== null && maximum !== null) return `a number from ${minimum} to ${maximum}`;
  if (minimum !== null) return `a number from ${minimum} up`;
  return maximum === null ? 'a number' : `a number up to ${maximum}`;
}
