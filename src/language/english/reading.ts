import type { Reading, ReadOptions, ValueKind } from '../../model/ports/reader.ts';
import { withoutPlaceholder, writtenEmail } from '../written.ts';
import { boundedBy } from '../bounds.ts';
import { certainBy } from '../doubt.ts';
import { readChoice } from './answers/choices.ts';
import { takesBack } from './connecting.ts';
import { readDate } from './dates/dates.ts';
import { doubts } from './answers/doubts.ts';
import { readEmail } from './emails.ts';
import { readName } from './names/names.ts';
import { readNumber } from './numbers/numbers.ts';
import { readPhone } from './numbers/phones.ts';
import { readText } from './texts.ts';
import { readTime } from './dates/times.ts';
import { readBoolean } from './answers/yes-no.ts';

export type { Reading, ReadOptions, ValueKind };

/** Reads a value of a kind out of spoken English; never throws and never supplies what was not said. */
export function read(kind: ValueKind, text: string, options: ReadOptions): Reading {
  const found = certainBy(doubts, kind, text, (each) => readKind(kind, each, options));
  const reading = boundedBy(options.bounds, found);
  return reading.ok && takesBack(text.slice(0, reading.start)) ? { ...reading, corrects: true } : reading;
}

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
    case 'email':
      return writtenEmail(text) ?? readEmail(text, options);
    case 'text':
      return readText(text);
  }
}
