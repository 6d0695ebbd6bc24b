import { PARTICLES } from './name-words.ts';

const SUFFIX_NAMES = new Set(['jr', 'sr', 'junior', 'senior']);

/** Capitalises a name; capitals inside a word stay as they were written. */
export function writtenName(words: readonly string[]): string {
  return words.map((word, at) => writtenWord(word, at, words.length)).join(' ');
}

function writtenWord(word: string, at: number, count: number): string {
  const outer = at === 0 || at === count - 1;
  const lower = word.toLowerCase();
  if (at > 0 && SUFFIX_NAMES.has(lower))
    return lower === 'jr' || lower === 'sr' ? `${lower.charAt(0).toUpperCase()}r.` : capital(lower);
  const isMixed = /\p{Ll}/u.test(word) && /\p{Lu}/u.test(word);
  if (isMixed) return word;
  if (!outer && PARTICLES.has(lower) && word === lower) return lower;
  return lower.split('-').map(capitalPart).join('-');
}

function capitalPart(part: string): string {
  if (/^mc\p{L}{3}/u.test(part)) return `Mc${capital(part.slice(2))}`;
  const apostrophe = part.indexOf("'");
  const prefix = apostrophe === 1 || apostrophe === 2 ? part.slice(0, apostrophe + 1) : '';
  return prefix === '' ? capital(part) : capital(prefix) + capital(part.slice(prefix.length));
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
