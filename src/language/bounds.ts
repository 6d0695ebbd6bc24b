import type { Bounds, Reading, ReadOptions } from '../model/ports/reader.ts';

/** Checks whether a value is within its bounds. */
export function isWithin(bounds: Bounds | undefined, value: string | number | boolean): boolean {
  if (bounds === undefined || typeof value === 'boolean') return true;
  if (typeof value === 'number') return value >= (bounds.minimum ?? -Infinity) && value <= (bounds.maximum ?? Infinity);
  return (
    !(bounds.after !== undefined && value <= bounds.after) && !(bounds.before !== undefined && value >= bounds.before)
  );
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
