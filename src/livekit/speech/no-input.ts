import { voice } from '@livekit/agents';
import { noInputMsOf } from '../../kernel/silence.ts';
import type { Clock } from '../../ports/time.ts';
import type { Engine } from '../../turn/engine/engine.ts';

/** Asks a caller who speaks again when they stay silent; a caller who types is not asked again. */
export interface NoInput {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** Something has happened by which the flow may begin, or cease, to wait for the caller. */
  consider(): void;
  /** No silence counts until `release`: the caller is busy or away. */
  hold(): void;
  /** Silence counts again, from here. */
  release(): void;
}

export interface NoInputOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  /** Whether nobody speaks for the flow, and nothing else has asked the caller. */
  readonly mayAsk: () => boolean;
  /** Lets the flow say what it has to say. */
  readonly speakUp: () => void;
}

export function createNoInput({ engine, clock, mayAsk, speakUp }: NoInputOptions): NoInput {
  let session: voice.AgentSession | null = null;
  let isHeld = false;
  /** The caller was heard since the agent spoke last: a turn may be about to come of it. */
  let wasHeard = false;
  let waiting: { readonly ms: number; readonly cancel: () => void } | null = null;

  /** How long the caller may be silent from here; null while they are not waited for. */
  const allowedMs = (): number | null => {
    if (session === null || isHeld || !mayAsk() || engine.isReceiving || !engine.outbox.isEmpty) return null;
    const { audio, audioEnabled } = session.input;
    if (audio === null || !audioEnabled) return null;
    if (session.agentState !== 'listening' || session.userState === 'speaking') return null;
    const ms = noInputMsOf(engine.graph, engine.state, engine.civil(clock.now()));
    if (ms === null) return null;
    // What was heard may take LiveKit so long to become a turn.
    return wasHeard ? ms + session.sessionOptions.turnHandling.endpointing.maxDelay : ms;
  };
  const stop = (): void => {
    waiting?.cancel();
    waiting = null;
  };
  const consider = (): void => {
    const ms = allowedMs();
    if (ms !== null && ms === waiting?.ms) return;
    stop();
    if (ms !== null) waiting = { ms, cancel: clock.schedule(ms, ring) };
  };
  const ring = (): void => {
    waiting = null;
    if (allowedMs() === null) return;
    engine.dispatch({ type: 'silence:elapsed', at: clock.now() });
    speakUp();
  };
  const restart = (): void => {
    stop();
    consider();
  };
  const onAgentState = ({ newState }: voice.AgentStateChangedEvent): void => {
    if (newState === 'speaking') wasHeard = false;
    restart();
  };
  const onUserState = ({ oldState, newState }: voice.UserStateChangedEvent): void => {
    if (newState === 'speaking') wasHeard = true;
    // LiveKit calls the user away after a silence, which counts already.
    if (oldState === 'speaking' || newState === 'speaking') restart();
  };
  const onWords = (): void => {
    wasHeard = true;
    restart();
  };

  const { AgentStateChanged, UserStateChanged, UserInputTranscribed } = voice.AgentSessionEventTypes;
  return {
    attach(to) {
      session = to;
      to.on(AgentStateChanged, onAgentState);
      to.on(UserStateChanged, onUserState);
      to.on(UserInputTranscribed, onWords);
    },
    detach() {
      stop();
      session?.off(AgentStateChanged, onAgentState);
      session?.off(UserStateChanged, onUserState);
      session?.off(UserInputTranscribed, onWords);
      session = null;
    },
    consider,
    hold() {
      isHeld = true;
      stop();
    },
    release() {
      isHeld = false;
      restart();
    },
  };
}
