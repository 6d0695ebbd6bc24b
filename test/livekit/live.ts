import { onTestFinished } from 'vitest';
import type { FlowSource } from '../../src/flow/load/files/flow-library.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { createRunner, type FlowRunner } from '../../src/runner/flow-runner.ts';
import type { LiveSession } from '../../src/livekit/agent/live-session.ts';
import { createTextSession, type TextSink } from '../../src/livekit/agent/text-session.ts';
import { type ModelScript, ScriptedModel } from '../../src/testing/scripted-model.ts';
import { type CallRecord, recordCall } from './call-record.ts';

export interface Live extends CallRecord {
  readonly runner: FlowRunner;
  readonly session: LiveSession;
  readonly model: ScriptedModel;
}

/**
 * Starts a flow, or with null the classic path, on a real AgentSession in text with a scripted model. Closes it after
 * the test.
 */
export async function live(
  flow: FlowSource | null,
  script: ModelScript,
  options: Partial<Omit<RunnerOptions, 'flow' | 'session'>> & {
    readonly sink?: TextSink;
    readonly waitForGreeting?: boolean;
    readonly model?: ScriptedModel;
  } = {},
): Promise<Live> {
  const { sink, waitForGreeting = true, model = new ScriptedModel(script), ...rest } = options;
  const session = createTextSession(model, sink);
  const runner = createRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...rest });
  model.nodeOf = () => runner.currentNode;
  const record = recordCall(runner);
  onTestFinished(async () => {
    await runner.stop();
    // LiveKit takes 0.5 s to close it, which the test does not wait for.
    void session.close();
  });
  await runner.start();
  if (waitForGreeting) await runner.idle();
  return { runner, session, model, ...record };
}
