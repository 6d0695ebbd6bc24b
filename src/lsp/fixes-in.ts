import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic } from '../flow/diagnostic.ts';
import type { Catalog } from '../graph/catalog.ts';
import { readSyntax } from '../load/syntax-tree.ts';
import type { Analysis } from './analyses.ts';
import { namesOf } from './checker.ts';
import { fixesFor } from './fixes.ts';
import { indexFlow } from './flow-index.ts';
import { toShown } from './publish.ts';
import { createSchemaView } from './schema-view.ts';
import type { TextFix } from './text-fix.ts';
import { createTexts } from './texts.ts';

/**
 * The fixes that editors offer, for the problems of one file without an editor: a list for each problem, in their order. Fixes
 * that change other files are left out.
 */
export function createFixer(
  catalog: Catalog,
): (path: string, text: string, problems: readonly Diagnostic[]) => readonly (readonly TextFix[])[] {
  const code = namesOf(catalog, {});
  let schema: ReturnType<typeof createSchemaView> | null = null;
  return (path, text, problems) => {
    if (problems.length === 0) return [];
    schema ??= createSchemaView(code.schema);
    const document = TextDocument.create(pathToFileURL(path).href, 'yaml', 0, text);
    const texts = createTexts(() => [document], dirname(path));
    const { root } = readSyntax(text);
    const index = indexFlow(path, schema, { root, file: () => undefined, isRegistered: () => undefined });
    const analysis: Analysis = { path, index, names: index, schema, code };
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
  };
}
