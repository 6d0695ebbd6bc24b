import type { stt, tts, voice } from '@livekit/agents';
import { guardDeepgramVoice } from './guard-deepgram-voice.ts';
import { guardRealtimeModel } from '../realtime/guard.ts';
import { guardRecognition, guardStreams, recogniseWithinMs } from './guard-stt.ts';
import { guardSynthesis } from './guard-tts.ts';
import { importOpenai } from './models.ts';

const guarded = new WeakSet<object>();

/**
 * Makes the plug-ins of a session tell their failures as LiveKit's events. Some of 1.9.0 end the process instead, or
 * stay silent. Only the objects that were given are changed, each once.
 */
export async function guardPlugIns(session: Pick<voice.AgentSession, 'llm' | 'stt' | 'tts'>): Promise<void> {
  const { llm: model, stt: ears, tts: mouth } = session;
  if (model !== undefined && model.label() === 'openai.RealtimeModel' && isNew(model)) {
    const { realtime } = await importOpenai();
    if (model instanceof realtime.RealtimeModel) guardRealtimeModel(model, realtime);
  }
  if (ears !== undefined) guardEars(ears);
  if (mouth !== undefined) guardVoice(mouth);
}

/** The same for ears alone. */
function guardEars(ears: stt.STT): stt.STT {
  if (!isNew(ears)) return ears;
  // On a machine that is busy, what runs on it is late and not lost.
  if (!ears.capabilities.streaming) guardRecognition(ears, isOffline(ears) ? null : recogniseWithinMs);
  else if (ears.label === 'deepgram.STT') guardStreams(ears);
  return ears;
}

/** The same for a voice alone. */
export function guardVoice(mouth: tts.TTS): tts.TTS {
  if (!isNew(mouth)) return mouth;
  if (mouth.label === 'openai.TTS') guardSynthesis(mouth);
  else if (mouth.label === 'deepgram.TTS') guardDeepgramVoice(mouth);
  return mouth;
}

/** Whether a model runs on this machine, which has its own limits for what is stuck. */
export function isOffline(plugIn: Pick<stt.STT | tts.TTS, 'label'>): boolean {
  return plugIn.label.startsWith('offline.');
}

function isNew(plugIn: object): boolean {
  if (guarded.has(plugIn)) return false;
  guarded.add(plugIn);
  return true;
}
