import type { Json } from '../../../model/json.ts';
import { kindClass } from '../asked-fields.ts';
import { countWords, type Field } from '../field.ts';
import { type AnswerOptions, readAnswer } from './read-answer.ts';
import { type Claim, readByCues } from './read-by-cues.ts';
import { countsDays, weeksIn } from './read-number.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';
import { answersBeside, isAboutCaller, nameBeside } from './answers-beside.ts';
import { isPartOfAnother, mayReplaceName } from './doubtful-answer.ts';
import { readRange } from './read-range.ts';
import { segmentsOf } from './segments.ts';

/** A value that the caller said, with its field. */
export interface Heard {
  readonly field: Field;
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly asked: boolean;
}

/** Why the value that was asked for could not be read. */
export interface Unclear {
  readonly field: Field;
  readonly problem: Extract<ParameterReading, { ok: false }>['problem'];
  readonly missing?: string;
  readonly candidates?: readonly (string | number | boolean)[];
}

export interface HearOptions extends AnswerOptions {
  /** Fields that the agent's last words asked for, the likeliest first. */
  readonly asked: readonly Field[];
}

type Reading = Extract<ParameterReading, { ok: true }>;

/**
 * Reads the values of a sentence. Fields that were asked for may be answered with the value alone. Others need words
 * that identify the value and, if several fields could take it, the field.
 */
export function hear(
  given: string,
  fields: readonly Field[],
  options: HearOptions,
): { heard: Heard[]; unclear: Unclear[] } {
  // Opening words of correction would be applied to the words that follow.
  const opening =
    /^\W*(?:(?:actually|oh|wait|sorry|i mean|i meant|make (?:it|that)|no(?=\s*,|\s+(?:actually|wait|sorry|i|i'm|we|it|it's|on|at|the|make|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b))\b\W*)+/i.exec(
      given,
    )?.[0];
  const words = opening === undefined ? given : ' '.repeat(opening.length) + given.slice(opening.length);
  // "Leo Braun born on …": the words after the name do not belong to it. "Thursday's good": the ending is not part of
  // the day.
  const text = withoutRefusedDays(
    words.replaceAll(/ (?=born\b)/gi, ',').replaceAll(/(?<=day|tomorrow)'s(?= )/gi, '  '),
  );
  const topics = topicsOf(fields);
  const asked = topics.filter((topic) =>
    options.asked.some((each) => each.name === topic.name && each.kind === topic.kind),
  );
  const heard = new Map<string, Heard>();
  const unclear: Unclear[] = [];
  const take = (field: Field, reading: Reading, isAsked: boolean): void => {
    const { value, start } = reading;
    // A yes refers to the question and uses no words of other values.
    const end = field.kind === 'boolean' ? start : reading.end;
    heard.set(field.name, { field, value, start, end, asked: isAsked });
  };
  // Different functions may use the same words. Within a function each word belongs to one argument.
  const claims: Claim[] = [];
  const isFree = (field: Field, reading: Reading): boolean =>
    [...heard.values()].every(
      (each) => each.field.tool !== field.tool || reading.end <= each.start || each.end <= reading.start,
    ) &&
    claims.every(
      (claim) =>
        claim.field.name === field.name ||
        kindClass(claim.field.kind) !== kindClass(field.kind) ||
        reading.end <= claim.start ||
        claim.end <= reading.start,
    );
  const tools = [...new Set(topics.map((topic) => topic.tool))];

  for (const kind of COMPETING)
    for (const tool of tools) {
      const rivals = topics.filter((topic) => kindClass(topic.kind) === kind && topic.tool === tool);
      const range = readRange(text, rivals, options);
      for (const { field, reading } of range) if (isFree(field, reading)) take(field, reading, false);
      const { found, claimed } = range.length > 0 ? noCues : readByCues(text, rivals, asked, options);
      claims.push(...claimed);
      for (const { field, reading } of found) if (isFree(field, reading)) take(field, reading, false);
    }
  for (const field of asked) {
    if (
      heard.has(field.name) ||
      field.kind === 'text' ||
      (field.kind === 'name' && isChoiceWord(text, topics, options))
    )
      continue;
    const answer = field.kind === 'boolean' || field.kind === 'enum' ? given : text;
    const all = readAnswer(answer, field, options);
    // "March fourth, 1984. And December first": the addition answers another question.
    const [first = '', added] = answer.split(ADDED, 2);
    const reading = all.ok || added === undefined ? all : readAnswer(first, field, options);
    if (reading.ok && isPartOfAnother(field, reading, text, topics, options)) continue;
    if (reading.ok && field.kind === 'name' && !mayReplaceName(given, field, reading, options)) continue;
    if (reading.ok && field.kind === 'name' && isDenial(text, text.slice(reading.start, reading.end))) continue;
    if (reading.ok && isFree(field, reading)) take(field, reading, true);
    else if (!reading.ok && reading.problem !== 'not-found' && !hasKind(heard, field))
      unclear.push({ ...reading, field });
  }
  for (const kind of BY_PRECISION) {
    const open = topics.filter((topic) => topic.kind === kind && !heard.has(topic.name) && !asked.includes(topic));
    const isAskedKind = asked.some((field) => kindClass(field.kind) === kindClass(kind) && !isChoice(kind));
    if (isAskedKind) continue;
    for (const tool of tools) {
      const rivals = open.filter((topic) => topic.tool === tool);
      const [only, second] = rivals;
      if (only !== undefined && second === undefined && !isChoice(kind)) {
        const doubt = readParameter(only, text, { ...options, asked: false });
        if (!doubt.ok && doubt.problem === 'ambiguous') unclear.push({ ...doubt, field: only });
      }
      const readings = rivals.flatMap((field) => {
        const reading = readUnasked(isChoice(kind) ? given : text, field, options, rivals);
        return reading !== undefined && isFree(field, reading) ? [{ field, reading }] : [];
      });
      for (const { field, reading } of readings) {
        const overlaps = readings.some(
          (each) => each.field !== field && each.reading.start < reading.end && reading.start < each.reading.end,
        );
        if (!overlaps) take(field, reading, false);
      }
    }
  }
  const inDays = topics.filter((topic) => countsDays(topic));
  const [counting, more] = inDays;
  const weeks =
    counting === undefined || more !== undefined || heard.has(counting.name) ? undefined : weeksIn(counting, text);
  if (counting !== undefined && weeks?.ok === true && isFree(counting, weeks)) take(counting, weeks, false);
  for (const { field, reading } of answersBeside(given, topics))
    if (!heard.has(field.name) && !asked.includes(field)) take(field, reading, false);
  // "Anna Berg" to "Shall we go on?" answers the question before.
  const isAlone = heard.size === 0 && asked.length === 0 && segmentsOf(text).length === 1;
  const beside = heard.size === 0 && !isAlone ? undefined : nameBeside(text, topics, options);
  if (beside !== undefined && !heard.has(beside.field.name) && isFree(beside.field, beside.reading))
    take(beside.field, beside.reading, false);
  const said = [...heard.values()];
  for (const field of said.length === 0 ? [] : asked) {
    if (heard.has(field.name) || field.kind === 'text') continue;
    const rest = without(text, said);
    const isCount = kindClass(field.kind) === 'number';
    const readings = [rest, ...(isCount || field.kind === 'name' ? freeParts(text, said) : [])]
      .map((part) => readAnswer(part, field, options))
      .filter((reading) => reading.ok);
    const [reading, other] = readings;
    // "Three, and the zip is …": the number must be the same in its part and in the whole sentence.
    const isOne = other === undefined || (isCount && readings.every((each) => each.value === reading?.value));
    if (reading !== undefined && isOne) take(field, reading, true);
  }
  return { heard: [...heard.values()], unclear: unclear.filter((each) => !heard.has(each.field.name)) };
}

/** A new sentence with another topic. */
const ADDED = /[.!](?=\s+and\b)/i;

const noCues: ReturnType<typeof readByCues> = { found: [], claimed: [] };

/** A sentence with more parts does not contain a name. */
const MOST_PARTS = 8;

/**
 * Returns the parts of a sentence without values, at their positions: "Anders Holm" of "Anders Holm, and I was born on
 * …".
 */
function freeParts(text: string, said: readonly Heard[]): string[] {
  const segments = segmentsOf(text);
  const isFree = (start: number, end: number): boolean => said.every((each) => each.end <= start || end <= each.start);
  return segments
    .filter(
      (segment) =>
        segments.length > 1 &&
        segments.length <= MOST_PARTS &&
        isFree(segment.start, segment.start + segment.text.length),
    )
    .map((segment) => ' '.repeat(segment.start) + segment.text);
}

/** Removes days on which the caller cannot come: "I can't make my lesson tomorrow". */
function withoutRefusedDays(text: string): string {
  return text.replaceAll(REFUSED_DAYS, (clause) => ' '.repeat(clause.length));
}

const REFUSED_DAYS =
  /\b(?:can't|cannot|can not|couldn't|won't be able to|not able to|unable to)\s+(?:\p{L}+\s+){0,2}?(?:make|come|attend|keep|get)\b(?!\s+(?:it\s+)?(?:before|after|until|till|any|there))(?:(?!\b(?:but|so|and|can|could|only|maybe)\b)[^,.;!?])*/giu;

/** Checks whether the words name a value of a choice, and so no person: "electric, please". */
function isChoiceWord(text: string, topics: readonly Field[], options: HearOptions): boolean {
  if (countWords(text) > 3) return false;
  return topics.some((topic) => isChoice(topic.kind) && readUnasked(text, topic, options, [topic]) !== undefined);
}

/** Replaces the positions of values with blanks. */
function without(text: string, said: readonly Heard[]): string {
  return said.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);
}

/** Kinds of which a conversation often needs two values, so that words must identify the field. */
const COMPETING = ['date', 'time', 'number', 'code', 'name', 'phone'];
/** Ordered from the most to the least reliable kind. */
const BY_PRECISION: readonly Field['kind'][] = [
  'email',
  'phone',
  'code',
  'date-time',
  'date',
  'time',
  'choices',
  'enum',
  'name',
];

function isChoice(kind: Field['kind']): boolean {
  return kind === 'enum' || kind === 'choices';
}

function hasKind(heard: ReadonlyMap<string, Heard>, field: Field): boolean {
  return [...heard.values()].some((each) => kindClass(each.field.kind) === kindClass(field.kind));
}

/** Returns one field per name and kind. */
function topicsOf(fields: readonly Field[]): Field[] {
  const topics = new Map<string, Field>();
  for (const field of fields) {
    const key = `${field.name}\n${field.kind}`;
    if (!topics.has(key)) topics.set(key, field);
  }
  return [...topics.values()];
}

/** Reads a value that was not asked for, if its form or its words identify it. */
function readUnasked(text: string, field: Field, options: HearOptions, rivals: readonly Field[]): Reading | undefined {
  const bare = readParameter(field, text, { ...options, asked: false });
  const reading = !bare.ok && field.kind === 'name' ? nameInFront(field, text, options) : bare;
  if (!reading.ok) return undefined;
  if (isChoice(field.kind)) {
    const said = text.slice(reading.start, reading.end);
    return NO_CHOICE.test(typeof reading.value === 'string' ? reading.value : '') || REFUSAL.test(said)
      ? undefined
      : reading;
  }
  // A code is identified by its form only if the schema has a pattern.
  if (field.kind === 'code' && (typeof field.schema['pattern'] !== 'string' || asLength(reading.value) < 4))
    return undefined;
  if (rivals.length > 1) {
    if (field.kind === 'name')
      return isAboutCaller(field) && rivals.filter(isAboutCaller).length === 1 ? reading : undefined;
    // Of a past date and a future date, only one can match.
    const able = rivals.filter((rival) => readParameter(rival, text, { ...options, asked: false }).ok);
    if (able.length > 1) return undefined;
  }
  if (field.kind !== 'date') return reading;
  // "I forgot my jacket on Thursday" is not a future date.
  const isTold = field.direction !== 'past' && PAST_CLAUSE.test(clauseBefore(text, reading.start));
  return reading.certain && !isTold ? reading : undefined;
}

function clauseBefore(text: string, at: number): string {
  return /[^,.;!?]*$/.exec(text.slice(0, at))?.[0] ?? '';
}

const PAST_CLAUSE =
  /\b(?:i|we|you|he|she|it|they|(?:my|our|the) \p{L}+)\s+(?:(?:have|has|already|just|only|really|never|must have|'ve)\s+)?(?:was|were|had|did|forgot|left|lost|broke|came|went|bought|saw|got|took|fell|ran|spoke|told|(?!(?:need|want|hop|wonder|like|lov|prefer|schedul)ed\b)\p{L}{3,}ed)\b(?!.*\b(?:can|could|would|want|need|like|please)\b)/iu;

/** Reads a full name at the start: "Leo Braun, born on …", "Leo Braun calling". */
function nameInFront(field: Field, text: string, { now, region }: HearOptions): ParameterReading {
  const reading = readParameter(field, text, { now, region, asked: true });
  const isFull =
    reading.ok &&
    typeof reading.value === 'string' &&
    reading.value.includes(' ') &&
    /^\W*$/.test(text.slice(0, reading.start));
  return isFull && /^\W*(?:born|date of birth|here|calling|speaking)\b/i.test(text.slice(reading.end))
    ? reading
    : { ok: false, problem: 'not-found' };
}

function asLength(value: Json): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Values that could match too many words. */
const NO_CHOICE =
  /^(?:other|others|none|yes|no|unknown|unsure|any|all|true|false|na|n\/a|misc|miscellaneous|general|normal|regular)$/i;
const REFUSAL = /\b(?:rather not|prefer not|none of|no|not|don't|nothing)\b/i;

/** Checks for a sentence that starts with "no": "No entiendo" is not another name. */
function isDenial(text: string, said: string): boolean {
  return /^\s*no\s+\p{Ll}/iu.test(text) && !/\p{Lu}/u.test(said);
}
