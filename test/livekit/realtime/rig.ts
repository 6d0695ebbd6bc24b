import type { llm } from '@livekit/agents';
import type { FlowSource } from '../../../src/flow/load/files/flow-library.ts';
import type { RunnerOptions } from '../../../src/runner/options/runner-options.ts';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { OpenMicrophone } from '../../../src/testing/open-microphone.ts';
import { closeLater, recordCall } from '../call-record.ts';
import type { Loudspeaker } from '../speech/voice-parts.ts';
import { FakeRealtimeModel, type RealtimeScript } from './fake-model.ts';
import { createRealtimeSession } from './realtime-session.ts';

type RealtimeOptions = Partial<RunnerOptions> & {
  readonly hasMicrophone?: boolean;
  /** Plays the model's speech. Without it the session is in text. */
  readonly speaker?: Loudspeaker;
};

/**
 * Starts a flow, or with null the classic path, on a real AgentSession with a realtime model; in text, unless there is
 * a microphone.
 */
export async function realtimeCall(
  flow: FlowSource | null,
  script: RealtimeScript,
  capabilities: Partial<llm.RealtimeCapabilities> = {},
  { hasMicrophone = false, speaker, ...options }: RealtimeOptions = {},
) {
  const model = new FakeRealtimeModel(script, capabilities);
  const session = createRealtimeSession(model);
  if (speaker !== undefined) {
    model.sounds = true;
    session.output.audio = speaker;
  }
  if (hasMicrophone) session.input.audio = new OpenMicrophone();
  const runner = createRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...options });
  const record = recordCall(runner);
  closeLater(async () => {
    await runner.stop();
    await session.close();
  });
  await runner.start();
  return { model, session, runner, ...record };
}

/** Greets, calls the offered function when the caller speaks, and says which node it is in after a call. */
export const walks: RealtimeScript = ({ items, tools, instructions }) =>
  (items.at(-1) ?? '').startsWith('user:') && items.at(-1) !== 'user:hm'
    ? { calls: [{ name: tools[0] ?? '' }] }
    : { text: `Here is ${instructions}` };
