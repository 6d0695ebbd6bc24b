import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import { isError } from '../../flow/load/problems/diagnose.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { openTestedFlow } from '../../flowtest/open-flow.ts';
import type { OpenedFlow } from '../../flowtest/opened-test.ts';
import { printDiagnostic } from '../output.ts';

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
