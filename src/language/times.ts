import { parseCivilTime } from './civil-date.ts';
import { isBound, isDenied, settle, versionsOf, type Mention, type Version } from './corrections.ts';
import { isPronounOne } from './numbers.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { tokensOf, type Token } from './spoken-numbers.ts';
import { wordSet } from './words.ts';

type Half = 'am' | 'pm' | 'morning' | 'afternoon' | 'evening' | 'night';

/** What one expression says about a time of day; what it does not say is absent. */
interface TimeParts {
  hour?: number;
  minute?: number;
  half?: Half;
  /** Written on the 24-hour clock, or said as noon or midnight. */
  exact?: boolean;
  doubtful?: boolean;
}

interface Piece {
  parts: TimeParts;
  next: number;
}

type Resolved = { minutes: number; certain: boolean } | { problem: 'invalid' | 'ambiguous' | 'incomplete' };

const DAY_PARTS = new Set(['morning', 'afternoon', 'evening', 'night']);
const BEFORE_DAY_PART = wordSet(`
  the this tomorrow today every late early at monday tuesday wednesday thursday friday saturday sunday yesterday`);
const BEFORE_HOUR = wordSet('at around about @ approximately like');
const AFTER_HOUR = wordSet(`
  please is was works would will or and if for in on then sounds should i because that so around my maybe okay ok thanks we today
  tonight tomorrow the this suits fits sharp exactly ish works good great best fine perfect not but with at monday tuesday wednesday
  thursday friday saturday sunday morning afternoon evening night`);
const PAST = new Set(['past', 'after']);
const TO = new Set(['to', 'till', 'til', 'before', 'of']);
const REACH = 6;

/**
 * Reads a time of day. The rule for an hour without a half of the day: 7 to 11 are in the morning, 12 and 1 to 6 are after noon, and the
 * reading is not certain. Not asked for, a bare number is a time only behind "at", "around" or "about".
 */
export function readTime(text: string, options: ReadOptions): Reading {
  const asked = options.asked === true;
  const { mentions, unsettled } = settle(
    versionsOf(tokensOf(text)),
    (tokens, version) => timesIn(tokens, version, asked, options.now),
    corrected,
  );
  const mention = mentions[0];
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  const resolved = mentions.map((each) => resolve(each.value));
  const candidates = [...new Set(resolved.flatMap((each) => ('minutes' in each ? [clock(each.minutes)] : [])))];
  if (mentions.some((each) => each.bound) || candidates.length > 1)
    return { ok: false, problem: 'ambiguous', candidates };
  const problem = resolved.find((each) => 'problem' in each);
  if (problem !== undefined)
    return { ok: false, ...problem, ...(problem.problem === 'incomplete' && { missing: 'hour' }) };
  const value = candidates[0];
  if (value === undefined) return { ok: false, problem: 'not-found' };
  const certain = !unsettled && resolved.some((each) => 'minutes' in each && each.certain);
  const { start, end } = mention;
  return { ok: true, value, said: text.slice(start, end), start, end, certain };
}

function timesIn(tokens: readonly Token[], version: Version<Token>, asked: boolean, now: string): Mention<TimeParts>[] {
  const mentions: Mention<TimeParts>[] = [];
  const halves: Mention<Half>[] = [];
  let at = 0;
  while (at < tokens.length) {
    const piece = relativeAt(tokens, at, now) ?? toOrPastAt(tokens, at) ?? hourAt(tokens, at, asked);
    const half = piece === undefined ? dayPartAt(tokens, at, version.correction !== undefined && at < 3) : undefined;
    const next = piece?.next ?? half?.next ?? at + 1;
    const place = { from: at, to: next, start: tokens[at]?.start ?? 0, end: tokens[next - 1]?.end ?? 0, certain: true };
    if (piece !== undefined && !isDenied(tokens, at))
      mentions.push({ ...place, value: piece.parts, bound: isBound(tokens, at, next) });
    if (half !== undefined && !isDenied(tokens, at)) halves.push({ ...place, value: half.half });
    at = next;
  }
  if (mentions.length === 0) {
    return halves.slice(0, 2).map(({ value, ...place }) => ({ ...place, value: { half: value } }));
  }
  if (halves.length === 0) return mentions;
  const beginning = new Map(halves.map((half) => [half.from, half.value]));
  const ending = new Map(halves.map((half) => [half.to, half.value]));
  return mentions.map((mention) => {
    const half = nearestHalf(mention, beginning, ending);
    const isOpen = mention.value.half === undefined && mention.value.exact !== true;
    return half === undefined || !isOpen ? mention : { ...mention, value: { ...mention.value, half } };
  });
}

/** The half of the day said nearest to an hour; behind it rather than before it. */
function nearestHalf(
  hour: Mention<TimeParts>,
  beginning: ReadonlyMap<number, Half>,
  ending: ReadonlyMap<number, Half>,
): Half | undefined {
  for (let gap = 0; gap <= REACH; gap += 1) {
    const half = beginning.get(hour.to + gap) ?? ending.get(hour.from - gap);
    if (half !== undefined) return half;
  }
  return undefined;
}

/** "three pm, no, four" is four in the afternoon; "three am, no, pm" three. */
function corrected(earlier: TimeParts, later: TimeParts): TimeParts {
  if (later.hour === undefined) return { ...earlier, ...later };
  if (later.half !== undefined || later.exact === true || earlier.half === undefined) return later;
  return { ...later, half: earlier.half };
}

function resolve({ hour, minute = 0, half, exact, doubtful }: TimeParts): Resolved {
  if (hour === undefined) return { problem: 'incomplete' };
  if (hour > 23 || minute > 59) return { problem: 'invalid' };
  const certain = doubtful !== true;
  if (exact === true || hour > 12 || hour === 0) {
    const contradicts = (half === 'am' && hour >= 12) || (half === 'pm' && hour < 12 && exact !== true);
    return contradicts ? { problem: 'invalid' } : { minutes: hour * 60 + minute, certain: certain && exact === true };
  }
  const morning = hour % 12;
  if (half === undefined) {
    return { minutes: (hour >= 7 && hour <= 11 ? morning : morning + 12) * 60 + minute, certain: false };
  }
  const isMorning = inMorning(hour, half);
  return isMorning === undefined
    ? { problem: 'ambiguous' }
    : { minutes: (isMorning ? morning : morning + 12) * 60 + minute, certain };
}

/** Whether an hour of the 12-hour clock is before noon; undefined where the words do not fit ("nine in the afternoon"). */
function inMorning(hour: number, half: Half): boolean | undefined {
  switch (half) {
    case 'am':
      return true;
    case 'pm':
      return false;
    case 'morning':
      return hour === 12 ? undefined : true;
    case 'afternoon':
      return hour === 12 || hour <= 6 ? false : undefined;
    case 'evening':
      return hour >= 4 && hour <= 11 ? false : undefined;
    case 'night':
      return hour === 12 || hour <= 4 ? true : hour >= 6 ? false : undefined;
  }
}

/** "14:30", "ten thirty", "ten oh five", "nine o'clock", "seven pm", "noon". */
function hourAt(tokens: readonly Token[], at: number, asked: boolean): Piece | undefined {
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
  const isPlaced = BEFORE_HOUR.has(tokens[at - 1]?.text ?? '') || dayPartAt(tokens, next, false) !== undefined;
  const before = tokens[at - 1];
  const isDate = before?.glued === true && before.mark && tokens[at]?.glued === true && /^[/.:-]$/.test(before.text);
  if (isDate || (!isMarked && !(ends && (asked || isPlaced)))) return undefined;
  return { parts, next };
}

function clockAt(tokens: readonly Token[], at: number): (Piece & { written: boolean }) | undefined {
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

function halfAt(tokens: readonly Token[], at: number): { half: Half; next: number } | undefined {
  const word = tokens[at]?.text;
  if (word === 'am' || word === 'pm') return { half: word, next: at + 1 };
  if (word !== 'a' && word !== 'p') return undefined;
  const dot = tokens[at + 1]?.text === '.' ? 1 : 0;
  if (tokens[at + 1 + dot]?.text !== 'm') return undefined;
  const end = tokens[at + 2 + dot]?.text === '.' && dot === 1 ? 1 : 0;
  return { half: word === 'a' ? 'am' : 'pm', next: at + 2 + dot + end };
}

/** "in the morning", "tonight", "tomorrow evening"; "good morning" is a greeting. */
function dayPartAt(tokens: readonly Token[], at: number, corrects: boolean): { half: Half; next: number } | undefined {
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

function dayPart(tokens: readonly Token[], at: number): { half: Half; next: number } | undefined {
  const word = tokens[at]?.text;
  return word === 'morning' || word === 'afternoon' || word === 'evening' || word === 'night'
    ? { half: word, next: at + 1 }
    : undefined;
}

/** "half past three", "quarter to five", "ten past four", "five minutes to six". */
function toOrPastAt(tokens: readonly Token[], at: number): Piece | undefined {
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

function hourName(tokens: readonly Token[], at: number): { hour: number; exact: boolean; next: number } | undefined {
  const token = tokens[at];
  if (token?.text === 'noon' || token?.text === 'midday') return { hour: 12, exact: true, next: at + 1 };
  if (token?.text === 'midnight') return { hour: 0, exact: true, next: at + 1 };
  const number = token?.number;
  if (number === undefined || number.ordinal || number.value < 1 || number.value > 12 || number.oh) return undefined;
  return { hour: number.value, exact: false, next: at + 1 };
}

/** "in half an hour", "in twenty minutes": counted from now, as long as it stays today. */
function relativeAt(tokens: readonly Token[], at: number, now: string): Piece | undefined {
  if (tokens[at]?.text !== 'in') return undefined;
  const half =
    tokens[at + 1]?.text === 'half' && (tokens[at + 2]?.text === 'an' || tokens[at + 2]?.text === 'a') ? 2 : 0;
  const token = tokens[at + 1];
  const count =
    half > 0
      ? 0.5
      : token?.text === 'an' || token?.text === 'a'
        ? 1
        : token?.number?.ordinal === false
          ? token.number.value
          : 0;
  const unitAt = at + 2 + (half > 0 ? 1 : 0);
  const unit = tokens[unitAt]?.text ?? '';
  const minutes = /^hours?$/.test(unit) ? count * 60 : /^min(?:ute)?s?$/.test(unit) ? count : 0;
  const present = parseCivilTime(now);
  if (present === undefined || minutes <= 0 || !Number.isInteger(minutes)) return undefined;
  const total = present.minute + minutes;
  if (total >= 1440) return undefined;
  return { parts: { hour: Math.floor(total / 60), minute: total % 60, exact: true }, next: unitAt + 1 };
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
