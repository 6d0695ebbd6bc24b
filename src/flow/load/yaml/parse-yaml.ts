import type { ParsedNode, YAMLParseError } from 'yaml';
import type { ComposedText } from './composed-text.ts';
import type { Fault } from '../problems/fault.ts';
import { limits } from '../limits.ts';
import { lineColumn, type SourceText } from './source-text.ts';
import { jsonText, syntaxText } from './syntax-text.ts';

export interface ParsedYaml {
  /** Null for a text without content, and if the syntax is too broken to read further. */
  readonly root: ParsedNode | null;
  /** The syntax is broken or a limit is exceeded, so the content has no meaning. */
  readonly broken: boolean;
  readonly faults: readonly Fault[];
}

/** Converts composed YAML 1.2 (and so also JSON) to nodes with their places. */
export function parseYaml(source: SourceText, { document, isCut, unclosed, faults: found }: ComposedText): ParsedYaml {
  const { text } = source;
  const faults = [...found];
  if (isCut) return { root: null, broken: true, faults };
  const isJson = /\.json$/i.test(source.name);
  const comment = isJson ? commentIn(text) : undefined;
  if (comment !== undefined) return { root: null, broken: true, faults: [...faults, comment] };
  const lines = new Set<number>();
  const firstTab = document?.errors.find(({ code }) => code === 'TAB_AS_INDENT')?.pos[0] ?? Infinity;
  const tabLine = firstTab === Infinity ? Infinity : lineColumn(source, firstTab).line;
  for (const error of document?.errors ?? []) {
    // One mistake often breaks the rest of its line in several ways.
    const { line } = lineColumn(source, error.pos[0]);
    if (lines.has(line)) continue;
    // A line that does not seem to be indented moves everything after it to the wrong place.
    if (error.pos[0] > firstTab && error.code !== 'TAB_AS_INDENT') continue;
    if (line === tabLine - 1 && error.code === 'BLOCK_AS_IMPLICIT_KEY') continue;
    if (lines.size >= limits.syntaxProblems) break;
    lines.add(line);
    const fault = syntaxFault(error, text, unclosed);
    faults.push(isJson && fault.code === 'yaml-syntax' ? { ...fault, ...jsonText(error, text, fault) } : fault);
  }
  const broken = document?.errors.some(({ code }) => code !== 'NON_STRING_KEY') ?? false;
  return { root: broken ? null : (document?.contents ?? null), broken, faults };
}

/** The first comment of a JSON text, which YAML would read as a part of a key. */
function commentIn(text: string): Fault | undefined {
  for (const { 0: found, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*(?:"|$)|\/\/[^\n]*|\/\*/gm)) {
    if (found.startsWith('"')) continue;
    return {
      code: 'json-syntax',
      message: 'JSON has no comments.',
      hint: 'Remove it. In a file called .yaml a comment begins with "#".',
      start: index,
      end: index + Math.max(2, found.trimEnd().length),
    };
  }
  return undefined;
}

/** The place of a blank that YAML does not accept as a space, in the line of an offset or the line below. */
function strangeBlank(text: string, offset: number): number | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const below = end < 0 ? -1 : text.indexOf('\n', end + 1);
  const lines = text.slice(start, below < 0 ? text.length : below);
  const found = /^[ -]*(?:[\w-]+:)?(?:[^\S\n\r\t ]|\u200B)/m.exec(lines);
  return found === null ? undefined : start + found.index + found[0].length - 1;
}

function syntaxFault(error: YAMLParseError, text: string, unclosed: ReadonlyMap<number, number>): Fault {
  const {
    code,
    pos: [start, end],
  } = error;
  const opening = code === 'MISSING_CHAR' ? unclosed.get(start) : undefined;
  if (opening !== undefined) {
    const hint = `Write ${text[opening] ?? '"'} behind the text, or leave both out.`;
    return { code: 'yaml-syntax', message: 'this quote is never closed.', hint, start: opening, end: opening + 1 };
  }
  const blank = strangeBlank(text, start);
  if (blank !== undefined) {
    const sign = `U+${(text.codePointAt(blank) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const message = `this looks like a space and is another sign (${sign}).`;
    return { code: 'yaml-syntax', message, hint: 'Type it anew as a space.', start: blank, end: blank + 1 };
  }
  const stretch = { start, end: Math.max(end, start + 1) };
  if (code === 'TAB_AS_INDENT') {
    const hint = 'Use spaces.';
    return { code: 'tab-indentation', message: 'a tab cannot indent a line.', hint, ...stretch };
  }
  if (code === 'NON_STRING_KEY') {
    const template = text.startsWith('{{', start - 1) ? start - 1 : text.startsWith('{{', start) ? start : undefined;
    if (template !== undefined) {
      const hint = 'Put the whole text in quotes.';
      const read = 'text that begins with "{{" is read as a map.';
      return { code: 'invalid-key', message: read, hint, start: template, end: template + 2 };
    }
    const hint = 'Write the key as plain text.';
    return { code: 'invalid-key', message: 'a key must be text.', hint, ...stretch };
  }
  return { code: 'yaml-syntax', ...syntaxText(error, text), ...stretch };
}
