import { dirname, extname, join } from 'node:path';
import { momentNames } from '../../flow/expression/moment.ts';
import { parsePath } from '../../flow/expression/path.ts';
import { parseTemplate, templateReferences } from '../../flow/expression/template.ts';
import { attemptsName } from '../../flow/document/function.ts';
import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import type {
  Stretch,
  SyntaxKey,
  SyntaxList,
  SyntaxMap,
  SyntaxNode,
  SyntaxScalar,
} from '../../flow/load/yaml/syntax-tree.ts';
import { keyRoleOf, localNames, namingKeys, roleOf } from './roles.ts';
import { isTaskFlow, type SchemaView, textUnder, valueUnder } from './schema-view.ts';
import { includeName, keyPlace, nameIn } from './name-stretch.ts';
import { distinct, withScopes } from './occurrences.ts';
import type { FileUse, FlowIndex, IndexedEdge, IndexedNode, NameKind, Occurrence, NamePosition } from './flow-index.ts';

/** How the index reads the parts of a flow. */
export interface IndexSources {
  /** The tree of the flow's own text. */
  readonly root: SyntaxNode | null;
  /**
   * Returns a YAML or text file inside the flow's folder, or undefined. `from` is the folder that its name is relative
   * to.
   */
  file(name: string, from: string): { readonly path: string; readonly root: SyntaxNode | null } | undefined;
  /** Whether code has registered a function with this name. Undefined if that is unknown. */
  isRegistered(name: string): boolean | undefined;
}

/** Collects every name of a flow and of the files that it includes. Never throws, for any text. */
export function indexFlow(path: string, schema: SchemaView, sources: IndexSources): FlowIndex {
  const occurrences: Occurrence[] = [];
  /** Names that a text or a condition reads. Their kinds are known once everything is read. */
  const reads: Omit<Occurrence, 'kind' | 'isDeclaration'>[] = [];
  const files: FileUse[] = [];
  const paths = new Set([path]);
  const nodes = new Map<string, IndexedNode>();
  const scopedNodes = new Set<string>();
  const slots = new Map<string, SyntaxNode>();
  const values = new Map<string, { kind: 'variable' | 'input'; node: SyntaxNode | null }>();
  const functions: { name: string; inside: string | null; map: SyntaxMap }[] = [];
  const edges: IndexedEdge[] = [];
  const included = new Map<string, NamePosition>();
  const open: string[] = [path];
  const isTasks = isTaskFlow(sources.root);

  const add = (
    kind: NameKind,
    name: string,
    at: Stretch,
    place: Pick<NamePosition, 'inside' | 'scope'>,
    file: string,
    isDeclaration = false,
    isCode = false,
  ): void => {
    const { start, end } = at;
    const { inside, scope } = place;
    const own = kind === 'node' || kind === 'parameter' ? scope : '';
    occurrences.push({
      file,
      kind,
      name,
      isDeclaration,
      scope: own,
      inside,
      start,
      end,
      ...(isCode ? { isCode } : {}),
    });
  };
  const readName = (
    text: string,
    at: (index: number, length: number) => Stretch,
    place: NamePosition,
    file: string,
  ): void => {
    const reference = parsePath(text);
    if (reference === undefined) return;
    const [first = '', second, third] = reference;
    const { inside, scope } = place;
    const local = localNames(place.title, place.key);
    if (first === 'args' && local.includes('args')) {
      const name = textUnder(place.function, 'name');
      if (second !== undefined && name !== undefined)
        add(
          'parameter',
          second,
          at(first.length + 1, second.length),
          { inside, scope: parameterScope(inside, name) },
          file,
        );
      return;
    }
    if (local.includes(first)) return;
    const [name, index] =
      first === attemptsName && second !== undefined && !slots.has(first)
        ? [`${attemptsName}.${second}`, first.length + 1]
        : first === 'flow' && second === 'input' && third !== undefined
          ? [`flow.input.${third}`, first.length + second.length + 2]
          : [first, 0];
    const length = (name.split('.').at(-1) ?? '').length;
    reads.push({ name, file, scope, inside, ...at(index, length) });
  };

  const readTemplates = (node: SyntaxScalar, place: NamePosition, file: string): void => {
    if (!node.text.includes('{{')) return;
    for (const { path: reference, start, end } of templateReferences(parseTemplate(node.text))) {
      const inside = node.text.slice(start, end);
      const lead = /^\{\{+\s*/.exec(inside)?.[0].length ?? 2;
      readName(reference.join('.'), (index, length) => node.placeOf(start + lead + index, length), place, file);
    }
  };

  const scalar = (node: SyntaxScalar, place: NamePosition, file: string, folder: string): void => {
    if (node.isInclude) return include(node, place, file, folder);
    if (typeof node.value !== 'string' || node.value === '') return;
    const role = roleOf(place.title, place.key);
    const at = nameIn(node);
    const { text } = node;
    switch (role) {
      case undefined:
        break;
      case 'node':
        if (text.startsWith('$') || text.includes('{{')) return;
        if (place.inside !== null && place.scope === '') edges.push({ from: place.inside, to: text });
        return add('node', text, at, place, file);
      case 'edge':
        for (const { 0: id, index } of text.includes('->') ? text.matchAll(/[^\s>-](?:[^\s>]*[^\s>-])?/g) : [])
          if (!id.startsWith('$'))
            add('node', id, { start: at.start + index, end: at.start + index + id.length }, place, file);
        return;
      case 'path':
        return void files.push({ file, name: text, target: join(folder, text), ...at });
      case 'slot':
        return add('slot', text, at, place, file);
      case 'call':
        return add('function', text, at, place, file);
      case 'tool':
        return add('function', text, at, place, file);
      case 'function':
        return add('function', text, at, place, file, true);
      case 'handler':
        return add('handler', text, at, place, file);
      case 'flow':
        if (isFlowName(place)) add('flow', text, at, place, file);
        return;
      case 'type':
        return add('type', text, at, place, file);
      case 'variable':
        if (!values.has(text)) values.set(text, { kind: 'variable', node: null });
        return add('variable', text, at, place, file, true);
      case 'file':
        return promptFile(node, at, place, file);
      case 'value':
        if (!/^[\d+-]/.test(text))
          readName(text, (index, length) => ({ start: at.start + index, end: at.start + index + length }), place, file);
        return;
    }
    readTemplates(node, place, file);
  };

  const include = (node: SyntaxScalar, place: NamePosition, file: string, folder: string): void => {
    const name = node.text;
    const target = join(folder, name);
    const { start, end } = includeName(node);
    files.push({ file, name, target, start, end });
    const found = sources.file(name, folder);
    paths.add(found?.path ?? target);
    if (found === undefined || open.includes(found.path) || open.length > 8) return;
    if (!included.has(found.path)) included.set(found.path, place);
    open.push(found.path);
    if (found.root !== null) visit(found.root, place, found.path, dirname(found.path));
    open.pop();
  };

  const promptFile = (node: SyntaxScalar, at: Stretch, place: NamePosition, file: string): void => {
    const target = join(dirname(path), node.text);
    files.push({ file, name: node.text, target, ...at });
    const found = sources.file(node.text, dirname(path));
    paths.add(found?.path ?? target);
    if (found?.root?.kind !== 'scalar') return;
    const prompt: NamePosition = { ...place, title: 'Message', key: 'content' };
    if (!included.has(found.path)) included.set(found.path, prompt);
    readTemplates(found.root, prompt, found.path);
  };

  const parameters = (node: SyntaxNode, place: NamePosition, file: string): void => {
    const owner = place.function;
    const name = textUnder(owner, 'name');
    if (owner === null || name === undefined) return;
    const isCode = isTool(owner, sources.isRegistered(name));
    const scoped = { inside: place.inside, scope: parameterScope(place.inside, name) };
    const declare = (text: string, at: Stretch, isDeclaration: boolean): void => {
      add('parameter', text, at, scoped, file, isDeclaration, isCode);
      // An argument of a transition function becomes the slot or the variable with its name.
      if (!isCode && isDeclaration && !values.has(text)) values.set(text, { kind: 'variable', node: null });
    };
    const properties = valueUnder(node, 'properties');
    if (properties?.kind === 'map') for (const { key } of properties.pairs) declare(key.text, keyPlace(key), true);
    const required = valueUnder(node, 'required');
    if (required?.kind === 'list')
      for (const item of required.items)
        if (item.kind === 'scalar' && typeof item.value === 'string') declare(item.text, nameIn(item), false);
  };

  const declareNode = (id: string, at: Stretch, value: SyntaxNode, place: NamePosition, file: string): void => {
    add('node', id, at, { ...place, inside: id }, file, true);
    scopedNodes.add(JSON.stringify([place.scope, id]));
    const map = value.kind === 'map' ? value : null;
    if (!nodes.has(id) || place.scope === '')
      nodes.set(id, { id, type: textUnder(map, 'type') ?? null, scope: place.scope, file, map, declared: at });
  };

  const visitNode = (
    id: string,
    at: Stretch,
    value: SyntaxNode,
    place: NamePosition,
    file: string,
    folder: string,
  ): void => {
    declareNode(id, at, value, place, file);
    // The tasks of a body are separate nodes, inside the same node of the flow.
    const inside = place.scope === '' ? id : place.inside;
    visit(value, { ...place, inside, node: value.kind === 'map' ? value : null }, file, folder, id);
  };

  const list = (node: SyntaxList, place: NamePosition, file: string, folder: string): void => {
    const spot = schema.item(place.spot);
    const isNodes = place.key === 'nodes' && holdsNodes(place.title);
    for (const item of node.items) {
      const member = { ...place, spot };
      const id = valueUnder(item, 'id');
      if (isNodes && id?.kind === 'scalar' && typeof id.value === 'string')
        visitNode(id.text, nameIn(id), item, member, file, folder);
      else visit(item, member, file, folder);
    }
  };

  const map = (node: SyntaxMap, place: NamePosition, file: string, folder: string, nodeId: string | null): void => {
    const title = place.spot[0]?.title ?? place.title;
    let here = place;
    if (title === 'Function' && (place.key === 'functions' || place.key === 'global_functions')) {
      here = { ...place, function: node };
      const name = textUnder(node, 'name');
      if (name !== undefined) functions.push({ name, inside: place.inside, map: node });
    }
    if (title === 'Edge' || title === 'TaskEdge') {
      const [from, to] = [textUnder(node, 'from'), textUnder(node, 'to')];
      if (from !== undefined && to !== undefined) edges.push({ from, to });
    }
    for (const { key, value } of node.pairs) {
      const { spot, title: owner } = schema.member(here.spot, node, key.text);
      if (owner === null) {
        author(key, value, { ...here, spot }, file, folder);
        continue;
      }
      const name = snakeCase(key.text);
      const member: NamePosition = { ...here, spot, title: owner, key: name };
      if (owner === 'Function' && name === 'parameters') parameters(value, member, file);
      else if (name === 'description' || name === 'pattern' || name === 'id') continue;
      else if (name === 'body' && nodeId !== null)
        visit(value, { ...member, scope: `${here.scope}/${nodeId}` }, file, folder);
      else visit(value, member, file, folder);
    }
  };

  /** A member of a map with author-defined keys. */
  const author = (key: SyntaxKey, value: SyntaxNode, place: NamePosition, file: string, folder: string): void => {
    const { title, key: name } = place;
    const at = keyPlace(key);
    const role = keyRoleOf(title, name);
    if (role !== undefined && key.text !== '*' && !key.text.includes('<'))
      add(role === 'tool' ? 'function' : role, key.text, at, place, file);
    if (name === 'nodes' && holdsNodes(title)) return visitNode(key.text, at, value, place, file, folder);
    if (title === 'ConversationFlow' && name === 'slots') {
      slots.set(key.text, value);
      add('slot', key.text, at, place, file, true);
    } else if (title === 'ConversationFlow' && (name === 'state' || name === 'computed')) {
      values.set(key.text, { kind: 'variable', node: value });
      add('variable', key.text, at, place, file, true);
    } else if ((title === 'ConversationFlow' || title === 'TaskFlow') && name === 'input') {
      if (!values.has(key.text)) values.set(key.text, { kind: 'input', node: value });
      add('input', key.text, at, place, file, true);
    } else if ((title === 'When' || title === 'Term') && namingKeys.has(snakeCase(key.text)))
      return visit(value, { ...place, title: 'Term', key: snakeCase(key.text) }, file, folder);
    visit(value, place, file, folder);
  };

  const visit = (
    node: SyntaxNode,
    place: NamePosition,
    file: string,
    folder: string,
    nodeId: string | null = null,
  ): void => {
    switch (node.kind) {
      case 'scalar':
        return scalar(node, place, file, folder);
      case 'list':
        return list(node, place, file, folder);
      case 'map':
        return map(node, place, file, folder, nodeId);
      case 'alias':
        // The target of an alias is written once, and visited there.
        return;
    }
  };

  const rootPlace: NamePosition = {
    spot: schema.root(sources.root),
    title: schema.root(sources.root)[0]?.title ?? '',
    key: '',
    inside: null,
    node: null,
    function: null,
    scope: '',
  };
  included.set(path, rootPlace);
  if (sources.root !== null) visit(sources.root, rootPlace, path, dirname(path));

  for (const { name, ...read } of reads) {
    const resolved = kindOf(name, read.scope);
    if (resolved !== undefined) occurrences.push({ ...read, ...resolved, isDeclaration: false });
  }
  // An argument of a transition function becomes a slot with that name.
  for (const one of [...occurrences])
    if (one.kind === 'parameter' && one.isCode !== true && slots.has(one.name))
      occurrences.push({ ...one, kind: 'slot', scope: '', isDeclaration: false });

  return {
    path,
    isTaskFlow: isTasks,
    occurrences: distinct(withScopes(occurrences, scopedNodes)),
    files,
    paths,
    nodes,
    slots,
    values,
    functions,
    edges,
    included,
  };

  function kindOf(name: string, scope: string): Pick<Occurrence, 'kind' | 'name' | 'scope'> | undefined {
    const [first = '', second, third] = name.split('.');
    if (first === 'flow' && second === 'input' && third !== undefined) return { kind: 'input', name: third, scope: '' };
    if (first === attemptsName && second !== undefined)
      return slots.has(second) && !nodes.has(second)
        ? { kind: 'slot', name: second, scope: '' }
        : { kind: 'node', name: second, scope: '' };
    if (slots.has(name)) return { kind: 'slot', name, scope: '' };
    const value = values.get(name);
    if (value !== undefined) return { kind: value.kind, name, scope: '' };
    if (nodes.has(name)) return { kind: 'node', name, scope };
    return momentNames.includes(name) ? undefined : { kind: 'variable', name, scope: '' };
  }
}

function holdsNodes(title: string): boolean {
  return title === 'ConversationFlow' || title === 'TaskFlow' || title === 'TaskBody';
}

function isFlowName({ key, node }: NamePosition): boolean {
  return key === 'run' || textUnder(node, 'type') === 'control.subflow';
}

/** The parameters of one function where it is offered. */
function parameterScope(inside: string | null, name: string): string {
  return JSON.stringify([inside, name]);
}

/** Checks whether a function runs code that also uses its argument names. A transition function does not. */
function isTool(map: SyntaxMap, isRegistered: boolean | undefined): boolean {
  if (isRegistered === true) return true;
  const target = valueUnder(map, 'transition_to');
  const marks = ['handler', 'run', 'effect', 'save_as', 'confirm', 'transition_callback'];
  return target?.kind === 'map' || marks.some((key) => valueUnder(map, key) !== undefined);
}

/** Checks whether a flow can include a file as a text. */
export function isTextFile(path: string): boolean {
  return ['.md', '.txt'].includes(extname(path).toLowerCase());
}
