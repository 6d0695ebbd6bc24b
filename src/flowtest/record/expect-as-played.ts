import type { Scenario, Turn } from '../document/document.ts';
import type { ScenarioResult } from '../play/scenario-result.ts';

/** A recorded scenario that expects what its play has shown, and what of it is another way than was recorded. */
export interface ExpectedAsPlayed {
  readonly scenario: Scenario;
  readonly notes: readonly string[];
}

/**
 * What turns expect that were recorded on an older version of the flow, as they came out in a play on the one of now: the
 * first `turnsBefore` turns. Null where all of those hold; expectations of later turns stay.
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
