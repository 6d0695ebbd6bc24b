import { basename } from 'node:path';
import type { Diagnostic, DocumentPath, Problem } from '../flow/diagnostic.ts';
import { convertForeign, type ForeignProduct } from '../importers/convert.ts';
import type { Drafted } from '../importers/draft.ts';
import type { ImportNote } from '../importers/notes.ts';
import type { SourcePlace } from '../importers/source.ts';
import type { ToolStub } from '../importers/tool-stub.ts';
import { checkFlow, type CheckFlowOptions } from './check-flow.ts';
import { isError, type Locate } from './diagnose.ts';
import { openForeign } from './open-foreign.ts';
import { withoutPart } from './without-part.ts';

/** What came of an import. */
export interface FlowImport {
  /** Null where nothing could be made of it; the diagnostics say why. */
  readonly flow: ImportedFlow | null;
  /** What is wrong in the foreign files, or in the document that was made of them. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ImportedFlow {
  readonly product: ForeignProduct;
  /** What was read, with its article: "a squad of Vapi". */
  readonly what: string;
  /** Keys in snake_case, in the order in which documents are written. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly notes: readonly LocatedNote[];
  /** The code that it asks for. */
  readonly tools: readonly ToolStub[];
  /** What a check says of the document. */
  readonly check: readonly Diagnostic[];
}

/** What became of a part of a foreign file, with its place there. */
export interface LocatedNote extends Pick<ImportNote, 'kind' | 'text' | 'more' | 'path'> {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Writes a file, folder or archive of another product as a document of ours, as far as it is understood. What of the
 * document would not pass a check is left out and told. Never throws.
 */
export function importFlow(path: string, options: CheckFlowOptions & { readonly from?: ForeignProduct }): FlowImport {
  const { files, diagnostics, locate } = openForeign(path);
  if (files.length === 0) return { flow: null, diagnostics };
  const { from, ...checking } = options;
  const conversion = convertForeign(files, from);
  if (!conversion.ok) {
    const { place, message, hint } = conversion;
    const problem: Problem = { code: 'unsupported-format', severity: 'error', message, hint, path: place.path };
    return { flow: null, diagnostics: [...diagnostics, locate(place.file)(problem)] };
  }
  const { product, what, drafted } = conversion;
  const mended = mendImported(drafted, { ...checking, file: `${basename(path)} (imported)` });
  const lost = mended.removed.map(({ path: at, reason }): ImportNote => {
    const { file, path: from } = drafted.origin(at);
    return { kind: 'lost', text: reason, more: 0, file, path: from };
  });
  return {
    flow: {
      product,
      what,
      document: mended.document,
      notes: [...drafted.notes, ...lost].map((note) => located(note, locate)),
      tools: drafted.tools,
      check: mended.check,
    },
    diagnostics: [...diagnostics, ...mended.check.filter(isError)],
  };
}

function located({ kind, text, more, file, path }: ImportNote, locate: (file: string) => Locate): LocatedNote {
  const place: SourcePlace = { file, path };
  const { line, column, file: name } = locate(place.file)({ code: '', severity: 'note', message: '', path });
  return {
    kind,
    text,
    more,
    path,
    file: name,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

const mostMends = 200;

/** Leaves out, one after the other, the parts that a check refuses. */
export function mendImported(
  { document: given }: Pick<Drafted, 'document'>,
  options: CheckFlowOptions,
): {
  readonly document: Readonly<Record<string, unknown>>;
  readonly removed: readonly { readonly path: DocumentPath; readonly reason: string }[];
  readonly check: readonly Diagnostic[];
} {
  const removed: { path: DocumentPath; reason: string }[] = [];
  let document = given;
  let check = checkFlow(document, options).diagnostics;
  for (let count = 0; count < mostMends; count += 1) {
    const first = check.find(isError);
    const rest = first === undefined ? undefined : withoutPart(document, first);
    if (first === undefined || rest === undefined) break;
    removed.push({ path: first.path, reason: `left out, since it cannot stand in a flow: ${first.message}` });
    document = rest;
    check = checkFlow(document, options).diagnostics;
  }
  return { document, removed, check };
}
