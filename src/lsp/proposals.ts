import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CompletionItemKind } from 'vscode-languageserver';
import { type Json, jsonObjectOf } from '../model/json.ts';
import { momentNames } from '../flow/expression/moment.ts';
import { attemptsName, returnTarget } from '../flow/document/function.ts';
import type { SyntaxNode } from '../flow/load/yaml/syntax-tree.ts';
import type { Analysis } from './checker/analyses.ts';
import type { FlowIndex, NamePosition } from './index/flow-index.ts';
import { keyRoleOf, localNames, mayReturn, roleOf } from './index/roles.ts';
import { textUnder, valueUnder } from './index/schema-view.ts';

/** A text that can be written at a place. */
export interface Proposal {
  readonly name: string;
  readonly kind: CompletionItemKind;
  readonly detail?: string;
  readonly documentation?: string;
  /** Proposals of a lower rank come first. Default: 5. */
  readonly rank?: number;
}

/** The place where a value is typed. */
export interface ValuePlace {
  readonly place: NamePosition;
  /** The map that the value belongs to, if any. */
  readonly map: SyntaxNode | null;
  /** The file that is edited. */
  readonly path: string;
  readonly isInclude: boolean;
  /** The text there before the cursor. */
  readonly typed: string;
}

/** The possible values at a place. */
export function valuesFor(analysis: Analysis, { place, map, path, isInclude, typed }: ValuePlace): readonly Proposal[] {
  const { names, code, schema } = analysis;
  const isTest = analysis.path !== names.path;
  if (isInclude) return filesFrom(dirname(path), analysis.path, /\.(?:ya?ml|json|md|txt)$/i, path);
  switch (roleOf(place.title, place.key)) {
    case 'node': {
      const back = { name: returnTarget, kind: CompletionItemKind.Keyword, detail: 'back from a digression', rank: 9 };
      return [...nodesIn(names, place.scope), ...(mayReturn(place.title, place.key) ? [back] : [])];
    }
    case 'slot':
      return slotsOf(names);
    case 'edge':
      return nodesIn(names, '');
    case 'call':
      return isTest ? functionsOf(names) : offeredIn(names, place.inside);
    case 'function':
      return [...toolsOf(analysis), ...functionsElsewhere(analysis, place.inside)];
    case 'tool':
      return isTest ? [...functionsOf(names), ...handlersOf(code)] : toolsOf(analysis);
    case 'handler': {
      const handlers = handlersOf(code);
      return place.title === 'Action' ? [...handlers, ...toolsOf(analysis)] : handlers;
    }
    case 'flow':
      return code.flows.map((name) => ({ name, kind: CompletionItemKind.Module, detail: 'task flow' }));
    case 'path':
      return filesFrom(dirname(path), path, /\.(?:ya?ml|json|ts)$/i, path);
    case 'file':
      return filesFrom(dirname(analysis.path), analysis.path, /\.(?:md|txt)$/i, path);
    case 'value':
      return namesFor(analysis, place, typed, true);
    case 'variable':
      return variablesOf(names);
    case 'type':
    case undefined: {
      const words = schema.words(place.spot);
      return words.length === 0
        ? comparedWith(names, place, map)
        : words.map(({ word, description }) => ({ ...wordOf(word), documentation: description }));
    }
  }
}

/**
 * Keys that the flow knows for a map with author-defined keys: arguments by the slots they come from, or by the
 * parameters of code.
 */
export function keysOfAuthor({ names, code }: Analysis, { title, key, inside }: NamePosition): readonly Proposal[] {
  if (title === 'Function' && key === 'parameters') return slotsOf(names);
  switch (keyRoleOf(title, key)) {
    case 'slot':
      return slotsOf(names);
    case 'node':
      return nodesIn(names, '');
    case 'variable':
      return variablesOf(names);
    case 'tool':
      return [...functionsOf(names), ...handlersOf(code)];
    case undefined:
  }
  if (title !== 'Node' || key !== 'input' || inside === null) return [];
  const called = textUnder(names.nodes.get(inside)?.map, 'call');
  const declared = names.functions.find(
    ({ name, inside: node }) => name === called && (node === inside || node === null),
  );
  const ofCode = called === undefined ? undefined : code.functions?.get(called)?.parameters['properties'];
  const all = [...parametersOf(declared?.map), ...keysIn(ofCode)];
  return [...new Set(all)].map((name) => ({ name, kind: CompletionItemKind.Variable, detail: 'argument' }));
}

/** The names that a text or a condition may read, or the fields that a name has after its dot. */
export function namesFor(
  { names, schema }: Analysis,
  place: Pick<NamePosition, 'title' | 'key' | 'function' | 'scope'>,
  typed: string,
  isWhen = false,
): readonly Proposal[] {
  const [first = '', ...rest] = typed.trim().split('.');
  if (rest.length > 0) return fieldsOf(names, schema, place, first, rest.length);
  const outputs = [...names.nodes.values()]
    .filter(({ type, scope }) => type !== null && (scope === '' || scope === place.scope))
    .map(({ id, type }) => ({ name: id, kind: CompletionItemKind.Class, detail: `output of ${type ?? ''}`, rank: 7 }));
  const moments = [...momentNames, attemptsName].map((name) => ({ name, kind: CompletionItemKind.Keyword, rank: 8 }));
  const input = {
    name: 'flow',
    kind: CompletionItemKind.Module,
    documentation: 'The input of the flow: flow.input.NAME.',
  };
  return [
    ...localNames(place.title, place.key).map((name) => ({ name, kind: CompletionItemKind.Variable, rank: 1 })),
    ...(names.isTaskFlow ? [input] : [...slotsOf(names), ...variablesOf(names)]),
    ...outputs,
    ...(isWhen ? moments : []),
  ];
}

function fieldsOf(
  names: FlowIndex,
  schema: Analysis['schema'],
  place: Pick<NamePosition, 'function'>,
  first: string,
  depth: number,
): readonly Proposal[] {
  const field = (name: string, more: Partial<Proposal> = {}): Proposal => ({
    name,
    kind: CompletionItemKind.Field,
    ...more,
  });
  if (first === 'args') return parametersOf(place.function).map((name) => field(name));
  if (first === attemptsName) return [...nodesIn(names, ''), ...slotsOf(names)];
  if (first === 'flow')
    return depth === 1 ? [field('input')] : variablesOf(names).filter(({ detail }) => detail === 'input');
  const type = names.nodes.get(first)?.type;
  if (depth > 1 || type == null) return [];
  return schema.outputs(type).map(({ word, description }) => field(word, { documentation: description }));
}

function nodesIn(names: FlowIndex, scope: string): readonly Proposal[] {
  const declared = names.occurrences.filter((one) => one.kind === 'node' && one.isDeclaration && one.scope === scope);
  return declared.map(({ name }) => {
    const { type = null, map = null } = names.nodes.get(name) ?? {};
    const documentation = textUnder(map, 'description') ?? textUnder(map, 'say') ?? '';
    return { name, kind: CompletionItemKind.Class, detail: type ?? 'node', documentation };
  });
}

function slotsOf(names: FlowIndex): readonly Proposal[] {
  return [...names.slots].map(([name, node]) => ({
    name,
    kind: CompletionItemKind.Field,
    detail: `slot, ${textUnder(node, 'type') ?? 'no type'}`,
    documentation: textUnder(node, 'description') ?? textUnder(node, 'ask') ?? '',
  }));
}

function variablesOf(names: FlowIndex): readonly Proposal[] {
  return [...names.values].map(([name, { kind, node }]) => ({
    name,
    kind: CompletionItemKind.Variable,
    detail: kind,
    documentation: textUnder(node, 'description') ?? '',
  }));
}

function toolsOf({ code }: Analysis): readonly Proposal[] {
  return [...(code.functions ?? [])].map(([name, { description }]) => ({
    name,
    kind: CompletionItemKind.Function,
    detail: 'function in code',
    documentation: description,
  }));
}

/** Every function of a flow, once. */
function functionsOf(names: FlowIndex): readonly Proposal[] {
  const all = new Map(names.functions.map(({ name, map }) => [name, textUnder(map, 'description') ?? '']));
  return [...all].map(([name, documentation]) => ({ name, kind: CompletionItemKind.Function, documentation }));
}

function handlersOf({ handlers }: Analysis['code']): readonly Proposal[] {
  return handlers.map((name) => ({ name, kind: CompletionItemKind.Function, detail: 'handler' }));
}

/** The functions that a node may call: its own, then those of the flow. */
function offeredIn(names: FlowIndex, node: string | null): readonly Proposal[] {
  const offered = names.functions.filter(({ inside }) => inside === node || inside === null);
  return offered.map(({ name, map, inside }) => ({
    name,
    kind: CompletionItemKind.Function,
    documentation: textUnder(map, 'description') ?? '',
    rank: inside === null ? 6 : 4,
  }));
}

/** Functions that other nodes offer, to offer the same here. */
function functionsElsewhere({ names, code }: Analysis, node: string | null): readonly Proposal[] {
  const others = new Map<string, string>();
  for (const { name, inside, map } of names.functions)
    if (inside !== node && code.functions?.has(name) !== true) others.set(name, textUnder(map, 'description') ?? '');
  return [...others].map(([name, documentation]) => ({
    name,
    kind: CompletionItemKind.Function,
    documentation,
    rank: 7,
  }));
}

/** The possible values of the variable in a condition. */
function comparedWith(names: FlowIndex, { title, key }: NamePosition, map: SyntaxNode | null): readonly Proposal[] {
  if (title !== 'When' || (key !== 'value' && key !== 'values')) return [];
  const name = textUnder(map, 'var') ?? '';
  const slot = names.slots.get(name);
  if (slot === undefined) return decidedBy(names, name);
  const words = textUnder(slot, 'type') === 'boolean' ? ['true', 'false'] : wordsIn(valueUnder(slot, 'values'));
  return words.map((word) => ({ ...wordOf(word), detail: `a value of ${name}` }));
}

/** The possible outputs of a node that decides. */
function decidedBy(names: FlowIndex, name: string): readonly Proposal[] {
  const [id = '', field] = name.split('.');
  const input = valueUnder(names.nodes.get(id)?.map, 'input');
  const cases = valueUnder(input, 'cases');
  switch (field) {
    case 'route':
      return (cases?.kind === 'list' ? cases.items : []).flatMap((item) => {
        const route = textUnder(item, 'route');
        return route === undefined ? [] : [wordOf(route)];
      });
    case 'decision':
      return wordsIn(valueUnder(input, 'options')).map(wordOf);
    case 'condition':
      return ['true', 'false'].map(wordOf);
    default:
      return [];
  }
}

function wordOf(name: string): Proposal {
  return { name, kind: CompletionItemKind.EnumMember };
}

/** The keys of a map, or the texts of a list. */
function wordsIn(node: SyntaxNode | undefined): readonly string[] {
  if (node?.kind === 'map') return node.pairs.map(({ key }) => key.text);
  return node?.kind === 'list' ? node.items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : [])) : [];
}

function parametersOf(owner: SyntaxNode | null | undefined): readonly string[] {
  const properties = valueUnder(valueUnder(owner, 'parameters'), 'properties');
  return properties?.kind === 'map' ? properties.pairs.map(({ key }) => key.text) : [];
}

function keysIn(value: Json | undefined): readonly string[] {
  return Object.keys(jsonObjectOf(value));
}

/** The maximum number of files that are proposed, and the maximum depth of their folders. */
const mostFiles = 500;
const deepest = 4;

/** Files in the flow's folder, as they are named from `from`. */
function filesFrom(from: string, flow: string, kinds: RegExp, own: string): readonly Proposal[] {
  const found: Proposal[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (found.length >= mostFiles) return;
      if (entry.isDirectory() && depth > 0 && !/^(?:\.|node_modules$)/.test(entry.name)) look(path, depth - 1);
      else if (entry.isFile() && kinds.test(entry.name) && path !== own && path !== flow)
        found.push({ name: relative(from, path).replaceAll('\\', '/'), kind: CompletionItemKind.File });
    }
  };
  look(dirname(flow), deepest);
  return found.filter(({ name }) => !name.startsWith('..'));
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
