import type { Token } from '../numbers/spoken-numbers.ts';
import { wordSet } from '../words.ts';

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAY_NAMES = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** The names of the months and their short forms, 1 for January. */
export const MONTHS: ReadonlyMap<string, number> = new Map([
  ...numberedNames(MONTH_NAMES),
  ...numberedNames(MONTH_NAMES.map((name) => name.slice(0, 3))),
  ['sept', 9],
]);

/** The names of the weekdays and their short forms, 1 for Monday. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map([
  ...numberedNames(WEEKDAY_NAMES),
  ...numberedNames(WEEKDAY_NAMES.map((name) => name.slice(0, 3))),
  ['tues', 2],
  ['thur', 4],
  ['thurs', 4],
]);

const ORDINARY = wordSet('may march mar sat sun wed jan dec');
const BEFORE_NAME = wordSet('on in of next this last coming');
const WHICH: ReadonlyMap<string, 'this' | 'next' | 'last'> = new Map([
  ['this', 'this'],
  ['coming', 'this'],
  ['next', 'next'],
  ['last', 'last'],
  ['past', 'last'],
]);
const MOST_SKIPPED = 4;

/** Whether the name of a month or weekday is also an ordinary word ("may"), which needs a date beside it. */
export function isOrdinaryWord(name: string): boolean {
  return ORDINARY.has(name);
}

/** Whether the word before, or being alone, makes an ordinary word the name of a month or weekday: "in May". */
export function isNamedByPlace(tokens: readonly Token[], at: number): boolean {
  return tokens.length === 1 || BEFORE_NAME.has(tokens[at - 1]?.text ?? '');
}

/** Which of several days, weeks or months a word chooses. */
export function whichOf(token: Token | undefined): 'this' | 'next' | 'last' | undefined {
  return WHICH.get(token?.text ?? '');
}

/** How many weeks, months or years that is from the present one. */
export function offsetOf(which: 'this' | 'next' | 'last'): number {
  return which === 'this' ? 0 : which === 'next' ? 1 : -1;
}

/** The place behind the connecting words that stand here. */
export function skipWords(tokens: readonly Token[], at: number, words: readonly string[]): number {
  let next = at;
  while (next < at + MOST_SKIPPED && words.includes(tokens[next]?.text ?? '')) next += 1;
  return next;
}

function numberedNames(names: readonly string[]): (readonly [string, number])[] {
  return names.map((name, index) => [name, index + 1] as const);
}

/** "Room 12" and "flight 204" name a thing: the number is neither a day nor a time. */
export const NUMBERED_THINGS = wordSet(
  'room flight gate table number line bus seat apartment apt flat floor unit platform suite house door lane page item option track building',
);
