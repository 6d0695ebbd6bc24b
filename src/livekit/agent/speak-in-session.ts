import type { voice } from '@livekit/agents';
import { isRunning, newMessage, requestReply, type StartOptions } from './live-session.ts';
import type { SpeakingAgent } from './speaking-agent.ts';
import { assertRemoteSessionClosed, closeRemoteSession } from '../guards/remote-session.ts';
import type { Inbound } from '../../engine/inbound.ts';

/**
 * Makes the agent speak in a LiveKit session, starting the session if needed. Unless `remoteSession`
 * is true, throws if the session would serve its prompt and history to participants of the room.
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

/** Takes the caller's text and resolves when the answer was given. */
export async function sendTurn(
  { agent }: { readonly agent: SpeakingAgent },
  session: voice.AgentSession,
  inbound: Inbound,
): Promise<'taken' | 'duplicate' | 'over'> {
  const outcome = await takeTurn({ agent }, session, inbound);
  if (outcome !== 'duplicate') await agent.idle();
  return outcome === 'taken' && agent.isLost ? 'over' : outcome;
}

/** Takes the caller's text and resolves before it is answered. */
export async function takeTurn(
  { agent }: { readonly agent: SpeakingAgent },
  session: voice.AgentSession,
  inbound: Inbound,
): Promise<'taken' | 'duplicate' | 'over'> {
  const { eventId, text, via } = inbound;
  // A duplicate must not interrupt the answer to the first delivery.
  if (agent.hasTaken(eventId)) return 'duplicate';
  const heard = via === 'dtmf' ? agent.spokenOverByKeys() : undefined;
  // Keys of an entry or a menu interrupt also a protected line.
  await agent.hush(via === 'dtmf' && inbound.utterance !== undefined);
  const outcome = await agent.take({ ...inbound, ...(heard === undefined ? {} : { heard }) });
  // Words that arrive as the call ends are stored; the process that resumes the conversation answers them.
  if (outcome === 'taken' && requestReply(session, newMessage(eventId, text)) === null) return 'over';
  // Speech that the words interrupted is still due, such as the last words of the flow.
  if (outcome !== 'taken') agent.speakUp();
  return outcome;
}
