import { basename } from 'node:path';
import type { Diagnostic, DocumentPath, Problem } from '../document/problems/diagnostic.ts';
import { convertForeign, type ForeignProduct } from '../../importers/convert.ts';
import type { Drafted } from '../../importers/draft.ts';
import type { ImportNote } from '../../importers/notes.ts';
import type { SourcePlace } from '../../importers/source.ts';
import type { ToolStub } from '../../importers/tool-stub.ts';
import { checkFlow, type CheckFlowOptions } from './check-flow.ts';
import { isError, type Locate } from './problems/diagnose.ts';
import { openForeign } from './open-foreign.ts';
import { withoutPart } from './without-part.ts';

/** The result of an import. */
export interface FlowImport {
  /** Null if nothing could be converted. The diagnostics say why. */
  readonly flow: ImportedFlow | null;
  /** Problems of the foreign files, or of the document that was made of them. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ImportedFlow {
  readonly product: ForeignProduct;
  /** The format that was read, with its article: "a squad of Vapi". */
  readonly what: string;
  /** Keys in snake_case, in the usual order of documents. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly notes: readonly LocatedNote[];
  /** The code that it needs. */
  readonly tools: readonly ToolStub[];
  /** The diagnostics of the document. */
  readonly check: readonly Diagnostic[];
}

/** The result of importing a part of a foreign file, with its place there. */
export interface LocatedNote extends Pick<ImportNote, 'kind' | 'text' | 'more' | 'path'> {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Converts a file, folder or archive of another product to a document of ours, as far as it is understood. Parts of the
 * document that would not pass a check are left out and reported. Never throws.
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

/** Removes the parts that a check refuses, one after the other. */
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
