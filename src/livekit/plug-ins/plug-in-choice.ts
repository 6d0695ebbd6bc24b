import type { llm, stt, tts, voice } from '@livekit/agents';
import type { ModelChoice } from './model-choice.ts';

/** A LiveKit plug-in, or a function that creates one. A worker calls it in each of its jobs. */
type PlugIn<Kind> = Kind | (() => Kind | Promise<Kind>);

/** The models of an agent, by name or as LiveKit plug-ins. */
export interface ModelChoices {
  readonly llm?: Extract<ModelChoice, string> | PlugIn<llm.LLM> | undefined;
  readonly stt?: 'openai' | 'deepgram' | 'offline' | PlugIn<stt.STT> | undefined;
  readonly tts?: 'openai' | 'deepgram' | 'offline' | PlugIn<tts.TTS> | undefined;
  readonly realtime?: 'openai' | PlugIn<llm.RealtimeModel> | undefined;
}

type SessionOptions = NonNullable<ConstructorParameters<typeof voice.AgentSession>[0]>;

/** Options of `AgentSession` about turns and interruptions. */
export type VoiceOptions = NonNullable<SessionOptions['turnHandling']> &
  Pick<SessionOptions, 'aecWarmupDuration' | 'userAwayTimeout'>;

type Made<Choice> = Choice extends () => infer Kind ? Awaited<Kind> : Choice;

/** Returns the chosen plug-in, calling its function if it is one. Names and undefined are returned unchanged. */
export function plugInOf<Choice>(choice: Choice): Promise<Made<Choice>>;
export async function plugInOf(choice: unknown): Promise<unknown> {
  // A plug-in itself is never a function.
  return typeof choice === 'function' ? await (choice as () => unknown)() : choice;
}
