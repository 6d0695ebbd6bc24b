import type { DocumentPath } from '../../document/problems/diagnostic.ts';
import type { LadderDocument } from '../../document/ladder.ts';
import { snakeCase } from '../../document/problems/schema-shape.ts';
import { returnTarget } from '../../document/function.ts';
import type { Graph } from '../../graph/graph.ts';
import type { NodeSources } from '../../graph/nodes/node-source.ts';
import { type Report, addProblem } from '../../graph/report.ts';
import { nearNames } from '../near-names.ts';
import { type Offer, targetsOf } from '../offers.ts';
import { checkNamed, placeOf } from '../place.ts';

/** Reports names of missing nodes, and returns without a digression. */
export function checkTargets(report: Report, graph: Graph, sources: NodeSources, offers: readonly Offer[]): void {
  const { document, nodes } = graph;
  const near = nearNames(nodes.keys());
  const hasDigression = offers.some(({ offered }) => offered.digression);

  const unknown = (code: string, path: DocumentPath, name: string, fact: string): void => {
    const hint =
      near(name) ??
      (/^\$?(?:end|exit|hang_?up)$/i.test(name)
        ? 'A conversation ends in a node that says so: { say: …, end: REASON }.'
        : 'Add a node of this name, or name another.');
    addProblem(report, 'error', code, path, `${fact} "${name}", which does not exist.`, { hint });
  };
  const isTarget = (to: string): boolean => nodes.has(to) || (to === returnTarget && hasDigression);
  const noTarget = (to: string, path: DocumentPath, subject: string): void => {
    if (to !== returnTarget) return unknown('unknown-target', path, to, `${subject} leads to`);
    const fact = `${subject} comes back from a digression, and there is none.`;
    const hint = 'Mark the function that leaves with digression: true, or name a node.';
    addProblem(report, 'error', 'return-without-digression', path, fact, { hint });
  };

  if (!nodes.has(graph.initial)) unknown('unknown-initial-node', ['initialNode'], graph.initial, 'the flow begins in');
  const { onError } = document;
  if (onError !== undefined && !nodes.has(onError))
    unknown('unknown-target', ['onError'], onError, 'on_error of the flow leads to');
  const { onTrouble } = document;
  if (onTrouble !== undefined && !nodes.has(onTrouble))
    unknown('unknown-target', ['onTrouble'], onTrouble, 'on_trouble of the flow leads to');
  const checkLadder = (ladder: LadderDocument | undefined, path: DocumentPath, subject: string): void => {
    for (const key of ['onNoInput', 'onNoMatch'] as const) {
      const to = ladder?.[key];
      if (to !== undefined && !nodes.has(to))
        unknown('unknown-target', [...path, 'ladder', key], to, `${snakeCase(key)} of ${subject} leads to`);
    }
  };
  checkLadder(document.ladder, [], 'the flow');
  for (const [name, { ladder }] of Object.entries(document.slots ?? {}))
    checkLadder(ladder, ['slots', name], `slot "${name}"`);
  for (const { offered, path } of offers)
    for (const { to, at } of targetsOf(offered))
      if (!isTarget(to)) noTarget(to, [...path, ...at], `function "${offered.name}"`);
  for (const { id, source, path } of sources.values()) {
    const { onError: rescue, defaultTransition: next } = source;
    if (rescue !== undefined && !nodes.has(rescue))
      unknown('unknown-target', [...path, 'onError'], rescue, `on_error of node "${id}" leads to`);
    checkLadder(source.ladder, path, `node "${id}"`);
    for (const { to, at, outcome } of nodes.get(id)?.interrupt?.leadsTo ?? [])
      if (outcome !== undefined ? !isTarget(to) : !nodes.has(to))
        unknown(
          'unknown-target',
          at,
          to,
          `${outcome === undefined ? 'the deadline' : `the outcome ${outcome}`} of node "${id}" leads to`,
        );
    if (next !== undefined && !isTarget(next))
      noTarget(next, [...path, 'defaultTransition'], `default_transition of node "${id}"`);
  }
  for (const [index, { from, to }] of (document.edges ?? []).entries()) {
    if (!nodes.has(from)) unknown('unknown-source', ['edges', index, 'from'], from, 'an edge leaves');
    if (!isTarget(to)) noTarget(to, ['edges', index, 'to'], `the edge from "${from}"`);
  }
  const unnamed = sources.get('');
  if (unnamed !== undefined) checkNamed(report, unnamed);
  const reserved = sources.get(returnTarget);
  if (reserved === undefined) return;
  const { path, atKey } = placeOf(reserved);
  const fact = `"${returnTarget}" stands for the way back and cannot be a node.`;
  addProblem(report, 'error', 'reserved-name', path, fact, { hint: 'Rename the node.', atKey });
}
