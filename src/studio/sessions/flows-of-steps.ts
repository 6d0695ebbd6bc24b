import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import type { StepShown } from '../protocol/session-shown.ts';

/**
 * Returns the flow versions of steps, by hash. A stored version of a flow in code may have no name; it gets the name
 * from the log.
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

/** Returns the names of flows in a log, by hash. */
export function flowNames(log: readonly Pick<StepShown, 'signal'>[]): ReadonlyMap<string, string> {
  return new Map(log.flatMap(({ signal }) => ('flow' in signal ? [[signal.flow.hash, signal.flow.id] as const] : [])));
}
