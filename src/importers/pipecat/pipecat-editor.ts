import type { PathSegment } from '../../flow/document/problems/diagnostic.ts';
import { createDraft, type Draft, type Drafted } from '../draft.ts';
import type { DraftWhen } from '../draft-node.ts';
import { writePipecat } from './pipecat-flow.ts';
import { pythonLiteral } from './python-literal.ts';
import { isRecord, type Members } from './rewrite.ts';
import type { Source } from '../source.ts';
import { createUnique, plainText, shortly } from '../words.ts';

/** Checks whether a document was exported by the editor of Pipecat Flows. */
export function isOfPipecatEditor({ value }: Source): boolean {
  if (!isRecord(value) || !Array.isArray(value['nodes'])) return false;
  if (plainText(value['$id']).includes('flows.pipecat.ai')) return true;
  return value['nodes'].some(
    (node: unknown) =>
      isRecord(node) && isRecord(node['data']) && ('task_messages' in node['data'] || 'role_messages' in node['data']),
  );
}

/**
 * Converts an export of the editor. Its decisions, which are Python code, become functions to write and conditions on
 * their results.
 */
export function importPipecatEditor(root: Source): Drafted {
  const draft = createDraft(root.file);
  const listed = root.items('nodes');
  const ids = createUnique();
  const given = listed.map((node, index) => {
    const id = plainText(node.at('id').value);
    if (id !== '' && ids.has(id)) draft.notes.lost(node, `a second node ${id}: nothing leads to it`);
    return { node, id: ids.next(id === '' ? `node_${index + 1}` : id) };
  });
  const initial = given.filter(({ node }) => node.at('type').value === 'initial');
  const [start = given[0], second] = initial;
  if (initial.length === 0) draft.notes.changed(root.at('nodes'), 'no node is of type initial: the first one begins');
  if (second !== undefined)
    draft.notes.lost(second.node, `node ${second.id} is of type initial too: the first one begins`);
  const made: Made = { draft, edges: [], state: {}, nodes: {}, ids };
  const places = new Map<string, readonly PathSegment[]>();
  for (const { node, id } of given) {
    made.nodes[id] = nodeOf(made, id, node.at('data'));
    places.set(id, [...node.path, 'data']);
  }
  const shared = root.items('global_functions');
  const functions = shared.map((one) => functionOf(made, undefined, one));
  const meta = root.at('meta');
  for (const [key, part] of root.members())
    if (!knownKeys.has(key)) draft.notes.lost(part, `"${key}" has no counterpart`);
  tellEdges(draft, root, made.nodes);
  const name = plainText(meta.at('name').value);
  const description = plainText(meta.at('description').value);
  const value = {
    ...(name === '' ? {} : { name }),
    ...(description === '' ? {} : { description }),
    initial_node: start?.id,
    ...(Object.keys(made.state).length === 0 ? {} : { state: made.state }),
    ...(functions.length === 0 ? {} : { functions }),
    nodes: made.nodes,
    ...(made.edges.length === 0 ? {} : { edges: made.edges }),
  };
  const drafted = writePipecat(draft, value, ([section, key, ...rest]) => {
    const place = section === 'nodes' ? places.get(String(key)) : undefined;
    if (place !== undefined) return { file: root.file, path: [...place, ...rest] };
    if (section === 'functions')
      return { file: root.file, path: ['global_functions', key, ...rest].filter((each) => each !== undefined) };
    return { file: root.file, path: [] };
  });
  return drafted;
}

interface Made {
  readonly draft: Draft;
  readonly edges: { from: string; to: string; when: DraftWhen }[];
  readonly state: Record<string, unknown>;
  readonly nodes: Record<string, unknown>;
  readonly ids: ReturnType<typeof createUnique>;
}

/** `edges` repeat what the functions say. The editor derives them. */
const knownKeys: ReadonlySet<string> = new Set([
  '$id',
  '$schema',
  'meta',
  'nodes',
  'edges',
  'global_functions',
  'context',
  'viewport',
]);

function nodeOf(made: Made, id: string, data: Source): Members {
  const { label, functions: _functions, ...rest } = isRecord(data.value) ? data.value : {};
  const functions = data.items('functions').map((one) => functionOf(made, id, one));
  return {
    ...(typeof label === 'string' && label.trim() !== '' ? { description: label } : {}),
    ...rest,
    ...(functions.length === 0 ? {} : { functions }),
  };
}

/** A function of the editor. Without a node, it belongs to the whole flow. */
function functionOf(made: Made, node: string | undefined, one: Source): Members {
  const { properties, required, next_node_id: next, decision, ...rest } = isRecord(one.value) ? one.value : {};
  const hasArguments = isRecord(properties) && Object.keys(properties).length > 0;
  const parameters = hasArguments
    ? { parameters: { type: 'object', properties, ...(Array.isArray(required) ? { required } : {}) } }
    : {};
  const base = { ...rest, ...parameters };
  if (isRecord(decision)) return decided(made, node, one, base);
  return { ...base, ...(typeof next === 'string' && next !== '' ? { transition_to: next } : {}) };
}

/** A function whose Python code sets `result`, which decides where the flow continues. */
function decided(made: Made, node: string | undefined, one: Source, base: Members): Members {
  const { draft } = made;
  const decision = one.at('decision');
  const name = plainText(one.at('name').value);
  const action = plainText(decision.at('action').value);
  const otherwise = decision.text('default_next_node_id');
  if (one.has('next_node_id'))
    draft.notes.lost(one.at('next_node_id'), 'next_node_id beside a decision counts nowhere');
  const conditions = decision.items('conditions').flatMap((condition): readonly Condition[] => {
    const to = plainText(condition.at('next_node_id').value);
    const operator = plainText(condition.at('operator').value).trim();
    const source = plainText(condition.at('value').value);
    const literal = operator === 'not' ? { value: null } : pythonLiteral(source);
    if (to === '' || literal === undefined || !operators.has(operator)) {
      const text = shortly(`result ${operator} ${source}`);
      draft.notes.lost(condition, `the condition ${text} does not compare with a plain value: write it in ${name}`);
      return [];
    }
    return [{ operator, value: literal.value, to }];
  });
  const isBranch = conditions.every(
    ({ operator, value }) =>
      (operator === '==' && typeof value === 'string') ||
      (operator === 'in' && Array.isArray(value) && value.every((each) => typeof each === 'string')),
  );
  const notes = [
    ...(action === '' ? [] : [`In Pipecat: ${action}`]),
    'Its answer has a result, by which the flow goes on.',
  ];
  const { description: about, parameters } = base;
  const stub = {
    name,
    description: plainText(about),
    ...(isRecord(parameters) ? { parameters } : {}),
    effect: 'write' as const,
    notes,
  };
  if (isBranch || node === undefined) {
    if (!isBranch) draft.notes.lost(decision, `of the decision of ${name} only comparisons with a text are in it`);
    const handler = draft.tool({ ...stub, sets: {} });
    draft.notes.changed(decision, `the decision of ${name}: a function to write, and a branch on its result`);
    const cases: Record<string, string> = {};
    for (const { value, to } of conditions)
      for (const text of Array.isArray(value) ? value : [value]) if (typeof text === 'string') cases[text] ??= to;
    const transition =
      Object.keys(cases).length === 0
        ? otherwise
        : { field: 'result', cases, ...(otherwise === undefined ? {} : { default: otherwise }) };
    return { ...base, handler, ...(transition === undefined ? {} : { transition_to: transition }) };
  }
  const variable = made.ids.next(`${name}_result`);
  const handler = draft.tool({ ...stub, sets: { [variable]: 'result' } });
  const decides = made.ids.next(`${node}_${name}_decides`);
  made.state[variable] = null;
  made.nodes[decides] = { type: 'control.noop', default_transition: otherwise ?? node };
  for (const { operator, value, to } of conditions)
    made.edges.push({ from: decides, to, when: whenOf(operator, variable, value) });
  draft.notes.changed(decision, `the decision of ${name}: a function to write, and conditions on what it answers`);
  if (otherwise === undefined)
    draft.notes.changed(decision, `if no condition of ${name} holds, node ${node} is entered again`);
  return { ...base, handler, transition_to: decides };
}

interface Condition {
  readonly operator: string;
  readonly value: unknown;
  readonly to: string;
}

const operators: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'not']);

/** In Python, an unset value is not equal to anything. Here it is neither equal nor unequal. */
function whenOf(operator: string, name: string, value: unknown): DraftWhen {
  const unset: DraftWhen = { not: { exists: { var: name } } };
  const comparison = { var: name, value };
  const among: DraftWhen = { in: { var: name, values: Array.isArray(value) ? value : [value] } };
  switch (operator) {
    case '==':
      return value === null ? unset : { equals: comparison };
    case '!=':
      return value === null ? { exists: { var: name } } : { any: [{ not_equals: comparison }, unset] };
    case '<':
      return { less: comparison };
    case '<=':
      return { at_most: comparison };
    case '>':
      return { greater: comparison };
    case '>=':
      return { at_least: comparison };
    case 'in':
      return among;
    case 'not in':
      return { any: [{ not: among }, unset] };
    default:
      return { any: [unset, { equals: { var: name, value: false } }] };
  }
}

/** Reports each edge that no function of its node uses. */
function tellEdges(draft: Draft, root: Source, nodes: Members): void {
  for (const edge of root.items('edges')) {
    const from = plainText(edge.at('source').value);
    const to = plainText(edge.at('target').value);
    const node = nodes[from];
    if (isRecord(node) && JSON.stringify(node['functions'] ?? []).includes(JSON.stringify(to))) continue;
    if (from.includes('decision') || to.includes('decision')) continue;
    draft.notes.lost(edge, `an edge from ${from} to ${to}: no function of ${from} leads there`);
  }
}
