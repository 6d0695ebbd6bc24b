import type { Graph } from '../graph.ts';
import { type Report, tell } from '../report.ts';
import type { Offer } from './offers.ts';

/** Reports writes that no caller has to agree to, and functions that hide one of the flow. */
export function checkFunctions(
  report: Report,
  graph: Graph,
  offers: readonly Offer[],
  reachable: ReadonlySet<string>,
): void {
  const everywhere = new Set(graph.functions.map(({ name }) => name));
  for (const { offered, path, node } of offers) {
    const { name } = offered;
    if (offered.write && offered.confirm === null && (node === null || reachable.has(node.id)))
      tell(
        report,
        'warning',
        'write-without-confirm',
        [...path, 'effect'],
        `function "${name}" changes the world, and the caller is not asked.`,
        {
          hint: 'Add confirm: true, or the question to ask.',
        },
      );
    if (node !== null && everywhere.has(name))
      tell(
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
