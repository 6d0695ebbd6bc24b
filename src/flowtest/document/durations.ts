import { z } from 'zod';

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const form = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

/** A duration in a test: `400ms`, `7s`, `3h`, or a number of milliseconds. */
export const lengthSchema = z
  .union([
    z
      .number()
      .min(0)
      .max(3_650 * 86_400_000),
    z.string().regex(form, 'must be a number and ms, s, m, h or d, such as 400ms, 7s or 3h'),
  ])
  .describe('A length of time: 400ms, 7s, 3m, 2h, 1d, or a number of milliseconds.');

/** The duration in milliseconds, or 0 if it is not valid. */
export function lengthMs(length: string | number): number {
  if (typeof length === 'number') return length;
  const [, count = '0', unit = ''] = form.exec(length) ?? [];
  return Math.round(Number(count) * (unitMs.get(unit) ?? 0));
}
