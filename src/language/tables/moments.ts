import { openHalf } from '../bounds.ts';
import type { Reading, ReadOptions } from '../../model/ports/reader.ts';
import { type Calendar, createCalendar, type Day, monthForms, shortWeekday } from './calendar.ts';
import { wordsIn } from './folded.ts';
import { isCovered, LONGEST_MOMENT, NOT_FOUND, readingOf } from './outcome.ts';
import type { ClockTime, MomentWords, Tables } from './tables.ts';

interface Moment {
  readonly day: Day | null;
  readonly time: ClockTime | null;
  readonly half: 'am' | 'pm' | null;
  /** The text used by neither the day nor the time. */
  readonly rest: string;
}

/**
 * Reads a day or a time of day. Behind a correction only the new value counts, a clause that refuses its value has none,
 * and bounds, lengths and choices are no value. A reading is certain where all words are known and all numerals are used.
 */
export function momentReader(tables: Tables): (kind: 'date' | 'time', text: string, options: ReadOptions) => Reading {
  const { moments, fold, digits, answers } = tables;
  const calendar = createCalendar(moments);
  const beside = wordsIn(
    fold,
    `${moments.beside} ${answers.filling.replaceAll(',', ' ')} ${answers.hesitations} ${answers.leading.replaceAll(',', ' ')}`,
  );
  const days = moments.weekdays.map((_, day) => shortWeekday(moments, day));
  const names = [...monthForms(moments).flat(), ...moments.weekdays, ...days];
  const calendarWord = new RegExp(`^(?:${names.join('|')})$`, 'u');
  const isKnown = (piece: string): boolean => beside.has(piece) || calendarWord.test(piece);
  return (kind, text, options) => {
    const today = options.now.slice(0, 10);
    if (Number.isNaN(Date.parse(today)) || text.length > LONGEST_MOMENT) return NOT_FOUND;
    const folded = moments.prepare(fold(text));
    if (moments.denial.test(folded.trim())) return NOT_FOUND;
    const direction = options.direction ?? (kind === 'time' ? 'future' : undefined);
    const found = latest(splitOf(moments, folded), (part) =>
      momentIn(moments, calendar, digits, part, today, direction),
    );
    if (found === null) return NOT_FOUND;
    const { moment, versions } = found;
    const isWhole =
      versions === 1 && !/\d/.test(moment.rest) && isCovered(digits(folded), isKnown) && !/[?]/.test(text);
    if (kind === 'date') {
      const { day } = moment;
      if (day === null) return NOT_FOUND;
      if (!day.ok) return { ok: false, problem: day.problem, ...(day.problem === 'incomplete' && { missing: 'year' }) };
      return readingOf(text, day.day, day.certain && isWhole);
    }
    if (moment.time === null) return NOT_FOUND;
    const { clock, isOpen } = timeOfDay(moment.time, moment.half, options);
    const reading = readingOf(text, clock, !isOpen && isWhole);
    return isOpen && isWhole && reading.ok ? { ...reading, isOpen: true } : reading;
  };
}

/** The versions of what was said, the last one last, without clauses that refuse their value. */
function splitOf({ clause, refusal, correction }: MomentWords, folded: string): readonly string[] {
  const clauses = folded.split(clause);
  const kept = clauses.filter((each) => !refusal.test(each));
  const text = kept.length < clauses.length ? kept.join(' , ') : folded;
  const versions: string[] = [];
  let left = text;
  for (let found = correction.exec(left); found !== null && found[0] !== ''; found = correction.exec(left)) {
    versions.push(left.slice(0, found.index));
    left = left.slice(found.index + found[0].length);
  }
  return [...versions, left];
}

/** The last version; what it leaves out is taken from the one before. Null where nothing stands behind a correction. */
function latest(
  versions: readonly string[],
  read: (text: string) => Moment | null,
): { moment: Moment; versions: number } | null {
  const [before, last] = [versions.slice(0, -1), versions.at(-1) ?? ''];
  const moment = read(last);
  if (moment === null) return null;
  const earlier = before.map(read).findLast((each) => each !== null);
  const said = before.filter((each) => /[\p{L}\d]/u.test(each)).length;
  return {
    moment: { ...moment, day: moment.day ?? earlier?.day ?? null, time: moment.time ?? earlier?.time ?? null },
    versions: 1 + said,
  };
}

function momentIn(
  words: MomentWords,
  calendar: Calendar,
  digits: Tables['digits'],
  said: string,
  today: string,
  direction: 'past' | 'future' | undefined,
): Moment | null {
  const isMorning = words.am.test(said);
  const isAfternoon = words.pm.test(said);
  const bare = said.replace(words.am, ' ').replace(words.pm, ' ');
  // "3 dez." is the third of December before "dez" is ten.
  const typed = /\d/.test(bare) ? calendar(bare, today, direction) : null;
  const text = digits(typed?.ok === true ? typed.rest : bare);
  const time = words.clock(text);
  const rest = time?.rest ?? text;
  const isBound = words.bound.test(rest);
  const again = words.clock(rest);
  const spoken = typed?.ok === true ? null : calendar(rest, today, direction);
  const day = typed?.ok === true ? typed : (spoken ?? typed);
  if (isBound || (day === null && time === null)) return null;
  // A second time leaves a numeral over, so that neither is certain.
  const left = day?.ok === true ? (typed?.ok === true ? rest : day.rest) : rest;
  return {
    day,
    time,
    half: isMorning === isAfternoon ? null : isMorning ? 'am' : 'pm',
    rest: again === null || time === null ? left : `${left} 0`,
  };
}

/**
 * The rule for an hour without a half of the day is that of English: 7 to 11 are in the morning, the others after noon,
 * unless only one half is within the bounds.
 */
function timeOfDay(
  time: ClockTime,
  said: 'am' | 'pm' | null,
  { half: likely, bounds }: ReadOptions,
): { clock: string; isOpen: boolean } {
  const isHalfDay = !time.isExact && time.hour >= 1 && time.hour <= 12;
  const morning = clockOf(time.hour % 12, time.minute);
  const afternoon = clockOf((time.hour % 12) + 12, time.minute);
  const open = isHalfDay && said === null ? openHalf(bounds, morning, afternoon) : null;
  if (open === 'am' || open === 'pm') return { clock: open === 'am' ? morning : afternoon, isOpen: false };
  const half = said ?? likely ?? null;
  const hour = time.hour % 24;
  const isOpen = open === 'both' && half === null;
  const isAfternoon = half === 'pm' || (half === null && isHalfDay && hour < 7);
  if (isAfternoon && hour < 12) return { clock: clockOf(hour + 12, time.minute), isOpen };
  return { clock: clockOf(half === 'am' && hour === 12 ? 0 : hour, time.minute), isOpen };
}

function clockOf(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
