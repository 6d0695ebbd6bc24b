import { callers } from '../explore/talk/callers.ts';
import { holdTalk } from '../explore/talk/talk.ts';

/**
 * Requests to the model by the callers of the shipped flows at 1c7851df, with the same callers and model: the sum of
 * `requests` from `holdTalk` at that commit, without noise and flaw.
 */
export const inferencesAt1c7851df = 44;

/** Counts the requests to the model in the shipped flows and README's, for callers who answer what they are asked. */
export async function countShippedFlows(): Promise<number> {
  const talks = callers.map((caller) =>
    holdTalk({ seed: 1, caller, noise: () => [], flaw: 'none', cleanTurns: Infinity }),
  );
  let inferences = 0;
  for (const { finding, requests } of await Promise.all(talks)) {
    if (finding !== null) throw new Error(`${finding.flow} breaks: ${finding.invariant}: ${finding.detail}`);
    inferences += requests;
  }
  return inferences;
}
