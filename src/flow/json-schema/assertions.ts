import { isJsonObject, type Json } from '../../model/json.ts';
import { closestName } from '../document/problems/suggestion.ts';
import { countOf, isList, type Keyword, numberOf, patternOf, textsOf } from './fault.ts';
import { type Rule, Unchecked, violated } from './visit.ts';
import { counted } from '../../model/ports/counted.ts';

/** Keywords that check the value itself. Each returns its rule, or null if it requires nothing. */
export const assertions: Readonly<Record<string, (keyword: Keyword) => Rule | null>> = {
  type(keyword) {
    const names = isList(keyword.value) ? keyword.value : [keyword.value];
    const known: (typeof kinds)[string][] = [];
    for (const name of names) {
      const kind = typeof name === 'string' && Object.hasOwn(kinds, name) ? kinds[name] : undefined;
      if (kind !== undefined) {
        known.push(kind);
        continue;
      }
      const close = typeof name === 'string' ? closestName(name, Object.keys(kinds)) : undefined;
      const hint = close === undefined ? `There are ${Object.keys(kinds).join(', ')}.` : `Did you mean "${close}"?`;
      return keyword.fault(`${JSON.stringify(name)} is not a JSON Schema type.`, { hint });
    }
    const wanted = known.map(({ text }) => text).join(' or ');
    return (value, visit) =>
      known.some(({ takes }) => takes(value)) || violated(visit, `it must be ${wanted}`, { isOtherType: true });
  },
  enum(keyword) {
    const { value: allowed, fault } = keyword;
    if (!isList(allowed) || allowed.length === 0) return fault('it must list at least one value.');
    const texts = new Set(allowed.map(canonical));
    const shown =
      allowed.length > mostShown ? 'one of the values of its schema' : `one of: ${allowed.map(shownAs).join(', ')}`;
    return (value, visit) => texts.has(canonical(value)) || violated(visit, `it must be ${shown}`);
  },
  const({ value: wanted }) {
    const text = canonical(wanted);
    return (value, visit) => canonical(value) === text || violated(visit, `it must be ${shownAs(wanted)}`);
  },
  minimum(keyword) {
    const least = numberOf(keyword);
    // In draft 4, the exclusive bound is a flag for this one.
    const isExclusive = keyword.schema['exclusiveMinimum'] === true;
    if (least === null) return null;
    return ofNumber(
      (value) => (isExclusive ? value > least : value >= least),
      `${isExclusive ? 'above' : 'at least'} ${least}`,
    );
  },
  maximum(keyword) {
    const most = numberOf(keyword);
    const isExclusive = keyword.schema['exclusiveMaximum'] === true;
    if (most === null) return null;
    return ofNumber(
      (value) => (isExclusive ? value < most : value <= most),
      `${isExclusive ? 'below' : 'at most'} ${most}`,
    );
  },
  exclusiveMinimum(keyword) {
    const { value, schema } = keyword;
    if (typeof value === 'boolean' && (!value || typeof schema['minimum'] === 'number')) return null;
    const bound = numberOf(keyword);
    return bound === null ? null : ofNumber((one) => one > bound, `above ${bound}`);
  },
  exclusiveMaximum(keyword) {
    const { value, schema } = keyword;
    if (typeof value === 'boolean' && (!value || typeof schema['maximum'] === 'number')) return null;
    const bound = numberOf(keyword);
    return bound === null ? null : ofNumber((one) => one < bound, `below ${bound}`);
  },
  multipleOf(keyword) {
    const step = numberOf(keyword);
    if (step === null) return null;
    if (step <= 0) return keyword.fault('it must be above 0.');
    return ofNumber((value) => isMultiple(value, step), `a multiple of ${step}`);
  },
  minLength(keyword) {
    const least = countOf(keyword);
    return least === null
      ? null
      : ofText((text) => lengthOf(text) >= least, `have at least ${counted(least, 'character')}`);
  },
  maxLength(keyword) {
    const most = countOf(keyword);
    return most === null
      ? null
      : ofText((text) => lengthOf(text) <= most, `have at most ${counted(most, 'character')}`);
  },
  pattern(keyword) {
    const { value: source, fault } = keyword;
    if (typeof source !== 'string') return fault('it must be a text.');
    const pattern = patternOf(keyword, source);
    if (pattern === null) return null;
    return (value, visit) => {
      if (typeof value !== 'string') return true;
      // An unchecked text counts as neither valid nor invalid.
      if (value.length > longestText) throw new Unchecked('it is too long to be held against its pattern');
      return pattern.test(value) || violated(visit, 'it does not have the required form');
    };
  },
  minItems(keyword) {
    const least = countOf(keyword);
    return least === null ? null : ofList((list) => list.length >= least, `have at least ${counted(least, 'item')}`);
  },
  maxItems(keyword) {
    const most = countOf(keyword);
    return most === null ? null : ofList((list) => list.length <= most, `have at most ${counted(most, 'item')}`);
  },
  uniqueItems(keyword) {
    if (typeof keyword.value !== 'boolean') return keyword.fault('it must be true or false.');
    if (!keyword.value) return null;
    return ofList((list) => new Set(list.map(canonical)).size === list.length, 'have no item twice');
  },
  minProperties(keyword) {
    const least = countOf(keyword);
    return least === null
      ? null
      : ofMap((names) => names.length >= least, `have at least ${counted(least, 'property')}`);
  },
  maxProperties(keyword) {
    const most = countOf(keyword);
    return most === null ? null : ofMap((names) => names.length <= most, `have at most ${counted(most, 'property')}`);
  },
  required(keyword) {
    // In draft 3, each property has its own flag.
    const names = textsOf(keyword);
    return names === null ? null : (value, visit) => allPresent(names, value, visit, 'it is required');
  },
  dependentRequired(keyword) {
    const { value: rules, fault } = keyword;
    if (!isJsonObject(rules)) return fault('it must be a map of lists of texts.');
    const entries: (readonly [name: string, names: readonly string[]])[] = [];
    for (const [name, names] of Object.entries(rules)) {
      if (!isList(names) || !names.every((one) => typeof one === 'string'))
        return fault('it must be a list of texts.', {}, name);
      entries.push([name, names]);
    }
    return (value, visit) =>
      entries.every(
        ([name, names]) => !has(value, name) || allPresent(names, value, visit, `it is required beside ${name}`),
      );
  },
};

/** Checks that properties of these names are present. */
export function allPresent(
  names: readonly string[],
  value: Json,
  visit: Parameters<Rule>[1],
  message: string,
): boolean {
  if (!isJsonObject(value)) return true;
  let isFit = true;
  for (const member of names) if (!Object.hasOwn(value, member)) isFit = violated(visit, message, { member });
  return isFit;
}

export function has(value: Json, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name);
}

/** The text limit of our patterns. */
const longestText = 10_000;
/** Limit of enum values in a message. */
const mostShown = 24;

const kinds: Readonly<Record<string, { readonly text: string; readonly takes: (value: Json) => boolean }>> = {
  string: { text: 'a text', takes: (value) => typeof value === 'string' },
  number: { text: 'a number', takes: (value) => typeof value === 'number' },
  integer: { text: 'a whole number', takes: (value) => typeof value === 'number' && Number.isInteger(value) },
  boolean: { text: 'true or false', takes: (value) => typeof value === 'boolean' },
  object: { text: 'an object', takes: isJsonObject },
  array: { text: 'a list', takes: isList },
  null: { text: 'null', takes: (value) => value === null },
};

function ofNumber(holds: (value: number) => boolean, wanted: string): Rule {
  return (value, visit) => typeof value !== 'number' || holds(value) || violated(visit, `it must be ${wanted}`);
}

function ofText(holds: (text: string) => boolean, wanted: string): Rule {
  return (value, visit) => typeof value !== 'string' || holds(value) || violated(visit, `it must ${wanted}`);
}

function ofList(holds: (list: readonly Json[]) => boolean, wanted: string): Rule {
  return (value, visit) => !isList(value) || holds(value) || violated(visit, `it must ${wanted}`);
}

function ofMap(holds: (names: readonly string[]) => boolean, wanted: string): Rule {
  return (value, visit) => !isJsonObject(value) || holds(Object.keys(value)) || violated(visit, `it must ${wanted}`);
}

function shownAs(value: Json): string {
  return JSON.stringify(value);
}

/** Counts code points, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) if ((text.codePointAt(index) ?? 0) > 0xff_ff) length -= 1;
  return length;
}

/** Decimal arithmetic: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const [one, oneShift] = decimal(value);
  const [other, otherShift] = decimal(step);
  const shift = oneShift - otherShift;
  return shift >= 0 ? (one * 10n ** BigInt(shift)) % other === 0n : one % (other * 10n ** BigInt(-shift)) === 0n;
}

/** Splits a number into digits and a power of ten. */
function decimal(value: number): readonly [digits: bigint, shift: number] {
  const [digits = '0', power = '0'] = Math.abs(value).toString().split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  return [BigInt(whole + fraction), Number(power) - fraction.length];
}

/** Returns one text per value, independent of key order. */
function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
