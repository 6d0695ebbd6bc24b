import {
  belowHundredAt,
  dictatedDigitsAt,
  digitWord,
  isNumeral,
  isRepeat,
  numberWord,
  type NumberWords,
} from './number-words.ts';
import { hasPhraseAt, wordsOf, type Word } from '../words.ts';

/** A word, or a number of one or more words ("two hundred and five", "3rd", "double five"). */
export interface Token extends Word {
  number?: SpokenNumber;
}

/** What a number token says. */
export interface SpokenNumber {
  value: number;
  /** As it would be keyed in: "05" keeps its zero, which `value` loses. */
  digits: string;
  ordinal: boolean;
  /** In words rather than numerals. */
  spoken: boolean;
  /** "oh": a zero only beside other digits. */
  oh: boolean;
}

const SCALES = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);

/** Cuts a text into words and numbers, spoken or written; every word keeps its offsets. */
export function tokensOf(text: string): Token[] {
  return numbered(wordsOf(text));
}

/**
 * Writes spoken numbers as digits and keeps the other words: "march third nineteen eighty four" becomes "march 3rd 1984", "double five oh
 * one" becomes "5501", "two point five" becomes "2.5".
 */
export function digitsOf(text: string): string {
  const tokens = tokensOf(text);
  const parts: string[] = [];
  let at = 0;
  let copied = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token?.number === undefined) {
      at += 1;
      continue;
    }
    const year = yearAt(tokens, at);
    const run = year === undefined ? digitRunAt(tokens, at) : { digits: String(year.year), next: year.next };
    const last = tokens[run.next - 1] ?? token;
    parts.push(text.slice(copied, token.start), run.digits);
    copied = last.end;
    at = run.next;
  }
  return parts.join('') + text.slice(copied);
}

/** The year that begins at this token, spoken ("nineteen eighty four", "two thousand and five") or written in four digits. */
export function yearAt(tokens: readonly Token[], at: number): { year: number; next: number } | undefined {
  const first = tokens[at]?.number;
  if (first === undefined || first.ordinal) return undefined;
  if (first.digits.length === 4 && first.value >= 1800 && first.value < 2200)
    return { year: first.value, next: at + 1 };
  if (first.value < 18 || first.value > 21 || first.digits.length !== 2) return undefined;
  const second = tokens[at + 1]?.number;
  if (second === undefined || second.ordinal || !Number.isInteger(second.value)) return undefined;
  if (second.digits.length === 2 && second.value >= 10) return { year: first.value * 100 + second.value, next: at + 2 };
  const third = tokens[at + 2]?.number;
  if (second.oh && third !== undefined && !third.ordinal && third.digits.length === 1) {
    return { year: first.value * 100 + third.value, next: at + 3 };
  }
  return undefined;
}

function numbered(words: readonly Word[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    const found = numeralAt(words, at) ?? repeatedAt(words, at) ?? spokenAt(words, at);
    if (found === undefined) {
      tokens.push(word);
      at += 1;
      continue;
    }
    const end = words[found.next - 1]?.end ?? word.end;
    tokens.push({ ...word, text: found.number.digits, end, mark: false, number: found.number });
    at = found.next;
  }
  return ohs(tokens);
}

/** Makes an "oh" a zero where another number stands beside it. */
function ohs(tokens: Token[]): Token[] {
  const zero = { ...cardinal('0', true), oh: true };
  for (const order of [1, -1]) {
    const first = order === 1 ? 0 : tokens.length - 1;
    for (let at = first; at >= 0 && at < tokens.length; at += order) {
      const token = tokens[at];
      const isOh = (token?.text === 'oh' || token?.text === 'o') && tokens[at + 1]?.text !== 'clock';
      if (token !== undefined && isOh && tokens[at - order]?.number !== undefined) {
        tokens[at] = { ...token, number: zero };
      }
    }
  }
  return tokens;
}

type Found = { number: SpokenNumber; next: number };

function numeralAt(words: readonly Word[], at: number): Found | undefined {
  const word = words[at];
  if (word === undefined || !isNumeral(word)) return undefined;
  let digits = word.text;
  let next = at + 1;
  while (digits.length <= 15 && isGroupOfThree(words, next) && (next > at + 1 || digits.length <= 3)) {
    digits += words[next + 1]?.text;
    next += 2;
  }
  const fraction = words[next + 1];
  const isDecimal =
    words[next]?.text === '.' && words[next]?.glued === true && fraction?.glued === true && isNumeral(fraction);
  const chained = isDecimal && isMarkBetweenNumerals(words, next + 2);
  if (isDecimal && !chained && !isMarkBetweenNumerals(words, at - 1)) {
    digits += `.${fraction.text}`;
    next += 2;
  }
  const suffix = words[next];
  const ordinal = suffix?.glued === true && /^(?:st|nd|rd|th)$/.test(suffix.text);
  const scale = ordinal ? undefined : scaleAt(words, next);
  if (scale !== undefined) {
    return { number: cardinal(String(Number(digits) * scale), false), next: next + 1 };
  }
  return { number: { ...cardinal(digits, false), ordinal }, next: ordinal ? next + 1 : next };
}

function isGroupOfThree(words: readonly Word[], at: number): boolean {
  const comma = words[at];
  const group = words[at + 1];
  return comma?.text === ',' && comma.glued && group?.glued === true && /^\d{3}$/.test(group.text);
}

function isMarkBetweenNumerals(words: readonly Word[], at: number): boolean {
  const mark = words[at];
  const next = words[at + 1];
  return mark?.text === '.' && mark.glued && next?.glued === true && isNumeral(next);
}

function scaleAt(words: readonly Word[], at: number): number | undefined {
  const word = words[at]?.text ?? '';
  return word === 'hundred' ? 100 : SCALES.get(word);
}

function repeatedAt(words: readonly Word[], at: number): Found | undefined {
  if (!isRepeat(words[at]?.text)) return undefined;
  const run = dictatedDigitsAt(words, at);
  return run && { number: cardinal(run.digits, true), next: run.next };
}

function spokenAt(words: readonly Word[], at: number): Found | undefined {
  const dozen = dozenAt(words, at);
  if (dozen !== undefined) return dozen;
  let next = words[at]?.text === 'a' && scaleAt(words, at + 1) !== undefined ? at + 1 : at;
  let value = 0;
  let ordinal = false;
  let limit = Infinity;
  while (!ordinal) {
    const from = next > at && words[next]?.text === 'and' && limit < Infinity ? next + 1 : next;
    const group = belowThousandAt(words, from, limit === Infinity);
    if (group === undefined) break;
    const scale = SCALES.get(words[group.next]?.text ?? '') ?? 1;
    if (scale >= limit) break;
    value += group.value * scale;
    ordinal = group.ordinal;
    limit = scale;
    next = scale === 1 ? group.next : group.next + 1;
    if (scale === 1) break;
  }
  if (limit === Infinity) return undefined;
  if (ordinal) return { number: { ...cardinal(String(value), true), ordinal }, next };
  const fraction = fractionAt(words, next);
  return { number: cardinal(String(value) + (fraction?.digits ?? ''), true), next: fraction?.next ?? next };
}

function dozenAt(words: readonly Word[], at: number): Found | undefined {
  if (words[at]?.text === 'half') {
    return hasPhraseAt(words, at + 1, ['a', 'dozen']) ? { number: cardinal('6', true), next: at + 3 } : undefined;
  }
  if (words[at + 1]?.text !== 'dozen') return undefined;
  const count = words[at]?.text === 'a' ? { value: 1, ordinal: false } : numberWord(words[at]?.text);
  const isCount = count !== undefined && !count.ordinal && count.value > 0;
  return isCount ? { number: cardinal(String(count.value * 12), true), next: at + 2 } : undefined;
}

function belowThousandAt(words: readonly Word[], at: number, first: boolean): NumberWords | undefined {
  const bare = words[at]?.text ?? '';
  const lead: NumberWords | undefined =
    first && (bare === 'hundred' || SCALES.has(bare))
      ? { value: 1, ordinal: false, next: at }
      : belowHundredAt(words, at);
  if (lead === undefined || lead.ordinal || lead.value === 0 || words[lead.next]?.text !== 'hundred') return lead;
  const hundreds = { value: lead.value * 100, ordinal: false, next: lead.next + 1 };
  const from = words[hundreds.next]?.text === 'and' ? hundreds.next + 1 : hundreds.next;
  const rest = belowHundredAt(words, from);
  if (rest === undefined || rest.value === 0) return hundreds;
  return { value: hundreds.value + rest.value, ordinal: rest.ordinal, next: rest.next };
}

/** ".5" for "point five" or "and a half". */
function fractionAt(words: readonly Word[], at: number): { digits: string; next: number } | undefined {
  if (words[at]?.text === 'and') {
    const from = words[at + 1]?.text === 'a' ? at + 2 : at + 1;
    if (words[from]?.text === 'half') return { digits: '.5', next: from + 1 };
    if (words[from]?.text === 'quarter' && from === at + 2) return { digits: '.25', next: from + 1 };
    return undefined;
  }
  if (words[at]?.text !== 'point') return undefined;
  let digits = '';
  let next = at + 1;
  for (let digit = digitWord(words[next]); digit !== undefined && digits.length < 15; digit = digitWord(words[next])) {
    digits += digit;
    next += 1;
  }
  if (digits !== '') return { digits: `.${digits}`, next };
  const group = belowHundredAt(words, next);
  return group === undefined || group.ordinal ? undefined : { digits: `.${group.value}`, next: group.next };
}

function digitRunAt(tokens: readonly Token[], at: number): { digits: string; next: number } {
  const first = tokens[at]?.number;
  if (first === undefined) return { digits: '', next: at + 1 };
  let digits = first.ordinal ? first.digits + ordinalSuffix(first.value) : first.digits;
  let next = at + 1;
  const isDictated = (number: SpokenNumber | undefined): boolean =>
    number !== undefined && number.spoken && !number.ordinal && (number.value < 10 || /^(\d)\1+$/.test(number.digits));
  if (!isDictated(first)) return { digits, next };
  for (let number = tokens[next]?.number; number !== undefined && isDictated(number); number = tokens[next]?.number) {
    digits += number.digits;
    next += 1;
  }
  return { digits, next };
}

function ordinalSuffix(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  return teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
}

function cardinal(digits: string, spoken: boolean): SpokenNumber {
  return { value: Number(digits), digits, ordinal: false, spoken, oh: false };
}
