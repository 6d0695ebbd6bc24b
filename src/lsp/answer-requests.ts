import {
  type Connection,
  DocumentHighlightKind,
  type Location,
  LSPErrorCodes,
  MarkupKind,
  type Position,
  ResponseError,
  type TextDocuments,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { readSyntax, type Stretch } from '../flow/load/yaml/syntax-tree.ts';
import { toMarkdown } from './about-markdown.ts';
import type { Analyses, Analysis } from './checker/analyses.ts';
import { complete } from './complete.ts';
import { describe } from './describe.ts';
import { fixesFor } from './fixes.ts';
import { fileKind } from './index/flow-files.ts';
import type { Occurrence } from './index/flow-index.ts';
import { declarationsOf, fileAt, occurrenceAt, occurrencesOf } from './index/names-at.ts';
import { foldsOf, symbolsOf } from './outline.ts';
import type { Publisher } from './publish.ts';
import { refusal, rename } from './rename.ts';
import { rangeIn, type Texts } from './text/texts.ts';

/** The data that requests are answered from. */
interface Project {
  readonly texts: Texts;
  readonly analyses: Analyses;
  readonly publisher: Publisher;
}

/** A document in a request, and the flow that it is or belongs to. */
interface Asked {
  readonly path: string;
  readonly document: TextDocument;
  /** The analysis of the document. For a test: its own text, with the names of the flow. */
  readonly analysis: Analysis;
  /** The flow. */
  readonly flow: Analysis;
}

/** Answers the requests of an editor about its open documents. */
export function answerRequests(
  connection: Connection,
  documents: TextDocuments<TextDocument>,
  { texts, analyses, publisher }: Project,
): void {
  const asked = async (uri: string): Promise<Asked | undefined> => {
    const path = texts.pathOf(uri);
    const document = documents.get(uri) ?? texts.at(path);
    if (document === undefined) return undefined;
    if (fileKind(path, '') === 'test') {
      const analysis = await analyses.ofTest(path);
      const flow = analysis === undefined ? undefined : await analyses.of(analysis.names.path);
      return analysis === undefined || flow === undefined ? undefined : { path, document, analysis, flow };
    }
    const [owner] = await analyses.ownersOf(path);
    const flow = owner === undefined ? undefined : await analyses.of(owner);
    return flow === undefined ? undefined : { path, document, analysis: flow, flow };
  };
  const nameAt = ({ analysis, path, document }: Asked, position: Position): Occurrence | undefined =>
    occurrenceAt(analysis.index, path, document.offsetAt(position));
  const locationsOf = (places: readonly (Stretch & { readonly file: string })[]): Location[] =>
    places.flatMap(({ file, start, end }) => {
      const document = texts.at(file);
      return document === undefined ? [] : [{ uri: texts.uriOf(file), range: rangeIn(document, { start, end }) }];
    });

  connection.onCompletion(async ({ textDocument, position }) => {
    const found = await asked(textDocument.uri);
    return found === undefined ? [] : complete(found.analysis, found.path, found.document, position);
  });
  connection.onDefinition(async ({ textDocument, position }) => {
    const found = await asked(textDocument.uri);
    if (found === undefined) return [];
    const { analysis, path, document } = found;
    const file = fileAt(analysis, path, document.offsetAt(position));
    if (file !== undefined) return locationsOf([{ file, start: 0, end: 0 }]);
    const one = nameAt(found, position);
    return one === undefined ? [] : locationsOf(declarationsOf(found.flow.index, one));
  });
  connection.onReferences(async ({ textDocument, position, context }) => {
    const found = await asked(textDocument.uri);
    const one = found === undefined ? undefined : nameAt(found, position);
    if (found === undefined || one === undefined) return [];
    const all = occurrencesOf(await analyses.joint(found.flow), one);
    return locationsOf(all.filter(({ isDeclaration }) => context.includeDeclaration || !isDeclaration));
  });
  connection.onDocumentHighlight(async ({ textDocument, position }) => {
    const found = await asked(textDocument.uri);
    const one = found === undefined ? undefined : nameAt(found, position);
    if (found === undefined || one === undefined) return [];
    const here = occurrencesOf(found.analysis.index, one).filter(({ file }) => file === found.path);
    return here.map(({ isDeclaration, ...stretch }) => ({
      range: rangeIn(found.document, stretch),
      kind: isDeclaration ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
  });
  connection.onPrepareRename(async ({ textDocument, position }) => {
    const found = await asked(textDocument.uri);
    const one = found === undefined ? undefined : nameAt(found, position);
    if (found === undefined || one === undefined) return null;
    const reason = refusal(found.flow, one);
    if (reason !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, reason);
    return { range: rangeIn(found.document, one), placeholder: one.name };
  });
  connection.onRenameRequest(async ({ textDocument, position, newName }) => {
    const found = await asked(textDocument.uri);
    const one = found === undefined ? undefined : nameAt(found, position);
    if (found === undefined || one === undefined) return null;
    return rename({ ...found.flow, index: await analyses.joint(found.flow) }, one, newName, texts);
  });
  connection.onHover(async ({ textDocument, position }) => {
    const found = await asked(textDocument.uri);
    if (found === undefined) return null;
    const { analysis, flow, path, document } = found;
    const about = describe(analysis, flow, path, document.getText(), document.offsetAt(position), texts);
    if (about === null) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: toMarkdown(about) },
      range: rangeIn(document, { start: about.from, end: about.to }),
    };
  });
  connection.onDocumentSymbol(async ({ textDocument }) => {
    const found = await asked(textDocument.uri);
    return found === undefined ? [] : symbolsOf(readSyntax(found.document.getText()).root, found.document);
  });
  connection.onFoldingRanges(async ({ textDocument }) => {
    const found = await asked(textDocument.uri);
    return found === undefined ? [] : foldsOf(readSyntax(found.document.getText()).root, found.document);
  });
  connection.onDocumentLinks(async ({ textDocument }) => {
    const found = await asked(textDocument.uri);
    if (found === undefined) return [];
    const here = found.analysis.index.files.filter(
      ({ file, target }) => file === found.path && texts.at(target) !== undefined,
    );
    return here.map(({ target, ...stretch }) => ({
      range: rangeIn(found.document, stretch),
      target: texts.uriOf(target),
    }));
  });
  connection.onCodeAction(async ({ textDocument, context, range }) => {
    const path = texts.pathOf(textDocument.uri);
    const document = documents.get(textDocument.uri);
    if (document === undefined) return [];
    const given = context.diagnostics.filter(({ source }) => source === 'roomflow');
    const here = publisher
      .shownAt(path)
      .filter(({ range: at }) => at.start.line <= range.end.line && at.end.line >= range.start.line);
    const found = await asked(textDocument.uri);
    return fixesFor(given.length > 0 ? given : here, document, path, () => found?.flow, texts);
  });
}
