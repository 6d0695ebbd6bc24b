import type { Scalar } from 'yaml';
import type { SourceText } from './source-text.ts';

/** A part of a scalar's value. */
export interface Within {
  readonly start: number;
  readonly text: string;
}

/** A text value and its source. */
export interface TextNode {
  readonly source: SourceText;
  readonly scalar: Scalar<string>;
}

/**
 * Returns the place of a part of a text in the source, which may have quotes, escapes, indentation and folded lines.
 */
export function offsetWithin({ source, scalar }: TextNode, { start, text }: Within): { start: number; end: number } {
  const [from, to] = scalar.range ?? [0, 0];
  const offset = Math.min(offsetOf(source.text, scalar, start), Math.max(from, to - 1));
  const line = text.split('\n', 1)[0] ?? '';
  return { start: offset, end: offset + Math.max(1, Math.min(line.length, to - offset)) };
}

interface Reached {
  readonly index: number;
  readonly offset: number;
}

// Problems of one long text come in order, so each search continues at the end of the previous one.
const reached = new WeakMap<Scalar, Reached>();

function offsetOf(text: string, scalar: Scalar<string>, start: number): number {
  const known = reached.get(scalar);
  let { index, offset } = known !== undefined && known.index <= start ? known : beginning(text, scalar);
  const { value, type } = scalar;
  const end = scalar.range?.[1] ?? 0;
  while (offset < end) {
    const escape = type === 'QUOTE_DOUBLE' && text[offset] === '\\' ? escapeAt(text, offset) : undefined;
    if (escape !== undefined) {
      if (index >= start && escape.units > 0) break;
      offset += escape.length;
      index += escape.units;
    } else if (isSame(text[offset], value[index])) {
      if (index >= start) break;
      offset += 1;
      index += 1;
    } else offset += 1; // Indentation, or the second of two single quotes that mean one quote.
  }
  reached.set(scalar, { index, offset });
  return offset;
}

/** The beginning of the value: after an opening quote, or after the header of a block. */
function beginning(text: string, { type, range }: Scalar): Reached {
  const start = range?.[0] ?? 0;
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') return { index: 0, offset: start + 1 };
  if (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED') return { index: 0, offset: text.indexOf('\n', start) + 1 };
  return { index: 0, offset: start };
}

/** Folding turns line breaks into spaces and back, so all kinds of white space are equal. */
function isSame(written: string | undefined, meant: string | undefined): boolean {
  if (written === meant) return true;
  return written !== undefined && meant !== undefined && WHITE.has(written) && WHITE.has(meant);
}

const WHITE: ReadonlySet<string> = new Set([' ', '\n', '\r', '\t']);

function escapeAt(text: string, offset: number): { length: number; units: number } {
  switch (text[offset + 1] ?? '') {
    case 'x':
      return { length: 4, units: 1 };
    case 'u':
      return { length: 6, units: 1 };
    case 'U':
      return { length: 10, units: Number.parseInt(text.slice(offset + 2, offset + 10), 16) > 0xffff ? 2 : 1 };
    case '\n':
    case '\r':
      // An escaped line break joins two lines: it and the indentation after it have no characters in the value.
      return { length: /^\\\r?\n[ \t]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 2, units: 0 };
    default:
      return { length: 2, units: 1 };
  }
}
