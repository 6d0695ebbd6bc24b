import type { ClockTime } from './tables.ts';

/** How Spanish, Portuguese and French say a time: the hour behind a word for "at", then what is added to it or taken off. */
export interface AddedClock {
  /** Before the hour; its last character is the blank before it, if any. */
  readonly at: string;
  /** Behind the hour. */
  readonly hours: string;
  /** An hour is said with that word, whatever stands before it. */
  readonly isUnitSaid?: true;
  readonly half: string;
  readonly quarter: string;
  /** One group: the minutes, or the word for a quarter. */
  readonly minus: string;
  /** One group. */
  readonly plus: string;
  /** Two groups: minutes to an hour. */
  readonly to?: RegExp;
  /** A count of hours that is not a time. */
  readonly notBehind: string;
  /** Hours with names of their own. */
  readonly named: readonly (readonly [RegExp, number])[];
  /** Behind such a name. */
  readonly namedHalf: RegExp;
}

const WRITTEN =
  /(?<![\d/.-])([01]?\d|2[0-3])(?::| ?h ?|\.(?=\d\d (?:uhr|h)))([0-5]\d)(?: ?h(?:oras?|rs?)?)?(?![\d/.-]*\d)/;

/** A time in numerals: 15:30, 17h30. One with a leading zero is of twenty-four hours. */
export function writtenClock(text: string): ClockTime | null {
  const found = WRITTEN.exec(text);
  if (found === null) return null;
  const [all, hour = '', minute = ''] = found;
  return timeOf(text, found.index, all, Number(hour), Number(minute), hour.startsWith('0'));
}

/** Builds the reader of a time for a language that adds minutes to hours. */
export function addedClock(words: AddedClock): (text: string) => ClockTime | null {
  const behind = `(?:\\s(?:(${words.half})|(${words.quarter})|${words.minus}|${words.plus}))?(?= |$|[,.;])`;
  const withWord = new RegExp(
    `(?<!\\p{L})(?:${words.at})(\\d{1,2}|un[ae]?|uma)(?:${words.hours})${words.isUnitSaid === true ? '' : '?'}(?![\\d/:])${behind}`,
    'u',
  );
  const withUnit = new RegExp(`(?<!(?:${words.notBehind}) )(?<![\\d/.,:])(\\d{1,2})(?:${words.hours})${behind}`, 'u');
  return (text) => {
    const to = words.to?.exec(text);
    if (to != null) return timeOf(text, to.index, to[0], Number(to[2]) - 1, 60 - (Number(to[1]) || 15), false);
    const written = writtenClock(text);
    if (written !== null) return written;
    const found = withWord.exec(text) ?? withUnit.exec(text);
    if (found !== null) {
      const [all, hour = '', half, quarter, minus, plus] = found;
      const minute = half !== undefined ? 30 : quarter !== undefined ? 15 : Number(plus ?? 0);
      const said = Number(hour) || (hour === '0' || hour === '00' ? 0 : 1);
      return minus === undefined
        ? timeOf(text, found.index, all, said, minute, false)
        : timeOf(text, found.index, all, said - 1, 60 - (Number(minus) || 15), false);
    }
    for (const [name, hour] of words.named) {
      const named = name.exec(text);
      if (named === null) continue;
      const half = words.namedHalf.exec(text.slice(named.index + named[0].length))?.[0];
      return timeOf(text, named.index, named[0] + (half ?? ''), hour, half === undefined ? 0 : 30, true);
    }
    return null;
  };
}

/** Returns the time in the words; null if there is none. */
export function timeOf(
  text: string,
  index: number,
  said: string,
  hour: number,
  minute: number,
  isExact: boolean,
): ClockTime | null {
  if (hour < 0 || hour > 24 || minute < 0 || minute > 59) return null;
  return { hour, minute, isExact, rest: `${text.slice(0, index)} ; ${text.slice(index + said.length)}` };
}
