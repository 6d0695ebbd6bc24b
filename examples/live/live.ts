import process from 'node:process';
import { type FlowRun, type FlowRunResult, modelPort } from 'roomflow/livekit';

if ((process.env['OPENAI_API_KEY'] ?? '') === '') {
  console.error('Set OPENAI_API_KEY, and OPENAI_BASE_URL and OPENAI_MODEL where the server is not that of OpenAI.');
  process.exit(2);
}

/** The model of any server with OpenAI's protocol. */
export const model = modelPort('openai');

/** Prints whether a check holds. The script fails if it does not. */
export function check(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (!holds) process.exitCode = 1;
}

/** Runs a flow, and prints the reason of a failure. */
export async function outcomeOf(flow: FlowRun): Promise<FlowRunResult> {
  const result = await flow.run();
  for (const { taskId, code, message } of result.failures) console.error(`${taskId}: ${code}: ${message}`);
  return result;
}
