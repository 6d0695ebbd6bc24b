import type { DocumentPath } from '../../flow/diagnostic.ts';
import { returnTarget } from '../../flow/function.ts';
import type { Graph } from '../graph.ts';
import type { NodeSources } from '../node-source.ts';
import { type Report, tell } from '../report.ts';
import { nearNames } from './near-names.ts';
import { type Offer, targetsOf } from './offers.ts';
import { placeOf } from './place.ts';

/** Reports names of nodes that do not exist, and ways back from digressions that nothing begins. */
export function checkTargets(report: Report, graph: Graph, sources: NodeSources, offers: readonly Offer[]): void {
  const { document, nodes } = graph;
  const near = nearNames(nodes.keys());
  const hasDigression = offers.some(({ offered }) => offered.digression);

  const unknown = (code: string, path: DocumentPath, message: string, name: string): void =>
    tell(report, 'error', code, path, message, { hint: near(name) ?? 'Add a node of this name, or name another.' });
  const checkOnError = (to: string | undefined, path: DocumentPath, subject: string): void => {
    if (to === undefined || nodes.has(to)) return;
    unknown('unknown-target', path, `on_error of ${subject} leads to "${to}", which does not exist.`, to);
  };
  const checkTarget = (to: string, path: DocumentPath, subject: string): void => {
    if (to === returnTarget) {
      if (hasDigression) return;
      tell(
        report,
        'error',
        'return-without-digression',
        path,
        `${subject} comes back from a digression, and there is none.`,
        {
          hint: 'Mark the function that leaves with digression: true, or name a node.',
        },
      );
    } else if (!nodes.has(to))
      unknown('unknown-target', path, `${subject} leads to "${to}", which does not exist.`, to);
  };

  if (!nodes.has(graph.initial))
    unknown(
      'unknown-initial-node',
      ['initialNode'],
      `the flow begins in "${graph.initial}", which does not exist.`,
      graph.initial,
    );
  checkOnError(document.onError, ['onError'], 'the flow');
  for (const { offered, path } of offers)
    for (const { to, at } of targetsOf(offered)) checkTarget(to, [...path, ...at], `function "${offered.name}"`);
  for (const node of sources.values()) {
    const { id, source, path } = node;
    if (id === returnTarget) {
      const place = placeOf(node);
      tell(
        report,
        'error',
        'reserved-name',
        place.path,
        `"${returnTarget}" stands for the way back and cannot be a node.`,
        {
          hint: 'Rename the node.',
          atKey: place.atKey,
        },
      );
    }
    checkOnError(source.onError, [...path, 'onError'], `node "${id}"`);
    if (source.defaultTransition !== undefined)
      checkTarget(source.defaultTransition, [...path, 'defaultTransition'], `default_transition of node "${id}"`);
  }
  for (const [index, { from, to }] of (document.edges ?? []).entries()) {
    if (!nodes.has(from))
      unknown('unknown-source', ['edges', index, 'from'], `an edge leaves "${from}", which does not exist.`, from);
    checkTarget(to, ['edges', index, 'to'], `the edge from "${from}"`);
  }
}
