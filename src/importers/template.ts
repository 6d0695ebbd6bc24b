import type { Draft } from './draft.ts';
import type { SourcePlace } from './source.ts';
import { shortly } from './words.ts';

/** What stands between two braces of a foreign text: a name, with what else is to be told of it, or nothing of ours. */
export interface BracesRead {
  /** The name as they write it, with dots between its parts; undefined where it is none. */
  readonly name?: string;
  /** What was left out of it. */
  readonly left?: string;
}

/**
 * A text of theirs as one of ours: each `{{ name }}` is named as here, and what is no name is kept as words. `read` tells
 * what stands between the braces.
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

/** Braces that are no template here. */
function withoutBraces(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

/** Reads a name as most formats write one. */
export function plainName(inside: string): BracesRead {
  return /^[\p{L}_$][\p{L}\p{M}\p{N}_$ .[\]-]*$/u.test(inside) ? { name: inside } : {};
}

/** A dotted name of theirs as one of ours, noted as read; undefined where it is none. */
export function pathOf(draft: Draft, theirs: string): string | undefined {
  const [first = '', ...rest] = theirs.replaceAll(/\[["']?([^\]"']*)["']?\]/g, '.$1').split('.');
  if (first.trim() === '') return undefined;
  if (!rest.every((part) => /^(?:[\p{L}_][\p{L}\p{M}\p{N}_-]*|\d+)$/u.test(part))) return undefined;
  return [draft.name(first.trim(), rest.length > 0 ? 'parts' : 'read'), ...rest].join('.');
}
