import { llm, type stt } from '@livekit/agents';

/**
 * Why no write can be agreed to by voice with these models: nothing tells the caller's words. Null if a recogniser or the
 * realtime model does.
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
