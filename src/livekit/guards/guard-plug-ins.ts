import type { stt, tts, VAD, voice } from '@livekit/agents';
import { importOpenai } from '../plug-ins/models.ts';
import { guardDeepgramEars } from './deepgram-stt.ts';
import { guardDeepgramVoice } from './deepgram-tts.ts';
import { guardOpenaiRealtime } from './openai-realtime.ts';
import { guardOpenaiVoice } from './openai-voice.ts';
import { guardRecognition, recogniseWithinMs } from './recognition.ts';
import { guardSpeechBuffer } from './speech-buffer.ts';

const guarded = new WeakSet<object>();

/** Guards the plug-ins of a session, so that their failures become LiveKit error events. Changes only the session's own objects, each once. */
export async function guardPlugIns(session: Pick<voice.AgentSession, 'llm' | 'stt' | 'tts' | 'vad'>): Promise<void> {
  const { llm: model, stt: ears, tts: mouth, vad } = session;
  if (model !== undefined && model.label() === 'openai.RealtimeModel' && isNew(model)) {
    const { realtime } = await importOpenai();
    if (model instanceof realtime.RealtimeModel) guardOpenaiRealtime(model, realtime);
  }
  guardEars(ears, vad);
  if (mouth !== undefined) guardVoice(mouth);
}

/** Guards a recogniser and the VAD that finds speech for it. */
export function guardEars(ears: stt.STT | undefined, vad: VAD | undefined): void {
  if (vad !== undefined && isNew(vad)) guardSpeechBuffer(vad);
  if (ears === undefined || !isNew(ears)) return;
  // An offline recogniser may be late on a busy machine, and has its own limit.
  if (!ears.capabilities.streaming) guardRecognition(ears, isOffline(ears) ? null : recogniseWithinMs);
  else if (ears.label === 'deepgram.STT') guardDeepgramEars(ears);
}

/** Guards a voice alone. */
export function guardVoice(mouth: tts.TTS): tts.TTS {
  if (!isNew(mouth)) return mouth;
  if (mouth.label === 'openai.TTS') guardOpenaiVoice(mouth);
  else if (mouth.label === 'deepgram.TTS') guardDeepgramVoice(mouth);
  return mouth;
}

/** Checks whether a plug-in runs on this machine, and so has its own limits. */
export function isOffline(plugIn: Pick<stt.STT | tts.TTS, 'label'>): boolean {
  return plugIn.label.startsWith('offline.');
}

function isNew(plugIn: object): boolean {
  if (guarded.has(plugIn)) return false;
  guarded.add(plugIn);
  return true;
}
