import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import { isLossless } from '../../../model/ports/lossy-numbers.ts';
import type { DocumentPath, PathSegment } from '../../document/problems/diagnostic.ts';
import { limits, smaller } from '../limits.ts';
import type { Fault } from '../problems/fault.ts';
import { INCLUDE_TAG } from './read-tokens.ts';
import { lineColumn, type SourceText } from './source-text.ts';

/** A file's nodes and their text. */
export interface Tree {
  readonly source: SourceText;
  readonly root: Node | null;
}

/** The target of a node that refers to another one: an alias to its anchor, an include to its file. */
export type Links = Map<Node, Tree>;

/** A fault, and its place in the document and in a text. */
export interface PlacedFault extends Fault {
  readonly source: SourceText;
  readonly path: DocumentPath;
}

export interface BuildContext {
  readonly links: Links;
  readonly faults: PlacedFault[];
  /**
   * Reads an included file in the context of the file that includes it. Returns undefined if that failed and was
   * reported.
   */
  include(node: Scalar, from: SourceText, path: DocumentPath, depth: number): Included | undefined;
}

export interface Built {
  readonly value: unknown;
  /** The number of values in it, including those of its aliases and includes. */
  readonly size: number;
  /** The number of levels below it. */
  readonly height: number;
}

export interface Included extends Built {
  readonly tree: Tree;
}

/**
 * Builds the plain value of a tree. Faults are reported and left out. A place that needs a value gets `undefined`,
 * which means "already reported" and cannot occur in a file.
 */
export function buildValue(tree: Tree, context: BuildContext, path: PathSegment[] = [], depth = 0): Built {
  const { source } = tree;
  const { links, faults } = context;
  const anchors = new Map<string, Anchor>();
  let built = 0;
  let aliased = 0;
  let aliasedText = 0;
  let deepest = depth;

  const refuse = (code: string, node: Node, message: string, hint?: string): undefined => {
    const [start, end] = node.range ?? [0, 0];
    faults.push({ code, message, ...(hint === undefined ? {} : { hint }), start, end, source, path: [...path] });
  };

  const build = (node: Node | null, level: number): unknown => {
    built += 1;
    deepest = Math.max(deepest, level);
    if (node === null) return null;
    if (isAlias(node)) return follow(node, level);
    const name = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (name === undefined) return content(node, level);
    const outerDeepest = deepest;
    const before = built;
    const anchor: Anchor = { node, value: undefined, size: 0, text: 0, height: 0, open: true };
    const textBefore = aliasedText;
    anchors.set(name, anchor);
    deepest = level;
    anchor.value = content(node, level);
    anchor.size = built - before + 1;
    const [start, end] = node.range ?? [0, 0];
    anchor.text = end - start + aliasedText - textBefore;
    anchor.height = deepest - level;
    anchor.open = false;
    deepest = Math.max(deepest, outerDeepest);
    return anchor.value;
  };

  const content = (node: Node, level: number): unknown => {
    if (level > limits.depth)
      return refuse('too-deep', node, `the document nests deeper than ${limits.depth} levels.`, smaller);
    if (isScalar(node)) return node.tag === INCLUDE_TAG ? include(node, level) : scalar(node);
    if ('tag' in node && node.tag === INCLUDE_TAG)
      return refuse('include-invalid', node, '!include needs the name of a file.', 'Write !include NAME.');
    if (isMap(node)) return map(node, level);
    if (!isSeq(node)) return undefined;
    return node.items.map((item, index) => {
      path.push(index);
      const value = build(item as Node | null, level + 1); // A parsed list has only nodes.
      path.pop();
      return value;
    });
  };

  const map = (node: YAMLMap, level: number): Record<string, unknown> | undefined => {
    const value: Record<string, unknown> = {};
    for (const pair of node.items) {
      const key = pair.key as Node; // A parsed map has only nodes. An empty key is an empty scalar.
      // The parser has reported any other key.
      if (!isScalar(key) || typeof key.value !== 'string' || key.tag !== undefined) return undefined;
      if (key.anchor !== undefined)
        anchors.set(key.anchor, { ...SCALAR_ANCHOR, text: key.value.length, node: key, value: key.value });
      const name = key.value;
      path.push(name);
      const problem = keyProblem(key, name, node, value);
      if (problem === undefined) value[name] = build(pair.value as Node | null, level + 1);
      else refuse(problem.code, key, problem.message, problem.hint);
      path.pop();
    }
    return value;
  };

  const keyProblem = (
    key: Scalar,
    name: string,
    node: YAMLMap,
    value: object,
  ): Pick<Fault, 'code' | 'message' | 'hint'> | undefined => {
    if (Object.hasOwn(value, name)) {
      const first = node.items.find((pair) => isScalar(pair.key) && pair.key.value === name)?.key as Scalar; // It exists.
      const { line } = lineColumn(source, first.range?.[0] ?? 0);
      return { code: 'duplicate-key', message: `"${name}" is already in line ${line}.`, hint: 'Keep one of them.' };
    }
    if (name === '__proto__')
      return { code: 'unsafe-key', message: '"__proto__" cannot be a key.', hint: 'Choose another name.' };
    if (name === '<<' && key.type === 'PLAIN')
      return {
        code: 'merge-key',
        message: 'merge keys (<<) are not part of YAML 1.2.',
        hint: 'Write the keys out, or use an alias as a whole value.',
      };
    return name === '' ? { code: 'invalid-key', message: 'a key is missing before ":".' } : undefined;
  };

  const scalar = (node: Scalar): unknown => {
    const { value } = node;
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) return refuse('not-json', node, `${node.source} is not a JSON number.`);
    if (isLossless(node.source ?? '')) return value;
    return refuse('not-json', node, `${node.source} is too large to be kept exactly.`, 'Put it in quotes.');
  };

  const follow = (node: Alias, level: number): unknown => {
    const anchor = anchors.get(node.source);
    if (anchor === undefined) {
      const hint = 'Text that begins with "*" needs quotes.';
      return refuse('unknown-alias', node, `no anchor &${node.source} exists before this alias.`, hint);
    }
    if (anchor.open)
      return refuse('alias-cycle', node, `*${node.source} is inside its own anchor.`, 'Write the value out.');
    if (level + anchor.height > limits.depth)
      return refuse('too-deep', node, `aliases nest the document deeper than ${limits.depth} levels.`, smaller);
    if (addsTooMuch(anchor, node)) return undefined;
    built += anchor.size - 1;
    deepest = Math.max(deepest, level + anchor.height);
    links.set(node, { source, root: anchor.node });
    return anchor.value;
  };

  const addsTooMuch = (anchor: Anchor, node: Alias): boolean => {
    const wasFull = aliased > limits.aliasedValues || aliasedText > limits.repeatedText;
    aliased += anchor.size;
    aliasedText += anchor.text;
    const what =
      aliased > limits.aliasedValues
        ? `${limits.aliasedValues} values`
        : aliasedText > limits.repeatedText
          ? `${limits.repeatedText} characters`
          : null;
    if (what === null) return false;
    // One report is enough: each further alias would exceed the limit as well.
    if (!wasFull) refuse('alias-limit', node, `aliases add more than ${what}.`, 'Write out fewer copies.');
    return true;
  };

  const include = (node: Scalar, level: number): unknown => {
    const included = context.include(node, source, path, level);
    if (included === undefined) return undefined;
    links.set(node, included.tree);
    built += included.size - 1;
    deepest = Math.max(deepest, level + included.height);
    return included.value;
  };

  const value = build(tree.root, depth);
  return { value, size: built, height: deepest - depth };
}

interface Anchor {
  readonly node: Node;
  value: unknown;
  size: number;
  /** Its characters in the file, including those of its aliases. */
  text: number;
  height: number;
  /** It is still being built. */
  open: boolean;
}

const SCALAR_ANCHOR = { size: 1, text: 0, height: 0, open: false };
