import { z } from 'zod';
import { hasOffset } from '../expression/moment.ts';

const unitMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const duration = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|h|d)$/;

/** A duration: `20s`, `3m`, `2h`, `1.5d`. */
export const durationSchema = z
  .string()
  .regex(duration, 'Write a number and s, m, h or d, such as 20s, 3m or 2h.')
  .describe('A length of time: 20s, 3m, 2h, 1d.');

/** Converts a duration to milliseconds; 0 for an invalid one. */
export function durationMs(text: string): number {
  const [, count = '0', unit = ''] = duration.exec(text) ?? [];
  return Math.round(Number(count) * (unitMs.get(unit) ?? 0));
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?$/;

/** A local time of the session, or a time with an offset. */
export const timeSchema = z
  .string()
  .regex(time, 'Write a time such as 2026-12-01T09:00, or with an offset 2026-12-01T09:00+01:00.')
  .refine((text) => !time.test(text) || isMoment(text), 'There is no such time.');

/** Checks whether a text is a time without an offset. */
export function isWallTime(text: string): boolean {
  return time.test(text) && !hasOffset(text);
}

function isMoment(text: string): boolean {
  const [date = '', clock = ''] = text.slice(0, 16).split('T');
  const moment = Date.parse(`${date}T${clock}Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(`${date}T${clock}`);
}
