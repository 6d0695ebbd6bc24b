import type { Reading, ReadOptions, ValueKind } from '../../model/ports/reader.ts';
import { withoutPlaceholder, writtenEmail } from '../written.ts';
import { boundedBy } from '../bounds.ts';
import { certainBy } from '../doubt.ts';
import { readChoice } from './answers/choices.ts';
import { readCode } from './codes.ts';
import { takesBack } from './connecting.ts';
import { readDate } from './dates/dates.ts';
import { doubts } from './answers/doubts.ts';
import { readEmail } from './emails.ts';
import { readName } from './names/names.ts';
import { readNumber } from './numbers/numbers.ts';
import { readPhone } from './numbers/phones.ts';
import { readText } from './texts.ts';
import { wordsOf } from './words.ts';
import { readTime } from './dates/times.ts';
import { readBoolean } from './answers/yes-no.ts';

export type { Reading, ReadOptions, ValueKind };

/** Reads a value of a kind out of spoken English; never throws and never supplies what was not said. */
export function read(kind: ValueKind, text: string, options: ReadOptions): Reading {
  const found = certainBy(doubts, kind, text, (each) => readKind(kind, each, options));
  const reading = withDenied(text, boundedBy(options.bounds, found), (each) => readKind(kind, each, options));
  return reading.ok && takesBack(text.slice(0, reading.start)) ? { ...reading, corrects: true } : reading;
}

/** Adds a denied value beside a certain one to its words: "not Monday the third, Wednesday". */
function withDenied(text: string, reading: Reading, readPlain: (text: string) => Reading): Reading {
  if (!reading.ok || !reading.certain) return reading;
  const isDenied = (beside: string, denial: RegExp): boolean => {
    if (!denial.test(beside) || wordsOf(beside).filter(({ mark }) => !mark).length > longestDenied) return false;
    const denied = readPlain(beside.replace(denial, ' '));
    return denied.ok || denied.problem !== 'not-found';
  };
  const start = isDenied(text.slice(0, reading.start), /^\W*(?:no\W+)?not\b/i) ? 0 : reading.start;
  const end = isDenied(text.slice(reading.end), /^\W*(?:and )?not\b/i) ? text.length : reading.end;
  return { ...reading, said: text.slice(start, end), start, end };
}

/** In words: "not on Monday the third of May but". A longer clause says something else as well. */
const longestDenied = 8;

function readKind(kind: ValueKind, text: string, options: ReadOptions): Reading {
  switch (kind) {
    case 'name':
      return withoutPlaceholder(readName(text, options), text);
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
    case 'code':
      return readCode(text, options);
    case 'email':
      return writtenEmail(text) ?? readEmail(text, options);
    case 'text':
      return readText(text);
  }
}
