import { fillLine } from '../../flow/expression/sentences.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import type { Json } from '../../model/json.ts';
import type { ReasonName, Speech } from '../../model/ports/reader.ts';
import type { Draft } from '../state/draft.ts';
import { sayValue } from '../state/names.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';

/** Limit of listed values; a longer list does not help a listener. */
const mostChoices = 6;

/** Returns a hint for a slot's question, to follow "You can say"; null if there is none. */
export function sayableFor(slot: GraphSlot, { help, anyOf, choiceName }: Speech): string | null {
  const type = typeOf(slot).readAs;
  switch (type) {
    case 'enum': {
      const values = [...slot.values].map(([value, synonyms]) => choiceName(value, synonyms));
      return values.length > 0 && values.length <= mostChoices ? anyOf(values) : null;
    }
    case 'number':
    case 'integer':
      return sayableNumber(slot, help.sayable);
    case 'code':
    case 'text':
      return null;
    case 'name':
    case 'date':
    case 'time':
    case 'phone':
    case 'email':
    case 'boolean':
      return help.sayable[type] || null;
  }
}

function sayableNumber({ minimum, maximum }: GraphSlot, sayable: Speech['help']['sayable']): string {
  const bounds = { least: String(minimum), most: String(maximum) };
  if (minimum !== null && maximum !== null) return fillLine(sayable.fromTo, bounds);
  if (minimum !== null) return fillLine(sayable.from, bounds);
  return maximum === null ? sayable.number : fillLine(sayable.upTo, bounds);
}

/** Returns why a value was rejected, in plain words; empty if the problem means nothing to a caller. */
export function plainReason(draft: Draft, slot: GraphSlot, problem: string): string {
  const { reasons, words } = draft.graph.speech.help;
  const named = (word: string): string => (Object.hasOwn(words, word) ? (words[word] ?? word) : word);
  const missing = INCOMPLETE.exec(problem)?.[1];
  if (missing !== undefined) return fillLine(reasons.missing, { part: named(missing) });
  const bound = /^must be (before|after|at least|at most) (.+)$/.exec(problem);
  if (bound !== null) {
    const [, relation = '', value = ''] = bound;
    const isDay = relation === 'before' || relation === 'after';
    const today = draft.civil.slice(0, 10);
    const said = value === 'today' || value === today ? named('today') : isDay ? sayValue(draft, slot, value) : value;
    return fillLine(reasons[boundReasons[relation] ?? 'impossible'], { bound: said });
  }
  const digits = /^must have (\d+)(?: to (\d+))? digits$/.exec(problem);
  if (digits !== null) {
    const [, least = '', most] = digits;
    return fillLine(most === undefined ? reasons.digits : reasons.digitsFromTo, { least, most: most ?? '' });
  }
  // A day on the wrong side of today.
  if (problem === 'out-of-range' && typeOf(slot).readAs === 'date' && (slot.after ?? slot.before) !== null) {
    const side = slot.after === null ? `before ${slot.before}` : `after ${slot.after}`;
    return plainReason(draft, slot, `must be ${side}`);
  }
  if (problem === 'out-of-range' || problem === 'invalid') return reasons[invalidOf(slot)];
  const reason = problemReasons[problem];
  return reason === undefined ? '' : reasons[reason];
}

/** Returns the sentence that names the values which the caller's words may mean. */
export function oneOfReason(draft: Draft, slot: GraphSlot, candidates: readonly Json[]): string {
  const { help, anyOf } = draft.graph.speech;
  return fillLine(help.reasons.oneOf, { choices: anyOf(candidates.map((value) => sayValue(draft, slot, value))) });
}

/** Checks whether a value lacks a part, such as the last digits of a telephone number. */
export function isIncomplete(problem: string): boolean {
  return INCOMPLETE.test(problem);
}

const INCOMPLETE = /^incomplete: (.+) is missing$/;

const boundReasons: Readonly<Record<string, ReasonName>> = {
  before: 'before',
  after: 'after',
  'at least': 'atLeast',
  'at most': 'atMost',
};

const problemReasons: Readonly<Record<string, ReasonName>> = {
  ambiguous: 'ambiguous',
  'not a whole number': 'notWhole',
  'does not have the required form': 'form',
};

function invalidOf(slot: GraphSlot): ReasonName {
  const type = typeOf(slot).readAs;
  return type === 'phone' || type === 'email' || type === 'date' || type === 'time' ? type : 'impossible';
}
