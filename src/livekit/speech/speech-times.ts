import { type llm, voice } from '@livekit/agents';
import type { Clock } from '../../model/ports/time.ts';
import type { TurnTracer } from '../../engine/commit/turn-tracer.ts';

/**
 * Reports to the tracer when the caller fell silent, when their words were
 * recognised and when the agent was first heard. The returned function stops it.
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

/** Corrects the times from the caller's message, because a session detects a silence only after it has lasted a while. */
function correct({ stoppedSpeakingAt, transcriptionDelay }: llm.MetricsReport, tracer: TurnTracer, clock: Clock): void {
  if (stoppedSpeakingAt === undefined) return;
  const speechEnded = onClock(stoppedSpeakingAt * 1_000, clock);
  const isKnown = transcriptionDelay !== undefined;
  tracer.correct({
    speechEnded,
    ...(isKnown ? { transcript: speechEnded + Math.round(transcriptionDelay * 1_000) } : {}),
  });
}

/** Converts LiveKit's times, which use the machine's clock. */
function onClock(time: number, clock: Clock): number {
  return Math.round(time + clock.now() - Date.now());
}
