import { llm, type stt } from '@livekit/agents';

/**
 * Why a caller cannot agree to a write by voice with these models: neither a recogniser nor the realtime model transcribes
 * their words. Null if one of them does.
 */
export function unheardWords({
  llm: model,
  stt: ears,
}: {
  readonly llm: llm.LLM | llm.RealtimeModel;
  readonly stt?: stt.STT;
}): string | null {
  if (!(model instanceof llm.RealtimeModel) || model.capabilities.userTranscription || ears !== undefined) return null;
  return 'the realtime model does not transcribe the caller, so no yes by voice begins a write. Name a recogniser: models.stt.';
}
