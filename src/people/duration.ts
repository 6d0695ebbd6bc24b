import { z } from 'zod';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration: `90s`, `15m`, `2h` or `1d`. A day is 24 hours. */
export const durationSchema = z.string().regex(/^[1-9]\d{0,5}[smhd]$/, 'must be a number and a unit: 90s, 15m, 2h, 1d');

/** Returns a duration that `durationSchema` has validated in milliseconds. */
export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * (unitsMs[text.slice(-1)] ?? 0);
}
