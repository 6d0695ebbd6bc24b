import type { Graph } from '../graph/graph.ts';
import type { Registered } from '../graph/compile/registered.ts';
import { type Report, addProblem } from '../graph/report.ts';
import { knownSlots } from './known-slots.ts';
import { type Offer, targetsOf } from './offers.ts';
import { passedThrough } from './ways/passed-through.ts';

/**
 * Reports functions without a description, writes without a confirmation, functions that hide one of the flow, and
 * moves without effect.
 */
export function checkFunctions(
  report: Report,
  graph: Graph,
  offers: readonly Offer[],
  reachable: ReadonlySet<string>,
  registered: Registered,
): void {
  const everywhere = new Set(graph.functions.map(({ name }) => name));
  let slots: ReturnType<typeof knownSlots> | undefined;
  const known = (): ReturnType<typeof knownSlots> => (slots ??= knownSlots(graph));
  for (const offer of offers) {
    const { offered, source, path, node } = offer;
    const { name } = offered;
    // A function that only waits for people outside writes nothing itself.
    const isOwnWrite = source.effect === 'write' && registered.declared?.get(offered.handler)?.waits !== true;
    if (isOwnWrite && offered.confirm === null && (node === null || reachable.has(node.id)))
      addProblem(
        report,
        'warning',
        'write-without-confirm',
        [...path, 'effect'],
        `function "${name}" changes the world, and the caller is not asked.`,
        {
          hint: 'Add confirm: true, or the question to ask.',
        },
      );
    const leadsOn = offered.target !== null || offered.callback !== null || offered.body === 'flow';
    if (leadsOn && offered.description.trim() === '' && (offered.body === 'edge' || offered.body === 'flow'))
      addProblem(
        report,
        // A registered tool of this name has its own description.
        registered.functions === undefined && offered.body === 'edge' ? 'note' : 'warning',
        'no-description',
        [...path, 'name'],
        `function "${name}" has no description, so the model cannot know when to call it.`,
        { hint: 'Add a description, such as: The caller agrees.' },
      );
    reportPassed(report, graph, known, offer);
    if (node !== null && everywhere.has(name))
      addProblem(
        report,
        'note',
        'global-shadowed',
        [...path, 'name'],
        `function "${name}" of node "${node.id}" hides the flow's function of this name there.`,
        {
          hint: 'Rename one, unless that is meant.',
        },
      );
  }
}

/** Reports a move to a node that collects only known slots and leads back at once. */
function reportPassed(report: Report, graph: Graph, known: () => ReturnType<typeof knownSlots>, offer: Offer): void {
  for (const target of targetsOf(offer.offered)) {
    const passed = passedThrough(graph, known, offer, target);
    if (passed === null) continue;
    const [slot = ''] = passed.collect;
    addProblem(
      report,
      'warning',
      'leads-straight-back',
      [...offer.path, ...target.at],
      `function "${offer.offered.name}" leads to "${passed.id}", which leads straight back here: all its slots are already known.`,
      {
        hint: `Ask again there: collect: [{ slot: ${slot}, again: true }]. Or take what is to change as a parameter that is called like its slot, such as ${slot}.`,
      },
    );
  }
}
