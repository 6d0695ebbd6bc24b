import { dirname, join } from 'node:path';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic as Shown,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { distance } from 'fastest-levenshtein';
import type { DiagnosticCode } from '../flow/document/problems/diagnostic-codes.ts';
import type { Analysis } from './checker/analyses.ts';
import { textUnder, valueUnder } from './index/schema-view.ts';
import { rangeIn, type Texts } from './text/texts.ts';

/**
 * Converts the advice in a problem's hint to changes. Few need the analysis of the flow, so it is only requested for
 * those.
 */
export function fixesFor(
  problems: readonly Shown[],
  document: TextDocument,
  path: string,
  analysisNow: () => Analysis | undefined,
  texts: Texts,
): CodeAction[] {
  return problems.flatMap((problem) => fixesOf(problem, document, path, analysisNow, texts));
}

function fixesOf(
  problem: Shown,
  document: TextDocument,
  path: string,
  analysisNow: () => Analysis | undefined,
  texts: Texts,
): CodeAction[] {
  const { code, range } = problem;
  // The server writes plain texts.
  const message = typeof problem.message === 'string' ? problem.message : problem.message.value;
  const { uri } = document;
  const marked = document.getText(range);
  const found: CodeAction[] = [];
  const add = (title: string, edit: WorkspaceEdit, isPreferred = false): void => {
    found.push({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [problem],
      edit,
      ...(isPreferred ? { isPreferred } : {}),
    });
  };
  const put = (title: string, edits: TextEdit[], isPreferred = true): void =>
    add(title, { changes: { [uri]: edits } }, isPreferred);

  const near = /Did you mean "([^"]+)"\?/.exec(message)?.[1];
  if (near !== undefined) {
    const at = wrongPart(marked, near);
    const start = document.offsetAt(range.start);
    if (at !== undefined)
      put(`Change to "${near}"`, [
        { range: rangeIn(document, { start: start + at.start, end: start + at.end }), newText: near },
      ]);
  }
  const written = /\bWrite (true|false)\.$/.exec(message)?.[1];
  if (code === 'boolean-word' && written !== undefined) put(`Write ${written}`, [{ range, newText: written }]);
  if (/Put it in quotes: "/.test(message)) put('Put it in quotes', [{ range, newText: `"${marked}"` }]);
  if (message.endsWith('Remove the quotes.')) put('Remove the quotes', [{ range, newText: marked.slice(1, -1) }]);
  if (message.endsWith('Make it a list.')) put('Make it a list', [{ range, newText: `[${marked}]` }]);
  if (code === 'tab-indentation') {
    const line = { start: { line: range.start.line, character: 0 }, end: { line: range.start.line + 1, character: 0 } };
    const text = document.getText(line);
    const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
    put('Indent by spaces', [
      {
        range: { start: line.start, end: { line: range.start.line, character: indent.length } },
        newText: indent.replaceAll('\t', '  '),
      },
    ]);
  }
  const analysis = needAnalysis.has(String(code)) ? analysisNow() : undefined;
  if (analysis === undefined) return found;
  const missing = /"([^"]+)", which does not exist\./.exec(message)?.[1];
  if ((code === 'unknown-target' || code === 'unknown-initial-node') && missing !== undefined) {
    const edit = newNode(analysis, missing, texts);
    if (edit !== undefined) add(`Add a node "${missing}"`, edit);
  }
  if (code === 'write-without-confirm' && path === analysis.path) {
    const edit = confirmAt(problem, document, analysis, path);
    if (edit !== undefined) put('Ask the caller first: confirm', [edit], false);
  }
  if (code === 'prompt-file-missing' || code === 'include-missing') {
    const name = /there is no file "([^"]+)"/.exec(message)?.[1];
    const target = name === undefined ? undefined : join(dirname(path), name);
    const inside = target !== undefined && target.startsWith(dirname(analysis.path));
    if (target !== undefined && inside)
      add(`Make the file ${name}`, {
        documentChanges: [{ kind: 'create', uri: texts.uriOf(target), options: { ignoreIfExists: true } }],
      });
  }
  return found;
}

const needAnalysis: ReadonlySet<string> = new Set<DiagnosticCode>([
  'unknown-target',
  'unknown-initial-node',
  'write-without-confirm',
  'prompt-file-missing',
  'include-missing',
]);

/** The part of a marked text that is probably the wrong name: the word that is nearest to the correct name. */
function wrongPart(marked: string, near: string): { readonly start: number; readonly end: number } | undefined {
  const dotted = near.includes('.');
  const words = [...marked.matchAll(dotted ? /[\p{L}\p{N}_$.-]+/gu : /[\p{L}\p{N}_$-]+/gu)].filter(
    ([word]) => word !== near,
  );
  const [best] = words.toSorted(([one], [other]) => apart(one, near) - apart(other, near));
  return best === undefined ? undefined : { start: best.index, end: best.index + best[0].length };
}

function apart(one: string, other: string): number {
  return distance(one.toLowerCase(), other.toLowerCase());
}

/** Adds a node at the end of the nodes of the flow, for its author to complete. */
function newNode({ index, path }: Analysis, id: string, texts: Texts): WorkspaceEdit | undefined {
  const document = texts.at(path);
  const last = [...index.nodes.values()].filter(({ scope, file }) => scope === '' && file === path).at(-1);
  if (document === undefined || last?.map == null) return undefined;
  const { character, line } = document.positionAt(last.declared.start);
  const text = document.getText();
  const isOwnLine = /^[ \t]*["']?$/.test(text.slice(document.offsetAt({ line, character: 0 }), last.declared.start));
  if (!isOwnLine) return undefined;
  const end = last.map.start + text.slice(last.map.start, last.map.end).trimEnd().length;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const restOfLine = /[^\r\n]*/.exec(text.slice(end))?.[0].length ?? 0;
  const at = document.positionAt(end + restOfLine);
  const edit = {
    range: { start: at, end: at },
    newText: `${lineEnd}${' '.repeat(character)}${id}: { say: "", end: ${id} }`,
  };
  return { changes: { [document.uri]: [edit] } };
}

/** Adds `confirm: true` next to the effect of the function with a problem. */
function confirmAt(problem: Shown, document: TextDocument, { index }: Analysis, path: string): TextEdit | undefined {
  const offset = document.offsetAt(problem.range.start);
  const owner = index.functions.find(({ map }) => {
    const effect = valueUnder(map, 'effect');
    return map.start <= offset && offset <= map.end && effect !== undefined && textUnder(map, 'confirm') === undefined;
  })?.map;
  const effect = valueUnder(owner, 'effect');
  if (owner === undefined || effect === undefined || path !== index.path) return undefined;
  const { character } = document.positionAt(owner.pairs[0]?.key.start ?? owner.start);
  const lineEnd = document.getText().includes('\r\n') ? '\r\n' : '\n';
  const at = document.positionAt(effect.end);
  const newText = owner.isFlow ? ', confirm: true' : `${lineEnd}${' '.repeat(character)}confirm: true`;
  return { range: { start: at, end: at }, newText };
}
