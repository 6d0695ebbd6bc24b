import type { DocumentPath, Problem } from '../flow/diagnostic.ts';
import type { TaskDocument, TaskNodeDocument, TaskPartDocument } from '../flow/task-document.ts';
import type { Catalog } from './catalog.ts';
import { strongComponents } from './checks/strong-components.ts';
import { compileTask } from './compile-task.ts';
import { inputOf } from './compile.ts';
import type { GraphInput } from './graph.ts';
import { hashOf } from './hash.ts';
import { type DocumentTypes, documentTypes } from './node-packs.ts';
import { type NodeSource, nodeSources } from './node-source.ts';
import { createReport, type NameUse, type Report, tell, templateAt, whenAt } from './report.ts';
import { checkCircles, edgesOf } from './task-edges.ts';
import type { TaskGraph, TaskNode, TaskPart, TaskPolicy } from './task-graph.ts';
import { checkIds, checkUses, type Names, namesAt, namesOfFlow, withValues } from './task-names.ts';

export interface TaskCompileOptions {
  readonly catalog: Catalog;
  /** What a flow is called that does not name itself. */
  readonly name?: string;
}

export interface CompiledTaskFlow {
  /** Null where a problem is an error. */
  readonly graph: TaskGraph | null;
  readonly problems: readonly Problem[];
}

/** Resolves a document into a graph, or tells everything that is wrong with it. Never throws. */
export function compileTaskFlow(document: TaskDocument, options: TaskCompileOptions): CompiledTaskFlow {
  const report = createReport();
  const { $schema: _schema, ...identity } = document;
  const { name, policy, input: fields = {} } = document.flow;
  const described = Object.entries(fields).map(([key, field]) => {
    return [key, typeof field === 'string' ? { type: field } : field] as const;
  });
  const input = inputOf(report, Object.fromEntries(described), ['flow', 'input']);
  const types = documentTypes(report, document.flow.nodePacks, ['flow', 'nodePacks'], options.catalog);
  const graph: TaskGraph = {
    ...partOf({ report, types, input }, document, [], namesOfFlow),
    name: name ?? options.name ?? 'flow',
    hash: hashOf(identity),
    document,
    input,
    policy: { failFast: policy?.failFast ?? true, concurrency: policy?.concurrency ?? 8 },
  };
  const broken = report.problems.some(({ severity }) => severity === 'error');
  return { graph: broken ? null : graph, problems: report.problems };
}

interface Compiling {
  readonly report: Report;
  readonly types: DocumentTypes;
  readonly input: ReadonlyMap<string, GraphInput>;
}

/** Resolves tasks and their edges; `outer` are the names known around them. */
function partOf(compiling: Compiling, document: TaskPartDocument, path: DocumentPath, outer: Names): TaskPart {
  const { report, input } = compiling;
  const sources = [...nodeSources(report, document.nodes, [...path, 'nodes']).values()];
  if (sources.length === 0)
    tell(report, 'error', 'no-nodes', [...path, 'nodes'], 'the flow has no nodes.', { hint: 'Add one.', atKey: true });
  checkIds(report, sources, outer);
  const ids = sources.map(({ id }) => id);
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const edges = edgesOf(report, document, path, indexOf);
  const successors = ids.map((): number[] => []);
  for (const { from, to } of edges) successors[from]?.push(to);
  const components = strongComponents(successors);
  // Tarjan's algorithm ends with what leads to all others.
  const order = checkCircles(report, components, ids, successors, edges) ? components.flat().toReversed() : null;

  const drafts = sources.map((source) => draftOf(compiling, source));
  const types = drafts.map((draft) => draft?.task.type);
  const names = namesAt({ indexOf, types, links: edges, order }, outer);
  const conditions = edges.map(({ from, when, path: at }) => {
    if (when === undefined) return null;
    const { result, uses } = noting(report, (own) => whenAt(own, when, [...at, 'when']));
    checkUses(report, uses, names(from, true), input);
    return result;
  });
  const [incoming, outgoing] = [ids.map((): number[] => []), ids.map((): number[] => [])];
  for (const [index, { from, to }] of edges.entries()) {
    outgoing[from]?.push(index);
    incoming[to]?.push(index);
  }
  const nodes = drafts.flatMap((draft, index): TaskNode[] => {
    if (draft === null) return [];
    const { uses, source, bodyNames, ...node } = draft;
    const here = names(index, false);
    checkUses(report, uses, here, input);
    const body = bodyOf(compiling, source, bodyNames, here);
    return [{ ...node, body, incoming: incoming[index] ?? [], outgoing: outgoing[index] ?? [] }];
  });
  return {
    nodes,
    edges: edges.map(({ from, to }, index) => ({ from, to, when: conditions[index] ?? null })),
    indexOf,
  };
}

/** A task by itself, and what is to be seen to once all are known. */
interface Draft extends Pick<TaskNode, 'id' | 'task' | 'prompt' | 'policy' | 'waitsFor'> {
  readonly source: NodeSource<TaskNodeDocument>;
  readonly uses: readonly NameUse[];
  /** Null where the type takes no body. */
  readonly bodyNames: readonly string[] | null;
}

/** Null where there is no such type. */
function draftOf({ report, types }: Compiling, node: NodeSource<TaskNodeDocument>): Draft | null {
  const { id, source, path } = node;
  const { result, uses } = noting(report, (own) => ({
    compiled: compileTask(own, source, path, types),
    prompt: source.prompt === undefined ? null : templateAt(own, source.prompt, [...path, 'prompt']),
  }));
  const { compiled, prompt } = result;
  if (compiled === null) return null;
  const { task, input } = compiled;
  const { type } = task;
  if (source.prompt !== undefined && type.capabilities?.isAgent !== true)
    tell(report, 'error', 'conflicting-keys', [...path, 'prompt'], `a ${type.name} has no use for a prompt.`, {
      hint: 'Remove it.',
      atKey: true,
    });
  return {
    id,
    task,
    prompt,
    policy: policyOf(source.policy),
    waitsFor: type.waitsFor?.(input) ?? 'all',
    source: node,
    uses,
    bodyNames: type.bodyNames?.(input) ?? null,
  };
}

/** What is done with a report of its own, whose problems are passed on. */
function noting<Result>(
  report: Report,
  work: (own: Report) => Result,
): { readonly result: Result; readonly uses: readonly NameUse[] } {
  const own = createReport();
  const result = work(own);
  report.problems.push(...own.problems);
  return { result, uses: own.names };
}

function bodyOf(
  compiling: Compiling,
  { id, source, path }: NodeSource<TaskNodeDocument>,
  bodyNames: readonly string[] | null,
  names: Names,
): TaskPart | null {
  const { body, type } = source;
  const at = [...path, 'body'];
  if (body !== undefined && bodyNames !== null) return partOf(compiling, body, at, withValues(names, bodyNames));
  if (body !== undefined)
    tell(compiling.report, 'error', 'conflicting-keys', at, `a ${type} repeats nothing, so it has no body.`, {
      hint: 'Move its nodes out of it.',
      atKey: true,
    });
  if (bodyNames !== null)
    tell(compiling.report, 'error', 'missing-body', path, `node "${id}" has nothing to repeat.`, {
      hint: 'Add body: { nodes: … }.',
    });
  return null;
}

function policyOf(policy: TaskNodeDocument['policy'] = {}): TaskPolicy {
  return {
    timeoutMs: policy.timeoutMs ?? null,
    totalTimeoutMs: policy.totalTimeoutMs ?? null,
    maxAttempts: policy.retry?.maxAttempts ?? 1,
    backoffMs: policy.retry?.backoffMs ?? 0,
    continueOnError: policy.continueOnError ?? false,
  };
}
