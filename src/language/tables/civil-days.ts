/** Returns a day as YYYY-MM-DD; null if the calendar has no such day. */
export function dayOf(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(text) ? null : text;
}

/** The day so many days after another; null if either is not a day of the years 0 to 9999. */
export function dayAfter(day: string, days: number): string | null {
  const date = new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString().slice(0, 10) : null;
}

/** Sunday is 0. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}
