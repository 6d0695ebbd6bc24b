import { type CompletionItem, CompletionItemKind, InsertTextFormat, type Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { snakeCase } from '../flow/document/problems/schema-shape.ts';
import type { Analysis } from './checker/analyses.ts';
import { type Cursor, cursorsAt, typedAt } from './index/cursor.ts';
import { isTextFile } from './index/index-flow.ts';
import { placeAt, type TypingPlace } from './index/place-at.ts';
import { keysOfAuthor, namesFor, type Proposal, valuesFor } from './proposals.ts';
import type { SchemaAlternatives } from './index/schema-view.ts';

/** A proposal, and the text to insert if that is not its name. */
interface Written extends Proposal {
  readonly text?: string;
}

/**
 * Proposes what can be written at a place of a flow, or of a file that belongs to it. Proposes nothing in a comment.
 */
export function complete(
  analysis: Analysis,
  path: string,
  document: TextDocument,
  position: Position,
): CompletionItem[] {
  const text = document.getText();
  const offset = document.offsetAt(position);
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const behind = /^[\p{L}\p{N}_-]*/u.exec(text.slice(offset, offset + 100))?.[0] ?? '';
  const word = /[\p{L}\p{N}_$-]*$/u.exec(line)?.[0] ?? '';
  const start = analysis.index.included.get(path) ?? analysis.names.included.get(path);
  if (start === undefined) return [];

  const items = (proposals: readonly Written[], typed: string, after: string): CompletionItem[] => {
    const range = {
      start: document.positionAt(offset - typed.length),
      end: document.positionAt(offset + after.length),
    };
    return proposals.map(({ name, kind, detail = '', documentation = '', text: written, rank = 5 }, index) => ({
      label: name,
      kind,
      ...(detail === '' ? {} : { detail }),
      ...(documentation === '' ? {} : { documentation }),
      sortText: `${rank}${String(index).padStart(5, '0')}`,
      filterText: name,
      insertTextFormat: InsertTextFormat.PlainText,
      textEdit: { range, newText: written ?? name },
    }));
  };
  const keysAt = ({ steps }: Cursor, place: TypingPlace): CompletionItem[] => {
    const step = steps.at(-1);
    if (step === undefined || !('map' in step)) return [];
    const others = step.map.pairs.filter(({ key }) => key !== step.key).map(({ key }) => key.text);
    const present = new Set(others.map(snakeCase));
    const isCamel = others.some((key) => /[a-z][A-Z]/.test(key));
    // Text that already exists is not inserted again.
    const isWhole =
      /["']$/.test(line.slice(0, line.length - word.length)) ||
      /^["']?[ \t]*:/.test(text.slice(offset + behind.length));
    const known = analysis.schema.keys(place.spot, step.map).map(({ name, description, spot, isRequired }): Written => {
      const spelled = isCamel ? camelCase(name) : name;
      const written = isWhole ? spelled : `${spelled}:${step.map.isFlow || takesLine(spot) ? ' ' : ''}`;
      const rank = isRequired ? 1 : 5;
      return { name: spelled, kind: CompletionItemKind.Property, documentation: description, rank, text: written };
    });
    const ofAuthor = keysOfAuthor(analysis, place).map((one) => (isWhole ? one : { ...one, text: `${one.name}: ` }));
    return items(
      [...known, ...ofAuthor].filter(({ name }) => !present.has(snakeCase(name))),
      word,
      behind,
    );
  };
  const valuesAt = ({ value, steps }: Cursor, place: TypingPlace): CompletionItem[] => {
    if (value === null) return [];
    const { before, after } = typedAt(value);
    const step = steps.at(-1);
    const map = step !== undefined && 'map' in step ? step.map : null;
    const found = valuesFor(analysis, { place, map, path, isInclude: value.isInclude, typed: before });
    // After a dot, only the field is replaced. A file or a node is replaced as a whole.
    const isName = /^[\p{L}\p{N}_$./-]*$/u.test(before) && !before.includes('->');
    const isWhole = isName && text.endsWith(before, offset) && !(before.includes('.') && isDotted(found));
    const rest = text.startsWith(after, offset) && !/[\r\n]/.test(after) ? after.trimEnd() : behind;
    return items(found, isWhole ? before : word, isWhole ? rest : behind);
  };

  const reference = /\{\{\s*([^{}]*)$/.exec(line)?.[1];
  if (isTextFile(path)) return reference === undefined ? [] : items(namesFor(analysis, start, reference), word, behind);
  const cursors = cursorsAt(text, offset);
  if (reference !== undefined) {
    const [cursor] = cursors;
    if (cursor === undefined) return [];
    return items(namesFor(analysis, placeAt(analysis.schema, start, cursor.steps), reference), word, behind);
  }
  for (const cursor of cursors) {
    const place = placeAt(analysis.schema, start, cursor.steps);
    const found = cursor.value === null ? keysAt(cursor, place) : valuesAt(cursor, place);
    if (found.length > 0) return found;
  }
  return [];
}

function isDotted(found: readonly Proposal[]): boolean {
  return found.every(({ name, kind }) => !name.includes('.') && kind !== CompletionItemKind.File);
}

/** Checks whether a value is on the line of its key, not below it. */
function takesLine(spot: SchemaAlternatives): boolean {
  // An included file can replace everything below its key.
  const own = spot.filter(({ title }) => title !== 'IncludedFile');
  return own.some(({ schema }) => schema['type'] !== 'object' && schema['type'] !== 'array');
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
