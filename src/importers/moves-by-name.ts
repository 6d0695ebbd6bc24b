import { isRecord } from './pipecat/rewrite.ts';

/**
 * Pipecat's first static flows give a function the name of the node that it leads to. Such a function gets that
 * `transition_to`.
 */
export function withMovesByName(flow: unknown): unknown {
  if (!isRecord(flow) || !isRecord(flow['nodes'])) return flow;
  const { nodes } = flow;
  const moves = (node: unknown): unknown => {
    if (!isRecord(node) || !Array.isArray(node['functions'])) return node;
    const functions: readonly unknown[] = node['functions'];
    if (!functions.some((one) => leadsByName(one, nodes))) return node;
    return {
      ...node,
      functions: functions.map((one) =>
        isRecord(one) && leadsByName(one, nodes) ? { ...one, transition_to: one['name'] } : one,
      ),
    };
  };
  return { ...flow, nodes: Object.fromEntries(Object.entries(nodes).map(([id, node]) => [id, moves(node)])) };
}

function leadsByName(given: unknown, nodes: Readonly<Record<string, unknown>>): boolean {
  if (!isRecord(given) || typeof given['name'] !== 'string' || !Object.hasOwn(nodes, given['name'])) return false;
  return !says.some((key) => Object.hasOwn(given, key));
}

/** Keys that already say what a function does or where it leads. */
const says = ['handler', 'run', 'transition_to', 'transitionTo', 'transition_callback', 'transitionCallback'];
