import type { Json } from '../../events/json.ts';
import { read, type Reading, type ReadOptions } from '../../language/reading.ts';
import { digitsOf } from '../../language/spoken-numbers.ts';
import { featuresOf, likeness } from './features.ts';
import { enumValue, type Field } from './field.ts';
import { fits, typeOf, withoutNull } from './schema.ts';

export interface ParameterOptions {
  /** Civil local time, YYYY-MM-DDTHH:mm. */
  readonly now: string;
  /** ISO country of phone numbers without a country code. */
  readonly region: string;
  /** Whether the text answers a question for this very value. */
  readonly asked: boolean;
  /** What the agent said last. */
  readonly offer?: string;
  /** How the days are asked for that go with a time: "Which evening?" */
  readonly days?: string;
}

/** A value in the form that its schema asks for, with its place in the text; or why there is none. */
export type ParameterReading =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly start: number;
      readonly end: number;
      readonly certain: boolean;
    }
  | {
      readonly ok: false;
      readonly problem: Extract<Reading, { ok: false }>['problem'];
      readonly missing?: string;
      readonly candidates?: readonly (string | number | boolean)[];
    };

/** Reads one argument out of what the caller said. A value that was not said, or does not fit the schema, is not read. */
export function readParameter(field: Field, text: string, options: ParameterOptions): ParameterReading {
  const reading = readKind(field, text, options);
  if (!reading.ok) return reading;
  const value = asSchemaWants(field, reading.value);
  return value === undefined ? { ok: false, problem: 'out-of-range' } : { ...reading, value };
}

function readKind(field: Field, text: string, options: ParameterOptions): ParameterReading {
  const { asked } = options;
  switch (field.kind) {
    case 'date-time':
      return readMoment(field, text, options);
    case 'choices':
      return readChoices(field, text, options);
    case 'code':
      return readCode(field, text, options);
    case 'text':
      return asked ? readText(text) : { ok: false, problem: 'not-found' };
    case 'unreadable':
      return { ok: false, problem: 'not-found' };
    case 'name': {
      if (/\byour (?:full |first |last )?name\b/i.test(field.question) && /\b(?:his|her|its|their) name\b/i.test(text))
        return { ok: false, problem: 'not-found' };
      const name = read(
        'name',
        asked ? text.replace(/\s+(?:speaking|here|calling)\W*$/i, '') : text,
        optionsFor(field, options),
      );
      const tail = name.ok || !asked ? undefined : readTail(text, optionsFor(field, options));
      if (tail !== undefined) return tail;
      if (name.ok || !asked || !NAMES_A_THING.test(`${field.label} ${field.question}`)) return name;
      return readText(text);
    }
    case 'phone':
      return readPhone(field, text, options);
    case 'enum': {
      const choice = read('enum', text, optionsFor(field, options));
      if (!choice.ok && choice.problem === 'not-found' && asked) return readLikeness(field, text);
      const value = choice.ok ? enumValue(field, String(choice.value)) : undefined;
      return choice.ok ? { ...choice, value: value ?? choice.value } : choice;
    }
    case 'date': {
      const date = read('date', text, optionsFor(field, options));
      // "Make it five" may be the fifth, or five of something.
      const isBare = date.ok && !date.certain && !DAY_WORD.test(text.slice(date.start, date.end));
      return isBare ? { ok: false, problem: 'incomplete', missing: 'month' } : date;
    }
    case 'time': {
      const { offer = '', days = '' } = options;
      const talk = `${field.label} ${field.question} ${offer} ${days} ${text}`;
      return read('time', text, { ...optionsFor(field, options), ...halfOf(talk) });
    }
    case 'number':
    case 'integer': {
      const number = read(field.kind, text, optionsFor(field, options));
      if (number.ok && isOfOtherUnit(field, text, number.end)) return { ok: false, problem: 'invalid' };
      if (number.ok && isLabel(field, text, number.start)) return { ok: false, problem: 'not-found' };
      // "Two weeks" are not two nights.
      if (
        number.ok &&
        DAYS.test(`${field.label} ${field.question}`) &&
        /^\s*(?:weeks?|months?)\b/i.test(text.slice(number.end))
      )
        return readCount(field, text) ?? { ok: false, problem: 'invalid' };
      return !number.ok && number.problem === 'not-found' && asked ? (readCount(field, text) ?? number) : number;
    }
    case 'boolean':
    case 'email':
      return read(field.kind, text, optionsFor(field, options));
  }
}

/** "A hundred and sixty pounds" are not so many kilos, and "five foot ten" is no length in centimetres. */
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

/** "Row seven", "room 5": a number that names something, unless that very thing is asked for. */
function isLabel({ label, question }: Field, text: string, start: number): boolean {
  const thing = LABELLED.exec(text.slice(0, start))?.[1];
  return thing !== undefined && !`${label} ${question}`.toLowerCase().includes(thing.toLowerCase());
}

const LABELLED =
  /\b(row|room|seat|platform|gate|table|flat|apartment|floor|line|bus|tram|route|page|chapter|season|episode|unit|suite|track|terminal|exit|channel|door|locker|aisle)\s+$/i;

/** The half of the day in which people dine or have breakfast. */
function halfOf(text: string): Pick<ReadOptions, 'half'> {
  const [isLate, isEarly] = [EVENING.test(text), MORNING.test(text)];
  return isLate === isEarly ? {} : { half: isLate ? 'pm' : 'am' };
}

const EVENING = /\b(?:dinner|supper|evening|tonight|after work|concert|opera|cocktails?)\b/i;
const MORNING = /\b(?:breakfast|brunch|morning)\b/i;

/** A count that is said without a numeral: "none", "no kids", and "a week" where nights or days are counted. */
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

const DAYS = /\b(?:nights?|days)\b/i;
const ONLY_ONE = /^\W*(?:(?:oh|um|uh|well|it's|it is)\W+)*(?:just|only) the one\W*$/i;
const NONE =
  /^\W*(?:(?:oh|um|uh|well|no)\W+)*(?:none|nobody|no one|nil|not any|not one)(?: at all| of (?:them|us))?\W*$/i;

const DAY_WORD =
  /day\b|week|month|year|tomorrow|tonight|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d(?:st|nd|rd|th)|first|second|third|th\b|\d[-/.]\d/i;

/** Names that no list of people's names knows. */
const NAMES_A_THING =
  /\b(?:name of (?:the|your|a|an) (?!caller|person|guest|customer|patient|child)|(?:street|company|business|product|medication|medicine|drug|school|hotel|item|brand|model|book|title|pet|dog|cat|animal)(?:'s)? name|(?:pet|dog|cat|animal|company|school)\b)/i;

/** "The account is under Bob Stone": what stands at the end, behind a word that leads up to a name. */
function readTail(text: string, options: ReadOptions): ParameterReading | undefined {
  const lead = /^.*\b(?:under|name is|name's|called|named|by|as|for)\s+/is.exec(text)?.[0].length;
  if (lead === undefined) return undefined;
  const name = read('name', text.slice(lead), options);
  return name.ok && name.certain ? { ...name, start: name.start + lead, end: name.end + lead } : undefined;
}

function optionsFor(field: Field, options: ParameterOptions): ReadOptions {
  return {
    now: options.now,
    region: options.region,
    values: field.values,
    asked: options.asked,
    ...(field.direction === undefined ? {} : { direction: field.direction }),
  };
}

/** The caller's own words, less what only opens the answer. "The same as last time" tells nothing that is known here. */
function readText(text: string): ParameterReading {
  const opening =
    /^\s*(?:(?:yes|yeah|yep|sure|okay|ok|well|um|uh|so|oh|please)\b[\s,.!]*)*(?:(?:it|that)(?:'s| is| would be|'d be)\s+(?=\d|the |a |an |number ))?/i.exec(
      text,
    )?.[0].length ?? 0;
  if (/^(?:the |my )?same\b/i.test(text.slice(opening))) return { ok: false, problem: 'not-found' };
  const reading = read('text', text.slice(opening), { now: '' });
  if (!reading.ok) return reading;
  const { value, start, end, certain } = reading;
  return { ok: true, value, start: start + opening, end: end + opening, certain };
}

function readPhone(field: Field, text: string, options: ParameterOptions): ParameterReading {
  return read('phone', text, optionsFor(field, options));
}

function readMoment(field: Field, text: string, options: ParameterOptions): ParameterReading {
  const date = read('date', text, optionsFor(field, options));
  const time = read('time', text, optionsFor(field, options));
  if (!date.ok && !time.ok) return date.problem === 'not-found' ? time : date;
  if (!date.ok) return date.problem === 'not-found' ? { ok: false, problem: 'incomplete', missing: 'date' } : date;
  if (!time.ok) return time.problem === 'not-found' ? { ok: false, problem: 'incomplete', missing: 'time' } : time;
  const [start, end] = [Math.min(date.start, time.start), Math.max(date.end, time.end)];
  return { ok: true, value: `${date.value}T${time.value}:00`, start, end, certain: date.certain && time.certain };
}

/** The one value that an answer means in other words: "toothache" where "ache" is listed, "it was nicked" where "stolen" is. */
function readLikeness(field: Field, text: string): ParameterReading {
  const said = featuresOf(text).filter(({ start }) => !EXCEPTED.test(text.slice(0, start)));
  const fitting = [...field.values].flatMap(([key, synonyms]) => {
    const meant = [key, ...synonyms].flatMap((name) => featuresOf(name.replaceAll(/[_-]+/g, ' ')));
    const place = said.find(
      (feature) =>
        feature.polarity === 'said' &&
        meant.some(
          (each) =>
            likeness(feature, each) >= 0.9 ||
            (each.stem.length > 2 && feature.stem.length > each.stem.length + 2 && feature.stem.endsWith(each.stem)),
        ),
    );
    return place === undefined ? [] : [{ key, place }];
  });
  const [only, second] = fitting;
  if (only === undefined || second !== undefined)
    return { ok: false, problem: only === undefined ? 'not-found' : 'ambiguous' };
  return {
    ok: true,
    value: enumValue(field, only.key) ?? only.key,
    start: only.place.start,
    end: only.place.end,
    certain: false,
  };
}

/** "Anything but the stalls". */
const EXCEPTED = /\b(?:any\p{L}*|all|every\p{L}*|not?) (?:but|except(?: for)?)(?: (?:the|a|an))? $/iu;

/** Each value of a list that was said by itself. */
function readChoices(field: Field, text: string, options: ParameterOptions): ParameterReading {
  const found: { value: Json; start: number; end: number }[] = [];
  for (const [key, synonyms] of field.values) {
    const reading = read('enum', text, {
      ...optionsFor(field, options),
      asked: false,
      values: new Map([[key, synonyms]]),
    });
    if (reading.ok) found.push({ value: enumValue(field, key) ?? key, start: reading.start, end: reading.end });
  }
  const [first] = found;
  if (first === undefined) return { ok: false, problem: 'not-found' };
  return {
    ok: true,
    value: found.map((each) => each.value),
    start: Math.min(...found.map((each) => each.start)),
    end: Math.max(...found.map((each) => each.end)),
    certain: true,
  };
}

interface Code {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A number or a code that is dictated or written: "four eight two", "A B 1 2 3", "PX-20417". */
function readCode(field: Field, text: string, { now }: ParameterOptions): ParameterReading {
  const day = read('date', text, { now });
  const isDay = (code: Code): boolean => day.ok && code.start < day.end && day.start < code.end;
  const codes = codesIn(text).filter((code) => !isDay(code));
  const fitting = codes.filter((code) => asSchemaWants(field, code.text) !== undefined);
  const [code] = fitting;
  const distinct = [...new Set(fitting.map((each) => each.text))];
  if (code === undefined) return { ok: false, problem: codes.length > 0 ? 'invalid' : 'not-found' };
  if (distinct.length > 1) {
    const longest = fitting.toSorted((one, other) => other.text.length - one.text.length);
    const [first, second] = longest;
    if (first === undefined || second === undefined || second.text.length > 2 || first.text.length < 4)
      return { ok: false, problem: 'ambiguous', candidates: distinct };
    return { ok: true, value: first.text, start: first.start, end: first.end, certain: true };
  }
  return { ok: true, value: code.text, start: code.start, end: code.end, certain: true };
}

const CODE =
  /(?<![\p{L}\d])(?:[\p{L}\d]*\d[\p{L}\d]*|\p{Lu}{1,4}|\p{L})(?:(?:\s*[-–/]\s*|\s+|,\s+)(?:[\p{L}\d]*\d[\p{L}\d]*|\p{Lu}{1,4}|\p{L}|dash)(?![\p{L}\d']))*(?![\p{L}\d'])/gu;

function codesIn(text: string): Code[] {
  const digits = digitsOf(text);
  const codes: Code[] = [];
  let from = 0;
  for (const match of digits.matchAll(CODE)) {
    const written = match[0]
      .replace(/^(?:[ai]\s+)(?=\S*[\d])/, '')
      .replaceAll(/\s*\bdash\b\s*/g, '-')
      .replaceAll(/(?<=[\p{L}\d])[\s,]+(?=[\p{L}\d])/gu, '')
      .trim();
    const isCode = /\d/.test(written) && written.length > 1 && !/\d(?:st|nd|rd|th)\b/i.test(match[0]);
    if (!isCode) continue;
    const spelled = /[\p{L}]\s+[\p{L}\d]/u.test(match[0]) ? written.toUpperCase() : written;
    // Only where numbers stand as they were written does the place in the text hold.
    const at = text.indexOf(match[0].trim(), from);
    from = at < 0 ? from : at;
    codes.push({ text: spelled, start: at < 0 ? 0 : at, end: at < 0 ? text.length : at + match[0].trim().length });
  }
  return codes;
}

/** The value as the schema wants it, or undefined where it cannot be brought into that form without a change of meaning. */
function asSchemaWants(field: Field, value: Json): Json | undefined {
  const schema = withoutNull(field.schema);
  if (typeof value === 'string' && typeOf(schema) === 'string') {
    const variants =
      field.kind === 'code'
        ? [value, value.toUpperCase(), value.toLowerCase(), value.replaceAll(/[-\s]/g, '')]
        : [value];
    if (field.kind === 'phone') variants.push(value.replace(/^\+1(?=\d{10}$)/, ''), value.replace(/^\+/, ''));
    // The caller's moment, written with the zone that some schemas demand.
    if (field.kind === 'date-time') variants.push(`${value}Z`);
    return variants.find((variant) => fits(field.schema, variant));
  }
  return fits(field.schema, value) ? value : undefined;
}
