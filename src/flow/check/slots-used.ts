import { propertiesOf } from '../graph/compile/function.ts';
import { collectedNames } from '../document/node.ts';
import type { Graph } from '../graph/graph.ts';
import type { NodeSources } from '../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { nearNames } from './near-names.ts';
import type { Offer } from './offers.ts';

/** Reports problems between slots and the nodes that collect them. */
export function checkSlots(report: Report, graph: Graph, sources: NodeSources, offers: readonly Offer[]): void {
  const { slots } = graph;
  const near = nearNames(slots.keys());
  const filled = new Set<string>();
  for (const { id, source, path } of sources.values()) {
    const collect = collectedNames(source.collect);
    const own = new Set<string>();
    for (const [index, name] of collect.entries()) {
      const at = [...path, 'collect', index, ...(typeof source.collect?.[index] === 'string' ? [] : ['slot'])];
      if (!slots.has(name))
        addProblem(report, 'error', 'unknown-slot', at, `node "${id}" collects "${name}", which is not a slot.`, {
          hint: near(name) ?? 'Declare it under slots.',
        });
      else if (own.has(name))
        addProblem(report, 'warning', 'duplicate-collect', at, `node "${id}" collects "${name}" twice.`, {
          hint: 'Remove one of them.',
        });
      own.add(name);
      filled.add(name);
    }
    for (const [index, name] of (source.forget ?? []).entries())
      if (!slots.has(name))
        addProblem(
          report,
          'error',
          'unknown-slot',
          [...path, 'forget', index],
          `node "${id}" forgets "${name}", which is not a slot.`,
          { hint: near(name) ?? 'Name a slot of the flow. The output of a node or a variable cannot be forgotten.' },
        );
    const isNeverAsked = (name: string): boolean => slots.get(name)?.optional === true && slots.get(name)?.ask === null;
    if (collect.length > 0 && collect.every(isNeverAsked))
      addProblem(
        report,
        'warning',
        'collect-never-asks',
        [...path, 'collect'],
        `node "${id}" collects optional slots without a question only, so it asks for none of them.`,
        {
          hint: 'Give a slot an ask: an optional one is asked for once, and may be refused.',
          atKey: true,
        },
      );
  }
  checkRanges(report, graph);
  for (const { offered, source } of offers)
    if (offered.body === 'edge') for (const name of Object.keys(propertiesOf(source))) filled.add(name);
  for (const [name, slot] of slots) {
    if (slot.optional || filled.has(name)) continue;
    addProblem(report, 'warning', 'slot-never-collected', ['slots', name], `no node collects slot "${name}".`, {
      hint: 'Add it to the collect of a node, or make it optional.',
      atKey: true,
    });
  }
}

/** Reports ranges whose two ends are not values of one type that has an order. */
function checkRanges(report: Report, { slots }: Graph): void {
  for (const { name, type, ends } of slots.values()) {
    if (ends === null) continue;
    const at = ['slots', name, 'ends'];
    const start = slots.get(ends);
    if (start === undefined)
      addProblem(report, 'error', 'unknown-slot', at, `slot "${name}" ends "${ends}", which is not a slot.`, {
        hint: nearNames(slots.keys())(ends) ?? 'Name the slot that begins the range.',
      });
    else if (start.name === name || start.type !== type || !ordered.has(type))
      addProblem(report, 'error', 'rule-not-for-type', at, `"${name}" and "${ends}" are not the ends of a range.`, {
        hint: 'Both need the same type: date, time, number or integer.',
      });
  }
}

const ordered: ReadonlySet<string> = new Set(['date', 'time', 'number', 'integer']);
