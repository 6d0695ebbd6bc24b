import type { Signal } from '../../events/signal.ts';
import type { Graph } from '../../graph/graph.ts';
import { isAtHome, isSameThere, type PlaceInFlow } from '../../runner/other-version.ts';

/**
 * The signals that move a session into another version of its flow before anybody speaks for it. A line of a node that has
 * changed is not said: the node is entered again. A reply that the caller waits for is made by the new version. None where the
 * version is the same or has no such node.
 */
export function movesInto(version: Graph, place: PlaceInFlow, at: number): readonly Signal[] {
  const { graph, state } = place;
  if (version.hash === state.flow.hash || version.name !== graph.name || !isAtHome(version, place)) return [];
  const swapped = { type: 'flow:swapped', at, flow: { id: version.name, hash: version.hash } } as const;
  const open = Object.values(state.effects).filter(({ state: is }) => is === 'intended' || is === 'started');
  if (isSameThere(version, place) || open.some(({ kind }) => kind === 'reply')) return [{ ...swapped, stays: true }];
  const unsaid = open.flatMap((effect): readonly Signal[] =>
    effect.kind === 'say'
      ? [{ type: 'speech:settled', at, key: effect.key, state: 'cancelled', text: effect.payload.text, heard: '' }]
      : [],
  );
  return [...unsaid, swapped];
}
