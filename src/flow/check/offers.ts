import type { DocumentPath } from '../document/problems/diagnostic.ts';
import type { FunctionDocument } from '../document/function.ts';
import type { Registered } from '../graph/compile/registered.ts';
import type { Graph, GraphFunction, GraphNode } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';

/** A function where it is offered: in one node, or (null) in every node that calls the model. */
export interface Offer {
  readonly offered: GraphFunction;
  readonly source: FunctionDocument;
  readonly path: DocumentPath;
  readonly node: GraphNode | null;
}

/** A node named in a part of the document, with its place in that part. */
export interface Target {
  readonly to: string;
  readonly at: DocumentPath;
}

/** Returns every function of a flow, the flow's own first. */
export function offersOf(graph: Graph, sources: NodeSources): readonly Offer[] {
  const offers: Offer[] = [];
  const add = (
    functions: readonly GraphFunction[],
    documents: readonly FunctionDocument[] | undefined,
    path: DocumentPath,
    node: GraphNode | null,
  ): void => {
    for (const [index, offered] of functions.entries()) {
      const source = documents?.[index];
      if (source !== undefined) offers.push({ offered, source, path: [...path, 'functions', index], node });
    }
  };
  add(graph.functions, graph.document.functions, [], null);
  for (const { id, source, path } of sources.values()) {
    const node = graph.nodes.get(id);
    if (node !== undefined) add(node.functions, source.functions, path, node);
  }
  return offers;
}

const wholeTarget: DocumentPath = ['transitionTo'];

/** Returns the targets of a function in the document. */
export function targetsOf({ target, onRefuse }: GraphFunction): readonly Target[] {
  const targets: Target[] = onRefuse === null ? [] : [{ to: onRefuse, at: ['onRefuse'] }];
  if (target === null) return targets;
  if (target.kind === 'node') return [{ to: target.to, at: wholeTarget }, ...targets];
  for (const [value, to] of target.cases) targets.push({ to, at: ['transitionTo', 'cases', value] });
  if (target.otherwise !== null) targets.push({ to: target.otherwise, at: ['transitionTo', 'default'] });
  return targets;
}

/** Checks whether a successful function moves to another node by the document. */
export function leads(offered: GraphFunction): boolean {
  return offered.target !== null || offered.callback !== null;
}

/**
 * Returns a check whether code behind a function may choose the next node. While registrations are unknown, any
 * function may have code.
 */
export function leadingByCode(registered: Registered): (offered: GraphFunction) => boolean {
  const unknown = registered.functions === undefined;
  return ({ body, callback }) => callback !== null || body === 'tool' || (unknown && body === 'edge');
}
