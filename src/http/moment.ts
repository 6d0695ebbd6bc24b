import { counted } from '../model/ports/counted.ts';

/** `Tuesday, 1 December 2026 at 10:00 (Europe/Berlin)`. */
export function wallTime(at: number, zone: string): string {
  const words = (zoned: string): string =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zoned }).format(at);
  try {
    return `${words(zone).replace(/^(\w+) /, '$1, ')} (${zone})`;
  } catch {
    // The machine does not know the zone.
    return wallTime(at, 'UTC');
  }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `2 days and 3 hours`, in the two largest units; `less than a minute`. */
export function timeLeft(ms: number): string {
  let rest = Math.max(ms, 0);
  const parts = units.map(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return { count, text: counted(count, unit) };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return 'less than a minute';
  const told = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return told.map(({ text }) => text).join(' and ');
}
