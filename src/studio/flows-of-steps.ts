import type { FlowShown } from '../picture/flow-shown.ts';
import type { StepShown } from './protocol/session-shown.ts';

/**
 * The versions of flows that steps were folded over, by hash. A version that a store has kept may have no name of its own, as a
 * flow in code that is registered under one: it is called as the log calls it.
 */
export async function flowsOfSteps(
  steps: readonly Pick<StepShown, 'signal' | 'flowHash'>[],
  flowOf: (hash: string) => Promise<FlowShown | null>,
): Promise<Record<string, FlowShown>> {
  const names = flowNames(steps);
  const flows: Record<string, FlowShown> = {};
  for (const hash of new Set(steps.map(({ flowHash }) => flowHash))) {
    const flow = await flowOf(hash);
    if (flow !== null) flows[hash] = { ...flow, name: names.get(hash) ?? flow.name };
  }
  return flows;
}

/** What the flow of each hash is called in a log. */
export function flowNames(log: readonly Pick<StepShown, 'signal'>[]): ReadonlyMap<string, string> {
  return new Map(log.flatMap(({ signal }) => ('flow' in signal ? [[signal.flow.hash, signal.flow.id] as const] : [])));
}
