import type { ArrowShown, FlowShown } from '../../../flow/picture/flow-shown.ts';
import type { StepShown } from '../../protocol/session-shown.ts';

/** The path of a conversation in a picture. */
export interface Travelled {
  /** The current node; null before the start. */
  readonly here: string | null;
  /** The nodes that were entered. */
  readonly been: ReadonlySet<string>;
  /** How often each arrow was taken, by `ArrowShown.id`. */
  readonly taken: ReadonlyMap<string, number>;
  /** The arrows of the last step. */
  readonly latest: ReadonlySet<string>;
}

/**
 * Reads the path from the facts of steps, because one step may pass several nodes. Steps in other flows or versions
 * count if this flow has the same arrow.
 */
export function travelledIn(flow: FlowShown, steps: readonly StepShown[]): Travelled {
  const been = new Set<string>();
  const taken = new Map<string, number>();
  let latest = new Set<string>();
  for (const { facts, node } of steps) {
    const now = new Set<string>();
    for (const fact of facts) {
      if (fact.type !== 'transition:taken') continue;
      been.add(fact.data.from).add(fact.data.to);
      const way = wayOf(flow, fact.data);
      if (way === undefined) continue;
      taken.set(way.id, (taken.get(way.id) ?? 0) + 1);
      now.add(way.id);
    }
    if (node !== '') been.add(node);
    if (now.size > 0) latest = now;
  }
  const node = steps.at(-1)?.node ?? '';
  return { here: node === '' ? null : node, been, taken, latest };
}

interface Transition {
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  readonly function?: string;
  readonly edge?: number;
}

function wayOf({ arrows }: FlowShown, transition: Transition): ArrowShown | undefined {
  const { from, to, cause, function: name, edge } = transition;
  const kinds = kindsOf[cause] ?? [];
  const isIt = (arrow: ArrowShown): boolean =>
    (arrow.to === to || (cause === 'return' && arrow.to === '$return')) &&
    kinds.includes(arrow.kind) &&
    (name === undefined || arrow.function === name) &&
    (edge === undefined || arrow.edge === edge);
  return (
    arrows.find((arrow) => arrow.from === from && isIt(arrow)) ??
    arrows.find((arrow) => arrow.from === '*' && isIt(arrow))
  );
}

/** The kinds of arrows for each cause of a transition. */
const kindsOf: Readonly<Record<string, readonly ArrowShown['kind'][]>> = {
  ...{ function: ['function'], refused: ['refused'], edge: ['condition'], default: ['default'] },
  key: ['function'],
  ...{ error: ['error'], trouble: ['trouble'], expired: ['deadline'] },
  return: ['default', 'function', 'condition'],
};
