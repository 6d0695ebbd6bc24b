import type { Json } from '../../../model/json.ts';
import { leaning } from '../../../language/english/answers/yes-no.ts';
import { read, type Reading, type ReadOptions } from '../../../language/english/reading.ts';
import type { Bounds } from '../../../model/ports/reader.ts';
import { featuresOf, likeness } from '../choose/features.ts';
import { enumValue, type Field } from '../field.ts';
import { readCode } from './read-code.ts';
import { readNumber } from './read-number.ts';
import { readText } from './read-text.ts';
import { asSchemaWants } from '../schema-value.ts';
import { nameWords } from '../../../model/ports/name-words.ts';

export interface ParameterOptions {
  /** Local time, YYYY-MM-DDTHH:mm. */
  readonly now: string;
  /** ISO country of phone numbers without a country code. */
  readonly region: string;
  /** Whether the text answers a question for this value. */
  readonly asked: boolean;
  /** The agent's last words. */
  readonly offer?: string;
  /** The questions for days that belong to a time: "Which evening?" */
  readonly days?: string;
  /** Known values as text, by name. */
  readonly known?: ReadonlyMap<string, string>;
}

/** A value in the form of its schema with its position, or why there is none. */
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

/** Reads one argument from the caller's words. A value that was not said or does not fit the schema is not read. */
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
      return asked ? readText(text, field) : { ok: false, problem: 'not-found' };
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
      return readText(text, field);
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
      // "Since yesterday" is not a bound if the start is asked for.
      const words = BEGINNING.test(`${field.label} ${field.question}`) ? text.replaceAll(/\bsince\b/gi, '     ') : text;
      const date = read('date', words, optionsFor(field, options));
      // "Make it five" may be the fifth, or five of something.
      const isBare = date.ok && !date.certain && !DAY_WORD.test(text.slice(date.start, date.end));
      return isBare ? { ok: false, problem: 'incomplete', missing: 'month' } : date;
    }
    case 'time': {
      const { offer = '', days = '' } = options;
      const talk = `${field.label} ${field.question} ${offer} ${days} ${text}`;
      if (isOfEvent(field, text)) return { ok: false, problem: 'not-found' };
      return read('time', text, { ...optionsFor(field, options), ...halfOf(talk, options.known?.get(field.name)) });
    }
    case 'number':
    case 'integer':
      return readNumber(field, text, read(field.kind, text, optionsFor(field, options)), asked);
    case 'boolean': {
      const answer = read('boolean', text, optionsFor(field, options));
      return !answer.ok && asked ? (readLastWord(text) ?? readTimesDone(field, text) ?? answer) : answer;
    }
    case 'email':
      return read(field.kind, text, optionsFor(field, options));
  }
}

/** Returns the half of the day for meals and evenings. A known evening time stays in the evening. */
function halfOf(text: string, known = ''): Pick<ReadOptions, 'half'> {
  const [isLate, isEarly] = [EVENING.test(text) || known >= '17', MORNING.test(text)];
  return isLate === isEarly ? {} : { half: isLate ? 'pm' : 'am' };
}

const EVENING = /\b(?:dinner|supper|evening|tonight|after work|concert|opera|cocktails?)\b/i;
const MORNING = /\b(?:breakfast|brunch|morning)\b/i;

const BEGINNING = /\b(?:since|start(?:ed|s)?|beg[aiu]n|first)\b/i;

const DAY_WORD =
  /day\b|week|month|year|tomorrow|tonight|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d(?:st|nd|rd|th)|first|second|third|th\b|\d[-/.]\d/i;

/** Checks for the time of another event, unless it is asked for: "My flight leaves at noon". */
function isOfEvent({ question }: Field, text: string): boolean {
  const verb = EVENT.exec(text)?.[1] ?? '';
  return verb !== '' && !featuresOf(question).some(({ stem }) => featuresOf(verb).some((said) => said.stem === stem));
}

const EVENT =
  /\b(?:my|our|the|his|her|their) \p{L}+ (leaves|departs|arrives|lands|starts|begins|ends|finishes|closes|goes|takes off)\b(?!.*,)/iu;

/** Reads an answer at the end: "Through my union, yes", "not yet, no". */
function readLastWord(text: string): ParameterReading | undefined {
  const match = LAST_WORD.exec(text);
  const side = match?.[2] === undefined ? undefined : leaning(match[2]);
  const before = leaning(match?.[1] ?? '');
  if (side === undefined || (before !== undefined && before !== side) || OPEN.test(match?.[1] ?? '')) return undefined;
  return { ok: true, value: side === 'yes', start: 0, end: text.length, certain: false };
}

const LAST_WORD = /^([^?]*),\s*(yes|yeah|yep|no|nope)[\s.!]*$/i;
const OPEN = /\b(?:or|if|but|wait|maybe|perhaps|sure|think|know|was it|oh)\b/i;

/** Reads a count as a yes: "Twice", "once, years ago", "loads of times". */
function readTimesDone({ question }: Field, text: string): ParameterReading | undefined {
  if (!/^(?:have|has|did|do|does)\b/i.test(question) || !TIMES_DONE.test(text)) return undefined;
  return { ok: true, value: true, start: 0, end: text.length, certain: false };
}

const TIMES_DONE =
  /^\W*(?:(?:oh|um|uh|well|about|at least|already|only|just)\b\W*)*(?:once|twice|(?:two|three|four|five|six|several|many|a few|a couple of|loads of|lots of|plenty of|countless|\d+) times)\b(?!.*\b(?:not|never|but|no|\p{L}+n't)\b)(?:\s+(?:already|before|now|at least|or twice|ago|so far))*\s*(?:[,.!]|$)/iu;

/** Names that are not names of people. */
const NAMES_A_THING =
  /\b(?:name of (?:the|your|a|an) (?!caller|person|guest|customer|patient|child)|(?:street|company|business|product|medication|medicine|drug|school|hotel|item|brand|model|book|title|pet|dog|cat|animal)(?:'s)? name|(?:pet|dog|cat|animal|company|school)\b)/i;

/** Reads a name at the end after words that introduce it: "The account is under Bob Stone". */
function readTail(text: string, options: ReadOptions): ParameterReading | undefined {
  const lead =
    /^.*\b(?:under|name is|name's|called|named|by|as|for|my (?:wife|husband|partner|son|daughter|mother|father|mum|mom|dad|brother|sister|neighbou?r|friend|colleague|boss),?)\s+/is.exec(
      text,
    )?.[0].length;
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
    bounds: boundsOf(field, options.now.slice(0, 10)),
  };
}

/** Returns the bounds in the schema and the description. */
function boundsOf({ schema }: Field, today: string): Bounds {
  const description = typeof schema['description'] === 'string' ? schema['description'] : '';
  const [minimum, maximum] = [schema['minimum'], schema['maximum']];
  const bound = (words: string): string | undefined => {
    const said = new RegExp(String.raw`\bMust be ${words}`).exec(description)?.[1];
    return said === 'today' ? today : said;
  };
  const after = bound(String.raw`after (today|\d{4}-\d{2}-\d{2})\b`) ?? bound(String.raw`(\d{2}:\d{2}) or later\b`);
  const before = bound(String.raw`before (today|\d{4}-\d{2}-\d{2}|\d{2}:\d{2})\b`);
  return {
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
  };
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

/** Returns the only value with a similar meaning: "toothache" for "ache", "it was nicked" for "stolen". */
function readLikeness(field: Field, text: string): ParameterReading {
  const said = featuresOf(text).filter(({ start }) => !EXCEPTED.test(text.slice(0, start)));
  const fitting = [...field.values].flatMap(([key, synonyms]) => {
    const meant = [key, ...synonyms].flatMap((name) => featuresOf(nameWords(name)));
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

/** Reads each value of a list separately. */
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
