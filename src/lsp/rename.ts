import { LSPErrorCodes, ResponseError, type TextEdit, type WorkspaceEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { returnTarget } from '../flow/document/function.ts';
import type { Stretch, SyntaxMap } from '../flow/load/yaml/syntax-tree.ts';
import type { Analysis } from './checker/analyses.ts';
import { fileKind } from './index/flow-files.ts';
import type { Occurrence } from './index/flow-index.ts';
import { occurrencesOf } from './index/names-at.ts';
import { textUnder, valueUnder } from './index/schema-view.ts';
import { rangeIn, type Texts } from './text/texts.ts';

/** Tests name a function of the flow regardless of the node that offers it. */
function isTest(file: string): boolean {
  return fileKind(file, '') === 'test';
}

/** Kinds of names that the flow itself chooses. The others belong to code. */
const renamable: ReadonlySet<Occurrence['kind']> = new Set([
  'node',
  'slot',
  'variable',
  'input',
  'function',
  'parameter',
]);

/** The reason why a name cannot be changed, or undefined. */
export function refusal({ code }: Analysis, one: Occurrence): string | undefined {
  if (!renamable.has(one.kind)) return `The name of a ${one.kind} comes from code. Rename it there.`;
  if (one.kind === 'function' && code.functions?.has(one.name) === true)
    return `The function "${one.name}" is registered in code. Rename it there, or name it by handler.`;
  if (one.isCode === true) return `The argument "${one.name}" is used by code. Rename it there first.`;
  return undefined;
}

/**
 * The changes for a new name in all files of the flow. Throws a `ResponseError` with the reason if it is not possible.
 * Arguments that code takes keep their names: a node that calls with them gets an explicit mapping.
 */
export function rename(analysis: Analysis, one: Occurrence, newName: string, texts: Texts): WorkspaceEdit {
  const { index } = analysis;
  const reason = refusal(analysis, one) ?? fault(analysis, one, newName);
  if (reason !== undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, reason);
  const changes = new Map<string, TextEdit[]>();
  const put = (file: string, edit: (document: TextDocument) => TextEdit): void => {
    const document = texts.at(file);
    if (document === undefined) return;
    const uri = texts.uriOf(file);
    changes.set(uri, [...(changes.get(uri) ?? []), edit(document)]);
  };
  const seen = new Set<string>();
  for (const { file, start, end, inside } of occurrencesOf(index, one)) {
    // Many nodes may each offer their own function with the same name.
    if (one.kind === 'function' && inside !== one.inside && !isTest(file)) continue;
    const key = `${file}:${start}`;
    if (seen.has(key)) continue;
    seen.add(key);
    put(file, (document) => ({ range: rangeIn(document, { start, end }), newText: newName }));
  }
  if (one.kind === 'slot')
    for (const { file, at, text } of callsWith(analysis, one.name, newName))
      put(file, (document) => ({ range: rangeIn(document, at), newText: text(document) }));
  return { changes: Object.fromEntries(changes) };
}

const name = /^[\p{L}_][\p{L}\p{M}\p{N}_-]*$/u;
const functionName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Plain words that YAML does not read as text. */
const yamlWord = /^(?:true|false|null|True|False|Null|TRUE|FALSE|NULL|~)$/;

function fault({ index }: Analysis, one: Occurrence, newName: string): string | undefined {
  const { kind } = one;
  const pattern = kind === 'function' ? functionName : name;
  if (!pattern.test(newName) || yamlWord.test(newName))
    return `"${newName}" is not a valid name. A name has letters, digits, _ and -, and begins with a letter.`;
  if (newName === one.name) return undefined;
  if (newName === returnTarget) return `"${returnTarget}" means the way back.`;
  if (kind === 'function') {
    const isTaken = index.functions.some((other) => other.name === newName && other.inside === one.inside);
    return isTaken ? `A function "${newName}" is offered here already.` : undefined;
  }
  if (kind === 'parameter') return undefined;
  const isNode = index.nodes.has(newName) && (kind === 'node' || index.nodes.get(newName)?.type !== null);
  if (isNode) return `There is a node "${newName}" already.`;
  if (kind === 'node' && index.nodes.get(one.name)?.type === null) return undefined;
  if (index.slots.has(newName)) return `There is a slot "${newName}" already.`;
  const value = index.values.get(newName);
  return value === undefined ? undefined : `There is a ${value.kind} "${newName}" already.`;
}

/** Nodes that call code with a slot only by its name, and how to write the same after the slot is renamed. */
function callsWith(
  { index, code }: Analysis,
  slot: string,
  newName: string,
): readonly { readonly file: string; readonly at: Stretch; readonly text: (document: TextDocument) => string }[] {
  const takes = (id: string, called: string): boolean => {
    const declared = index.functions.find((one) => one.name === called && (one.inside === id || one.inside === null));
    const parameters = valueUnder(declared?.map, 'parameters');
    const isWritten = valueUnder(valueUnder(parameters, 'properties'), slot) !== undefined;
    const properties = code.functions?.get(called)?.parameters['properties'];
    const isCode = index.occurrences.some(
      (one) => one.kind === 'parameter' && one.name === slot && one.isCode === true && one.inside === id,
    );
    if (parameters !== undefined) return isWritten && isCode;
    return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, slot);
  };
  return [...index.nodes.values()].flatMap(({ id, map, file }) => {
    const called = textUnder(map, 'call');
    if (map === null || called === undefined || !takes(id, called)) return [];
    const input = valueUnder(map, 'input');
    if (valueUnder(input, slot) !== undefined) return [];
    const pair = `${slot}: "{{ ${newName} }}"`;
    if (input?.kind === 'map') return [{ file, at: afterLast(input), text: joined(input, pair) }];
    const at = afterKey(map, 'call');
    return at === undefined ? [] : [{ file, at, text: joined(map, `input: { ${pair} }`) }];
  });
}

/** After the last pair of a map. */
function afterLast({ pairs, start }: SyntaxMap): Stretch {
  const last = pairs.at(-1);
  const at = last === undefined ? start + 1 : Math.max(last.key.end, last.value.end);
  return { start: at, end: at };
}

/** After the value of a key. */
function afterKey({ pairs }: SyntaxMap, key: string): Stretch | undefined {
  const end = pairs.find((pair) => pair.key.text === key)?.value.end;
  return end === undefined ? undefined : { start: end, end };
}

/** Writes a pair in the style of the map that it is added to. */
function joined(map: SyntaxMap, pair: string): (document: TextDocument) => string {
  return (document) => {
    if (map.isFlow) return map.pairs.length === 0 ? ` ${pair} ` : `, ${pair}`;
    const { character } = document.positionAt(map.pairs[0]?.key.start ?? map.start);
    const lineEnd = document.getText().includes('\r\n') ? '\r\n' : '\n';
    return `${lineEnd}${' '.repeat(character)}${pair}`;
  };
}
