import { compilePattern } from '../../flow/expression/pattern.ts';

/** Whether a text has what is wanted: as it stands, whatever its case, or between slashes as a regular expression. */
export function hasText(wanted: string, text: string): boolean {
  const pattern = /^\/(.+)\/([ims]*)$/s.exec(wanted);
  if (pattern === null) return plain(text).includes(plain(wanted));
  const compiled = compilePattern(pattern[1] ?? '', pattern[2]);
  return compiled.ok && compiled.test(text);
}

/** What is wrong with a wanted text, for a regular expression that is none; null where nothing is. */
export function patternFault(wanted: string): string | null {
  const pattern = /^\/(.+)\/([a-z]*)$/s.exec(wanted);
  if (pattern === null) return null;
  if (!/^[ims]*$/.test(pattern[2] ?? '')) return `has the flags "${pattern[2]}", and there are i, m and s.`;
  const compiled = compilePattern(pattern[1] ?? '', pattern[2]);
  return compiled.ok ? null : 'is no regular expression that can be used here.';
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
