import type { GraphNode } from '../../flow/graph/graph.ts';
import type { Arrival } from '../answer.ts';
import type { Draft } from '../state/draft.ts';
import { travel } from './travel.ts';
import { cancelWaits } from '../wait/waits.ts';
import { conditionalWay } from './ways-out.ts';

/** Leaves a node by a condition that holds now and cancels its waiting calls. Returns whether it did. */
export function leaveByCondition(draft: Draft, node: GraphNode, arrival: Arrival): boolean {
  const way = conditionalWay(draft, node);
  if (way === null) return false;
  cancelWaits(draft);
  travel(draft, way, arrival);
  return true;
}
