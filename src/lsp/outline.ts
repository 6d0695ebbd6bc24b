import { type DocumentSymbol, type FoldingRange, FoldingRangeKind, SymbolKind } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { snakeCase } from '../flow/document/problems/schema-shape.ts';
import type { Stretch, SyntaxNode, SyntaxPair } from '../flow/load/yaml/syntax-tree.ts';
import { textUnder, valueUnder } from './index/schema-view.ts';
import { rangeIn } from './text/texts.ts';

/**
 * The parts of a flow for an outline: its sections, and in them nodes with their functions, slots, inputs and edges.
 */
export function symbolsOf(root: SyntaxNode | null, document: TextDocument): DocumentSymbol[] {
  if (root?.kind !== 'map') return [];
  return root.pairs.map((pair) => section(pair, document));
}

function section(pair: SyntaxPair, document: TextDocument): DocumentSymbol {
  const name = snakeCase(pair.key.text);
  const { value } = pair;
  const children = (() => {
    switch (name) {
      case 'nodes':
        return membersOf(value, SymbolKind.Class, document, nodeParts);
      case 'slots':
        return membersOf(value, SymbolKind.Field, document);
      case 'input':
      case 'state':
      case 'computed':
        return membersOf(value, SymbolKind.Variable, document);
      case 'functions':
      case 'global_functions':
        return functionsOf(value, document);
      case 'edges':
        return edgesOf(value, document);
      case 'flow':
        return value.kind === 'map' ? value.pairs.map((one) => section(one, document)) : [];
      default:
        return [];
    }
  })();
  const kind = children.length > 0 ? SymbolKind.Namespace : SymbolKind.Property;
  return symbol(pair.key.text, shortly(value), kind, pair, document, children);
}

/** The members of a map by their keys, or those of a list by their ids. */
function membersOf(
  value: SyntaxNode,
  kind: SymbolKind,
  document: TextDocument,
  partsOf: (member: SyntaxNode, document: TextDocument) => DocumentSymbol[] = () => [],
): DocumentSymbol[] {
  if (value.kind === 'map')
    return value.pairs.map((pair) =>
      symbol(pair.key.text, typeOf(pair.value), kind, pair, document, partsOf(pair.value, document)),
    );
  if (value.kind !== 'list') return [];
  return value.items.flatMap((item) => {
    const id = valueUnder(item, 'id');
    if (id?.kind !== 'scalar') return [];
    return [named(id.text, typeOf(item), kind, item, id, document, partsOf(item, document))];
  });
}

function nodeParts(node: SyntaxNode, document: TextDocument): DocumentSymbol[] {
  const body = valueUnder(node, 'body');
  const inner = body === undefined ? undefined : valueUnder(body, 'nodes');
  return [
    ...functionsOf(valueUnder(node, 'functions'), document),
    ...(inner === undefined ? [] : membersOf(inner, SymbolKind.Class, document, nodeParts)),
  ];
}

function functionsOf(value: SyntaxNode | undefined, document: TextDocument): DocumentSymbol[] {
  if (value?.kind !== 'list') return [];
  return value.items.flatMap((item) => {
    const name = valueUnder(item, 'name');
    const target = textUnder(item, 'transition_to');
    if (name?.kind !== 'scalar') return [];
    return [named(name.text, target === undefined ? '' : `→ ${target}`, SymbolKind.Function, item, name, document, [])];
  });
}

function edgesOf(value: SyntaxNode, document: TextDocument): DocumentSymbol[] {
  if (value.kind !== 'list') return [];
  return value.items.flatMap((item) => {
    const from = valueUnder(item, 'from');
    if (from?.kind !== 'scalar') return [];
    const title = `${from.text} → ${textUnder(item, 'to') ?? '?'}`;
    return [named(title, '', SymbolKind.Event, item, from, document, [])];
  });
}

function typeOf(member: SyntaxNode): string {
  return textUnder(member, 'type') ?? '';
}

function shortly(value: SyntaxNode): string {
  return value.kind === 'scalar' && value.text.length <= 60 && !value.text.includes('\n') ? value.text : '';
}

function symbol(
  name: string,
  detail: string,
  kind: SymbolKind,
  { key, value }: SyntaxPair,
  document: TextDocument,
  children: DocumentSymbol[],
): DocumentSymbol {
  const whole = { start: key.start, end: Math.max(key.end, trimmed(document, value).end) };
  return shown(name, detail, kind, whole, key, document, children);
}

function named(
  name: string,
  detail: string,
  kind: SymbolKind,
  whole: SyntaxNode,
  at: Stretch,
  document: TextDocument,
  children: DocumentSymbol[],
): DocumentSymbol {
  return shown(name, detail, kind, trimmed(document, whole), at, document, children);
}

function shown(
  name: string,
  detail: string,
  kind: SymbolKind,
  whole: Stretch,
  at: Stretch,
  document: TextDocument,
  children: DocumentSymbol[],
): DocumentSymbol {
  return {
    // Editors refuse an empty name.
    name: name === '' ? '(no name)' : name,
    ...(detail === '' ? {} : { detail }),
    kind,
    range: rangeIn(document, whole),
    selectionRange: rangeIn(document, at),
    children,
  };
}

/** A range without the white space and the comments at its end. */
function trimmed(document: TextDocument, { start, end }: Stretch): Stretch {
  const text = document.getText().slice(start, end);
  return { start, end: start + text.replace(/(?:\s|\n[ \t]*#[^\n]*)+$/, '').length };
}

/**
 * The ranges that can be folded: maps, lists and texts of several lines, each below its key, and comments of several
 * lines.
 */
export function foldsOf(root: SyntaxNode | null, document: TextDocument): FoldingRange[] {
  const folds = new Map<number, FoldingRange>();
  const add = (startLine: number, stretch: Stretch): void => {
    const endLine = document.positionAt(trimmed(document, stretch).end).line;
    if (endLine > startLine && !folds.has(startLine)) folds.set(startLine, { startLine, endLine });
  };
  const visit = (node: SyntaxNode): void => {
    if (node.kind === 'map')
      for (const { key, value } of node.pairs) {
        add(document.positionAt(key.start).line, value);
        visit(value);
      }
    else if (node.kind === 'list')
      for (const item of node.items) {
        add(document.positionAt(item.start).line, item);
        visit(item);
      }
  };
  if (root !== null) visit(root);
  for (const found of document.getText().matchAll(/(?:^[ \t]*#[^\n]*(?:\n|$)){2,}/gm))
    folds.set(document.positionAt(found.index).line, {
      startLine: document.positionAt(found.index).line,
      endLine: document.positionAt(found.index + found[0].trimEnd().length).line,
      kind: FoldingRangeKind.Comment,
    });
  return [...folds.values()].toSorted((one, other) => one.startLine - other.startLine);
}
