import type { llm, stt, tts, VAD } from '@livekit/agents';
import { type ModelChoices, plugInOf } from '../livekit/plug-ins/plug-in-choice.ts';
import type { AgentPolicy } from '../livekit/agent/agent-policy.ts';
import { speechReadiness } from '../offline/helper/readiness.ts';
import { assertRealtimeFits } from '../livekit/realtime/limits.ts';
import { unheardWords } from '../livekit/realtime/transcription-check.ts';
import { createRealtimeModel } from '../livekit/realtime/model.ts';
import { createVoiceModels, openRealtimeSpeech } from '../livekit/plug-ins/voice-models.ts';
import type { WorkerLog } from './worker-log.ts';

/** The models of a call; without STT and TTS the call is text. */
export interface CallModels {
  readonly llm: llm.LLM | llm.RealtimeModel;
  readonly stt?: stt.STT;
  readonly tts?: tts.TTS;
  readonly vad?: VAD;
}

/**
 * Opens the models of a call. Keys come from the environment only. If offline speech is not installed, logs a warning and calls
 * are text. Throws `key-missing`, `plugin-missing`, or `realtime-unsupported` if a realtime model does not support the agent's options.
 */
export async function openModels(
  { models: choices = {}, ...policy }: AgentPolicy & { readonly models?: ModelChoices | undefined },
  env: NodeJS.ProcessEnv,
  logger: WorkerLog,
): Promise<CallModels> {
  const stt = await plugInOf(choices.stt);
  const tts = await plugInOf(choices.tts);
  const realtime = await plugInOf(choices.realtime);
  if (realtime !== undefined) {
    const beside = { ...(await openRealtimeSpeech({ stt, tts }, env)), llm: await createRealtimeModel(realtime, env) };
    assertRealtimeFits(policy, beside);
    const unheard = unheardWords(beside);
    if (unheard !== null) logger.warn(unheard);
    return beside;
  }
  const models = await createVoiceModels({ llm: await plugInOf(choices.llm), stt, tts }, env);
  if (models.stt.label.startsWith('offline')) warn(logger, speechReadiness().recognition);
  if (models.tts.label.startsWith('offline')) warn(logger, speechReadiness().voice);
  return models;
}

/** Closes the offline speech of this process; calls have separate processes. */
export async function closeOffline({ stt, tts }: CallModels): Promise<void> {
  for (const part of [stt, tts]) if (part?.label.startsWith('offline') === true) await part.close();
}

function warn(logger: WorkerLog, problem: string | null): void {
  if (problem !== null) logger.warn(`${problem} Calls go on in text.`);
}
