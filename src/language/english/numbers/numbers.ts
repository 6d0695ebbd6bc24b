import { MONTHS } from '../dates/calendar-words.ts';
import { halfAt, isPronounOne } from '../dates/clock-phrases.ts';
import { isBound, isDenied, isRefusedAfter, settle, versionsOf, type Mention } from '../answers/corrections.ts';
import { isUnit, isUnitOf } from './units.ts';
import { quantitiesIn } from './quantities.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { tokensOf, yearAt, type Token } from './spoken-numbers.ts';
import { wordSet } from '../words.ts';

const CLOCK_WORDS = new Set(["o'clock", 'oclock', 'past']);
const PARTS = wordSet('half halves third thirds quarter quarters fourths fifths tenths plus times odd ish');
const ONE_MORE = wordSet('a an my his her the our another some something');
const OWNERS = wordSet('my his her our their your');
const SUM_REACH = 4;
const PHONE_LENGTH = 7;
const TIME_UNITS = wordSet('second seconds minute minutes hour hours day days week weeks month months year years');
const BEFORE_COUNT = wordSet(`
  just only for is it's its be there's about of to say maybe have with need want like us exactly yes please we're are were will get take
  order a the my our all that's total made make approximately roughly got or and`);

/** Reads a number; between two different numbers, or with a bound like "more than four", nothing is chosen. */
export function readNumber(text: string, options: ReadOptions, whole: boolean): Reading {
  const written = text.length < 40 ? /^\s*[+-]?\d+(?:\.\d+)?\s*$/.exec(text)?.[0] : undefined;
  const asked = written !== undefined || options.asked === true;
  const { mentions, unsettled } = settle(versionsOf(quantitiesIn(tokensOf(text))), (tokens) =>
    numbersIn(tokens, asked, options.about),
  );
  const candidates = [...new Set(mentions.map((mention) => mention.value))];
  const mention = mentions[0];
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  if (candidates.length > 1 || mentions.some((each) => each.bound))
    return { ok: false, problem: 'ambiguous', candidates };
  if (!Number.isFinite(mention.value) || Math.abs(mention.value) > Number.MAX_SAFE_INTEGER) {
    return { ok: false, problem: 'invalid' };
  }
  if (whole && !Number.isInteger(mention.value)) return { ok: false, problem: 'invalid', candidates };
  const { value, start, end } = mention;
  return { ok: true, value, said: text.slice(start, end), start, end, certain: mention.certain && asked && !unsettled };
}

function numbersIn(tokens: readonly Token[], asked: boolean, about: string | undefined): Mention<number>[] {
  const mentions: Mention<number>[] = [];
  let at = 0;
  while (at < tokens.length) {
    if (tokens[at]?.number === undefined) {
      at += 1;
      continue;
    }
    let to = at + 1;
    while (tokens[to]?.number !== undefined) to += 1;
    const group = valueOf(tokens.slice(at, to)) ?? placeAt(tokens, at, to, about);
    if (
      group !== undefined &&
      !isSomethingElse(tokens, at, to, asked) &&
      !isVague(tokens, at) &&
      !isDenied(tokens, at) &&
      !isRefusedAfter(tokens, to)
    ) {
      const sign = isNegative(tokens, at);
      const from = sign ? at - 1 : at;
      mentions.push({
        value: sign ? -group.value : group.value,
        from,
        to,
        start: tokens[from]?.start ?? 0,
        end: tokens[to - 1]?.end ?? 0,
        certain: group.certain && !hasOtherUnit(tokens, to, about),
        bound: group.open || isBound(tokens, from, to) || isPartOfSum(tokens, from, to, asked),
      });
    }
    at = to;
  }
  return mentions;
}

/** "Third grade", "the third": a place in a row, if its author asks for one. It may also be a day. */
function placeAt(
  tokens: readonly Token[],
  at: number,
  to: number,
  about = '',
): { value: number; certain: boolean; open: boolean } | undefined {
  const number = tokens[at]?.number;
  const isDay = MONTHS.has(tokens[to]?.text ?? '') || tokens[to]?.text === 'of' || tokens[at - 1]?.text === 'on';
  return to - at === 1 && number?.ordinal === true && !isDay && IN_A_ROW.test(about)
    ? { value: number.value, certain: false, open: false }
    : undefined;
}

const IN_A_ROW =
  /\b(?:grade|floor|class|level|place|row|rank|position|storey|story|gate|lane|platform)(?:\b|_)|_(?:grade|floor|level)\b/i;

/** "A few hundred" is not a number. */
function isVague(tokens: readonly Token[], from: number): boolean {
  return VAGUE.has(tokens[from - 1]?.text ?? '');
}

const VAGUE = wordSet('few several some many couple dozens hundreds thousands');

/** Whether a number is of a unit that its author does not name: "20mg", "3x", "three weeks" to "How many people?". */
function hasOtherUnit(tokens: readonly Token[], to: number, about: string | undefined): boolean {
  const unit = tokens[to];
  if (unit === undefined) return false;
  if (unit.glued && /^[\p{L}%°]/u.test(unit.text)) return !isUnitOf(unit.text, about ?? '');
  return about !== undefined && isUnit(unit.text) && !isUnitOf(unit.text, about);
}

/** What numbers in a row amount to; `open` when they make no single number ("four thirty"). */
function valueOf(tokens: readonly Token[]): { value: number; certain: boolean; open: boolean } | undefined {
  const spoken = tokens[0]?.number?.oh === true ? tokens.slice(1) : tokens;
  const numbers = spoken.flatMap((token) => (token.number === undefined ? [] : [token.number]));
  const first = numbers[0];
  if (first === undefined || (numbers.length === 1 && first.ordinal)) return undefined;
  if (numbers.length === 1)
    return { value: first.value, certain: first.digits.length < 2 || first.value >= 10, open: false };
  const year = yearAt(spoken, 0);
  if (year?.next === spoken.length) return { value: year.year, certain: true, open: false };
  const dictated = numbers.every((number) => number.digits.length === 1 && !number.ordinal);
  if (dictated && numbers.length > 2) {
    return { value: Number(numbers.map((number) => number.digits).join('')), certain: false, open: false };
  }
  return { value: first.value, certain: false, open: true };
}

/** A number that belongs to a time, a date, a telephone number or a code, or that is none ("that one"). */
function isSomethingElse(tokens: readonly Token[], at: number, to: number, asked: boolean): boolean {
  const before = tokens[at - 1];
  const after = tokens[to];
  if (to - at === 1 && isPronounOne(tokens, at)) return true;
  if (before?.text === 'at' || before?.text === 'point' || MONTHS.has(before?.text ?? '')) return true;
  if (CLOCK_WORDS.has(after?.text ?? '') || halfAt(tokens, to) !== undefined || isGlued(tokens, at, to)) return true;
  if (asked) return false;
  const length = tokens.slice(at, to).reduce((sum, token) => sum + token.text.length, 0);
  if (length >= PHONE_LENGTH || yearAt(tokens, at) !== undefined) return true;
  // "flight 204", "room 5" name something; what counts stands behind few other words.
  const isCount = before === undefined || before.mark || BEFORE_COUNT.has(before.text);
  return TIME_UNITS.has(after?.text ?? '') || !isCount;
}

/** Whether the number is part of a longer sign: "10:30", "4/5", "5,5", "1e3", "B2B". */
function isGlued(tokens: readonly Token[], at: number, to: number): boolean {
  const [beforeThat, before, after, next] = [tokens[at - 2], tokens[at - 1], tokens[to], tokens[to + 1]];
  if (tokens[at]?.glued === true && before !== undefined) {
    if (/^(?:\p{L}|[:/@#.])/u.test(before.text)) return true;
    if (/^[-,]$/.test(before.text) && before.glued && beforeThat?.number !== undefined) return true;
  }
  if (after?.glued !== true || next?.number === undefined) return false;
  return after.text === '-' || (next.glued && /^(?:[:/@,]|\p{L}+$)/u.test(after.text));
}

/** "me and two friends", "me plus three", "four and a baby", "two thirds": the number is not the whole that was asked for. */
function isPartOfSum(tokens: readonly Token[], from: number, to: number, asked: boolean): boolean {
  if (PARTS.has(tokens[to]?.text ?? '') || tokens[from - 1]?.text === 'plus') return true;
  const owned = OWNERS.has(tokens[from - 1]?.text ?? '') ? 1 : 0;
  if (asked && tokens[from - 1 - owned]?.text === 'and' && from - owned > 1) return true;
  const and = tokens.slice(to, to + SUM_REACH).findIndex((token) => token.text === 'and' || token.text === 'plus');
  return and >= 0 && ONE_MORE.has(tokens[to + and + 1]?.text ?? '');
}

function isNegative(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before === undefined) return false;
  if (before.text === 'minus' || before.text === 'negative') return true;
  return /^[-–−]$/.test(before.text) && !before.glued && tokens[at]?.glued === true;
}
