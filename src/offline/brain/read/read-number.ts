import type { Reading } from '../../../language/english/reading.ts';
import { countPeople } from '../../../language/english/numbers/count-people.ts';
import { featuresOf, likeness } from '../choose/features.ts';
import type { Field } from '../field.ts';
import type { ParameterReading } from './read-parameter.ts';
import { fits } from '../schema.ts';

/** Interprets a number for a field: it may have another unit or be a label; a count may have no numeral. */
export function readNumber(field: Field, text: string, number: Reading, asked: boolean): ParameterReading {
  const people = asked ? countPeople(text, `${field.label} ${field.question}`) : undefined;
  if (people !== undefined && fits(field.schema, people))
    return { ok: true, value: people, start: 0, end: text.length, certain: true };
  if (number.ok && isOfOtherUnit(field, text, number.end)) return { ok: false, problem: 'invalid' };
  if (number.ok && isLabel(field, text, number.start)) return { ok: false, problem: 'not-found' };
  // "Two weeks" is not two nights.
  if (
    number.ok &&
    DAYS.test(`${field.label} ${field.question}`) &&
    /^\s*(?:weeks?|months?)\b/i.test(text.slice(number.end))
  )
    return readCount(field, text) ?? { ok: false, problem: 'invalid' };
  return !number.ok && number.problem === 'not-found' && asked ? (readCount(field, text) ?? number) : number;
}

/** Checks whether a number has another unit than the field: "A hundred and sixty pounds" is not a number of kilos. */
function isOfOtherUnit({ label, question }: Field, text: string, end: number): boolean {
  const unit = UNITS.findIndex((names) => names.test(`${label} ${question}`));
  const said = UNITS.findIndex((names) => new RegExp(`^[\\s-]*(?:${names.source})`, 'i').test(text.slice(end)));
  return unit >= 0 && said >= 0 && said !== unit;
}

const UNITS: readonly RegExp[] = [
  /\b(?:kilos?|kilograms?|kg)\b/i,
  /\b(?:pounds?|lbs?)\b/i,
  /\bstones?\b/i,
  /\b(?:grams?|grammes?)\b/i,
  /\b(?:ounces?|oz)\b/i,
  /\b(?:centimet(?:er|re)s?|cm)\b/i,
  /\b(?:met(?:er|re)s?)\b/i,
  /\b(?:foot|feet|ft)\b/i,
  /\binch(?:es)?\b/i,
  /\bmiles?\b/i,
  /\b(?:kilomet(?:er|re)s?|km)\b/i,
  /\bminutes?\b/i,
  /\bhours?\b/i,
];

/** Checks whether a number is a label, such as "row seven", unless that is asked for. */
function isLabel({ label, question }: Field, text: string, start: number): boolean {
  const thing = LABELLED.exec(text.slice(0, start))?.[1];
  return thing !== undefined && !`${label} ${question}`.toLowerCase().includes(thing.toLowerCase());
}

const LABELLED =
  /\b(row|room|seat|platform|gate|table|flat|apartment|floor|line|bus|tram|route|page|chapter|season|episode|unit|suite|track|terminal|exit|channel|door|locker|aisle)\s+$/i;

/** Reads a count without a numeral: "none", "no kids", and "a week" for nights or days. */
function readCount(field: Field, text: string): ParameterReading | undefined {
  const counted = `${field.label} ${field.question}`;
  const whole = { start: 0, end: text.length, certain: true };
  const denied = /\bno \p{L}+/iu.exec(text)?.[0] ?? '';
  const deniesIt = featuresOf(denied).some((feature) =>
    field.cues.some((cue) => likeness({ ...feature, polarity: 'said' }, { ...cue, polarity: 'said' }) >= 0.75),
  );
  if ((NONE.test(text) || deniesIt) && /\bhow many\b|\bnumber of\b/i.test(counted) && fits(field.schema, 0))
    return { ok: true, value: 0, ...whole };
  if (ONLY_ONE.test(text)) return fits(field.schema, 1) ? { ok: true, value: 1, ...whole } : undefined;
  const weeks = /^\D*?\b(a|one|two|three|four)\s+(weeks?|fortnights?)\b\D*$/i.exec(text);
  if (weeks?.[2] === undefined || !DAYS.test(counted)) return undefined;
  const count = Math.max(1, ['a', 'one', 'two', 'three', 'four'].indexOf((weeks[1] ?? '').toLowerCase()));
  return { ok: true, value: count * (/^fort/i.test(weeks[2]) ? 14 : 7), ...whole };
}

/** Checks whether a field counts nights or days. */
export function countsDays({ kind, label, question }: Field): boolean {
  return kind === 'integer' && DAYS.test(`${label} ${question}`);
}

/** Reads "for a week" or "for two weeks" anywhere in the text, in days. */
export function weeksIn(field: Field, text: string): ParameterReading | undefined {
  const match = /\bfor (?:a|one|two|three|four) (?:weeks?|fortnights?)\b/i.exec(text);
  const days = match === null ? undefined : readCount(field, match[0]);
  if (match === null || days?.ok !== true || !fits(field.schema, days.value)) return undefined;
  return { ...days, start: match.index, end: match.index + match[0].length };
}

const DAYS = /\b(?:nights?|days)\b/i;
const ONLY_ONE = /^\W*(?:(?:oh|um|uh|well|it's|it is)\W+)*(?:just|only) the one\W*$/i;
const NONE =
  /^\W*(?:(?:oh|um|uh|well|no)\W+)*(?:none|nobody|no one|nil|not any|not one)(?: at all| of (?:them|us))?\W*$/i;
