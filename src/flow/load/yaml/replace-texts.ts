import { isCollection, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';

/** A new text for a place of a document. */
export interface NewText {
  readonly path: DocumentPath;
  readonly text: string;
}

/**
 * Replaces the texts at some places of a YAML or JSON text. Everything else stays as it was, including comments and
 * spaces. `missed` has the places that are not a single value of this file, for example because of an alias. Paths are
 * as the author spelled them.
 */
export function replaceTexts(
  source: string,
  wanted: readonly NewText[],
): { readonly source: string; readonly missed: readonly NewText[] } {
  const document = parseDocument(source, { version: '1.2', schema: 'core', logLevel: 'silent' });
  const missed: NewText[] = [];
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const one of wanted) {
    const node = document.getIn(one.path, true);
    if (!isScalar(node) || node.range == null) {
      missed.push(one);
      continue;
    }
    const [start, end] = node.range;
    const isJson = /^\s*\{/.test(source);
    const text =
      isJson || isInline(document.contents, one.path) ? JSON.stringify(one.text) : blockOf(source, start, one.text);
    const isEmpty = start === end && source[start - 1] === ':';
    const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
    // The end of a block is the beginning of the next line.
    const isTight = start === end && /[}\]]/.test(source[end] ?? '');
    edits.push({ start, end, text: `${isEmpty ? ' ' : ''}${text}${isTight ? ' ' : ''}${isBlock ? '\n' : ''}` });
  }
  let replaced = source;
  for (const { start, end, text } of edits.toSorted((one, other) => other.start - one.start))
    replaced = replaced.slice(0, start) + text + replaced.slice(end);
  return { source: replaced, missed };
}

/** Checks whether a place is inside braces or brackets, where a text of several lines must be in quotes. */
function isInline(root: unknown, path: DocumentPath): boolean {
  let node: unknown = root;
  for (const segment of path) {
    if (!isCollection(node)) return false;
    if (node.flow === true) return true;
    node = isSeq(node) ? node.items[Number(segment)] : node.get(segment, true);
  }
  return false;
}

/** A text of several lines as a block below its key. Other texts in one line. */
function blockOf(source: string, at: number, text: string): string {
  if (!text.includes('\n') || /^\s|\s$/.test(text)) return inLine(text);
  const line = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  // The key begins after the dashes of lists.
  const indent = ' '.repeat((/^[\s-]*/.exec(line)?.[0].length ?? 0) + 2);
  const lines = text.split('\n').map((one) => (one === '' ? '' : `${indent}${one}`));
  return `|-\n${lines.join('\n')}`;
}

/** Plain if YAML allows that, else in quotes. */
function inLine(text: string): string {
  const written = stringify(text, { lineWidth: 0, version: '1.2', schema: 'core', blockQuote: false }).trimEnd();
  return written.includes('\n') ? JSON.stringify(text) : written;
}
