import { llm, type voice } from '@livekit/agents';

/** A LiveKit session, as the flow runner accepts it. */
export type LiveSession = voice.AgentSession;

/** Arguments of `AgentSession.start` besides the agent: room, input and output options. */
export type StartOptions = Omit<Parameters<voice.AgentSession['start']>[0], 'agent'>;

/** Checks whether a session was started with an agent. */
export function isRunning(session: LiveSession): boolean {
  try {
    return session.currentAgent !== undefined;
  } catch {
    return false; // LiveKit throws if there is no agent yet.
  }
}

/** Creates a message of the caller under an id of ours, which identifies a second delivery. */
export function newMessage(id: string, text: string): llm.ChatMessage {
  return llm.ChatMessage.create({ id, role: 'user', content: text });
}

/**
 * Makes the session reply to a message, or without one. The context is left empty: LiveKit copies and serialises it twice a turn, and
 * the agent shows the model its own. Returns null if the session is closing, because LiveKit reports that only after it has closed.
 */
export function requestReply(session: LiveSession, userInput?: llm.ChatMessage): voice.SpeechHandle | null {
  try {
    return session.generateReply({
      chatCtx: llm.ChatContext.empty(),
      toolChoice: 'auto',
      ...(userInput === undefined ? {} : { userInput }),
    });
  } catch {
    return null;
  }
}
