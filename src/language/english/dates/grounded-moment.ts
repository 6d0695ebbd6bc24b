import { MONTHS } from './calendar-words.ts';
import { type Grounding, normal, type Said, textsOf } from '../said-words.ts';
import { read } from '../reading.ts';
import { digitsOf } from '../numbers/spoken-numbers.ts';

/**
 * Checks whether a day or a time occurs in the words, read on the side of today where it may lie, in the whole text and
 * in each clause. The beginning or end of a stay counts as said; a day before or after another does not.
 */
export function groundedMoment(kind: 'date' | 'time', value: string, { turns, options }: Said): Grounding {
  const sides =
    options.direction === undefined ? [options, ...EITHER_SIDE.map((side) => ({ ...options, ...side }))] : [options];
  let isNear = false;
  let isOther = false;
  for (const text of textsOf(turns)) {
    for (const part of new Set([text, ...text.split(/[.;!?,]|\b(?:and|but|for|then)\b/i)])) {
      if (part.trim() === '') continue;
      for (const side of sides) {
        const reading = read(kind, part, { ...side, asked: true });
        if (reading.ok && (reading.value === value || (!reading.certain && isHalfADayOff(reading.value, value))))
          return 'said';
        if (reading.ok && reading.certain) isOther = true;
        const isCandidate =
          !reading.ok && reading.problem === 'ambiguous' && reading.candidates?.includes(value) === true;
        if (!isCandidate) continue;
        if (!BOUND.test(part)) return 'said';
        isNear = true;
      }
    }
    if (kind === 'date' && !isOther && !BOUND.test(text) && isNamed(value, text, options.now)) return 'said';
  }
  return isNear ? 'near' : 'unsaid';
}

const EITHER_SIDE = [{ direction: 'past' }, { direction: 'future' }] as const;
const BOUND = /\b(?:before|after|by|than|earlier|later|not|never)\b/i;
const DAY_MS = 86_400_000;

/** Whether a text names the day of the week of a day nearby, or its day and month, and the year where that is not plain. */
function isNamed(value: string, text: string, now: string): boolean {
  const at = Date.parse(`${value}T00:00Z`);
  const days = (at - Date.parse(`${now.slice(0, 10)}T00:00Z`)) / DAY_MS;
  if (!Number.isFinite(days)) return false;
  const words = ` ${normal(digitsOf(text))} `;
  const date = new Date(at);
  if (Math.abs(days) < 14 && words.includes(` ${WEEKDAYS[date.getUTCDay()] ?? ''} `)) return true;
  const isPlain = Math.abs(days) < 366 || words.includes(` ${date.getUTCFullYear()} `);
  const isMonth = words.split(' ').some((word) => MONTHS.get(word) === date.getUTCMonth() + 1);
  return isPlain && isMonth && new RegExp(` ${date.getUTCDate()}(?:st|nd|rd|th)? `).test(words);
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Hours that leave the half of the day open: half past seven may be either. */
function isHalfADayOff(one: string | number | boolean, other: string): boolean {
  const [hour = Number.NaN, minute] = String(one).split(':').map(Number);
  const [otherHour = Number.NaN, otherMinute] = other.split(':').map(Number);
  return minute === otherMinute && Math.abs(hour - otherHour) === 12;
}
