import { type llm, type tts, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { closeLater, recordCall, silenceLivekit } from '../livekit/call-record.ts';
import { Ear, Microphone } from './caller-sound.ts';
import { openaiRealtimeServer, type RealtimeScript } from './openai-realtime-server.ts';

type ModelOptions = NonNullable<ConstructorParameters<typeof openai.realtime.RealtimeModel>[0]>;

export interface RealtimeCallOptions extends Partial<Omit<RunnerOptions, 'flow' | 'session'>> {
  /** Options of the plug-in's model, besides key and address. */
  readonly model?: ModelOptions;
  /** Replaces the model. */
  readonly behind?: (model: llm.RealtimeModel) => llm.RealtimeModel;
  readonly tts?: tts.TTS;
  readonly turnDetection?: 'vad';
  readonly vad?: NonNullable<ConstructorParameters<typeof voice.AgentSession>[0]>['vad'];
}

/**
 * Runs a flow, or with null the classic path, on a real AgentSession and the plug-in's realtime model, with audio in
 * and out, against a server of its protocol.
 */
export async function realtimeCall(
  flow: ConversationFlow | null,
  script: RealtimeScript,
  options: RealtimeCallOptions = {},
) {
  silenceLivekit();
  const { model: given, behind = (model) => model, tts: voiceOf, vad = null, turnDetection, ...rest } = options;
  const server = await openaiRealtimeServer(script);
  const model = new openai.realtime.RealtimeModel({
    apiKey: 'sk-secret',
    baseURL: server.url,
    turnDetection: { type: 'server_vad' },
    connOptions: { maxRetry: 2, retryIntervalMs: 50, timeoutMs: 1_000 },
    ...given,
  });
  const session = new voice.AgentSession({
    llm: behind(model),
    vad,
    ...(voiceOf === undefined ? {} : { tts: voiceOf }),
    turnHandling: {
      ...(turnDetection === undefined ? {} : { turnDetection }),
      endpointing: { mode: 'fixed', minDelay: 20, maxDelay: 20 },
      interruption: { mode: 'vad' },
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: 0,
    userAwayTimeout: null,
  });
  const ear = new Ear();
  const microphone = new Microphone(24_000);
  session.output.audio = ear;
  session.input.audio = microphone;
  const runner = createRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...rest });
  const record = recordCall(runner);
  closeLater(async () => {
    ear.play();
    await runner.stop();
    await session.close();
    await server.close();
  });
  await runner.start();
  return { server, session, runner, ...record, ear, microphone };
}
