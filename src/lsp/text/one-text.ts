import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '../../flow/document/problems/diagnostic.ts';
import { once } from '../../flow/document/problems/schema-shape.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import type { Registered } from '../../flow/graph/compile/registered.ts';
import { readSyntax } from '../../flow/load/yaml/syntax-tree.ts';
import type { Analysis } from '../checker/analyses.ts';
import { type CodeNames, namesOf } from '../checker/checker.ts';
import { complete } from '../complete.ts';
import { describe } from '../describe.ts';
import { fixesFor } from '../fixes.ts';
import type { FlowIndex } from '../index/flow-index.ts';
import { indexFlow } from '../index/index-flow.ts';
import { partsOf } from '../index/parts-of.ts';
import { toShown } from '../publish.ts';
import { createSchemaView, type SchemaView } from '../index/schema-view.ts';
import type { TextAbout } from './text-about.ts';
import type { TextFix } from './text-fix.ts';
import type { TextProposal } from './text-proposal.ts';
import { createTexts, type Texts } from './texts.ts';

/**
 * The features of the editor's server for the text of one flow without an editor. Its other files are read from disk.
 */
export interface OneText {
  /** The fixes for its problems: a list for each, in the same order. Fixes that change other files are left out. */
  fixes(path: string, text: string, problems: readonly Diagnostic[]): readonly (readonly TextFix[])[];
  /** The texts that can be written at an offset, the likeliest first. */
  proposals(path: string, text: string, offset: number, registered: Registered): readonly TextProposal[];
  /** The information about the name or key at an offset, or null. */
  about(path: string, text: string, offset: number, registered: Registered): TextAbout | null;
}

export function createOneText(catalog: Catalog): OneText {
  /** The names of each flow from the last time that its text could be read to the end. */
  const sound = new Map<string, FlowIndex>();
  let view: SchemaView | null = null;
  let bare: CodeNames | null = null;
  const analyse = (path: string, text: string, code: CodeNames): Analysis => {
    // It only depends on the catalog.
    const schema = (view ??= createSchemaView(code.schema));
    const { root, isSound } = readSyntax(text);
    const index = indexFlow(path, schema, {
      root,
      file: partsOf(path, () => undefined),
      isRegistered: (name) => code.functions?.has(name),
    });
    if (isSound || !sound.has(path)) sound.set(path, index);
    return { path, index, names: sound.get(path) ?? index, schema, code };
  };
  const documentOf = (path: string, text: string): TextDocument =>
    TextDocument.create(pathToFileURL(path).href, 'yaml', 0, text);
  const textsOf = (document: TextDocument, path: string): Texts => createTexts(() => [document], dirname(path));
  return {
    fixes(path, text, problems) {
      if (problems.length === 0) return [];
      const document = documentOf(path, text);
      const texts = textsOf(document, path);
      const analysis = once(() => analyse(path, text, (bare ??= namesOf(catalog, {}))));
      return problems.map((problem) =>
        fixesFor([toShown(problem)], document, path, analysis, texts).flatMap(({ title, edit }): readonly TextFix[] => {
          const { changes } = edit ?? {};
          const own = changes?.[document.uri];
          if (own === undefined || Object.keys(changes ?? {}).length > 1) return [];
          const edits = own.map(({ range, newText }) => {
            const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
            return { from, to, was: text.slice(from, to), text: newText };
          });
          return [{ title, edits: edits.toSorted((one, other) => one.from - other.from) }];
        }),
      );
    },
    proposals(path, text, offset, registered) {
      const document = documentOf(path, text);
      const found = complete(
        analyse(path, text, namesOf(catalog, registered)),
        path,
        document,
        document.positionAt(offset),
      );
      const ranked = found.toSorted((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1));
      return ranked.flatMap(({ label, detail = '', documentation, textEdit }): readonly TextProposal[] => {
        if (textEdit === undefined || !('range' in textEdit)) return [];
        const { start, end } = textEdit.range;
        const about = typeof documentation === 'string' ? documentation : '';
        const [from, to] = [document.offsetAt(start), document.offsetAt(end)];
        return [{ name: label, from, to, text: textEdit.newText, detail, about }];
      });
    },
    about(path, text, offset, registered) {
      const analysis = analyse(path, text, namesOf(catalog, registered));
      return describe(analysis, analysis, path, text, offset, textsOf(documentOf(path, text), path));
    },
  };
}
