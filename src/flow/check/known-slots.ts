import { isJsonObject } from '../../model/json.ts';
import type { Graph, GraphFunction, GraphNode } from '../graph/graph.ts';
import { targetsOf } from './offers.ts';

type Slots = ReadonlySet<string>;

const none: readonly string[] = [];

/** Returns the slots that are known on every entry of a node, whatever the path. Unreachable nodes are omitted. */
export function knownSlots(graph: Graph): ReadonlyMap<string, Slots> {
  const known = new Map<string, Slots>();
  const open: string[] = [];
  const reach = (id: string, slots: Slots): void => {
    const before = known.get(id);
    const both = before === undefined ? slots : new Set([...before].filter((name) => slots.has(name)));
    if (!graph.nodes.has(id) || both.size === before?.size) return;
    known.set(id, both);
    open.push(id);
  };
  reach(graph.initial, new Set());
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = graph.nodes.get(id);
    const slots = known.get(id);
    if (node === undefined || slots === undefined) continue;
    for (const { to, collected, given } of waysFrom(graph, node)) {
      const forgotten = graph.nodes.get(to)?.forget ?? [];
      const kept = [...slots, ...collected].filter((name) => !forgotten.includes(name));
      reach(to, new Set([...kept, ...given]));
    }
  }
  return known;
}

interface Way {
  readonly to: string;
  /** Slots that the node has collected when this way is taken. */
  readonly collected: readonly string[];
  /** Slots that the caller gives by taking this way; a node that forgets them keeps these values. */
  readonly given: readonly string[];
}

function waysFrom(graph: Graph, node: GraphNode): readonly Way[] {
  const collected = node.collect.filter((name) => isSurelyAsked(graph, name));
  const functions = node.end === null && node.task === null ? [...node.functions, ...graph.functions] : [];
  const { defaultTransition, trouble } = node;
  return [
    ...functions.flatMap((offered) => {
      const given = keeps(offered) ? slotsIn(graph, offered) : [];
      return targetsOf(offered).map(({ to }) => ({ to, collected: none, given }));
    }),
    // A condition may hold before everything is collected.
    ...node.edges.map(({ to, when }) => ({ to, collected: when === null ? collected : none, given: none })),
    ...[...node.keys.values()].flatMap((to) => (graph.nodes.has(to) ? [{ to, collected: none, given: none }] : [])),
    ...(defaultTransition === null ? [] : [{ to: defaultTransition, collected, given: none }]),
    ...(node.interrupt?.leadsTo ?? []).map(({ to }) => ({ to, collected: none, given: none })),
    ...[trouble.onError, graph.trouble.onError].flatMap((to) =>
      to === null ? [] : [{ to, collected: none, given: none }],
    ),
  ];
}

/** Checks whether a node that collects a slot is left only with its value. */
export function isSurelyAsked({ slots }: Graph, name: string): boolean {
  const slot = slots.get(name);
  return slot !== undefined && !slot.optional && slot.askWhen === null;
}

/** Checks whether a function's arguments fill the slots of the same name. */
function keeps({ body, write }: GraphFunction): boolean {
  return body === 'edge' || write;
}

function slotsIn(graph: Graph, { parameters }: GraphFunction): readonly string[] {
  const required = parameters['required'];
  const properties = parameters['properties'];
  if (!Array.isArray(required) || properties === undefined || !isJsonObject(properties)) return [];
  return required.map(String).filter((name) => graph.slots.has(name));
}
