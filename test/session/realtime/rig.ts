import { type llm, voice } from '@livekit/agents';
import type { FlowSource } from '../../../src/load/flow-library.ts';
import type { FlowRunnerOptions } from '../../../src/runner/options.ts';
import { FlowRunner } from '../../../src/runner/flow-runner.ts';
import { closeLater, recordCall, silenceLivekit } from '../call-record.ts';
import { FakeRealtimeModel, type RealtimeScript } from './fake-model.ts';

/** A flow, or with null the classic path, on a real AgentSession whose model is a realtime one, in text. */
export async function realtimeCall(
  flow: FlowSource | null,
  script: RealtimeScript,
  capabilities: Partial<llm.RealtimeCapabilities> = {},
  options: Partial<FlowRunnerOptions> = {},
) {
  silenceLivekit();
  const model = new FakeRealtimeModel(script, capabilities);
  const session = new voice.AgentSession({
    llm: model,
    vad: null,
    turnHandling: { turnDetection: null },
    userAwayTimeout: null,
  });
  const runner = new FlowRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...options });
  const record = recordCall(runner);
  closeLater(async () => {
    await runner.stop();
    await session.close();
  });
  await runner.start();
  return { model, session, runner, ...record };
}

/** Greets, calls what it is offered when the caller speaks, and tells where it is when a call has been answered. */
export const walks: RealtimeScript = ({ items, tools, instructions }) =>
  (items.at(-1) ?? '').startsWith('user:') && items.at(-1) !== 'user:hm'
    ? { calls: [{ name: tools[0] ?? '' }] }
    : { text: `Here is ${instructions}` };
