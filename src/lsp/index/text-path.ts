import type { Stretch, SyntaxNode } from '../../flow/load/yaml/syntax-tree.ts';
import { syntaxAt } from '../checker/analyses.ts';
import type { Step } from './cursor.ts';

/** The path from the root of a text to the key or the value at an offset. */
export interface TextPath {
  readonly steps: readonly Step[];
  /** The key or value itself, and its text. */
  readonly at: Stretch;
  readonly isKey: boolean;
  readonly text: string;
}

/** Finds the key or value at an offset. Returns undefined between keys and values. */
export function pathTo(path: string, text: string, offset: number): TextPath | undefined {
  const root = syntaxAt(path, text);
  return root === null ? undefined : find(root, offset, []);
}

function find(node: SyntaxNode, offset: number, steps: readonly Step[]): TextPath | undefined {
  if (node.kind === 'scalar')
    return isIn(node, offset) ? { steps, at: node, isKey: false, text: node.text } : undefined;
  if (node.kind === 'list') return first(node.items, (item) => find(item, offset, [...steps, { list: node }]));
  if (node.kind !== 'map') return undefined;
  return first(node.pairs, ({ key, value }) => {
    if (isIn(key, offset))
      return { steps: [...steps, { map: node, key, isKey: true }], at: key, isKey: true, text: key.text };
    return find(value, offset, [...steps, { map: node, key, isKey: false }]);
  });
}

function isIn({ start, end }: Stretch, offset: number): boolean {
  return start <= offset && offset <= end && end > start;
}

function first<Item, Found>(items: readonly Item[], look: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
