import type { Word } from '../words.ts';

const UNITS = 'zero one two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINAL_UNITS = 'zeroth first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const ORDINAL_TEENS =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(' ');
const ORDINAL_TENS = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'.split(' ');

const SMALL = new Map<string, { value: number; ordinal: boolean }>([
  ...[...UNITS, ...TEENS].map((word, value) => [word, { value, ordinal: false }] as const),
  ...[...ORDINAL_UNITS, ...ORDINAL_TEENS].map((word, value) => [word, { value, ordinal: true }] as const),
  ...TENS.map((word, index) => [word, { value: index * 10 + 20, ordinal: false }] as const),
  ...ORDINAL_TENS.map((word, index) => [word, { value: index * 10 + 20, ordinal: true }] as const),
  ['nought', { value: 0, ordinal: false }],
  ['naught', { value: 0, ordinal: false }],
  ['fourty', { value: 40, ordinal: false }],
]);
const REPEATS = new Map([
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
]);

/** A number in words, up to the word `next`. */
export interface NumberWords {
  value: number;
  ordinal: boolean;
  next: number;
}

/** The digits that a word or two stand for where numbers are dictated digit by digit, so "eight hundred five" is 8005. */
export function dictatedDigitsAt(words: readonly Word[], at: number): { digits: string; next: number } | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const repeat = REPEATS.get(word.text);
  if (repeat !== undefined) {
    const digit = digitWord(words[at + 1]);
    return digit === undefined ? undefined : { digits: digit.repeat(repeat), next: at + 2 };
  }
  const single = isNumeral(word) ? word.text : digitWord(word);
  const spoken = single === undefined ? belowHundredAt(words, at) : undefined;
  const digits = single ?? (spoken === undefined || spoken.ordinal ? undefined : String(spoken.value));
  if (digits === undefined) return undefined;
  const next = spoken?.next ?? at + 1;
  const after = words[next]?.text;
  if (after === 'hundred') return { digits: `${digits}00`, next: next + 1 };
  return after === 'thousand' ? { digits: `${digits}000`, next: next + 1 } : { digits, next };
}

/** A number below a hundred in words: "seven", "twenty-one", "thirty first". */
export function belowHundredAt(words: readonly Word[], at: number): NumberWords | undefined {
  const lead = SMALL.get(words[at]?.text ?? '');
  if (lead === undefined) return undefined;
  if (lead.ordinal || lead.value < 20) return { ...lead, next: at + 1 };
  const hyphen = words[at + 1]?.text === '-' && words[at + 1]?.glued === true ? 1 : 0;
  const unit = SMALL.get(words[at + 1 + hyphen]?.text ?? '');
  if (unit === undefined || unit.value === 0 || unit.value > 9) return { ...lead, next: at + 1 };
  return { value: lead.value + unit.value, ordinal: unit.ordinal, next: at + 2 + hyphen };
}

/** The one digit that a word stands for, "oh" being zero. */
export function digitWord(word: Word | undefined): string | undefined {
  if (word === undefined) return undefined;
  if (word.text === 'oh' || word.text === 'o') return '0';
  if (/^\d$/.test(word.text)) return word.text;
  const small = SMALL.get(word.text);
  return small !== undefined && !small.ordinal && small.value < 10 ? String(small.value) : undefined;
}

/** Whether a word is written in digits. */
export function isNumeral(word: Word): boolean {
  return /^\d/.test(word.text);
}

/** The value of one number word ("twelve", "third"). */
export function numberWord(text: string | undefined): { value: number; ordinal: boolean } | undefined {
  return SMALL.get(text ?? '');
}

/** Whether a word repeats the digit behind it: "double five". */
export function isRepeat(text: string | undefined): boolean {
  return REPEATS.has(text ?? '');
}
