import pLimit from 'p-limit';
import type { Engine } from './document/document.ts';
import { expandScenarios } from './document/expand-scenarios.ts';
import type { OpenedTest } from './opened-test.ts';
import { runScenario, type RunSettings, type ScenarioToRun, skippedResult } from './play/run-scenario.ts';
import type { ScenarioResult } from './play/scenario-result.ts';

/** Options for which tests are run, and how. */
export interface RunChoices extends RunSettings {
  /** Replaces the engines that scenarios name. */
  readonly engine?: Engine | undefined;
  /** Only scenarios with this text in their name. */
  readonly name?: string | undefined;
  /** Only scenarios with one of these tags. */
  readonly tags?: readonly string[] | undefined;
  /** Skips scenarios with a live model. */
  readonly withoutLive?: boolean | undefined;
  /** How often live scenarios are run. Replaces their own setting. */
  readonly repeat?: number | undefined;
  /** The number of scenarios that run at the same time. Default: 8. */
  readonly atOnce?: number | undefined;
  /** Starts no more scenarios after a failure. */
  readonly bail?: boolean | undefined;
}

/** The results of one file. */
export interface FileResult {
  readonly test: OpenedTest;
  readonly scenarios: readonly ScenarioResult[];
}

const defaultAtOnce = 8;

/** Runs the scenarios of files, several at once. Calls `onFile` for each file in order, as soon as it is done. */
export async function runTests(
  tests: readonly OpenedTest[],
  choices: RunChoices,
  onFile: (result: FileResult) => void = () => undefined,
): Promise<readonly FileResult[]> {
  const limit = pLimit(choices.atOnce ?? defaultAtOnce);
  let hasFailed = false;
  const runOne = async (test: OpenedTest, one: ScenarioToRun): Promise<ScenarioResult> => {
    const reason = whySkipped(one);
    if (reason !== null) return skippedResult(test, one, reason);
    if (choices.bail === true && hasFailed) return skippedResult(test, one, 'another one has failed before');
    const result = await runRepeated(test, one, choices);
    hasFailed ||= result.status === 'failed' || result.status === 'broken';
    return result;
  };
  const begun = tests.map((test) => {
    const chosen = expandScenarios(test.document, choices.engine).filter((one) => isChosen(one, choices));
    return { test, work: Promise.all(chosen.map((one) => limit(() => runOne(test, one)))) };
  });
  const results: FileResult[] = [];
  for (const { test, work } of begun) {
    const result = { test, scenarios: await work };
    results.push(result);
    onFile(result);
  }
  return results;
}

function isChosen({ name, engine, scenario: { tags = [] } }: ScenarioToRun, choices: RunChoices): boolean {
  if (choices.withoutLive === true && engine === 'live') return false;
  if (choices.name !== undefined && !name.toLowerCase().includes(choices.name.toLowerCase())) return false;
  return choices.tags === undefined || choices.tags.some((tag) => tags.includes(tag));
}

/** Runs a live scenario as often as it says. Of several runs, `passK` sets how many must pass. */
async function runRepeated(test: OpenedTest, one: ScenarioToRun, choices: RunChoices): Promise<ScenarioResult> {
  const { repeat = 1, passK } = one.scenario;
  const runs = one.engine === 'live' ? (choices.repeat ?? repeat) : 1;
  const results: ScenarioResult[] = [];
  for (let run = 0; run < runs; run += 1) {
    const result = await runScenario(test, one, choices);
    results.push(result);
    if (result.status === 'broken') return result;
  }
  const [first] = results;
  if (first === undefined || runs === 1) return first ?? skippedResult(test, one, 'no run');
  const passed = results.filter(({ status }) => status === 'passed').length;
  const needed = Math.min(passK ?? runs, runs);
  const told = results.find(({ status }) => status === (passed >= needed ? 'passed' : 'failed')) ?? first;
  const durationMs = results.reduce((sum, each) => sum + each.durationMs, 0);
  return { ...told, repeats: { runs, passed, needed }, durationMs };
}

/** Why a scenario is not run by its engine, or null if it is. */
function whySkipped({ scenario: { skip, persona, turns = [] }, engine }: ScenarioToRun): string | null {
  if (skip !== undefined) return skip === true ? 'skip' : skip;
  if (persona !== undefined && turns.length === 0 && engine !== 'live') return 'a persona needs the live engine';
  return null;
}
