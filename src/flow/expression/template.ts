import { parsePath, resolvePath, type Lookup, type Path } from './path.ts';
import { isSealed } from './sealed.ts';
import { scalarText } from './same-value.ts';

/** A text with `{{ path }}` references, parsed. */
export interface Template {
  readonly source: string;
  readonly parts: readonly (string | Reference)[];
  readonly problems: readonly ExpressionProblem[];
}

/** One `{{ path }}`, with the offsets of its braces in the source; the end is exclusive. */
export interface Reference {
  readonly path: Path;
  readonly start: number;
  readonly end: number;
}

/** A problem in an expression, with offsets in its source (the end is exclusive) and a remedy. */
export interface ExpressionProblem {
  readonly start: number;
  readonly end: number;
  readonly reason: string;
  readonly hint?: string;
}

/** Parses a template in one pass. `\{{` is a literal `{{`; an invalid reference stays as written and is a problem. */
export function parseTemplate(source: string): Template {
  const parts: (string | Reference)[] = [];
  const problems: ExpressionProblem[] = [];
  let text = '';
  let position = 0;
  let close = -1;
  for (let open = source.indexOf('{{'); open !== -1; open = source.indexOf('{{', position)) {
    if (source[open - 1] === '\\') {
      text += source.slice(position, open - 1) + '{{';
      position = open + 2;
      continue;
    }
    let inside = open + 2;
    while (source[inside] === '{') inside += 1;
    const next = source.indexOf('{{', inside);
    // Repeated only after passing it, so many unclosed braces cost one scan.
    if (close < inside) close = indexOrEnd(source, '}}', inside);
    text += source.slice(position, open);
    if (close === source.length || (next !== -1 && next < close)) {
      problems.push({ start: open, end: inside, ...UNCLOSED });
      text += source.slice(open, inside);
      position = inside;
      continue;
    }
    const braces = inside - open;
    const name = source.slice(inside, close).trim();
    const path = braces === 2 ? parsePath(name) : undefined;
    position = close + 2;
    while (position - close < braces && source[position] === '}') position += 1;
    if (path === undefined) {
      problems.push({ start: open, end: position, ...fault(name, braces) });
      text += source.slice(open, position);
    } else {
      if (text !== '') parts.push(text);
      text = '';
      parts.push({ path, start: open, end: position });
    }
  }
  text += source.slice(position);
  if (text !== '') parts.push(text);
  return { source, parts, problems };
}

/** Returns the names in single braces in a text, with offsets; the end is exclusive. */
export function plainBraces(
  source: string,
): readonly { readonly name: string; readonly start: number; readonly end: number }[] {
  if (!source.includes('{')) return [];
  return [...source.matchAll(PLAIN)].map(({ 0: text, 1: name = '', index }) => {
    return { name, start: index, end: index + text.length };
  });
}

const PLAIN = /(?<![{\\])\{ ?([\p{L}_][\p{L}\p{M}\p{N}_.-]{0,99}) ?\}(?!\})/gu;

/** Returns the references of a template, in order. */
export function templateReferences(template: Template): readonly Reference[] {
  return template.parts.filter((part) => typeof part !== 'string');
}

/**
 * Renders a template. Values are not parsed again. Null and unknown become '', objects and arrays become JSON.
 * `unwritten` lists each path whose value cannot be written (a cycle, a function, over a million characters in all); it
 * becomes ''. `sayList` speaks a list of texts and numbers, `sayNumber` a number.
 */
export function renderTemplate(
  template: Template,
  lookup: Lookup,
  sayList?: (things: readonly string[]) => string,
  sayNumber?: (number: number) => string,
): { text: string; unwritten: readonly string[] } {
  const unwritten = new Set<string>();
  let room = MAX_WRITTEN;
  let text = '';
  for (const part of template.parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const value = resolvePath(part.path, lookup);
    if (value === undefined) continue;
    const list = sayList === undefined ? undefined : textsOf(value);
    const isSaid = sayNumber !== undefined && typeof value === 'number' && Number.isFinite(value);
    const written = write(list !== undefined ? sayList?.(list) : isSaid ? sayNumber(value) : value, room);
    if (written === undefined) unwritten.add(part.path.join('.'));
    else {
      text += written;
      room -= written.length;
    }
  }
  return { text, unwritten: [...unwritten] };
}

/** Returns the message for unwritten values, with a remedy. */
export function unwrittenMessage(paths: readonly string[]): string {
  const names = paths.slice(0, 3).map((path) => `{{ ${path} }}`);
  return `A text takes ${MAX_WRITTEN} characters of values, and with ${names.join(', ')} it has more. Put a part of it there, or pass it on by itself.`;
}

const MAX_WRITTEN = 1_000_000;

const UNCLOSED = {
  reason: 'These braces are never closed.',
  hint: 'Close them with }}, or write \\{{ for two plain braces.',
};

/** Form of a mistake, its description and its remedy; the first match applies. */
const FAULTS: readonly (readonly [form: RegExp, reason: string, hint: string])[] = [
  [
    /^$/,
    'Nothing is named between the braces.',
    'Write a name, such as {{ visit.time }}, or \\{{ for two plain braces.',
  ],
  [/^[#/^>!&@]/, 'A template has no blocks, partials or comments.', 'Decide with `when` on an edge, or in a function.'],
  [/\(/, 'A template calls no functions.', 'Save the result of a function with save_as and name that.'],
  [
    /\|\||&&|[?<>=!+*/%~"'`]|\s-\s/,
    'A template has no operators.',
    'Let a function work the value out and name its result.',
  ],
  [/\|/, 'A template has no filters.', 'Let a function prepare the value and name its result.'],
  [/\[/, 'A place in a list is written after a dot.', 'Write {{ items.0.name }}.'],
];

function fault(name: string, braces: number): { reason: string; hint: string } {
  if (braces > 2)
    return { reason: 'A reference has two braces on each side.', hint: 'Write {{ name }}; nothing is ever escaped.' };
  const found = FAULTS.find(([form]) => form.test(name));
  if (found !== undefined) return { reason: found[1], hint: found[2] };
  return { reason: 'This is not a name.', hint: 'A name is letters, digits, _ and -, with dots between its parts.' };
}

function indexOrEnd(source: string, text: string, from: number): number {
  const index = source.indexOf(text, from);
  return index === -1 ? source.length : index;
}

function write(value: unknown, room: number): string | undefined {
  if (value === null) return '';
  const text = isSealed(value) ? '' : (scalarText(value) ?? toJson(value, room));
  return text !== undefined && text.length <= room ? text : undefined;
}

/** Returns the items of a list that contains only texts and numbers. */
function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.flatMap((one: unknown) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  );
  return texts.length === value.length ? texts : undefined;
}

function toJson(value: unknown, room: number): string | undefined {
  let left = room;
  try {
    // Aborts when the output is too large: shared parts can expand indefinitely.
    const json: unknown = JSON.stringify(value, (key, item: unknown) => {
      left -= key.length + (scalarText(item)?.length ?? 1);
      if (left < 0) throw new RangeError('too large');
      return typeof item === 'bigint' ? String(item) : item;
    });
    return typeof json === 'string' ? json : undefined;
  } catch {
    return undefined;
  }
}
