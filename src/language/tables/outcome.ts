import type { Reading } from '../../model/ports/reader.ts';
import { piecesOf } from './folded.ts';

export const NOT_FOUND: Reading = { ok: false, problem: 'not-found' };

/** Longer texts do not describe one moment; in characters. */
export const LONGEST_MOMENT = 400;

/** A value that the whole text says. */
export function readingOf(text: string, value: string | number | boolean, certain: boolean): Reading {
  const said = text.trim();
  const start = text.indexOf(said);
  return { ok: true, value, said, start, end: start + said.length, certain };
}

/** Whether each word of a folded text is known; numerals are. */
export function isCovered(folded: string, isKnown: (piece: string) => boolean): boolean {
  return piecesOf(folded).every((piece) => /^\d/.test(piece) || isKnown(piece));
}
