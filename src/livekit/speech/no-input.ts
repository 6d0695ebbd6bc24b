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
  /** The caller has said something of which nobody understood a word: where nothing else follows, they are asked again. */
  noteUnclear(): void;
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
  /** Words were understood since the agent spoke last: a turn comes of them, whatever else was heard. */
  let hasWords = false;
  /** What was heard last could not be understood. */
  let isUnclear = false;
  let waiting: { readonly ms: number; readonly cancel: () => void } | null = null;

  /** How long the caller may be silent from here; null while they are not waited for. */
  const allowedMs = (): number | null => {
    if (session === null || isHeld || !mayAsk() || engine.isReceiving || !engine.outbox.isEmpty()) return null;
    const { audio, audioEnabled } = session.input;
    if (audio === null || !audioEnabled) return null;
    // After a reply with calls, which nothing followed, LiveKit goes on calling a realtime agent thinking.
    const isAtRest = session.agentState === 'listening' || session.agentState === 'thinking';
    if (!isAtRest || session.userState === 'speaking') return null;
    const ms = noInputMsOf(engine.graph, engine.state, engine.civil(clock.now()));
    if (ms === null) return null;
    const { maxDelay } = session.sessionOptions.turnHandling.endpointing;
    // A caller who has asked for time speaks to others meanwhile.
    if (isUnclear && !hasWords && !engine.state.patience) return maxDelay;
    // What was heard may take LiveKit so long to become a turn.
    return wasHeard ? ms + maxDelay : ms;
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
    const unclear = isUnclear && !hasWords && !engine.state.patience;
    isUnclear = false;
    engine.dispatch({ type: 'silence:elapsed', at: clock.now(), ...(unclear ? { unclear } : {}) });
    speakUp();
  };
  const restart = (): void => {
    stop();
    consider();
  };
  const onAgentState = ({ newState }: voice.AgentStateChangedEvent): void => {
    if (newState === 'speaking') wasHeard = hasWords = isUnclear = false;
    restart();
  };
  const onUserState = ({ oldState, newState }: voice.UserStateChangedEvent): void => {
    if (newState === 'speaking') {
      wasHeard = true;
      isUnclear = false;
    }
    // LiveKit calls the user away after a silence, which counts already.
    if (oldState === 'speaking' || newState === 'speaking') restart();
  };
  const onWords = (): void => {
    wasHeard = hasWords = true;
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
    noteUnclear() {
      // What is said into the agent's own words, or while something is under way, is waited for by nobody.
      if (allowedMs() === null) return;
      isUnclear = true;
      restart();
    },
  };
}
