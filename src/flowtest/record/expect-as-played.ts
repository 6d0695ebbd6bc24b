import type { Scenario, Turn } from '../document/document.ts';
import type { ScenarioResult } from '../play/scenario-result.ts';

/** A recorded scenario with expectations from its play, and the differences from the recording. */
export interface ExpectedAsPlayed {
  readonly scenario: Scenario;
  readonly notes: readonly string[];
}

/**
 * Updates the expectations of turns that were recorded on an older version of the flow, from a play on the current
 * version: the first `turnsBefore` turns. Returns null if all of those hold. Expectations of later turns stay.
 */
export function expectAsPlayed(
  scenario: Scenario,
  turnsBefore: number,
  { failures, events }: Pick<ScenarioResult, 'failures' | 'events'>,
): ExpectedAsPlayed | null {
  const others = new Set(failures.flatMap(({ turn }) => (turn === null || turn > turnsBefore ? [] : [turn])));
  const notes: string[] = [];
  const turns = scenario.turns?.map((turn, index): Turn => {
    const number = index + 1;
    const last = events.findLast((one) => one.turn <= number && one.event.type === 'node:entered');
    const node = last?.event.nodeId ?? null;
    const before = Array.isArray(turn.expect) ? undefined : turn.expect?.node;
    if (!others.has(number) || before === undefined || node === null || node === before) return turn;
    notes.push(`turn ${number} led to ${before} before the change, and leads to ${node} now: that is expected`);
    return { ...turn, expect: { node } };
  });
  return turns === undefined || notes.length === 0 ? null : { scenario: { ...scenario, turns }, notes };
}
