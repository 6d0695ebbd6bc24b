import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { DocumentPath, PathSegment, Problem } from '../../document/problems/diagnostic.ts';
import { camelCase, snakeCase } from '../../document/problems/schema-shape.ts';
import type { Links, Tree } from './build-value.ts';
import { offsetWithin, type TextNode } from './scalar-offset.ts';
import type { SourcePosition } from './source-text.ts';

/** A path as the author spelled it, and its place. */
export interface Located {
  readonly path: DocumentPath;
  readonly place: SourcePosition;
}

/**
 * Returns the place of a problem in a tree, in whichever spelling its path is. For a missing key, it is the key of the
 * map that lacks it, or the beginning of that map if it has no key.
 */
export function locateInTree(
  tree: Tree,
  links: Links,
  { path, atKey = false, within }: Pick<Problem, 'path' | 'atKey' | 'within'>,
): Located {
  let { source, root: node } = tree;
  let key: Node | null = null;
  const spelled: PathSegment[] = [];
  for (const segment of path) {
    for (let target = node && links.get(node); target; target = node && links.get(node)) {
      ({ source, root: node } = target);
      key = null;
    }
    const next = step(node, segment);
    if (next === undefined) {
      const { length } = spelled;
      return { path: [...spelled, ...path.slice(length).map(asWritten)], place: { source, ...stretchOf(key ?? node) } };
    }
    ({ key, node } = next);
    spelled.push(next.segment);
  }
  const isEmpty = node?.range !== undefined && node.range !== null && node.range[0] === node.range[1];
  if (key !== null && (atKey || isEmpty || node === null))
    return { path: spelled, place: { source, ...stretchOf(key) } };
  if (within !== undefined) {
    const text = textAt({ source, root: node }, links);
    if (text !== undefined) return { path: spelled, place: { source: text.source, ...offsetWithin(text, within) } };
  }
  return { path: spelled, place: { source, ...stretchOf(node) } };
}

/** Returns the path with the keys that a plain value really has, if they are in another spelling. */
export function spellLike(value: unknown, path: DocumentPath): DocumentPath {
  let current = value;
  return path.map((segment) => {
    const owner = current;
    current = undefined;
    if (typeof owner !== 'object' || owner === null) return segment;
    const spelled = spelling(segment, (name) => Object.hasOwn(owner, name));
    if (spelled === undefined) return segment;
    current = (owner as Readonly<Record<PathSegment, unknown>>)[spelled]; // It has this member.
    return spelled;
  });
}

/** Checks whether the text at a path is in quotes or is a block, which a plain word of YAML is not. */
export function isQuotedInTree(tree: Tree, links: Links, path: DocumentPath): boolean {
  let at = tree;
  for (const segment of path) {
    for (let target = at.root && links.get(at.root); target; target = at.root && links.get(at.root)) at = target;
    const next = step(at.root, segment);
    if (next === undefined) return false;
    at = { source: at.source, root: next.node };
  }
  const text = textAt(at, links);
  return text !== undefined && text.scalar.type !== 'PLAIN';
}

/** The text of a node, or of the target of its alias or include. */
function textAt({ source, root: node }: Tree, links: Links): TextNode | undefined {
  const target = node && links.get(node);
  if (target) return textAt(target, links);
  return isScalar(node) && typeof node.value === 'string' ? { source, scalar: node as Scalar<string> } : undefined;
}

interface Step {
  readonly segment: PathSegment;
  readonly key: Node | null;
  readonly node: Node | null;
}

function step(node: Node | null, segment: PathSegment): Step | undefined {
  if (isSeq(node)) {
    if (typeof segment !== 'number' || segment >= node.items.length) return undefined;
    return { segment, key: null, node: (node.items[segment] ?? null) as Node | null }; // A parsed list has only nodes.
  }
  if (!isMap(node)) return undefined;
  const pairs = pairsOf(node);
  const name = spelling(segment, (candidate) => pairs.has(String(candidate)));
  const pair = name === undefined ? undefined : pairs.get(String(name));
  return name === undefined || pair === undefined ? undefined : { segment: name, key: pair.key, node: pair.value };
}

type ParsedPair = Pair<Scalar, Node | null>;

// Cached: with a problem in each of ten thousand nodes, searching the nodes each time would be slow.
const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, ParsedPair>>();

function pairsOf(map: YAMLMap): ReadonlyMap<string, ParsedPair> {
  const known = indexes.get(map);
  if (known !== undefined) return known;
  const index = new Map<string, ParsedPair>();
  for (const pair of map.items) {
    if (!isScalar(pair.key)) continue;
    const name = String(pair.key.value);
    if (!index.has(name)) index.set(name, pair as ParsedPair); // A parsed map has only nodes.
  }
  indexes.set(map, index);
  return index;
}

/** The spelling of a segment that exists: its own, or that of the other case. */
function spelling(segment: PathSegment, exists: (name: PathSegment) => boolean): PathSegment | undefined {
  if (exists(segment)) return segment;
  if (typeof segment === 'number') return undefined;
  const snake = snakeCase(segment);
  if (exists(snake)) return snake;
  const camel = camelCase(segment);
  return exists(camel) ? camel : undefined;
}

function asWritten(segment: PathSegment): PathSegment {
  return typeof segment === 'number' ? segment : snakeCase(segment);
}

/** The range that marks a node: all of a scalar or alias, the beginning of a map or list. */
function stretchOf(node: Node | null): { start: number; end: number } {
  if (isMap(node) && !node.flow && isScalar(node.items[0]?.key)) return stretchOf(node.items[0].key);
  const [start, end] = node?.range ?? [0, 1];
  return { start, end: isScalar(node) || isAlias(node) ? end : start + 1 };
}
