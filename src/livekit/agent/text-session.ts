import type { llm } from '@livekit/agents';
import { initializeLogger, loggerOptions, voice } from '@livekit/agents';

/** Where a text session puts the agent's words; a slow sink is speech that takes its time. */
export interface TextSink {
  write(text: string): Promise<void>;
  /** The line is complete, or was cut here. */
  end(): void;
}

/** An unmodified `AgentSession` without a room: words in, words out. Without a model it can be made, but not speak. */
export function createTextSession(model: llm.LLM | null, sink?: TextSink): voice.AgentSession {
  // LiveKit's sessions throw without a logger, and an application may have set one already.
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
