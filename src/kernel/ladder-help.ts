import type { GraphSlot } from '../graph/graph.ts';
import { civilTime } from './civil-time.ts';
import type { Draft } from './draft.ts';
import { sayValue } from './names.ts';
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

/** Why a value could not be taken, in plain words; nothing where the problem tells a caller nothing. */
export function plainReason(draft: Draft, slot: GraphSlot, problem: string): string {
  const missing = /^incomplete: (.+) is missing$/.exec(problem)?.[1];
  if (missing !== undefined) return `The ${missing} is missing.`;
  const bound = /^must be (before|after|at least|at most) (.+)$/.exec(problem);
  if (bound !== null) {
    const [, relation = '', value = ''] = bound;
    const isDay = relation === 'before' || relation === 'after';
    const said = isDay && value !== 'today' ? sayValue(draft.state, draft.at, slot, value) : value;
    const today = civilTime(draft.at, draft.state.timeZone).slice(0, 10);
    return `It must be ${relation} ${value === today ? 'today' : said}.`;
  }
  switch (problem) {
    case 'ambiguous':
      return 'That could mean more than one thing.';
    case 'out-of-range':
      // A day on the wrong side of today.
      if (slot.type === 'date' && (slot.after ?? slot.before) !== null)
        return slot.after === null
          ? plainReason(draft, slot, `must be before ${slot.before}`)
          : plainReason(draft, slot, `must be after ${slot.after}`);
      return invalidOf(slot);
    case 'invalid':
      return invalidOf(slot);
    case 'not a whole number':
      return 'It must be a whole number.';
    case 'does not have the required form':
      return 'That does not have the right form.';
    default:
      return '';
  }
}

function invalidOf({ type }: GraphSlot): string {
  if (type === 'phone') return 'That is not a valid phone number.';
  if (type === 'email') return 'That is not a valid email address.';
  if (type === 'date') return 'There is no such day.';
  return type === 'time' ? 'There is no such time.' : 'That is not possible.';
}
