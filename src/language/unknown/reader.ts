import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Json } from '../../model/json.ts';
import { nameWords } from '../../model/ports/name-words.ts';
import { writtenCode } from '../../model/ports/written-forms.ts';
import type { Reader, Reading, ReadOptions, SpokenOptions, ValueKind } from '../../model/ports/reader.ts';
import { codeInGroups } from '../code-groups.ts';
import { readCalleeWords } from '../callee-words.ts';
import { choiceInWords } from '../choice-in-words.ts';
import { aYearAfter } from '../english/spoken-form.ts';
import { readText } from '../english/texts.ts';
import { phoneInGroups } from '../phone-groups.ts';
import { readingOf } from '../tables/outcome.ts';
import { withoutPlaceholder } from '../written.ts';
import { type IntlMoments, intlMoments } from './intl-moments.ts';

/**
 * Creates the reader of a language without rules. It reads values only in their written form, as a model gives them,
 * and recognizes no yes, no value and no line. A question mark shows that a text asks.
 */
export function unknownReader(language: string): Reader {
  const moments = momentsOf(language);
  const asks = (text: string): boolean => QUESTION_MARK.test(text);
  return {
    language,
    lines: null,
    help: null,
    isOwn: () => true,
    isOther: () => false,
    wordCount: (text) => text.match(/[\p{L}\p{M}\d]+/gu)?.length ?? 0,
    consent: (text) => (asks(text) ? { isHedged: true, asks: true } : { isHedged: false }),
    leaning: () => null,
    value: (kind, text, options) => {
      const found = withoutPlaceholderName(kind, readWritten(kind, text, options), text);
      return found.ok ? found : (readSaid(moments, kind, text, options) ?? found);
    },
    isConnecting: (text) => !/[\p{L}\d]/u.test(text),
    saysNothing: (text) => !/[\p{L}\d]/u.test(text),
    request: () => null,
    callee: readCalleeWords,
    keeps: () => false,
    behindAnswer: () => null,
    asks,
    keepsQuestion: (text, instead) => text === instead || (asks(text) && asks(instead)),
    isYesNoQuestion: () => false,
    // Without rules this cannot be excluded, so a plain answer is not taken alone.
    isNegativeOrEitherOr: () => true,
    answerMeant: () => null,
    choosesOffered: () => false,
    sharedWords: () => null,
    grounding: () => null,
    decimalMark: moments.decimalMark,
    choiceName: choiceInWords,
    spoken: (kind, value, options) => say(moments, kind, value, options, regionIn(language)),
    proposal: (call, details) => `${[call, ...details].join(', ')}?`,
    anyOf: (choices) => choices.join(', '),
    allOf: (things) => things.join(', '),
  };
}

/** Reads a value in its spoken form, a phone number as dialled, or an enum by any of its words. */
function readSaid(moments: IntlMoments, kind: ValueKind, text: string, options: ReadOptions): Reading | null {
  const found = (value: string | number | null | undefined, certain = true): Reading | null =>
    value == null ? null : readingOf(text, value, certain);
  if (text.length > LONGEST) return null;
  switch (kind) {
    case 'date':
      return found(moments.readDay(text, options.now.slice(0, 10)));
    case 'time':
      return found(moments.readTime(text));
    case 'number':
      return found(moments.readNumber(latinDigits(text)));
    case 'integer': {
      const value = moments.readNumber(latinDigits(text));
      return Number.isSafeInteger(value) ? found(value) : null;
    }
    case 'phone':
      return readDialled(latinDigits(text), text, options.region);
    case 'enum':
      return readNamed(text, options.values ?? new Map());
    case 'boolean':
    case 'code':
    case 'email':
    case 'name':
    case 'text':
      return null;
  }
}

const LONGEST = 400;

/** Reads the only telephone number in a text; certain if nothing else is there. */
function readDialled(digits: string, text: string, region: string | undefined): Reading | null {
  const runs = digits.match(/\+?\d[\d\s().,/-]{5,24}\d/g) ?? [];
  const [run] = runs;
  if (run === undefined || runs.length > 1) return null;
  const country = (region ?? '').toUpperCase();
  const parsed = parsePhoneNumberFromString(
    run.replaceAll(',', ' '),
    isSupportedCountry(country) ? country : undefined,
  );
  return parsed?.isValid() === true ? readingOf(text, parsed.number, !/\p{L}/u.test(text)) : null;
}

/** Reads the only value named by its key or a synonym. Other words may negate it, so it is then uncertain. */
function readNamed(text: string, values: ReadonlyMap<string, readonly string[]>): Reading | null {
  const said = bare(text);
  const namesOf = (value: string): readonly string[] =>
    [value, nameWords(value), ...(values.get(value) ?? [])].map(bare);
  const keys = [...values.keys()];
  const whole = keys.filter((value) => namesOf(value).includes(said));
  const within = keys.filter((value) => namesOf(value).some((name) => name !== '' && holds(said, name)));
  const [value] = whole.length > 0 ? whole : within;
  if (value === undefined) return null;
  if (whole.length !== 1 && within.length > 1) return { ok: false, problem: 'ambiguous', candidates: within };
  return readingOf(text, value, whole.length === 1);
}

/** Scripts such as Japanese have no spaces between words. */
function holds(text: string, name: string): boolean {
  const isSpaced = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]/u.test(
    name,
  );
  return isSpaced ? ` ${text} `.includes(` ${name} `) : text.includes(name);
}

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Converts digits of any script to ASCII. */
function latinDigits(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String(code < 128 ? digit : code - zero);
  });
}

function say(
  moments: IntlMoments,
  kind: ValueKind,
  value: Json,
  { isAhead, today, region, values }: SpokenOptions,
  home: string | undefined,
): string {
  if (typeof value === 'number') return moments.number(value);
  if (typeof value !== 'string') return written(value);
  switch (kind) {
    case 'date':
      return moments.day(value, isAhead !== true ? 'plain' : value >= aYearAfter(today()) ? 'far' : 'coming');
    case 'time':
      return moments.time(value);
    case 'phone':
      return phoneInGroups(value, region ?? home);
    case 'code':
      return codeInGroups(value);
    case 'enum':
      return choiceInWords(value, values?.get(value));
    default:
      return value;
  }
}

/** Returns the moments of a language; those of English for an invalid tag. */
function momentsOf(language: string): IntlMoments {
  try {
    return intlMoments(language);
  } catch {
    return intlMoments('en');
  }
}

function regionIn(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region;
  } catch {
    return undefined;
  }
}

function withoutPlaceholderName(kind: ValueKind, reading: Reading, text: string): Reading {
  return kind === 'name' ? withoutPlaceholder(reading, text) : reading;
}

const QUESTION_MARK = /[?？؟\u037e՞]\s*$/u;

/** Reads a value in its stored form: `2027-03-15`, `15:30`, `4`, `true`, an enum key. */
export function readWritten(kind: ValueKind, text: string, options: ReadOptions): Reading {
  const said = text.trim();
  const start = text.indexOf(said);
  const found = (value: string | number | boolean): Reading => {
    return { ok: true, value, said, start, end: start + said.length, certain: true };
  };
  switch (kind) {
    case 'date':
      return isDay(said) ? found(said) : NOT_FOUND;
    case 'time':
      return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(said) ? found(said) : NOT_FOUND;
    case 'number':
    case 'integer': {
      const value = /^-?\d{1,15}(?:\.\d{1,10})?$/.test(said) ? Number(said) : Number.NaN;
      return Number.isNaN(value) || (kind === 'integer' && !Number.isSafeInteger(value)) ? NOT_FOUND : found(value);
    }
    case 'boolean':
      return said === 'true' || said === 'false' ? found(said === 'true') : NOT_FOUND;
    case 'enum':
      return options.values?.has(said) === true ? found(said) : NOT_FOUND;
    case 'phone':
      return /^\+[1-9]\d{6,14}$/.test(said) ? found(said) : NOT_FOUND;
    case 'code': {
      const code = writtenCode(said);
      return code === null ? NOT_FOUND : found(code);
    }
    case 'email':
      return /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/u.test(said) ? found(said) : NOT_FOUND;
    case 'name':
      return /^\p{L}[\p{L}\p{M}'’.・· -]{0,79}$/u.test(said) ? found(said) : NOT_FOUND;
    case 'text':
      return readText(text);
  }
}

const NOT_FOUND: Reading = { ok: false, problem: 'not-found' };

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function written(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
