import { llm, type tts } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import type { AgentPolicy } from '../agent/agent-policy.ts';

/** The models of a session that limit an agent's options. */
export interface SpeakingModels {
  readonly llm?: llm.LLM | llm.RealtimeModel | undefined;
  readonly tts?: tts.TTS | undefined;
}

/**
 * Throws `realtime-unsupported` if an agent's options require a text model but its realtime model answers with audio. Called before a call is taken.
 */
export function assertRealtimeFits({ output, router, hooks }: AgentPolicy, models: SpeakingModels): void {
  const { llm: model, tts: mouth } = models;
  if (!(model instanceof llm.RealtimeModel) || !model.capabilities.audioOutput) return;
  const write = "Let it write (modalities: ['text']) and name a tts";
  const unfit = (what: string): FlowError => new FlowError('realtime-unsupported', what);
  if (output !== undefined) throw unfit(`output: JSON cannot be spoken, and the realtime model speaks. ${write}.`);
  if (router?.mode === 'detector')
    throw unfit(`router: mode "detector" asks for JSON, and the realtime model speaks. ${write}, or use mode "rules".`);
  if (hooks?.beforeResponse === undefined) return;
  if (hooks.decideBy === 'sentence')
    throw unfit(`hooks.decideBy: the sound of a realtime model has no sentences. ${write}, or decide by "reply".`);
  if (mouth === undefined)
    throw unfit('hooks.beforeResponse: the realtime model cannot be made to say other words. Name a tts.');
}
