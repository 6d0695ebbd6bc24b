import { z } from 'zod';
import type { CivilTime } from '../../model/ports/time.ts';

const wallTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, such as 21:00');

/** Hours without contacts in local time. They may span midnight; `to` is exclusive. */
export const quietHoursSchema = z
  .strictObject({ from: wallTime, to: wallTime })
  .refine(({ from, to }) => from !== to, 'must not start and end at the same time: nothing would ever run');

/** Hours without contacts, as `HH:mm` in local time. */
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** Checks whether a time (epoch milliseconds) is in quiet hours. */
export function isQuiet({ from, to }: QuietHours, at: number, zone: string, civil: CivilTime): boolean {
  const time = civil(at, zone).slice(11);
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** Returns the time itself, or the first time after the quiet hours that contain it. */
export function afterQuiet(quiet: QuietHours | null, at: number, zone: string, civil: CivilTime): number {
  if (quiet === null || !isQuiet(quiet, at, zone, civil)) return at;
  let moment = Math.floor(at / minuteMs);
  // Clock changes happen at multiples of 15 minutes in every zone, so that no step skips one.
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
