import {
  isBound,
  isDenied,
  isRefusedAfter,
  isReplacedNumber,
  settle,
  versionsOf,
  type Mention,
  type Version,
} from '../answers/corrections.ts';
import { dayPartAt, hourAt, timeFromNowAt, toOrPastAt, type Half, type TimeParts } from './clock-phrases.ts';
import { openHalf } from '../../bounds.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { tokensOf, type Token } from '../numbers/spoken-numbers.ts';

type Resolved =
  | { minutes: number; certain: boolean; isOpen?: boolean }
  | { problem: 'invalid' | 'ambiguous' | 'incomplete' };

const REACH = 6;

/**
 * Reads a time of day. The rule for an hour without a half of the day: 7 to 11 are in the morning, 12 and 1 to 6 are after noon, and the
 * reading is not certain. Not asked for, a bare number is a time only behind "at" or before a part of the day.
 */
export function readTime(text: string, options: ReadOptions): Reading {
  const asked = options.asked === true;
  const versions = versionsOf(tokensOf(text));
  const { mentions, unsettled } = settle(
    versions,
    (tokens, version) => timesIn(tokens, version, asked, options.now),
    corrected,
  );
  const mention = mentions[0];
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  if (unsettled && isReplacedNumber(versions, text.slice(mention.start, mention.end)))
    return { ok: false, problem: 'not-found' };
  const resolved = mentions.map((each) => resolve(each.value, options));
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
  const isOpen = resolved.every((each) => 'minutes' in each && each.isOpen === true);
  const open = !unsettled && isOpen ? { isOpen: true as const } : {};
  return { ok: true, value, said: text.slice(start, end), start, end, certain, ...open };
}

function timesIn(tokens: readonly Token[], version: Version<Token>, asked: boolean, now: string): Mention<TimeParts>[] {
  const mentions: Mention<TimeParts>[] = [];
  const halves: Mention<Half>[] = [];
  let at = 0;
  while (at < tokens.length) {
    const piece = timeFromNowAt(tokens, at, now) ?? toOrPastAt(tokens, at) ?? hourAt(tokens, at, asked);
    const half = piece === undefined ? dayPartAt(tokens, at, version.correction !== undefined && at < 3) : undefined;
    const next = piece?.next ?? half?.next ?? at + 1;
    const place = { from: at, to: next, start: tokens[at]?.start ?? 0, end: tokens[next - 1]?.end ?? 0, certain: true };
    if (piece !== undefined && !isDenied(tokens, at) && !isRefusedAfter(tokens, next))
      mentions.push({ ...place, value: piece.parts, bound: isBound(tokens, at, next) });
    if (half !== undefined && !isDenied(tokens, at)) halves.push({ ...place, value: half.half });
    at = next;
  }
  if (mentions.length === 0) {
    return halves.slice(0, 2).map(({ value, ...place }) => ({ ...place, value: { half: value } }));
  }
  if (halves.length === 0)
    return mentions.filter((mention, index) => !isRestated(tokens, mention, mentions[index + 1]));
  const beginning = new Map(halves.map((half) => [half.from, half]));
  const ending = new Map(halves.map((half) => [half.to, half]));
  const wholes = mentions.filter((mention, index) => !isRestated(tokens, mention, mentions[index + 1]));
  return wholes.map((mention) => {
    const half = nearestHalf(mention, beginning, ending);
    const isOpen = mention.value.half === undefined && mention.value.exact !== true;
    if (half === undefined || !isOpen) return mention;
    const place = half.from === mention.to ? { to: half.to, end: half.end } : {};
    return { ...mention, ...place, value: { ...mention.value, half: half.value } };
  });
}

/** "Eight, eight thirty": a bare hour said again in full; speech recognition also hears it as eighteen. */
function isRestated(tokens: readonly Token[], bare: Mention<TimeParts>, full: Mention<TimeParts> | undefined): boolean {
  const { hour, minute, half } = bare.value;
  if (full?.value.minute === undefined || hour === undefined || minute !== undefined || half !== undefined)
    return false;
  const isPause = tokens.slice(bare.to, full.from).every((token) => token.mark);
  return isPause && (full.value.hour === hour || full.value.hour === hour - 10);
}

/** The half of the day said nearest to an hour; behind it rather than before it. */
function nearestHalf(
  hour: Mention<TimeParts>,
  beginning: ReadonlyMap<number, Mention<Half>>,
  ending: ReadonlyMap<number, Mention<Half>>,
): Mention<Half> | undefined {
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

function resolve(
  { hour, minute = 0, half, exact, doubtful }: TimeParts,
  { half: likely, bounds }: ReadOptions,
): Resolved {
  if (hour === undefined) return { problem: 'incomplete' };
  if (hour > 23 || minute > 59) return { problem: 'invalid' };
  const certain = doubtful !== true;
  if (exact === true || hour > 12 || hour === 0) {
    const contradicts = (half === 'am' && hour >= 12) || (half === 'pm' && hour < 12 && exact !== true);
    return contradicts ? { problem: 'invalid' } : { minutes: hour * 60 + minute, certain: certain && exact === true };
  }
  const morning = hour % 12;
  if (half === undefined) {
    const halves = [morning, morning + 12].map((each) => each * 60 + minute) as [number, number];
    const open = openHalf(bounds, clock(halves[0]), clock(halves[1]));
    const isBeforeNoon = hour >= 4 && hour <= 11 && (likely === undefined ? hour >= 7 : likely === 'am');
    const isMorning = open === 'both' ? isBeforeNoon : open === 'am';
    return { minutes: halves[isMorning ? 0 : 1], certain: certain && open !== 'both', isOpen: open === 'both' };
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
      return hour === 12 ? true : hour >= 6 ? false : undefined;
  }
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
