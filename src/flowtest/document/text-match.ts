import { compilePattern } from '../../flow/expression/pattern.ts';

/** Checks whether a text contains the wanted text, ignoring its case. Between slashes it is a regular expression. */
export function hasText(wanted: string, text: string): boolean {
  const pattern = /^\/(.+)\/([ims]*)$/s.exec(wanted);
  if (pattern === null) return plain(text).includes(plain(wanted));
  const compiled = compilePattern(pattern[1] ?? '', pattern[2]);
  return compiled.ok && compiled.test(text);
}

/** The fault in a wanted text that is an invalid regular expression, or null. */
export function patternFault(wanted: string): string | null {
  const pattern = /^\/(.+)\/([a-z]*)$/s.exec(wanted);
  if (pattern === null) return null;
  if (!/^[ims]*$/.test(pattern[2] ?? '')) return `has the flags "${pattern[2]}", and there are i, m and s.`;
  const compiled = compilePattern(pattern[1] ?? '', pattern[2]);
  return compiled.ok ? null : 'is not valid.';
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
