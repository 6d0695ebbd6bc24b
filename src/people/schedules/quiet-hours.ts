import { z } from 'zod';
import type { CivilTime } from '../../ports/time.ts';

const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 21:00');

/** Hours in which nobody is disturbed, by the clock on the wall. They may go past midnight. `to` is the first minute after. */
export const quietHoursSchema = z
  .strictObject({ from: wallTime, to: wallTime })
  .refine(({ from, to }) => from !== to, 'must not begin when they end: nothing would ever be done');

/** Hours in which nobody is disturbed, as `HH:mm` on a wall clock. */
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** Whether a moment lies in quiet hours, `at` being epoch milliseconds. */
export function isQuiet({ from, to }: QuietHours, at: number, zone: string, civil: CivilTime): boolean {
  const time = civil(at, zone).slice(11);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** The moment itself, or the first one after the quiet hours that it lies in. */
export function afterQuiet(quiet: QuietHours | null, at: number, zone: string, civil: CivilTime): number {
  if (quiet === null || !isQuiet(quiet, at, zone, civil)) return at;
  let moment = Math.floor(at / minuteMs);
  // A change of the clock is at a quarter of an hour everywhere, so that no step passes over one.
  while (isQuiet(quiet, moment * minuteMs, zone, civil)) {
    const toEnd = minutesUntil(civil(moment * minuteMs, zone).slice(11), quiet.to);
    moment += Math.min(toEnd, 15 - (moment % 15));
  }
  return moment * minuteMs;
}

const minuteMs = 60_000;

function minutesUntil(from: string, to: string): number {
  const minutes = minuteOf(to) - minuteOf(from);
  return minutes > 0 ? minutes : minutes + 1_440;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
