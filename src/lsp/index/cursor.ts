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

/** Where somebody is typing: the way there, and what stands there already. */
export interface Cursor {
  readonly steps: readonly Step[];
  /** What is typed at a value; null where a key is typed. */
  readonly value: SyntaxScalar | null;
}

/** Stands where the cursor is while the text around it is read: no word that anybody writes. */
const mark = '\u{f8ff}cursor\u{f8ff}';

/**
 * The ways in which a text can be read with something typed at an offset, the likeliest first: as a key or as a value, each
 * with what is not closed yet closed behind it. None where nothing of the document is typed there, as in a comment.
 */
export function cursorsAt(text: string, offset: number): readonly Cursor[] {
  const plain = inPlainValue(text, offset);
  if (plain !== undefined) return [plain];
  const { found, broken } = readings(text, offset);
  if (found.length > 0) return found;
  // What is broken may be a line above, which then swallows this one.
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
 * The way to a plain value that is typed on, in a text that can be read as it is: what is typed there changes nothing around it,
 * so that the whole text need not be read anew with every letter. Undefined where it may be a key as well.
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

/** The line of an offset: what stands before it and behind it, and whether that is one word, which may be a key or a value. */
function lineAt(text: string, offset: number): { readonly line: string; readonly isAlone: boolean } {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const rest = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  const isAlone = /^[\s-]*["']?[^\s:,{}[\]"']*$/.test(line) && /^["']?\s*$/.test(rest);
  return { line, isAlone };
}

/** How many lines above the cursor are tried without. */
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

/** What was typed before the cursor at a value, and behind it. */
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

/** What closes the quotes, braces and brackets that a line leaves open. */
function closing(line: string): string {
  const open: string[] = [];
  let quote: string | undefined;
  let isAtValue = true;
  for (const sign of line) {
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      continue;
    }
    // Inside of a word a quote is only a sign.
    if ((sign === '"' || sign === "'") && isAtValue) quote = sign;
    else if (sign === '{') open.push('}');
    else if (sign === '[') open.push(']');
    else if ((sign === '}' || sign === ']') && open.at(-1) === sign) open.pop();
    if (!/\s/.test(sign)) isAtValue = /[:,{[-]/.test(sign);
  }
  return `${quote ?? ''} ${open.toReversed().join(' ')}`.trimEnd();
}
