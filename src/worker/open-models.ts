import type { llm, log, stt, tts, VAD } from '@livekit/agents';
import { type ModelChoices, plugInOf } from '../session/plug-in-choice.ts';
import { speechReadiness } from '../session/offline-speech/readiness.ts';
import { createRealtimeModel } from '../session/realtime-model.ts';
import { createVoiceModels } from '../session/voice-models.ts';

/** The models of a call; without ears and a voice it is in text. */
export interface CallModels {
  readonly llm: llm.LLM | llm.RealtimeModel;
  readonly stt?: stt.STT;
  readonly tts?: tts.TTS;
  readonly vad?: VAD;
}

/**
 * Opens the models of a call. Throws `key-missing` or `plugin-missing`; keys come from the environment only. Where
 * speech is not installed, that is told and calls are in text.
 */
export async function openModels(
  { realtime, llm: choice, stt: ears, tts: voice }: ModelChoices,
  env: NodeJS.ProcessEnv,
  logger: ReturnType<typeof log>,
): Promise<CallModels> {
  if (typeof realtime === 'string') return { llm: await createRealtimeModel(realtime, env) };
  if (realtime !== undefined) return { llm: await plugInOf(realtime) };
  const named = typeof choice === 'string' || choice === undefined ? choice : await plugInOf(choice);
  const stt = typeof ears === 'string' || ears === undefined ? ears : await plugInOf(ears);
  const tts = typeof voice === 'string' || voice === undefined ? voice : await plugInOf(voice);
  const models = await createVoiceModels({ llm: named, stt, tts }, env);
  if (models.stt.label.startsWith('offline')) warn(logger, speechReadiness().recognition);
  if (models.tts.label.startsWith('offline')) warn(logger, speechReadiness().voice);
  return models;
}

function warn(logger: ReturnType<typeof log>, problem: string | null): void {
  if (problem !== null) logger.warn(`${problem} Calls go on in text.`);
}
