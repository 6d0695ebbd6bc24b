import type { FlowShown } from '../../../flow/picture/flow-shown.ts';

/** Returns the ids of the arrows that are open from a node; empty in an end or without a current node. */
export function offeredWays(flow: FlowShown | null, here: string | null): ReadonlySet<string> {
  const node = flow?.nodes.find(({ id }) => id === here);
  if (flow === null || node === undefined || node.kind === 'end') return new Set();
  return new Set(flow.arrows.filter(({ from }) => from === here || from === '*').map(({ id }) => id));
}
