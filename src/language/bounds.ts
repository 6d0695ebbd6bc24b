import type { Bounds, Reading, ReadOptions } from '../model/ports/reader.ts';

/** Checks whether a value is within its bounds. */
export function isWithin(bounds: Bounds | undefined, value: string | number | boolean): boolean {
  if (bounds === undefined || typeof value === 'boolean') return true;
  if (typeof value === 'number') return value >= (bounds.minimum ?? -Infinity) && value <= (bounds.maximum ?? Infinity);
  const { after, before } = bounds;
  if (before !== undefined && value >= before) return false;
  // A day lies after its bound; a time of day may be its bound.
  return after === undefined || value > after || (value === after && /^\d\d:/.test(value));
}

/**
 * Returns which half of the day an hour of the 12-hour clock is in, by the bounds: `both` if it may be in either, and the
 * nearer half if it can be in none.
 */
export function openHalf(bounds: Bounds | undefined, morning: string, afternoon: string): 'am' | 'pm' | 'both' {
  const [isEarly, isLate] = [isWithin(bounds, morning), isWithin(bounds, afternoon)];
  if (isEarly !== isLate) return isEarly ? 'am' : 'pm';
  if (isEarly) return 'both';
  const tooEarly = minutesOf(bounds?.after ?? morning) - minutesOf(morning);
  return tooEarly <= minutesOf(afternoon) - minutesOf(bounds?.before ?? afternoon) ? 'am' : 'pm';
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

/** Removes the candidates outside the bounds. */
export function boundedBy(bounds: Bounds | undefined, reading: Reading): Reading {
  if (reading.ok || reading.candidates === undefined || reading.problem !== 'ambiguous') return reading;
  const { candidates, ...rest } = reading;
  const allowed = candidates.filter((candidate) => isWithin(bounds, candidate));
  return allowed.length === 0 ? rest : { ...rest, candidates: allowed };
}

/**
 * Checks whether a past day without year or month means the last such day. It does, unless the value may date back
 * decades, like a birthday.
 */
export function isLately({ direction, about }: ReadOptions): boolean {
  return direction === 'past' && about !== undefined && !BIRTH.test(about);
}

/** In every language with rules, because authors may describe slots in English. */
const BIRTH =
  /birth|\bborn\b|\bdob\b|nacimiento|\bnaci[oó]|cumplea|geburt|geboren|naissance|\bn[ée]e?\b|anniversaire|nascimento|nasceu|anivers/iu;
