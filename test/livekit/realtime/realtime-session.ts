import { initializeLogger, type llm, loggerOptions, voice } from '@livekit/agents';

/** A text session on a realtime model. */
export function createRealtimeSession(model: llm.RealtimeModel): voice.AgentSession {
  // LiveKit's sessions throw without a logger.
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
  return new voice.AgentSession({
    llm: model,
    vad: null,
    turnHandling: { turnDetection: null },
    userAwayTimeout: null,
  });
}
