import type { Signal } from '../../model/signals/signal.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import { hasCurrentNode, isNodeUnchanged, type PlaceInFlow } from '../../runner/flow-version.ts';

/**
 * Returns the signals that move a session to another version of its flow before it is opened. If a line of a changed
 * node is not spoken yet, it is dropped and the node is entered again. An open reply is made by the new version. Empty
 * if the version is the same or does not have the node.
 */
export function movesInto(version: Graph, place: PlaceInFlow, at: number): readonly Signal[] {
  const { graph, state } = place;
  if (version.hash === state.position.flow.hash || version.name !== graph.name || !hasCurrentNode(version, place))
    return [];
  const swapped = { type: 'flow:swapped', at, flow: { id: version.name, hash: version.hash } } as const;
  const open = Object.values(state.effects).filter(({ state: is }) => is === 'intended' || is === 'started');
  if (isNodeUnchanged(version, place) || open.some(({ kind }) => kind === 'reply'))
    return [{ ...swapped, stays: true }];
  const unsaid = open.flatMap((effect): readonly Signal[] =>
    effect.kind === 'say'
      ? [{ type: 'speech:settled', at, key: effect.key, state: 'cancelled', text: effect.payload.text, heard: '' }]
      : [],
  );
  return [...unsaid, swapped];
}
