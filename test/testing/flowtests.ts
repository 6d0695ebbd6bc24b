import type { FlowTest } from '../../src/flowtest/document/document.ts';
import { openTest } from '../../src/flowtest/open-test.ts';
import { type FileResult, type RunChoices, runTests } from '../../src/flowtest/run-tests.ts';
import type { ScenarioResult } from '../../src/flowtest/play/scenario-result.ts';
import { folderOf } from '../cli/run-cli.ts';
import { join } from 'node:path';

/** A flower shop that is short, and has a write, a read-back, a way by condition and a digression. */
const orderFlow = `name: order
initial_node: details
role_messages: [{ role: system, content: You take orders for a flower shop. }]
slots:
  flowers: { type: enum, ask: "Roses or tulips?", values: { roses: [rose], tulips: [tulip] } }
  count: { type: integer, ask: "How many?", minimum: 3, maximum: 50 }
functions:
  - { name: goodbye, description: The caller says goodbye., transition_to: bye }
nodes:
  details:
    collect: [flowers, count]
    default_transition: pay
  pay:
    task_messages: [{ role: system, content: Take the order with place_order. }]
    call: place_order
    functions:
      - name: place_order
        description: Place the order.
        parameters:
          type: object
          properties: { flowers: { type: string }, count: { type: integer } }
          required: [flowers, count]
        effect: write
        confirm: "{{ count }} {{ flowers }}. Shall I order them?"
        timeout_ms: 5000
        retry: { max_attempts: 2, backoff_ms: 100 }
        transition_to: { field: status, cases: { placed: done, sold_out: sorry }, default: sorry }
      - { name: do_not_order, description: The caller says no., transition_to: bye }
  wholesale: { say: "For so many our wholesale desk calls you.", end: wholesale }
  done: { say: "Your {{ flowers }} are on their way. Thank you!", end: ordered }
  sorry: { say: "I am sorry, we have none left. Goodbye!", end: sold_out }
  bye: { say: Goodbye!, end: goodbye }
on_error: sorry
edges:
  - { from: details, to: wholesale, when: { greater: { var: count, value: 30 } } }
`;

/** Files in a folder that is gone after the test; the flow is always one of them. */
export function orderFolder(files: Readonly<Record<string, string>> = {}): string {
  return folderOf({ 'order.yaml': orderFlow, ...files });
}

/** Runs a test that stands in a file beside the flow. */
export async function runText(
  text: string,
  choices: RunChoices = {},
  files: Readonly<Record<string, string>> = {},
): Promise<FileResult> {
  const folder = orderFolder({ ...files, 'order.flowtest.yaml': text });
  const { test, diagnostics } = await openTest(join(folder, 'order.flowtest.yaml'));
  if (test === null)
    throw new Error(diagnostics.map(({ line, message, hint }) => `${line}: ${message} ${hint}`).join('\n'));
  const [result] = await runTests([test], choices);
  if (result === undefined) throw new Error('nothing was run');
  return result;
}

/** Runs scenarios that are written in TypeScript. */
export async function runScenarios(
  scenarios: FlowTest['scenarios'],
  given: Omit<FlowTest, 'scenarios' | 'flow'> & { readonly flow?: string } = {},
  choices: RunChoices = {},
): Promise<readonly ScenarioResult[]> {
  const folder = orderFolder();
  const { test, diagnostics } = await openTest({ flow: 'order.yaml', ...given, scenarios }, folder);
  if (test === null) throw new Error(diagnostics.map(({ message, hint }) => `${message} ${hint}`).join('\n'));
  const [result] = await runTests([test], choices);
  return result?.scenarios ?? [];
}

/** What does not hold, a line each. */
export function failuresOf(results: readonly ScenarioResult[]): string[] {
  return results.flatMap(({ name, status, reason, failures }) => [
    ...(status === 'broken' ? [`${name}: ${reason}`] : []),
    ...failures.map(({ turn, message, expected, found }) => `${name}: ${turn}: ${message}: ${expected} / ${found}`),
  ]);
}
