import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { TaskNodeDocument, TaskPartDocument } from '../../document/task-node.ts';
import { strongComponents } from '../../check/ways/strong-components.ts';
import { deadlineTargets, wallTimes } from './interrupt.ts';
import { type CompiledTask, compileTask } from './task.ts';
import type { GraphInput } from '../graph.ts';
import type { DocumentTypes } from '../nodes/node-packs.ts';
import { type NodeSource, nodeSources } from '../nodes/node-source.ts';
import type { Registered } from './registered.ts';
import { createReport, type NameUse, type Report, addProblem, whenAt } from '../report.ts';
import { checkCircles, edgesOf } from '../task-edges.ts';
import type { TaskNode, TaskPart } from '../task-graph.ts';
import { checkIds, checkUses, type Names, namesAt, withValues } from '../task-names.ts';

/** The context for compiling tasks. */
export interface Compiling {
  readonly report: Report;
  readonly types: DocumentTypes;
  readonly input: ReadonlyMap<string, GraphInput>;
  readonly registered: Pick<Registered, 'flows'>;
}

/** Compiles tasks and their edges. `outer` are the names known around them. */
export function partOf(compiling: Compiling, document: TaskPartDocument, path: DocumentPath, outer: Names): TaskPart {
  const { report, input } = compiling;
  const sources = [...nodeSources(report, document.nodes, [...path, 'nodes']).values()];
  if (sources.length === 0)
    addProblem(report, 'error', 'no-nodes', [...path, 'nodes'], 'the flow has no nodes.', {
      hint: 'Add one.',
      atKey: true,
    });
  checkIds(report, sources, outer);
  const ids = sources.map(({ id }) => id);
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const edges = edgesOf(report, document, path, indexOf);
  const successors = ids.map((): number[] => []);
  for (const { from, to } of edges) successors[from]?.push(to);
  const components = strongComponents(successors);
  // Tarjan's algorithm emits components in reverse topological order.
  const order = checkCircles(report, components, ids, successors, edges) ? components.flat().toReversed() : null;

  const drafts = sources.map((source) => draftOf(compiling, source));
  const tasks = drafts.map((draft) => (draft === null ? undefined : { type: draft.task.type, policy: draft.policy }));
  const names = namesAt({ indexOf, tasks, links: edges, order }, outer);
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
    const { uses, source, bodyNames: _bodyNames, ...node } = draft;
    const here = names(index, false);
    checkUses(report, uses, here, input);
    const body = bodyOf(compiling, source, draft, here);
    const edgesHere = { incoming: incoming[index] ?? [], outgoing: outgoing[index] ?? [] };
    return [{ ...node, id: source.id, body, ...edgesHere }];
  });
  return {
    nodes,
    edges: edges.map(({ from, to }, index) => ({ from, to, when: conditions[index] ?? null })),
    indexOf,
  };
}

/** A compiled task, with its name uses for later checks. */
interface Draft extends CompiledTask {
  readonly source: NodeSource<TaskNodeDocument>;
  readonly uses: readonly NameUse[];
}

/** Returns null for an unknown type. */
function draftOf({ report, types, registered }: Compiling, source: NodeSource<TaskNodeDocument>): Draft | null {
  const { result, uses } = noting(report, (own) => compileTask(own, source.source, source.path, types, registered));
  if (result !== null) reportWait(report, result, source);
  return result === null ? null : { ...result, source, uses };
}

/** Reports a wait that needs a conversation: a caller, target nodes of a deadline, or a time zone. */
function reportWait(
  report: Report,
  { task: { type } }: CompiledTask,
  { source, path }: NodeSource<TaskNodeDocument>,
): void {
  if (!('interrupts' in type)) return;
  if (type.asksCaller?.(source.input ?? {}) === true)
    addProblem(report, 'error', 'invalid-node-input', path, `a ${type.name} of a task flow has no caller to ask.`, {
      hint: 'Name who is asked, by of.',
      atKey: true,
    });
  for (const { at } of deadlineTargets(source, path))
    addProblem(
      report,
      'error',
      'invalid-node-input',
      at,
      'a task flow goes on by its edges, and no deadline goes to a node.',
      {
        hint: 'Use answer, and an edge with when.',
      },
    );
  for (const { time, at } of wallTimes(source, path))
    addProblem(report, 'note', 'time-in-utc', at, `a task flow has no time zone: this is ${time} UTC.`, {
      hint: `Write the offset where another is meant: ${time}+01:00.`,
    });
}

/** Runs work with a separate report and passes its problems on. */
function noting<Result>(
  report: Report,
  work: (own: Report) => Result,
): { readonly result: Result; readonly uses: readonly NameUse[] } {
  const own = createReport(report.language);
  const result = work(own);
  report.problems.push(...own.problems);
  return { result, uses: own.names };
}

/** Compiles the body of a task whose type repeats one. `names` are the names that the task can read. */
export function bodyOf(
  compiling: Compiling,
  { id, source, path }: NodeSource<Pick<TaskNodeDocument, 'body'>>,
  { task, bodyNames }: CompiledTask,
  names: Names,
): TaskPart | null {
  const { body } = source;
  const at = [...path, 'body'];
  if (body !== undefined && bodyNames !== null) return partOf(compiling, body, at, withValues(names, bodyNames));
  if (body !== undefined)
    addProblem(
      compiling.report,
      'error',
      'conflicting-keys',
      at,
      `a ${task.type.name} repeats nothing, so it has no body.`,
      {
        hint: 'Move its nodes out of it.',
        atKey: true,
      },
    );
  if (bodyNames !== null)
    addProblem(compiling.report, 'error', 'missing-body', path, `node "${id}" has nothing to repeat.`, {
      hint: 'Add body: { nodes: … }.',
    });
  return null;
}
