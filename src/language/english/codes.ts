import { codeReader } from '../codes.ts';
import { withoutAccents } from '../tables/folded.ts';
import type { Reading, ReadOptions } from '../../model/ports/reader.ts';
import { takesBack } from './connecting.ts';
import { belowHundredAt, digitWord } from './numbers/number-words.ts';
import { wordsOf } from './words.ts';

/** Codes in English. */
export const englishCodes = codeReader(
  {
    alphabet: `
      alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra
      tango uniform victor whiskey whisky yankee zulu`,
    letterNames: 'double u: W, double you: W, x ray: X, xray: X, zee: Z, zed: Z',
    doubling: 'double',
    tripling: 'triple treble',
    times: 'times',
    asIn: 'as in, like in, like, for, is for',
    between: 'dash hyphen minus slash dot point space underscore then capital uppercase letter digit um uh er',
    joining: 'and',
    oh: 'oh',
    introduction: `
      it's, it is, its, that's, that is, this is, i have, i've got, i got, my, the, your, our, is, yes, yeah, yep, sure, okay, ok, well, so, hi, please,
      thanks, thank you, number, code, id, pin, booking, order, reference, customer, member, membership, policy, confirmation, ticket, case,
      account, serial, licence, license, plate, registration, contract, passport, tracking, of course, here it is, would be, should be, and, goes, reads`,
  },
  withoutAccents,
  englishDigits,
);

/** Reads a code. Words before it that take an earlier one back are not part of it: "no, it's A B 1 2". */
export function readCode(text: string, options: ReadOptions): Reading {
  const starts = wordsOf(text)
    .slice(1, MOST_LEADING)
    .map(({ start }) => start);
  for (const start of starts) {
    if (!takesBack(text.slice(0, start))) continue;
    const reading = englishCodes.read(text.slice(start), options);
    if (reading.ok && reading.certain) return { ...reading, start: start + reading.start, end: start + reading.end };
  }
  return englishCodes.read(text, options);
}

/** In words: "no wait, sorry, I meant". */
const MOST_LEADING = 8;

/** Writes number words as digits, each group by itself: "forty-two seven" is 42 7. "Oh" stays, because it may be a letter. */
function englishDigits(folded: string): string {
  const words = wordsOf(folded);
  let [written, at] = ['', 0];
  while (at < words.length) {
    const word = words[at];
    const digit = word?.text === 'oh' || word?.text === 'o' ? undefined : digitWord(word);
    const number = digit === undefined ? belowHundredAt(words, at) : undefined;
    const digits = digit ?? (number === undefined || number.ordinal ? undefined : String(number.value));
    written += ` ${digits ?? word?.text ?? ''}`;
    at = digits === undefined || number === undefined ? at + 1 : number.next;
  }
  return written;
}
