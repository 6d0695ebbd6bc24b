import type { Field } from '../field.ts';
import { type ParameterOptions, type ParameterReading, readParameter } from './read-parameter.ts';

type Reading = Extract<ParameterReading, { ok: true }>;

/**
 * Reads a range of two days, in the order of their fields: "From the third to the tenth of December", "Monday until
 * Friday".
 */
export function readRange(
  text: string,
  rivals: readonly Field[],
  options: Omit<ParameterOptions, 'asked'>,
): { field: Field; reading: Reading }[] {
  const [first, last, more] = rivals;
  if (first?.kind !== 'date' || last?.kind !== 'date' || more !== undefined) return [];
  for (const between of text.matchAll(BETWEEN)) {
    const at = between.index;
    const behind = at + between[0].length;
    const end = readParameter(last, text.slice(behind), { ...options, asked: true });
    if (!end.ok || typeof end.value !== 'string' || !/^\W*(?:the )?\W*$/i.test(text.slice(behind, behind + end.start)))
      continue;
    const before = text.slice(0, at).replaceAll(/\bfrom\b/gi, '    ');
    const read = (words: string): ParameterReading => readParameter(first, words, { ...options, asked: true });
    const whole = read(before);
    // In "The third to the tenth of December" both days have the same month.
    const start = whole.ok ? whole : read(`${before} of ${monthOf(end.value)}`);
    if (!start.ok || typeof start.value !== 'string' || start.value >= end.value) continue;
    return [
      { field: first, reading: { ...start, end: Math.min(start.end, at) } },
      { field: last, reading: { ...end, start: end.start + behind, end: end.end + behind } },
    ];
  }
  return [];
}

const BETWEEN = /\s(?:to|until|till|through)\s/gi;

const months = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' });

function monthOf(date: string): string {
  return months.format(Date.parse(`${date}T00:00:00Z`));
}
