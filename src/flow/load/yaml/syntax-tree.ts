import { isAlias, isMap, isScalar, isSeq, type Node, Scalar } from 'yaml';
import { composeFlowText } from './composed-text.ts';
import { limits } from '../limits.ts';
import { INCLUDE_TAG } from './read-tokens.ts';
import { offsetWithin } from './scalar-offset.ts';
import { createSourceText } from './source-text.ts';
import { textTree } from '../files/text-file.ts';

/** A range of a text: offsets in UTF-16 units, the end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The parts of a YAML or JSON text and their places, for editors, whose texts are often incomplete. */
export type SyntaxNode = SyntaxMap | SyntaxList | SyntaxScalar | SyntaxAlias;

export interface SyntaxMap extends Stretch {
  readonly kind: 'map';
  /** It is in braces. */
  readonly isFlow: boolean;
  readonly anchor: string | undefined;
  readonly pairs: readonly SyntaxPair[];
}

export interface SyntaxPair {
  readonly key: SyntaxKey;
  readonly value: SyntaxNode;
}

export interface SyntaxKey extends Stretch {
  readonly text: string;
}

export interface SyntaxList extends Stretch {
  readonly kind: 'list';
  /** It is in brackets. */
  readonly isFlow: boolean;
  readonly anchor: string | undefined;
  readonly items: readonly SyntaxNode[];
}

export interface SyntaxScalar extends Stretch {
  readonly kind: 'scalar';
  readonly value: unknown;
  /** The value if it is text, else as it is written. */
  readonly text: string;
  readonly style: 'plain' | 'single' | 'double' | 'block';
  /** It is the name of a file to include. */
  readonly isInclude: boolean;
  readonly anchor: string | undefined;
  /** The place of a part of the text, which may have quotes, escapes, indentation and folded lines. */
  placeOf(start: number, length: number): Stretch;
}

/** `*name`, which refers to the value at `&name`. */
export interface SyntaxAlias extends Stretch {
  readonly kind: 'alias';
  readonly name: string;
}

/** A text parsed as YAML. A broken text is read as far as possible. */
export interface Syntax {
  readonly root: SyntaxNode | null;
  /** The text is YAML 1.2 from its beginning to its end. */
  readonly isSound: boolean;
}

/** Reads a YAML or JSON text, even a broken one. Never throws. */
export function readSyntax(text: string): Syntax {
  if (text.length > limits.fileBytes) return { root: null, isSound: false };
  const { document, faults, isCut } = composeFlowText(text, { lexemes: limits.lexemes, values: limits.values });
  if (isCut) return { root: null, isSound: false };
  const source = createSourceText('', text);

  const scalarOf = (node: Scalar): SyntaxScalar => {
    const [start, end] = rangeOf(node);
    const { value } = node;
    const isInclude = node.tag === INCLUDE_TAG;
    return {
      kind: 'scalar',
      start,
      end,
      value: isInclude ? String(value) : value,
      text: typeof value === 'string' ? value : (node.source ?? ''),
      style: styleOf(node),
      isInclude,
      anchor: node.anchor,
      placeOf: (from, length) => placeIn(text, node, from, length),
    };
  };
  const read = (node: Node | null | undefined, at: number): SyntaxNode => {
    if (isScalar(node)) return scalarOf(node);
    if (isAlias(node)) {
      const [start, end] = rangeOf(node);
      return { kind: 'alias', name: node.source, start, end };
    }
    if (isMap(node)) {
      const [start, end] = rangeOf(node);
      const pairs = node.items.flatMap(({ key, value }): SyntaxPair[] => {
        if (!isScalar(key)) return [];
        const [from, to] = rangeOf(key);
        // A parsed map has only nodes.
        return [{ key: { text: String(key.value), start: from, end: to }, value: read(value as Node | null, to) }];
      });
      return { kind: 'map', isFlow: node.flow === true, anchor: node.anchor, pairs, start, end };
    }
    if (isSeq(node)) {
      const [start, end] = rangeOf(node);
      const items = node.items.map((item) => read(item as Node | null, start));
      return { kind: 'list', isFlow: node.flow === true, anchor: node.anchor, items, start, end };
    }
    return emptyAt(at);
  };
  const { contents } = document ?? {};
  const isSound = faults.length === 0 && (document?.errors.length ?? 0) === 0;
  return { root: contents == null ? null : read(contents, 0), isSound };

  function placeIn(text: string, scalar: Scalar, start: number, length: number): Stretch {
    if (typeof scalar.value !== 'string') {
      const [from, to] = rangeOf(scalar);
      return { start: from, end: to };
    }
    // Each end separately: between them there may be escapes and line ends.
    const offsetAt = (index: number): number =>
      offsetWithin({ source, scalar: scalar as Scalar<string> }, { start: index, text: ' ' }).start;
    const from = offsetAt(start);
    if (length === 0) return { start: from, end: from };
    return { start: from, end: Math.min(text.length, offsetAt(start + length - 1) + 1) };
  }
}

/** Reads a text file as one text. */
export function readTextSyntax(text: string): SyntaxScalar {
  const { source, root } = textTree('', text);
  const scalar = root as Scalar<string>; // Such a tree has nothing else.
  const offsetAt = (index: number): number => offsetWithin({ source, scalar }, { start: index, text: ' ' }).start;
  return {
    kind: 'scalar',
    start: 0,
    end: text.length,
    value: scalar.value,
    text: scalar.value,
    style: 'plain',
    isInclude: false,
    anchor: undefined,
    placeOf: (start, length) => ({
      start: offsetAt(start),
      end: length === 0 ? offsetAt(start) : offsetAt(start + length - 1) + 1,
    }),
  };
}

function emptyAt(at: number): SyntaxScalar {
  return {
    kind: 'scalar',
    start: at,
    end: at,
    value: null,
    text: '',
    style: 'plain',
    isInclude: false,
    anchor: undefined,
    placeOf: () => ({ start: at, end: at }),
  };
}

function styleOf({ type }: Scalar): SyntaxScalar['style'] {
  switch (type) {
    case Scalar.QUOTE_DOUBLE:
      return 'double';
    case Scalar.QUOTE_SINGLE:
      return 'single';
    case Scalar.BLOCK_FOLDED:
    case Scalar.BLOCK_LITERAL:
      return 'block';
    case Scalar.PLAIN:
    default:
      return 'plain';
  }
}

function rangeOf({ range }: Node): readonly [number, number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}
