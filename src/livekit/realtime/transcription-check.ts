import { llm, type stt } from '@livekit/agents';

/**
 * Returns the reason why callers cannot confirm a write by voice, if neither a recogniser nor the realtime model transcribes
 * them. Otherwise null.
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
