import { type Arrow, arrowsOf, faceOf } from '../graph/draw/arrows.ts';
import type { Json } from '../../model/json.ts';
import type { Graph, GraphFunction, GraphNode } from '../graph/graph.ts';
import type { Wordings } from '../expression/wordings.ts';
import type { ArrowShown, FlowShown, FunctionShown, NodeShown } from './flow-shown.ts';
import { pathOfNode, type SourcePlaces } from './source-places.ts';

/** Returns a flow for display. `places` is null if its files are not known, as for a stored flow. */
export function flowShown(graph: Graph, places: SourcePlaces | null, isFoldable: boolean): FlowShown {
  const { name, hash, initial, document, generator } = graph;
  return {
    ...{ name, hash, initial, isFoldable },
    kind: generator === null ? 'nodes' : 'generator',
    nodes: [...graph.nodes.values()].map((node) => nodeShown(graph, node, places)),
    arrows: arrowsShown(graph, places),
    anywhere: graph.functions.map(functionShown),
    slots: [...graph.slots.values()].map((slot) => ({
      name: slot.name,
      type: slot.type,
      description: slot.description,
      ask: textsOf(slot.ask),
      isOptional: slot.optional,
      isPersonal: slot.pii,
      source: places?.slot(slot.name) ?? null,
    })),
    document: generator === null ? (document as unknown as Json) : null, // JSON by the loader's contract.
  };
}

function nodeShown(graph: Graph, node: GraphNode, places: SourcePlaces | null): NodeShown {
  const face = faceOf(node);
  const asks = node.interrupt?.asks;
  const type = node.task?.type.name ?? (asks !== undefined && 'type' in asks ? asks.type.name : null);
  const path = pathOfNode(graph.document, node.id);
  const fileOf = (key: string): string | null => (path === null ? null : (places?.fileOf([...path, key]) ?? null));
  return {
    id: node.id,
    kind: kindOf(node, face.kind),
    detail: face.detail,
    say: textsOf(node.say),
    prompts: [...(node.persona ?? []), ...node.messages].map(({ role, content }) => ({
      role,
      text: content.source,
      file: fileOf('taskMessages') ?? fileOf('promptFile'),
    })),
    collect: node.collect,
    functions: node.functions.map(functionShown),
    type,
    end: node.end,
    source: places?.node(node.id) ?? null,
  };
}

function kindOf(node: GraphNode, kind: ReturnType<typeof faceOf>['kind']): NodeShown['kind'] {
  if (kind !== 'task') return kind;
  if (node.interrupt !== null) return 'wait';
  return node.task === null ? 'call' : 'task';
}

function functionShown(item: GraphFunction): FunctionShown {
  const { name, description, body, parameters, write, confirm, digression, callback, target } = item;
  const leads = callback !== null ? 'code' : target === null ? 'nowhere' : 'on';
  return { name, description, body, parameters, write, digression, leads, confirms: confirm !== null };
}

function arrowsShown(graph: Graph, places: SourcePlaces | null): readonly ArrowShown[] {
  const seen = new Map<string, number>();
  return arrowsOf(graph).flatMap((arrow) => {
    const { from, to, kind, label, edge = null } = arrow;
    if (to === null) return [];
    const base = `${from ?? '*'} ${kind} ${label} ${to}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    const ofEdge = edge === null ? null : places?.edge(edge);
    return [
      {
        ...{ to, label, edge },
        id: count === 1 ? base : `${base} ${count}`,
        from: from ?? '*',
        kind: kinds[kind],
        function: arrow.function ?? null,
        source: ofEdge ?? (from === null ? null : places?.node(from)) ?? null,
      },
    ];
  });
}

const kinds: Readonly<Record<Arrow['kind'], ArrowShown['kind']>> = {
  function: 'function',
  refused: 'refused',
  edge: 'condition',
  default: 'default',
  expired: 'deadline',
  error: 'error',
  trouble: 'trouble',
};

function textsOf(wordings: Wordings | null): readonly string[] {
  return wordings?.texts.map(({ source }) => source) ?? [];
}
