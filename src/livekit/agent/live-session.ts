import { llm, type voice } from '@livekit/agents';

/** A LiveKit session as the flow runner takes it. */
export type LiveSession = voice.AgentSession;

/** What `AgentSession.start` takes besides the agent: room, input and output options. */
export type StartOptions = Omit<Parameters<voice.AgentSession['start']>[0], 'agent'>;

/** Whether a session has been started with an agent. */
export function isRunning(session: LiveSession): boolean {
  try {
    return session.currentAgent !== undefined;
  } catch {
    return false; // LiveKit throws where there is no agent yet.
  }
}

/** A message of the caller under an id of ours, by which a second delivery of it is recognised. */
export function newMessage(id: string, text: string): llm.ChatMessage {
  return llm.ChatMessage.create({ id, role: 'user', content: text });
}

/**
 * Lets the session reply to a message, or of its own accord. LiveKit copies the context that it is given and writes it
 * out for its spans, twice a turn; the agent shows the model its own, so that one is left empty. Null where the session is
 * closing, which it tells only once it is closed: nobody would hear the reply.
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
