import type { Reading } from './reading.ts';
import { wordsOf } from './words.ts';

/** Reads free text: the caller's own words, without hesitations and commas at either end. */
export function readText(text: string): Reading {
  const words = wordsOf(text);
  const spoken = words.filter((word) => !word.mark);
  const start = spoken[0]?.start;
  const last = spoken.at(-1);
  if (start === undefined || last === undefined) return { ok: false, problem: 'not-found' };
  const closing = words.filter((word) => word.start >= last.end && word.text !== ',').at(-1);
  const end = Math.max(last.end, closing?.end ?? 0);
  const said = text.slice(start, end);
  return { ok: true, value: said, said, start, end, certain: true };
}
