import type { Draft } from './draft.ts';
import type { SourcePlace } from './source.ts';
import { shortly } from './words.ts';

/**
 * The text between two braces of a foreign text: a name, with what has to be reported about it, or something
 * unsupported.
 */
export interface BracesRead {
  /** The foreign name, with dots between its parts, or undefined if there is no name. */
  readonly name?: string;
  /** The part of it that was removed. */
  readonly left?: string;
}

/**
 * Converts a foreign text to one of ours: each `{{ name }}` gets our name, and what is not a name stays as words.
 * `read` interprets what is between the braces.
 */
export function templateText(
  draft: Draft,
  text: string,
  place: SourcePlace,
  read: (inside: string) => BracesRead = plainName,
): string {
  let made = '';
  let end = 0;
  for (const { 0: whole, 1: inside = '', index } of text.matchAll(/\{\{\{?([^{}]*)\}?\}\}/g)) {
    made += withoutBraces(text.slice(end, index));
    end = index + whole.length;
    const { name, left } = read(inside.trim());
    const path = name === undefined ? undefined : pathOf(draft, name);
    if (path === undefined) {
      made += withoutBraces(`(${inside.trim()})`);
      draft.notes.changed(place, `{{ ${shortly(inside)} }} computes a value: its words stand there instead`);
      continue;
    }
    if (left !== undefined) draft.notes.changed(place, `{{ ${shortly(inside)} }} became {{ ${path} }}: ${left}`);
    made += `{{ ${path} }}`;
  }
  made += withoutBraces(text.slice(end));
  if (/\{%.*?%\}/s.test(text))
    draft.notes.changed(place, 'blocks between {% and %} are kept as words: a text of ours decides nothing');
  return made;
}

/** Escapes braces that are not a template here. */
function withoutBraces(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** Reads a name as most formats write one. */
export function plainName(inside: string): BracesRead {
  return /^[\p{L}_$][\p{L}\p{M}\p{N}_$ .[\]-]*$/u.test(inside) ? { name: inside } : {};
}

/**
 * Converts a dotted foreign name to one of ours, and records that it is read. Returns undefined if it is not a name.
 */
export function pathOf(draft: Draft, theirs: string): string | undefined {
  const [first = '', ...rest] = theirs.replaceAll(/\[["']?([^\]"']*)["']?\]/g, '.$1').split('.');
  if (first.trim() === '') return undefined;
  if (!rest.every((part) => /^(?:[\p{L}_][\p{L}\p{M}\p{N}_-]*|\d+)$/u.test(part))) return undefined;
  return [draft.name(first.trim(), rest.length > 0 ? 'parts' : 'read'), ...rest].join('.');
}
