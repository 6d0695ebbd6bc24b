import { dayAfter, dayOf, weekdayOf } from './civil-days.ts';
import type { MomentWords } from './tables.ts';

/** A day, or the reason why the words do not determine one. */
export type Day =
  | { readonly ok: true; readonly day: string; readonly certain: boolean; readonly rest: string }
  | { readonly ok: false; readonly problem: 'incomplete' | 'invalid' };

type Direction = 'past' | 'future' | undefined;

/** Finds a day in a folded text in which number words are numerals; `typed` is the same text before that. */
export type Calendar = (text: string, today: string, direction: Direction) => Day | null;

/** Builds the calendar of a language. The rules stand in the order in which they win. */
export function createCalendar(words: MomentWords): Calendar {
  const months = monthForms(words).map((forms) => `(?:${forms.join('|')})(?!\\p{L})\\.?`);
  const year = '(\\d{4}|\\d{2})(?![\\d:]| ?uhr| ?h)';
  const named = months.map(
    (month) =>
      new RegExp(`(?<!\\d)(\\d{1,2})(?:\\.|er)?(?:${words.of})? ?${month}(?:${words.of})?(?:[ ,]+${year})?`, 'u'),
  );
  const weekdays = words.weekdays.map((name, index) => {
    const abbreviation = shortWeekday(words, index);
    return new RegExp(`(?<!\\p{L})(?:${name})(?!\\p{L})|^\\s*${abbreviation}(?:\\.(?!\\p{L})|(?=,? \\d))`, 'u');
  });

  const settled = (match: RegExpExecArray, text: string, today: string, direction: Direction, month: number): Day => {
    const [all, day = '', saidYear] = match;
    const before = `${text.slice(0, match.index)} ; `;
    const rest = before + text.slice(match.index + all.length);
    const apart = saidYear === undefined ? /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(rest) : null;
    const written = saidYear ?? apart?.[0];
    const left = apart === null ? rest : rest.replace(apart[0], ' ');
    if (written === undefined && direction !== 'future') return { ok: false, problem: 'incomplete' };
    const thisYear = Number(today.slice(0, 4));
    let value = written === undefined ? thisYear : Number(written);
    if (written !== undefined && written.length === 2)
      value += direction === 'past' && 2000 + value > thisYear ? 1900 : 2000;
    const found = dayOf(value, month, Number(day));
    const next =
      written === undefined && found !== null && found < today ? dayOf(value + 1, month, Number(day)) : found;
    return next === null ? { ok: false, problem: 'invalid' } : { ok: true, day: next, certain: true, rest: left };
  };

  const rules: readonly Calendar[] = [
    // 2027-03-15
    (text) => {
      const found = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text);
      if (found === null) return null;
      return cut(text, found, dayOf(Number(found[1]), Number(found[2]), Number(found[3])));
    },
    (text, today, direction) => {
      for (const [index, pattern] of named.entries()) {
        const found = pattern.exec(text);
        if (found !== null) return settled(found, text, today, direction, index + 1);
      }
      return null;
    },
    // 15/3/2027, "el 3 del 12", "am 3. 12."
    (text, today, direction) => {
      const found = FULL.exec(text) ?? NUMERAL.exec(text) ?? SPACED.exec(text);
      if (found === null) return null;
      const [, day = '', month = '', saidYear] = found;
      const parts = Object.assign([found[0], day, saidYear], { index: found.index, input: text }) as RegExpExecArray;
      const isMonth = Number(month) >= 1 && Number(month) <= 12;
      return isMonth ? settled(parts, text, today, direction, Number(month)) : null;
    },
    (text, today) => {
      const found = words.eightDays.exec(text);
      if (found === null) return null;
      return cut(text, found, dayAfter(today, /1[45]/.test(found[0]) ? 14 : 7), false);
    },
    (text, today) => counted(text, today, words.ago, -1),
    (text, today) => counted(text, today, words.ahead, 1),
    (text, today) => {
      for (const [name, days] of words.days) {
        const found = name.exec(text);
        if (found !== null) return cut(text, found, dayAfter(today, days));
      }
      return null;
    },
    (text, today, direction) => {
      for (const [index, name] of weekdays.entries()) {
        const found = name.exec(text);
        if (found === null) continue;
        const behind = text.slice(found.index + found[0].length);
        if (words.behindWeekday !== undefined && index !== 0 && index !== 6 && !words.behindWeekday.test(behind))
          continue;
        const weekday = weekdayOf(today);
        const ahead = (index - weekday + 7) % 7 || 7;
        const rest = `${text.slice(0, found.index)} ; ${behind}`;
        const inNextWeek = words.nextWeek.exec(rest);
        if (inNextWeek !== null)
          return cut(rest, inNextWeek, dayAfter(today, ((8 - weekday) % 7 || 7) + ((index + 6) % 7)));
        const past = words.lastWeek.exec(rest);
        if (past !== null) return cut(rest, past, dayAfter(today, ahead - 7 === 0 ? -7 : ahead - 7), false);
        const after = words.weekAfter?.exec(rest) ?? null;
        if (after !== null) return cut(rest, after, dayAfter(today, ahead + 7), false);
        const day = dayAfter(today, direction === 'past' ? ahead - 7 : ahead);
        return day === null ? null : { ok: true, day, certain: direction !== 'past', rest };
      }
      return null;
    },
    (text, today, direction) => {
      const found = words.dayAlone.exec(text);
      if (found === null) return null;
      const wanted = Number(found[1]);
      if (wanted < 1 || wanted > 31) return { ok: false, problem: 'invalid' };
      for (let ahead = 0; ahead < 62; ahead += 1) {
        const day = dayAfter(today, direction === 'past' ? -ahead : ahead);
        if (day !== null && Number(day.slice(8)) === wanted) return cut(text, found, day, direction !== 'past');
      }
      return null;
    },
  ];

  const counted = (text: string, today: string, pattern: RegExp, sign: 1 | -1): Day | null => {
    const found = pattern.exec(text);
    if (found === null) return null;
    const [count = '', unit = ''] = found.slice(1).filter((group) => group !== undefined);
    const days = (/^\d/.test(count) ? Number(count) : 1) * (words.isWeek.test(unit) ? 7 : 1);
    return cut(text, found, dayAfter(today, sign * days));
  };

  return (text, today, direction) => {
    let first: Extract<Day, { ok: true }> | null = null;
    let left = text;
    let isAgreed = true;
    for (const rule of rules) {
      const found = rule(left, today, direction);
      if (found === null) continue;
      if (!found.ok) {
        if (first === null) return found;
        isAgreed = false;
        continue;
      }
      // Two ways to say a day that do not agree say none for certain.
      if (first !== null && first.day !== found.day) isAgreed = false;
      first ??= found;
      left = found.rest;
    }
    return first === null ? null : { ...first, certain: first.certain && isAgreed, rest: left };
  };
}

/** A month by its name or as it is typed: by at least three letters that no other month begins with. */
export function monthForms({ months }: MomentWords): readonly (readonly string[])[] {
  const names = months.map((month) => month.split('|'));
  return names.map((own, index) => [
    ...own,
    ...own.flatMap((name) =>
      Array.from({ length: Math.max(0, name.length - 3) }, (_, cut) => name.slice(0, 3 + cut)).filter((start) =>
        names.every((others, other) => other === index || !others.some((each) => each.startsWith(start))),
      ),
    ),
  ]);
}

/** As a weekday is typed: "lun.", "Mo. 15.3.". */
export function shortWeekday({ weekdays, shortWeekdays }: MomentWords, index: number): string {
  return weekdays[index]?.replace(/^\(\?:/, '').slice(0, shortWeekdays) ?? '';
}

const FULL = /(?<![\d.,/-])(\d{1,2})[./-] ?(\d{1,2})(?:[./-] ?| )(\d{4}|\d{2})(?!\d)/;
const NUMERAL = /(?<![\d.,/-])(\d{1,2})[./] ?(\d{1,2})[./]?(?!\d| ?uhr| ?h)/;
const SPACED = /(?<!\d)(\d{1,2})(?: del? | do | )(\d{1,2})(?:(?: del? | do | de | )(\d{4}|\d{2}))?(?!\d)/;

function cut(text: string, found: RegExpExecArray, day: string | null, certain = true): Day {
  if (day === null) return { ok: false, problem: 'invalid' };
  const rest = `${text.slice(0, found.index)} ; ${text.slice(found.index + found[0].length)}`;
  return { ok: true, day, certain, rest };
}
