import { readChoice } from './choices.ts';
import { readDate } from './dates.ts';
import { readEmail } from './emails.ts';
import { readName } from './names.ts';
import { readNumber } from './numbers.ts';
import { readPhone } from './phones.ts';
import { readText } from './texts.ts';
import { readTime } from './times.ts';
import { readBoolean } from './yes-no.ts';

/** What can be read out of a caller's words. */
export type ValueKind =
  | 'name'
  | 'date'
  | 'time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'phone'
  | 'email'
  | 'text';

/**
 * What was read. `said` is the part of the text that says it, between the offsets `start` and `end`. `certain` is false where the words
 * leave room and a documented rule chose (half past two without a half of the day): read such a value back before acting on it.
 * `missing` names the part to ask for, `candidates` the values between which the words do not decide.
 */
export type Reading =
  | { ok: true; value: string | number | boolean; said: string; start: number; end: number; certain: boolean }
  | {
      ok: false;
      problem: 'not-found' | 'ambiguous' | 'incomplete' | 'invalid' | 'out-of-range';
      missing?: string;
      candidates?: (string | number | boolean)[];
    };

/** What is known from outside about the value and the moment. */
export interface ReadOptions {
  /** Civil local time, YYYY-MM-DDTHH:mm. */
  now: string;
  /** ISO country of phone numbers without a country code, and of the order of numerals in dates; US when left out. */
  region?: string;
  /** The values of an enum with their synonyms, in the order in which they were offered. */
  values?: ReadonlyMap<string, readonly string[]>;
  /** On which side of today a date must lie; without it a date without a year stays incomplete. */
  direction?: 'past' | 'future';
  /** The half of the day that is talked about ("dinner"), for hours that do not tell. */
  half?: 'am' | 'pm';
  /** The text is the answer to a question for this very value, so that a bare "Maria Delgado" or "four" counts. */
  asked?: boolean;
}

/** Reads a value of a kind out of spoken English; never throws and never supplies what was not said. */
export function read(kind: ValueKind, text: string, options: ReadOptions): Reading {
  switch (kind) {
    case 'name':
      return readName(text, options);
    case 'date':
      return readDate(text, options);
    case 'time':
      return readTime(text, options);
    case 'number':
      return readNumber(text, options, false);
    case 'integer':
      return readNumber(text, options, true);
    case 'boolean':
      return readBoolean(text, options);
    case 'enum':
      return readChoice(text, options);
    case 'phone':
      return readPhone(text, options);
    case 'email':
      return readEmail(text, options);
    case 'text':
      return readText(text);
  }
}
