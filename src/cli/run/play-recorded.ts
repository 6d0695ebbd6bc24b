import type { SavedTest } from '../../studio/protocol/acts.ts';
import type { Scenario } from '../../flowtest/document/document.ts';
import { expectAsPlayed } from '../../flowtest/record/expect-as-played.ts';
import { openTest } from '../../flowtest/open-test.ts';
import type { OpenedTest } from '../../flowtest/opened-test.ts';
import type { RecordedSession } from '../../flowtest/record/record-session.ts';
import { runTests } from '../../flowtest/run-tests.ts';
import type { ScenarioResult } from '../../flowtest/play/scenario-result.ts';

/** The result of playing a test that was just recorded. */
export interface PlayedRecord {
  readonly outcome: SavedTest['outcome'];
  readonly notes: readonly string[];
  /** The text of the rewritten scenario; null if the first version is kept. */
  readonly text: string | null;
}

/**
 * Plays a recorded test once, with stand-ins for all code. If the flow changed during the conversation, the earlier
 * turns are rewritten to expect the path they take now, and `write` stores the new scenario.
 */
export async function playRecorded(
  test: OpenedTest,
  { scenario, notes, turnsBefore }: Pick<RecordedSession, 'scenario' | 'notes' | 'turnsBefore'>,
  write: (scenario: Scenario) => string,
): Promise<PlayedRecord> {
  const result = await played(test);
  const fresh = result === null ? null : expectAsPlayed(scenario, turnsBefore, result);
  if (fresh === null) return { outcome: outcomeOf(result), notes, text: null };
  const text = write(fresh.scenario);
  const { test: again } = await openTest(test.file);
  const outcome = outcomeOf(again === null ? null : await played(again));
  return { outcome, notes: [...notes, ...fresh.notes], text };
}

async function played(test: OpenedTest): Promise<ScenarioResult | null> {
  const [result] = await runTests([test], {});
  return result?.scenarios[0] ?? null;
}

function outcomeOf(scenario: ScenarioResult | null): SavedTest['outcome'] {
  if (scenario?.status === 'passed') return { is: 'passes', why: '' };
  const [first] = scenario?.failures ?? [];
  const turn = first?.turn == null || first.turn === 0 ? '' : `turn ${first.turn}: `;
  const found = first?.expected == null ? '' : ` (expected ${first.expected}, found ${first.found ?? 'nothing'})`;
  return { is: 'fails', why: `${turn}${first?.message ?? scenario?.reason ?? 'it does not pass'}${found}` };
}
