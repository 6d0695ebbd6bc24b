import { type llm, voice } from '@livekit/agents';
import type { Clock } from '../../ports/time.ts';
import type { TurnTracer } from '../../turn/engine/turn-tracer.ts';

/**
 * Tells the tracer when the caller fell silent, when their words were understood and when the agent was first heard, as
 * LiveKit's session tells it. Undone by the returned function.
 */
export function noteSpeechTimes(session: voice.AgentSession, tracer: TurnTracer, clock: Clock): () => void {
  const types = voice.AgentSessionEventTypes;
  const onUser = ({ oldState, newState }: voice.UserStateChangedEvent): void => {
    if (newState === 'speaking') tracer.await('speechEnded', null);
    else if (oldState === 'speaking') tracer.await('speechEnded', clock.now());
  };
  const onTranscribed = ({ isFinal }: voice.UserInputTranscribedEvent): void => {
    if (isFinal) tracer.await('transcript', clock.now());
  };
  const onAgent = ({ newState }: voice.AgentStateChangedEvent): void => {
    const { audio, audioEnabled } = session.output;
    if (newState === 'speaking' && audio !== null && audioEnabled) tracer.reach('firstAudio');
  };
  const onItem = ({ item }: voice.ConversationItemAddedEvent): void => {
    if (item.type === 'message' && item.role === 'user') correct(item.metrics, tracer, clock);
  };
  session.on(types.UserStateChanged, onUser);
  session.on(types.UserInputTranscribed, onTranscribed);
  session.on(types.AgentStateChanged, onAgent);
  session.on(types.ConversationItemAdded, onItem);
  return () => {
    session.off(types.UserStateChanged, onUser);
    session.off(types.UserInputTranscribed, onTranscribed);
    session.off(types.AgentStateChanged, onAgent);
    session.off(types.ConversationItemAdded, onItem);
  };
}

/** A session hears of a silence when it has lasted a while; with the caller's message it tells when it began. */
function correct({ stoppedSpeakingAt, transcriptionDelay }: llm.MetricsReport, tracer: TurnTracer, clock: Clock): void {
  if (stoppedSpeakingAt === undefined) return;
  const speechEnded = onClock(stoppedSpeakingAt * 1_000, clock);
  const isKnown = transcriptionDelay !== undefined;
  tracer.correct({
    speechEnded,
    ...(isKnown ? { transcript: speechEnded + Math.round(transcriptionDelay * 1_000) } : {}),
  });
}

/** LiveKit tells times of the machine's own clock. */
function onClock(time: number, clock: Clock): number {
  return Math.round(time + clock.now() - Date.now());
}
