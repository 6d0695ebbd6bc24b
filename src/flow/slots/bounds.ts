/** The bounds of a slot: days, times, or `today`. */
export interface MomentBounds {
  readonly before: string | null;
  readonly after: string | null;
}

/** Checks for a time of day with 24 hours: "09:30". */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** Returns why a day or a time is outside of the bounds of its slot; null if it is within them. */
export function momentProblem({ before, after }: MomentBounds, value: string, today: string): string | null {
  const [latest, earliest] = [before, after].map((bound) => (bound === 'today' ? today : bound));
  if (latest != null && value >= latest) return `must be before ${latest}`;
  if (earliest == null || value > earliest) return null;
  // A shop that opens at nine is open at nine, but the day after today is not today.
  return value === earliest && isTimeOfDay(value) ? null : `must be after ${earliest}`;
}
