import type { Reading } from '../model/ports/reader.ts';
import { EMAIL_ADDRESS, isPlaceholder } from '../model/ports/written-forms.ts';

/** Returns the only e-mail address in a text; null if there is none or several. */
export function writtenEmail(text: string): Reading | null {
  const [found, ...others] = text.length > LONGEST ? [] : text.matchAll(EMAIL_ADDRESS);
  if (found === undefined || others.length > 0) return null;
  const [said] = found;
  const [local = '', domain = ''] = said.split('@');
  if (local.length > LONGEST_LOCAL || domain.split('.').length > MOST_LABELS) return null;
  const start = found.index;
  return { ok: true, value: said.toLowerCase(), said, start, end: start + said.length, certain: true };
}

const LONGEST = 2000;
/** Longer ones are recognition errors. */
const LONGEST_LOCAL = 40;
const MOST_LABELS = 8;

/** "Unknown" is not a name. */
export function withoutPlaceholder(reading: Reading, text: string): Reading {
  return reading.ok && (isPlaceholder(String(reading.value)) || isPlaceholder(text))
    ? { ok: false, problem: 'not-found' }
    : reading;
}
