import { NUMBERED_THINGS } from './calendar-words.ts';
import { parseCivilTime } from './civil-date.ts';
import type { Token } from '../numbers/spoken-numbers.ts';
import { hasPhraseAt, wordSet } from '../words.ts';

/** Which half or part of the day an hour lies in. */
export type Half = 'am' | 'pm' | 'morning' | 'afternoon' | 'evening' | 'night';

/** What one expression says about a time of day; what it does not say is absent. */
export interface TimeParts {
  hour?: number;
  minute?: number;
  half?: Half;
  /** Written on the 24-hour clock, or said as noon or midnight. */
  exact?: boolean;
  doubtful?: boolean;
}

/** What the tokens up to `next` say. */
export interface TimePiece {
  parts: TimeParts;
  next: number;
}

const DAY_PARTS = new Set(['morning', 'afternoon', 'evening', 'night']);
const BEFORE_DAY_PART = wordSet(`
  the this tomorrow today every late early at monday tuesday wednesday thursday friday saturday sunday yesterday`);
const AFTER_HOUR = wordSet(`
  please is was works would will or and if for in on then sounds should i because that so around my maybe okay ok thanks we today
  tonight tomorrow under this suits fits sharp exactly ish works good great best fine perfect not but with at monday tuesday wednesday
  thursday friday saturday sunday morning afternoon evening night`);
const PAST = new Set(['past', 'after']);
const TO = new Set(['to', 'till', 'til', 'before', 'of']);
const SHORT_ANSWER = 4;
const BEFORE_ONE = wordSet(`
  just only for is it's its be there's about around of to say maybe have with need want like number us only exactly yes please at past
  after by`);
const AFTER_ONE = wordSet(`
  sec moment minute more thing day of time another question that who which by way point other last`);

/** "14:30", "ten thirty", "ten oh five", "nine o'clock", "seven pm", "noon". */
export function hourAt(tokens: readonly Token[], at: number, asked: boolean): TimePiece | undefined {
  const word = tokens[at]?.text;
  if (word === 'noon' || word === 'midday') return { parts: { hour: 12, exact: true }, next: at + 1 };
  if (word === 'midnight') return { parts: { hour: 0, exact: true }, next: at + 1 };
  const said = clockAt(tokens, at);
  if (said === undefined || tokens[at - 1]?.number !== undefined || isPronounOne(tokens, at)) return undefined;
  const named = tokens[said.next]?.text;
  if (said.parts.hour === 12 && (named === 'noon' || named === 'midnight')) {
    return { parts: { hour: named === 'noon' ? 12 : 0, exact: true }, next: said.next + 1 };
  }
  const half = halfAt(tokens, oClock(tokens, said.next) ?? said.next);
  const next = half?.next ?? oClock(tokens, said.next) ?? said.next;
  const parts = { ...said.parts, ...(half && { half: half.half }) };
  const after = tokens[next];
  const ends =
    after === undefined || (after.mark && !(after.glued && /^[/:@%-]$/.test(after.text))) || AFTER_HOUR.has(after.text);
  const isMarked = half !== undefined || next > said.next || said.written;
  const before = tokens[at - 1];
  const isPlaced = before?.text === 'at' || before?.text === '@' || dayPartAt(tokens, next, false) !== undefined;
  // "A table for four tonight" counts people.
  const isCount = (before?.text === 'for' || before?.text === 'of') && !(asked && tokens.length <= SHORT_ANSWER);
  if (!isMarked && (NUMBERED_THINGS.has(before?.text ?? '') || isOfPeople(tokens, next))) return undefined;
  const isDate = before?.glued === true && before.mark && tokens[at]?.glued === true && /^[/.:-]$/.test(before.text);
  if (isDate || (!isMarked && (isCount || !ends || !(asked || isPlaced)))) return undefined;
  return { parts, next };
}

/** "Six of us". */
function isOfPeople(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.text === 'of' && ['us', 'them', 'you'].includes(tokens[at + 1]?.text ?? '');
}

/** "half past three", "quarter to five", "ten past four", "five minutes to six". */
export function toOrPastAt(tokens: readonly Token[], at: number): TimePiece | undefined {
  const word = tokens[at]?.text;
  const number = tokens[at]?.number;
  const named = word === 'half' ? 30 : word === 'quarter' ? 15 : undefined;
  const count =
    named ?? (number !== undefined && !number.ordinal && Number.isInteger(number.value) ? number.value : undefined);
  if (count === undefined || count < 1 || count > 30) return undefined;
  const unit = ['minutes', 'minute'].includes(tokens[at + 1]?.text ?? '') ? 1 : 0;
  const relation = tokens[at + 1 + unit]?.text ?? '';
  const isPast = PAST.has(relation);
  const isHalfAnHour = word === 'half' && !isPast;
  const from = isHalfAnHour ? at + 1 : at + 2 + unit;
  if (!isPast && !isHalfAnHour && !TO.has(relation)) return undefined;
  // "two to five" is a range: only round minutes are said without the word.
  if (named === undefined && unit === 0 && count % 5 !== 0) return undefined;
  const hour = hourName(tokens, from);
  if (hour === undefined) return undefined;
  const half = halfAt(tokens, oClock(tokens, hour.next) ?? hour.next);
  const minutes = hour.hour * 60 + (isPast || isHalfAnHour ? count : -count);
  const total = hour.exact ? (minutes + 1440) % 1440 : minutes < 60 ? minutes + 720 : minutes;
  const doubtful = isHalfAnHour || (!isPast && named === undefined && unit === 0);
  return {
    parts: {
      hour: Math.floor(total / 60),
      minute: total % 60,
      ...(half && { half: half.half }),
      ...(hour.exact && { exact: true }),
      ...(doubtful && { doubtful: true }),
    },
    next: half?.next ?? oClock(tokens, hour.next) ?? hour.next,
  };
}

/** "in half an hour", "in twenty minutes": counted from now, as long as it stays today. */
export function timeFromNowAt(tokens: readonly Token[], at: number, now: string): TimePiece | undefined {
  if (tokens[at]?.text !== 'in') return undefined;
  const half = hasPhraseAt(tokens, at + 1, ['half', 'an']) || hasPhraseAt(tokens, at + 1, ['half', 'a']);
  const token = tokens[at + 1];
  const one = token?.text === 'an' || token?.text === 'a' ? 1 : undefined;
  const count = half ? 0.5 : (one ?? (token?.number?.ordinal === false ? token.number.value : 0));
  const unitAt = at + (half ? 3 : 2);
  const unit = tokens[unitAt]?.text ?? '';
  const minutes = /^hours?$/.test(unit) ? count * 60 : /^min(?:ute)?s?$/.test(unit) ? count : 0;
  const present = parseCivilTime(now);
  if (present === undefined || minutes <= 0 || !Number.isInteger(minutes)) return undefined;
  const total = present.minute + minutes;
  if (total >= 1440) return undefined;
  return { parts: { hour: Math.floor(total / 60), minute: total % 60, exact: true }, next: unitAt + 1 };
}

/** "in the morning", "tonight", "tomorrow evening"; "good morning" is a greeting. With `corrects` a bare "pm" counts. */
export function dayPartAt(
  tokens: readonly Token[],
  at: number,
  corrects: boolean,
): { half: Half; next: number } | undefined {
  const word = tokens[at]?.text ?? '';
  if (corrects) {
    const half = halfAt(tokens, at);
    if (half !== undefined) return half;
  }
  if (word === 'tonight') return { half: 'night', next: at + 1 };
  if (word === 'in' && tokens[at + 1]?.text === 'the' && DAY_PARTS.has(tokens[at + 2]?.text ?? '')) {
    return dayPart(tokens, at + 2);
  }
  const isPlaced = BEFORE_DAY_PART.has(tokens[at - 1]?.text ?? '') || tokens[at - 1]?.number !== undefined;
  return DAY_PARTS.has(word) && isPlaced ? dayPart(tokens, at) : undefined;
}

/** "am", "p m", "a.m." */
export function halfAt(tokens: readonly Token[], at: number): { half: Half; next: number } | undefined {
  const word = tokens[at]?.text;
  if (word === 'am' || word === 'pm') return { half: word, next: at + 1 };
  if (word !== 'a' && word !== 'p') return undefined;
  const dot = tokens[at + 1]?.text === '.' ? 1 : 0;
  if (tokens[at + 1 + dot]?.text !== 'm') return undefined;
  const end = tokens[at + 2 + dot]?.text === '.' && dot === 1 ? 1 : 0;
  return { half: word === 'a' ? 'am' : 'pm', next: at + 2 + dot + end };
}

/** Whether "one" at this place stands for a thing rather than a number: "the second one", "one moment". */
export function isPronounOne(tokens: readonly Token[], at: number): boolean {
  const number = tokens[at]?.number;
  if (number === undefined || number.value !== 1 || !number.spoken || number.ordinal) return false;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (after?.number?.ordinal === false) return false;
  if (after !== undefined && (AFTER_ONE.has(after.text) || after.number?.ordinal === true)) return true;
  return before !== undefined && !before.mark && before.number === undefined && !BEFORE_ONE.has(before.text);
}

function clockAt(tokens: readonly Token[], at: number): (TimePiece & { written: boolean }) | undefined {
  const hour = tokens[at]?.number;
  if (hour === undefined || hour.ordinal) return undefined;
  const colon = tokens[at + 1];
  const minutes = tokens[at + 2]?.number;
  if (colon?.text === ':' && colon.glued && minutes !== undefined && tokens[at + 2]?.glued === true) {
    if (minutes.digits.length !== 2 || hour.digits.length > 2) return undefined;
    const exact = hour.digits.length === 2 && (hour.digits.startsWith('0') || hour.value > 12);
    const seconds = tokens[at + 3]?.text === ':' && tokens[at + 4]?.number?.digits.length === 2 ? 2 : 0;
    return { parts: { hour: hour.value, minute: minutes.value, exact }, next: at + 3 + seconds, written: true };
  }
  const dotted = /^(\d{1,2})\.(\d\d)$/.exec(hour.digits) ?? /^(\d{1,2})(\d\d)$/.exec(hour.spoken ? '' : hour.digits);
  if (dotted !== null)
    return { parts: { hour: Number(dotted[1]), minute: Number(dotted[2]) }, next: at + 1, written: false };
  if (!Number.isInteger(hour.value) || hour.digits.length > 2 || (hour.oh && minutes === undefined)) return undefined;
  const second = tokens[at + 1]?.number;
  if (second === undefined) return { parts: { hour: hour.value }, next: at + 1, written: false };
  if (second.oh && tokens[at + 2]?.number?.digits.length === 1) {
    return { parts: { hour: hour.value, minute: tokens[at + 2]?.number?.value ?? 0 }, next: at + 3, written: false };
  }
  const isMinute =
    !second.ordinal && second.digits.length === 2 && second.value >= 10 && tokens[at + 2]?.number === undefined;
  return isMinute ? { parts: { hour: hour.value, minute: second.value }, next: at + 2, written: false } : undefined;
}

function oClock(tokens: readonly Token[], at: number): number | undefined {
  const word = tokens[at]?.text;
  if (word === "o'clock" || word === 'oclock') return at + 1;
  return (word === 'o' || word === '0') && tokens[at + 1]?.text === 'clock' ? at + 2 : undefined;
}

function dayPart(tokens: readonly Token[], at: number): { half: Half; next: number } | undefined {
  const word = tokens[at]?.text;
  return word === 'morning' || word === 'afternoon' || word === 'evening' || word === 'night'
    ? { half: word, next: at + 1 }
    : undefined;
}

function hourName(tokens: readonly Token[], at: number): { hour: number; exact: boolean; next: number } | undefined {
  const token = tokens[at];
  if (token?.text === 'noon' || token?.text === 'midday') return { hour: 12, exact: true, next: at + 1 };
  if (token?.text === 'midnight') return { hour: 0, exact: true, next: at + 1 };
  const number = token?.number;
  if (number === undefined || number.ordinal || number.value < 1 || number.value > 12 || number.oh) return undefined;
  return { hour: number.value, exact: false, next: at + 1 };
}
