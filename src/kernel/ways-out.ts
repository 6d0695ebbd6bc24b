import { evaluateWhen } from '../expression/when.ts';
import { resolvePath } from '../expression/path.ts';
import { scalarText } from '../expression/same-value.ts';
import type { ToolPayload } from '../events/effect.ts';
import type { TransitionCause } from '../events/event.ts';
import type { Json } from '../events/json.ts';
import type { GraphNode, Target } from '../graph/graph.ts';
import { conditionNames, type Moment } from './names.ts';
import { confirmationIn, waitOf } from './draft.ts';
import { type Retaken, retakenWay } from './decisions.ts';
import { awaitedCall } from './node-call.ts';
import { isAskedAgain, nextNeed, ungroundedIn } from './slots.ts';
import { staleWay } from './stale.ts';

/** A transition that is about to be taken. */
export interface Move {
  readonly to: string;
  readonly cause: TransitionCause;
  readonly function?: string;
  readonly edge?: number;
  /** Where it leaves can be come back to by `$return`. */
  readonly digression?: boolean;
  /** The decision that leads here now that a slot was corrected. */
  readonly retaken?: Retaken;
  /** The calls that the caller was being asked about where this comes back to. */
  readonly asked?: readonly ToolPayload[];
}

/**
 * The way out of a node that no function took: the first edge whose condition is known to hold, then `default_transition`. What
 * has no condition needs the node's `collect` to be complete, and what the node calls on entry to be done.
 */
export function wayOut({ graph, state, civil }: Moment, node: GraphNode): Move | null {
  // It is left by what it waits for.
  if (node.interrupt !== null && isUndecided(state, node)) return null;
  // Nothing is decided by what was found nowhere: it is read back first.
  if (ungroundedIn(graph, state, node) !== null) return null;
  const stale = retakenWay({ graph, state, civil }) ?? staleWay({ graph, state }, node);
  if (stale !== null) return stale;
  const awaited = awaitedCall(graph, state, node);
  const complete = awaited === null && (node.collect.length === 0 || nextNeed(graph, state, node) === null);
  for (const edge of node.edges) {
    // What an earlier visit has kept of the call says nothing about this one.
    if (awaited !== null && edge.when?.references.some(({ path: [name] }) => name === awaited.saveAs) === true)
      continue;
    // Nothing is decided by a value that the caller is being asked for again.
    if (edge.when?.references.some(({ path: [name] }) => isAskedAgain(state, node, String(name))) === true) continue;
    const holds = edge.when === null ? complete : evaluateWhen(edge.when, conditionNames({ graph, state, civil }));
    if (holds) return { to: edge.to, cause: 'edge', edge: edge.index };
  }
  return complete && node.defaultTransition !== null ? { to: node.defaultTransition, cause: 'default' } : null;
}

/** Whether what the node waits for has not come yet. */
function isUndecided(state: Moment['state'], { id }: GraphNode): boolean {
  const subject = confirmationIn(state)?.payload.subject;
  return waitOf(state, id) !== undefined || (subject?.kind === 'node' && subject.node === id);
}

/** Where a function's result leads; null where it stays. */
export function targetFor(target: Target | null, result: Json | undefined): string | null {
  if (target === null) return null;
  if (target.kind === 'node') return target.to;
  const [first = '', ...rest] = target.field;
  // The first segment is looked up in the result itself.
  const value = resolvePath(['result', first, ...rest], () => result);
  const text = scalarText(value);
  return (text === undefined ? undefined : target.cases.get(text)) ?? target.otherwise;
}

/** A way out that a condition opens, or back to what is to be computed anew: a correction may have met it. */
export function conditionalWay(moment: Moment, node: GraphNode): Move | null {
  const way = wayOut(moment, node);
  if (way?.cause === 'stale') return way;
  if (way === null || way.cause !== 'edge') return null;
  return node.edges.some(({ index, when }) => index === way.edge && when !== null) ? way : null;
}
