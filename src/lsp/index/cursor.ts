import {
  readSyntax,
  type SyntaxKey,
  type SyntaxList,
  type SyntaxMap,
  type SyntaxNode,
  type SyntaxScalar,
} from '../../flow/load/yaml/syntax-tree.ts';

/** A step from the root of a text towards a place in it. */
export type Step =
  | { readonly map: SyntaxMap; readonly key: SyntaxKey; readonly isKey: boolean }
  | { readonly list: SyntaxList };

/** The place where the author is typing: the path to it, and the text that already exists there. */
export interface Cursor {
  readonly steps: readonly Step[];
  /** The value that is typed, or null if a key is typed. */
  readonly value: SyntaxScalar | null;
}

/** Marks the cursor while the text around it is parsed. It is not a word that an author could write. */
const mark = '\u{f8ff}cursor\u{f8ff}';

/**
 * The ways to parse a text with something typed at an offset, the likeliest first: as a key or as a value, with
 * unclosed quotes and brackets closed. Empty if nothing of the document is typed there, as in a comment.
 */
export function cursorsAt(text: string, offset: number): readonly Cursor[] {
  const plain = inPlainValue(text, offset);
  if (plain !== undefined) return [plain];
  const { found, broken } = readings(text, offset);
  if (found.length > 0) return found;
  // The broken part may be a line above, which then includes this line.
  let { index: end } = /[^\n]*$/.exec(text.slice(0, offset)) ?? { index: 0 };
  for (let back = 0; back < linesAbove && end > 0; back += 1) {
    const start = text.lastIndexOf('\n', end - 2) + 1;
    const without = text.slice(0, start) + ' '.repeat(end - 1 - start) + text.slice(end - 1);
    const other = readings(without, offset);
    if (other.found.length > 0) return other.found;
    end = start;
  }
  return broken === undefined ? [] : [broken];
}

/**
 * The path to a plain value that is typed further, in a text that can be parsed: typing there changes nothing around
 * it, so the whole text need not be parsed again for every letter. Undefined if it may be a key as well.
 */
function inPlainValue(text: string, offset: number): Cursor | undefined {
  if (lineAt(text, offset).isAlone) return undefined;
  const { root, isSound } = readSyntax(text);
  if (root === null || !isSound) return undefined;
  const isHere = ({ style, start, end, text: own }: SyntaxScalar): boolean =>
    style === 'plain' && start < offset && offset <= end && own === text.slice(start, end);
  const { steps, value = null } = cursorIn(root, isHere, () => false) ?? {};
  if (steps === undefined || value === null) return undefined;
  const typed = text.slice(value.start, offset) + mark + text.slice(offset, value.end);
  return { steps, value: { ...value, value: typed, text: typed } };
}

/** The line of an offset: the text before and after it, and whether that is one word, which may be a key or a value. */
function lineAt(text: string, offset: number): { readonly line: string; readonly isAlone: boolean } {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const rest = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  const isAlone = /^[\s-]*["']?[^\s:,{}[\]"']*$/.test(line) && /^["']?\s*$/.test(rest);
  return { line, isAlone };
}

/** How many lines above the cursor may be left out to parse the text. */
const linesAbove = 3;

function readings(
  text: string,
  offset: number,
): { readonly found: readonly Cursor[]; readonly broken: Cursor | undefined } {
  const before = text.slice(0, offset);
  const after = text.slice(offset);
  const lineEnd = /\r?\n|$/.exec(after)?.index ?? 0;
  const { line, isAlone } = lineAt(text, offset);
  const close = closing(line);
  const asValue = [before + mark + after, before + mark + close + after.slice(lineEnd)];
  const asKey = [`${before}${mark}: ${after}`, `${before}${mark}: ${close}${after.slice(lineEnd)}`];
  const tried = isAlone ? [...asKey.slice(0, 1), ...asValue.slice(0, 1), ...asValue.slice(1)] : [...asValue, ...asKey];
  const found: Cursor[] = [];
  let broken: Cursor | undefined;
  for (const patched of tried) {
    const { root, isSound } = readSyntax(patched);
    const cursor = root === null ? undefined : cursorIn(root, isMarked, isMarked);
    if (cursor === undefined) continue;
    if (isSound) found.push(cursor);
    else broken ??= cursor;
    if (found.length === (isAlone ? 2 : 1)) break;
  }
  return { found, broken };
}

/** The text before and after the cursor in a value. */
export function typedAt(value: SyntaxScalar): { readonly before: string; readonly after: string } {
  const [before = '', after = ''] = value.text.split(mark);
  return { before, after };
}

function isMarked({ text }: { readonly text: string }): boolean {
  return text.includes(mark);
}

function cursorIn(
  node: SyntaxNode,
  isValue: (scalar: SyntaxScalar) => boolean,
  isKeyHere: (key: SyntaxKey) => boolean,
): Cursor | undefined {
  const steps: Step[] = [];
  let value: SyntaxScalar | null = null;
  const find = (part: SyntaxNode): boolean => {
    if (part.kind === 'scalar') {
      if (!isValue(part)) return false;
      value = part;
      return true;
    }
    if (part.kind === 'list') {
      steps.push({ list: part });
      if (part.items.some(find)) return true;
      steps.pop();
    }
    if (part.kind !== 'map') return false;
    for (const { key, value: member } of part.pairs) {
      const isKey = isKeyHere(key);
      steps.push({ map: part, key, isKey });
      if (isKey || find(member)) return true;
      steps.pop();
    }
    return false;
  };
  return find(node) ? { steps, value } : undefined;
}

/** The characters that close the quotes, braces and brackets that a line leaves open. */
function closing(line: string): string {
  const open: string[] = [];
  let quote: string | undefined;
  let isAtValue = true;
  for (const sign of line) {
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      continue;
    }
    // Inside a word, a quote is an ordinary character.
    if ((sign === '"' || sign === "'") && isAtValue) quote = sign;
    else if (sign === '{') open.push('}');
    else if (sign === '[') open.push(']');
    else if ((sign === '}' || sign === ']') && open.at(-1) === sign) open.pop();
    if (!/\s/.test(sign)) isAtValue = /[:,{[-]/.test(sign);
  }
  return `${quote ?? ''} ${open.toReversed().join(' ')}`.trimEnd();
}
