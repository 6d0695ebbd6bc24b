import { propertiesOf } from '../compile-function.ts';
import type { Graph, GraphNode } from '../graph.ts';
import type { Registered } from '../registered.ts';
import { type Report, tell } from '../report.ts';
import type { Offer } from './offers.ts';

/** Reports functions that nothing describes, writes that no caller has to agree to, functions that hide one of the flow, and moves that come to nothing. */
export function checkFunctions(
  report: Report,
  graph: Graph,
  offers: readonly Offer[],
  reachable: ReadonlySet<string>,
  registered: Registered,
): void {
  const everywhere = new Set(graph.functions.map(({ name }) => name));
  for (const offer of offers) {
    const { offered, source, path, node } = offer;
    const { name } = offered;
    // What only asks people outside is written by them.
    const isOwnWrite = source.effect === 'write' && registered.declared?.get(offered.handler)?.waits !== true;
    if (isOwnWrite && offered.confirm === null && (node === null || reachable.has(node.id)))
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
    const leadsOn = offered.target !== null || offered.callback !== null || offered.body === 'flow';
    if (leadsOn && offered.description.trim() === '' && (offered.body === 'edge' || offered.body === 'flow'))
      tell(
        report,
        // A tool of this name that code registers describes itself.
        registered.functions === undefined && offered.body === 'edge' ? 'note' : 'warning',
        'no-description',
        [...path, 'name'],
        `nothing tells the model when to call function "${name}".`,
        { hint: 'Add a description, such as: The caller agrees.' },
      );
    const passed = passedThrough(graph, offer);
    if (passed !== null)
      tell(
        report,
        'warning',
        'leads-straight-back',
        [...path, 'transitionTo'],
        `function "${name}" leads to "${passed.id}", which leads straight back here: all that it collects is known by then.`,
        {
          hint: `Take what is to change as a parameter that is called like its slot, such as ${passed.collect[0]}.`,
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

/** The node to which a function leads back without a new value, though the flow has come here by collecting all that it asks for. */
function passedThrough(graph: Graph, { offered, source, node }: Offer): GraphNode | null {
  if (node === null || offered.body !== 'edge' || offered.target?.kind !== 'node') return null;
  const there = graph.nodes.get(offered.target.to);
  if (there === undefined || there.id === node.id || there.collect.length === 0 || there.end !== null) return null;
  if (there.edges.length > 0 || there.defaultTransition !== node.id) return null;
  return Object.keys(propertiesOf(source)).some((name) => graph.slots.has(name)) ? null : there;
}
