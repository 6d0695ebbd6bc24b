import type { llm } from '@livekit/agents';
import { initializeLogger, loggerOptions, voice } from '@livekit/agents';

/** Receives the agent's words in a text session. A slow sink acts like slow speech. */
export interface TextSink {
  write(text: string): Promise<void>;
  /** The line is complete, or was cut here. */
  end(): void;
}

/** Creates an unmodified `AgentSession` without a room: text in, text out. Without a model it can be created but cannot speak. */
export function createTextSession(model: llm.LLM | null, sink?: TextSink): voice.AgentSession {
  // LiveKit's sessions throw without a logger, and an application may have set one.
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
  const session = new voice.AgentSession({
    ...(model === null ? {} : { llm: model }),
    vad: null,
    turnHandling: { turnDetection: null, preemptiveGeneration: { enabled: false } },
    userAwayTimeout: null,
  });
  if (sink !== undefined) session.output.transcription = outputTo(sink);
  return session;
}

type TextOutput = NonNullable<voice.AgentSession['output']['transcription']>;

function outputTo(sink: TextSink): TextOutput {
  const output: Pick<TextOutput, keyof TextOutput> = {
    captureText: (text) => sink.write(typeof text === 'string' ? text : text.text),
    flush: () => sink.end(),
    onAttached: () => undefined,
    onDetached: () => undefined,
  };
  // LiveKit does not export the class of text outputs; these are all the members that it calls.
  return output;
}
