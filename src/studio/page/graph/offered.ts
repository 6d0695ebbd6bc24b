import type { FlowShown } from '../../../picture/flow-shown.ts';

/** The ways that are open from a node, by `ArrowShown.id`; none in an end, or where the conversation is nowhere. */
export function offeredWays(flow: FlowShown | null, here: string | null): ReadonlySet<string> {
  const node = flow?.nodes.find(({ id }) => id === here);
  if (flow === null || node === undefined || node.kind === 'end') return new Set();
  return new Set(flow.arrows.filter(({ from }) => from === here || from === '*').map(({ id }) => id));
}
