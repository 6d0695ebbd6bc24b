import { compileWhen, type When } from '../../expression/when.ts';
import { attemptsName } from '../../document/function.ts';
import { propertiesOf } from '../../graph/compile/function.ts';
import type { Graph, GraphNode } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { isSurelyAsked, knownSlots } from '../known-slots.ts';
import type { Offer } from '../offers.ts';

type Names = ReadonlySet<string>;

/** Reports edges that can leave a node before it has asked for everything it collects. */
export function checkEarlyEdges(report: Report, graph: Graph, sources: NodeSources, offers: readonly Offer[]): void {
  const collecting = [...graph.nodes.values()].filter(
    ({ collect, edges }) => collect.length > 0 && edges.some(({ when }) => when !== null),
  );
  if (collecting.length === 0) return;
  const onEntry = knownSlots(graph);
  const read = readBy(report, sources);
  for (const node of collecting) {
    const open = node.collect.filter((name) => graph.slots.has(name) && onEntry.get(node.id)?.has(name) !== true);
    const given = givenIn(graph, node, offers);
    for (const { index, to } of node.edges) {
      const when = graph.document.edges?.[index]?.when;
      if (when === undefined) continue;
      const known = knownBy(when);
      const left = open.filter((name) => !known.has(name) && isSurelyAsked(graph, name));
      const missing = open.find((name) => unknownIn(when).has(name));
      const target = graph.nodes.get(to);
      const spoken = left.find((name) => read.get(to)?.has(name) === true && target?.collect.includes(name) !== true);
      // One of several indications may be enough; only the author knows whether the others should be asked too.
      const unasked = left.find((name) => namesIn(when).has(name) && target?.collect.includes(name) !== true);
      const at = ['edges', index, 'when'];
      if (missing !== undefined && [...known].every((name) => !given.has(name)))
        addProblem(
          report,
          'warning',
          'early-edge',
          at,
          `this holds before node "${node.id}" has asked for "${missing}".`,
          {
            hint: 'Lead on from a node behind it, where it is known what was answered.',
          },
        );
      else if (isOnlyExists(when) && left.some((name) => target?.collect.includes(name) !== true))
        addProblem(
          report,
          'warning',
          'early-edge',
          at,
          `node "${node.id}" is left as soon as this is known, and does not ask for "${left[0] ?? ''}" then.`,
          { hint: `Collect only the slots to ask for there, or add { exists: { var: ${left[0] ?? ''} } } under all.` },
        );
      else if (spoken !== undefined)
        addProblem(
          report,
          'warning',
          'early-edge',
          at,
          `this can hold before "${spoken}" is known, which node "${to}" speaks of.`,
          { hint: `Add { exists: { var: ${spoken} } } under all, or do not speak of it there.` },
        );
      else if (unasked !== undefined)
        addProblem(
          report,
          'note',
          'early-edge',
          at,
          `this can hold before node "${node.id}" has asked for "${unasked}", which its text also mentions. It is then not asked for.`,
          { hint: `If all slots must be asked for first, move the edges to the node after it.` },
        );
    }
  }
}

/** Returns the first names that the texts of each node read. */
function readBy({ names }: Report, sources: NodeSources): ReadonlyMap<string, Names> {
  const ids = new Map([...sources.values()].map(({ id, path }) => [path.at(-1), id]));
  const read = new Map<string, Set<string>>();
  for (const { path, reference, within, local } of names) {
    const [section, node, field] = path;
    const id = section === 'nodes' && node !== undefined ? ids.get(node) : undefined;
    const [name = ''] = reference;
    if (id === undefined || within === undefined || local.includes(name) || field === 'ladder') continue;
    read.set(id, (read.get(id) ?? new Set()).add(name));
  }
  return read;
}

/** Returns the names that can become known only while the caller is in a node. */
function givenIn(graph: Graph, node: GraphNode, offers: readonly Offer[]): Names {
  const own = offers.filter((offer) => offer.node === null || offer.node.id === node.id);
  return new Set([
    attemptsName,
    ...node.collect,
    ...own.flatMap(({ offered, source }) => [
      ...Object.keys(propertiesOf(source)),
      ...(offered.saveAs === null ? [] : [offered.saveAs]),
    ]),
  ]);
}

/** Returns the names that are known whenever a condition holds. */
function knownBy(when: When): Names {
  if (when.all !== undefined) return union(when.all.map(knownBy));
  if (when.any !== undefined) return intersection(when.any.map(knownBy));
  if (when.not !== undefined) return knownByNot(when.not);
  return namesIn(when);
}

/** Returns the names that are known whenever a condition is known not to hold. */
function knownByNot(when: When): Names {
  if (when.all !== undefined) return intersection(when.all.map(knownByNot));
  if (when.any !== undefined) return union(when.any.map(knownByNot));
  if (when.not !== undefined) return knownBy(when.not);
  return when.exists === undefined ? namesIn(when) : new Set();
}

/** Returns the names that may be unknown while a condition holds. */
function unknownIn(when: When, isDenied = false): Names {
  if (when.not !== undefined) return unknownIn(when.not, !isDenied);
  const parts = when.all ?? when.any;
  if (parts !== undefined) return union(parts.map((part) => unknownIn(part, isDenied)));
  return when.exists !== undefined && isDenied ? namesIn(when) : new Set();
}

/** Checks whether a condition depends only on which names are known, not on values. */
function isOnlyExists({ exists, all }: When): boolean {
  return exists !== undefined || (all !== undefined && all.length > 0 && all.every(isOnlyExists));
}

function namesIn(when: When): Names {
  return new Set(compileWhen(when).references.map(({ path: [name = ''] }) => name));
}

function union(sets: readonly Names[]): Names {
  return new Set(sets.flatMap((names) => [...names]));
}

function intersection([first, ...others]: readonly Names[]): Names {
  return new Set([...(first ?? [])].filter((name) => others.every((names) => names.has(name))));
}
