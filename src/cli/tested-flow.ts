import type { OpenedConfig } from '../config.ts';
import { FlowError } from '../errors.ts';
import { isError } from '../load/diagnose.ts';
import type { FlowSource } from '../load/flow-library.ts';
import { openTestedFlow } from '../testing/flowtest/open-flow.ts';
import type { OpenedFlow } from '../testing/flowtest/opened-test.ts';
import { printDiagnostic } from './output.ts';

/** Opens the flow of a new test. Prints its errors and returns null if it has any. Throws `flow-invalid`. */
export async function testedFlow(
  name: string,
  config: OpenedConfig | null,
  source: FlowSource = name,
): Promise<OpenedFlow | null> {
  const opened = await openTestedFlow(source, config);
  if (opened.flow !== null) return opened.flow;
  if (opened.fault !== null) throw new FlowError('flow-invalid', `${name} ${opened.fault}`);
  for (const diagnostic of opened.diagnostics.filter(isError)) printDiagnostic(diagnostic);
  process.exitCode = 2;
  return null;
}
