import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import { returnTarget } from '../../document/function.ts';
import { nodeSchema } from '../../document/node.ts';
import { snakeCase } from '../../document/problems/schema-shape.ts';
import { normalizeSpelling } from '../../document/problems/spelling.ts';
import { suggestion } from '../../document/problems/suggestion.ts';
import { type Target, targetsOf } from '../../check/offers.ts';
import { compileNode } from '../compile/node.ts';
import { describeIssue } from '../describe-issue.ts';
import type { Graph, GraphEdge, GraphNode, NodeForms } from '../graph.ts';
import { hashOf } from '../hash.ts';
import type { DocumentTypes } from './node-packs.ts';
import type { Language } from '../../../model/ports/reader.ts';
import type { Registered } from '../compile/registered.ts';
import { createReport } from '../report.ts';

/** Number of compiled dynamic nodes that a graph caches. */
const dynamicNodesKept = 256;

const noEdges: readonly GraphEdge[] = Object.freeze([]);

interface DynamicNodeOptions extends Registered {
  readonly nodeForms?: NodeForms;
  readonly types: DocumentTypes;
  readonly language: Language;
}

interface Made {
  readonly node: GraphNode | null;
  /** The problem, with the key first; null if there is none. */
  readonly problem: string | null;
}

/** Compiles dynamic nodes, once per content and name. */
export function dynamicNodes(
  options: DynamicNodeOptions,
): Pick<Graph, 'dynamicNode' | 'dynamicNodeProblem' | 'nodeForms'> {
  const known = new Map<string, Made>();
  const made = (document: JsonObject, given: string | undefined): Made => {
    const hash = hashOf(document);
    const id = given ?? hash;
    const key = `${hash} ${id}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const compiled = compile(document, id, options);
    if (known.size >= dynamicNodesKept) known.clear();
    known.set(key, compiled);
    return compiled;
  };
  return {
    nodeForms: options.nodeForms,
    dynamicNode: (document, id) => made(document, id).node,
    dynamicNodeProblem: (document) => made(document, undefined).problem,
  };
}

function compile(document: JsonObject, id: string, options: DynamicNodeOptions): Made {
  const { data, error } = nodeSchema.safeParse(document);
  if (data === undefined) {
    const [described] = error.issues.flatMap((issue) => describeIssue(nodeSchema, issue, document));
    if (described === undefined) return { node: null, problem: 'it is not a valid node.' };
    const { place, message, hint } = described;
    return { node: null, problem: textOf(place.slice(0, -1), message, hint) }; // The message names the last key.
  }
  const report = createReport(options.language.speech.language);
  const node = compileNode(report, id, data, [], { ...options, edges: noEdges });
  const fault = report.problems.find(({ severity }) => severity === 'error');
  if (fault === undefined) return { node, problem: null };
  return { node: null, problem: textOf(fault.path, fault.message, fault.hint) };
}

/** A dynamic node as a signal contains it, or its problem. */
export type MadeNode =
  | { readonly ok: true; readonly id: string; readonly document: JsonObject }
  | { readonly ok: false; readonly id: string; readonly problem: string };

/**
 * Reads a node that a handler returned, in either spelling of keys. Returns its `id` (by default the hash of its
 * content) and its document in camelCase. `isNode` checks the ids it may lead to. A problem names the key, the fact and
 * the remedy.
 */
export function readMadeNode(graph: Graph, given: Json, isNode: (id: string) => boolean): MadeNode {
  const unnamed = 'a node made on the spot';
  if (!isJsonObject(given)) return { ok: false, id: unnamed, problem: 'it is not a map of keys.' };
  const read = graph.nodeForms?.(given) ?? { value: given, problems: [] };
  const spelled = normalizeSpelling(nodeSchema, read.value, () => true);
  const document = spelled.value as JsonObject; // Renaming keys preserves JSON.
  const id = typeof document['id'] === 'string' && document['id'] !== '' ? document['id'] : hashOf(document);
  const fail = (problem: string): MadeNode => ({ ok: false, id: document['id'] === id ? id : unnamed, problem });
  const [misspelled] = [...read.problems.filter(({ severity }) => severity === 'error'), ...spelled.problems];
  if (misspelled !== undefined) return fail(textOf(misspelled.path, misspelled.message, misspelled.hint));
  if (graph.nodes.has(id) || id === returnTarget)
    return fail(
      `id: the flow has a node "${id}" already. Give this one another id, or name that one as the next node.`,
    );
  const node = graph.dynamicNode(document, id);
  if (node === null) return fail(graph.dynamicNodeProblem(document) ?? 'it is not a valid node.');
  if (isEmpty(node)) return fail('it says nothing, asks nothing and leads nowhere. Give it task_messages, say or end.');
  if (document['promptFile'] !== undefined)
    return fail('prompt_file: files are read with the flow. Give the text as task_messages.');
  const unknown = targetsIn(node).find(({ to }) => to !== id && to !== returnTarget && !isNode(to));
  if (unknown !== undefined) {
    const remedy = suggestion(unknown.to, graph.nodes.keys()) ?? 'Name a node of the flow.';
    return fail(textOf(unknown.at, `it leads to "${unknown.to}", which does not exist.`, remedy));
  }
  const undeclared = (names: readonly string[]) => names.find((name) => !graph.slots.has(name));
  const slot = undeclared(node.collect) ?? undeclared(node.forget);
  if (slot === undefined) return { ok: true, id, document };
  const key = node.collect.includes(slot) ? 'collect' : 'forget';
  return fail(textOf([key], `slot "${slot}" is not declared.`, suggestion(slot, graph.slots.keys())));
}

/** Checks whether a node neither says nor offers anything. */
function isEmpty(node: GraphNode): boolean {
  const { say, call, end, task, interrupt, defaultTransition, messages, functions, keys, collect, preActions } = node;
  const does = [say, call, end, task, interrupt, defaultTransition].some((part) => part !== null);
  return !does && keys.size === 0 && [messages, functions, collect, preActions].every((part) => part.length === 0);
}

/** Returns the targets of a dynamic node in its document. */
function targetsIn({ functions, defaultTransition, trouble }: GraphNode): readonly Target[] {
  return [
    ...functions.flatMap((offered, index) =>
      targetsOf(offered).map(({ to, at }) => ({ to, at: ['functions', index, ...at] })),
    ),
    ...(defaultTransition === null ? [] : [{ to: defaultTransition, at: ['defaultTransition'] }]),
    ...(trouble.onError === null ? [] : [{ to: trouble.onError, at: ['onError'] }]),
  ];
}

function textOf(path: DocumentPath, message: string, hint: string | undefined): string {
  const place = path.map((key) => (typeof key === 'number' ? key : snakeCase(key))).join('.');
  return `${place === '' ? '' : `${place}: `}${message}${hint === undefined ? '' : ` ${hint}`}`;
}
