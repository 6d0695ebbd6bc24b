import type { Problem } from '../../document/problems/diagnostic.ts';
import type { TaskDocument } from '../../document/task-document.ts';
import type { Catalog } from '../nodes/catalog.ts';
import { partOf } from './task-part.ts';
import { inputOf } from './compile.ts';
import { hashOf } from '../hash.ts';
import { documentTypes } from '../nodes/node-packs.ts';
import type { Registered } from './registered.ts';
import { createReport } from '../report.ts';
import type { TaskGraph } from '../task-graph.ts';
import { namesOfFlow } from '../task-names.ts';

export interface TaskCompileOptions extends Pick<Registered, 'flows'> {
  readonly catalog: Catalog;
  /** The default name of a flow. */
  readonly name?: string;
}

export interface CompiledTaskFlow {
  /** Null if there are errors. */
  readonly graph: TaskGraph | null;
  readonly problems: readonly Problem[];
}

/** Compiles a document into a graph, or reports all its problems. Never throws. */
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
    ...partOf({ report, types, input, registered: options }, document, [], namesOfFlow),
    name: name ?? options.name ?? 'flow',
    hash: hashOf(identity),
    document,
    input,
    policy: { failFast: policy?.failFast ?? true, concurrency: policy?.concurrency ?? 8 },
  };
  const broken = report.problems.some(({ severity }) => severity === 'error');
  return { graph: broken ? null : graph, problems: report.problems };
}
