import { z } from 'zod';
import { FlowError } from '../model/errors.ts';
import { formatDiagnostic } from '../flow/document/problems/diagnostic.ts';
import { assertOptions, optionShapes, type OptionShapes } from '../flow/document/problems/option-faults.ts';
import { isError } from '../flow/load/problems/diagnose.ts';
import type { FlowTest } from './document/document.ts';
import { openTest } from './open-test.ts';
import { prettyFile } from './reports/pretty.ts';
import { type FileResult, type RunChoices, runTests } from './run-tests.ts';
import type { ScenarioResult } from './play/scenario-result.ts';

/** Options for which tests are run, and how. */
export interface FlowTestOptions extends RunChoices {
  /** The folder from which a test object names its flow. Default: the working folder. */
  readonly baseFolder?: string;
}

const shapes: OptionShapes<FlowTestOptions> = {
  baseFolder: z.string(),
  store: z.string(),
  engine: z.enum(['scripted', 'offline', 'live']),
  name: z.string(),
  tags: z.array(z.string()),
  seed: z.number().int(),
  repeat: z.number().int().min(1),
  atOnce: ['a number of at least 1', (value) => typeof value === 'number' && value >= 1],
  withoutLive: optionShapes.flag,
  bail: optionShapes.flag,
};

/** The result of a test. */
export interface FlowTestResult {
  readonly ok: boolean;
  readonly scenarios: readonly ScenarioResult[];
  /** The result as text, as `roomflow test` prints it. */
  readonly report: string;
}

/**
 * Writes a test in TypeScript with types: the same content as in a `*.flowtest.yaml`. Throws nothing: it is checked when
 * it is run.
 * @example
 * export default defineFlowTest({
 *   flow: 'order.yaml',
 *   scenarios: [{ name: 'it greets', turns: [{ expect: { said: 'Roses or tulips' } }] }],
 * });
 */
export function defineFlowTest(test: FlowTest): FlowTest {
  return test;
}

/**
 * Runs conversation tests from a file or an object, in virtual time. Failures are part of the result. Throws
 * `test-invalid` with all errors in the test, in its flow or in its configuration, and `config-invalid` for options of
 * the wrong type.
 * @example
 * const { ok, report } = await runFlowTest('order.flowtest.yaml'); if (!ok) throw new Error(report);
 */
export async function runFlowTest(test: string | FlowTest, options: FlowTestOptions = {}): Promise<FlowTestResult> {
  assertOptions(options, shapes);
  const { baseFolder, ...choices } = options;
  const { test: opened, diagnostics } = await openTest(test, baseFolder);
  if (opened === null)
    throw new FlowError(
      'test-invalid',
      ['the test cannot run.', ...diagnostics.filter(isError).map(formatDiagnostic)].join('\n'),
    );
  const [result = { test: opened, scenarios: [] }]: readonly FileResult[] = await runTests([opened], choices);
  const { scenarios } = result;
  return {
    ok: scenarios.every(({ status }) => status === 'passed' || status === 'skipped'),
    scenarios,
    report: prettyFile(result, (_tone, text) => text, { talk: false }),
  };
}

/**
 * Throws an error that lists the failures of a test, with the lines of the test and of the flow.
 * @example
 * assertFlowTest(await runFlowTest('order.flowtest.yaml'));
 */
export function assertFlowTest({ ok, report }: FlowTestResult): void {
  if (!ok) throw new Error(report);
}
