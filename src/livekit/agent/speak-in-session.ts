import type { voice } from '@livekit/agents';
import { isRunning, newMessage, requestReply, type StartOptions } from './live-session.ts';
import type { SpeakingAgent } from './speaking-agent.ts';
import { assertRemoteSessionClosed, closeRemoteSession } from '../guards/remote-session.ts';
import type { Inbound } from '../../turn/engine/engine.ts';

/**
 * Lets the agent speak in a LiveKit session, which is started if it does not run yet. Unless `remoteSession` is true, throws
 * where the session would serve its prompt and history to whoever is in the room.
 */
export async function speakIn(
  session: voice.AgentSession,
  agent: SpeakingAgent,
  options: StartOptions,
  remoteSession: boolean,
): Promise<void> {
  if (!remoteSession) await closeRemoteSession(session);
  if (isRunning(session)) session.updateAgent(agent);
  else await session.start({ ...options, agent });
  if (!remoteSession) assertRemoteSessionClosed(session);
}

/** Takes words of the caller that come in text, and resolves when the answer was given. */
export async function sendTurn(
  { agent }: { readonly agent: SpeakingAgent },
  session: voice.AgentSession,
  inbound: Inbound,
): Promise<'taken' | 'duplicate' | 'over'> {
  const { eventId, text, via } = inbound;
  // A second sending must not cut off the answer to the first.
  if (agent.hasTaken(eventId)) return 'duplicate';
  const heard = via === 'dtmf' ? agent.spokenOverByKeys() : undefined;
  await agent.hush();
  const outcome = await agent.take({ ...inbound, ...(heard === undefined ? {} : { heard }) });
  // Words that come as the call ends are kept, and answered by whoever goes on with the conversation.
  if (outcome === 'taken' && requestReply(session, newMessage(eventId, text)) === null) return 'over';
  // Speech that the words have cut off is still to be said, such as the last words of the flow.
  if (outcome !== 'taken') agent.speakUp();
  await agent.idle();
  return outcome === 'taken' && agent.isLost ? 'over' : outcome;
}
