import { bindingReferences } from '../../expression/binding.ts';
import { namesRead } from '../../expression/wordings.ts';
import { propertiesOf } from '../../graph/compile/function.ts';
import type { Graph, GraphNode } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { type Offer, targetsOf } from '../offers.ts';
import { placeOf } from '../place.ts';

/** A write of a node, with the slots that its call or its question uses. */
interface Write {
  readonly node: string;
  readonly name: string;
  readonly uses: ReadonlySet<string>;
  readonly leadsTo: readonly string[];
}

/**
 * Reports decisions by a slot that one write makes final and another write depends on. A correction between the writes
 * changes the arguments of the second and not the way to it.
 */
export function checkSettledDecisions(
  report: Report,
  graph: Graph,
  sources: NodeSources,
  offers: readonly Offer[],
): void {
  const writes = writesIn(graph, offers);
  if (writes.length < 2) return;
  const decided = decidedBy(report, graph, sources);
  for (const [id, slots] of decided) {
    const node = graph.nodes.get(id);
    const source = sources.get(id);
    const slot = [...slots].find((name) => writes.some(({ uses }) => uses.has(name)));
    if (node === undefined || source === undefined || slot === undefined) continue;
    const found = settledBy(graph, node, writes, slot, (at) => decided.get(at)?.has(slot) === true);
    if (found === null) continue;
    const fact = `the way from node "${id}" depends on "${slot}" and is final after "${found.first}". If "${slot}" is corrected later, "${found.second}" gets the new value and the way stays.`;
    addProblem(report, 'note', 'settled-decision', placeOf(source).path, fact, {
      hint: `Decide by "${slot}" again before "${found.second}", or make "${found.second}" the first of the two.`,
      atKey: true,
    });
  }
}

/** Returns the first pair of writes on only one of the ways of a decision, without the same decision between them. */
function settledBy(
  graph: Graph,
  node: GraphNode,
  writes: readonly Write[],
  slot: string,
  decidesAnew: (id: string) => boolean,
): { readonly first: string; readonly second: string } | null {
  const exits = [...new Set(nextOf(node))];
  const behind = exits.map((exit) => reached(graph, [exit], decidesAnew));
  for (const ids of behind) {
    const onlyHere = (id: string): boolean => ids.has(id) && behind.some((others) => !others.has(id));
    const second = writes.filter((one) => one.uses.has(slot) && onlyHere(one.node));
    if (second.length === 0) continue;
    for (const first of writes.filter((one) => ids.has(one.node))) {
      const later = reached(graph, first.leadsTo, decidesAnew);
      const found = second.find((one) => one !== first && later.has(one.node));
      if (found !== undefined) return { first: first.name, second: found.name };
    }
  }
  return null;
}

/** Returns the nodes that can be reached, up to and without the nodes that decide again. */
function reached(graph: Graph, from: readonly string[], decidesAnew: (id: string) => boolean): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = graph.nodes.get(id);
    if (node === undefined || found.has(id) || decidesAnew(id)) continue;
    found.add(id);
    open.push(...nextOf(node));
  }
  return found;
}

function nextOf({ edges, defaultTransition, functions }: GraphNode): readonly string[] {
  return [
    ...edges.map(({ to }) => to),
    ...(defaultTransition === null ? [] : [defaultTransition]),
    ...functions.flatMap((offered) => targetsOf(offered).map(({ to }) => to)),
  ];
}

function writesIn(graph: Graph, offers: readonly Offer[]): readonly Write[] {
  return offers.flatMap(({ node, offered, source }): readonly Write[] => {
    if (node === null || !offered.write) return [];
    const { confirm, name } = offered;
    const said = confirm === null || confirm === 'described' ? [] : namesRead(confirm);
    const bound = node.call?.function === name ? Object.values(node.call.input).flatMap(bindingReferences) : [];
    const names = [...Object.keys(propertiesOf(source)), ...said, ...bound.map(({ path: [first] }) => String(first))];
    const leadsTo = targetsOf(offered).map(({ to }) => to);
    return [
      {
        ...{ node: node.id, name },
        uses: new Set(names.filter((one) => graph.slots.has(one))),
        leadsTo: leadsTo.length > 0 ? leadsTo : nextOf(node),
      },
    ];
  });
}

/** Returns the slots that decide the way out of each node with several ways. */
function decidedBy(report: Report, graph: Graph, sources: NodeSources): ReadonlyMap<string, ReadonlySet<string>> {
  const inputs = slotsOfInputs(report, graph, sources);
  const decided = new Map<string, ReadonlySet<string>>();
  for (const { id, edges, defaultTransition } of graph.nodes.values()) {
    const ways = new Set([...edges.map(({ to }) => to), defaultTransition]);
    if (ways.size < 2) continue;
    const read = edges.flatMap(({ when }) => (when?.references ?? []).map(({ path: [first] }) => String(first)));
    const slots = read.flatMap((name) => (graph.slots.has(name) ? [name] : [...(inputs.get(name) ?? [])]));
    if (slots.length > 0) decided.set(id, new Set(slots));
  }
  return decided;
}

/** Returns the slots in the input of each catalog node. */
function slotsOfInputs(report: Report, graph: Graph, sources: NodeSources): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map([...sources.values()].map(({ id, path }) => [path.at(-1), id]));
  const inputs = new Map<string, Set<string>>();
  for (const { path, reference } of report.names) {
    const [section, key, field] = path;
    const id = section === 'nodes' && key !== undefined && field === 'input' ? ids.get(key) : undefined;
    const [name = ''] = reference;
    if (id !== undefined && graph.slots.has(name) && graph.nodes.get(id)?.task != null)
      inputs.set(id, (inputs.get(id) ?? new Set()).add(name));
  }
  return inputs;
}
