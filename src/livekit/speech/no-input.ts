import { voice } from '@livekit/agents';
import type { Clock } from '../../model/ports/time.ts';

/** Asks a silent caller again, if they speak rather than type. */
export interface NoInput {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** Re-evaluates whether the flow waits for the caller, after an event that may change it. */
  consider(): void;
  /** Ignores silence until `release`, because the caller is busy or away. */
  hold(): void;
  /** Counts silence again, from now on. */
  release(): void;
  /** The caller's speech was not understood. If nothing else follows, they are asked again. */
  noteUnclear(): void;
}

export interface NoInputOptions {
  readonly clock: Clock;
  /** How long the caller may be silent, in milliseconds; null while the flow does not wait. */
  readonly noInputMs: () => number | null;
  /** Whether the caller has asked for time, and speaks to others meanwhile. */
  readonly isPatient?: () => boolean;
  /** The caller was silent for so long, or what they said last was `unclear`. */
  readonly onSilence: (unclear: boolean) => void;
}

export function createNoInput({ clock, noInputMs, isPatient = () => false, onSilence }: NoInputOptions): NoInput {
  let session: voice.AgentSession | null = null;
  let isHeld = false;
  /** The caller was heard since the agent last spoke, so a turn may be coming. */
  let wasHeard = false;
  /** Words were recognised since the agent last spoke, so a turn will come. */
  let hasWords = false;
  /** The last sound could not be understood. */
  let isUnclear = false;
  let waiting: { readonly ms: number; readonly cancel: () => void } | null = null;

  /** Returns how long the caller may stay silent from now; null while the flow does not wait for them. */
  const allowedMs = (): number | null => {
    if (session === null || isHeld) return null;
    const { audio, audioEnabled } = session.input;
    if (audio === null || !audioEnabled) return null;
    // After a reply with calls and no follow-up, LiveKit keeps a realtime agent in state "thinking".
    const isAtRest = session.agentState === 'listening' || session.agentState === 'thinking';
    if (!isAtRest || session.userState === 'speaking') return null;
    const ms = noInputMs();
    if (ms === null) return null;
    const { maxDelay } = session.sessionOptions.turnHandling.endpointing;
    if (isUnclear && !hasWords && !isPatient()) return maxDelay;
    // LiveKit may take this long to turn sound into a turn.
    return wasHeard ? ms + maxDelay : ms;
  };
  const stop = (): void => {
    waiting?.cancel();
    waiting = null;
  };
  const consider = (): void => {
    const ms = allowedMs();
    if (ms === (waiting?.ms ?? null)) return;
    stop();
    if (ms !== null) waiting = { ms, cancel: clock.schedule(ms, ring) };
  };
  const ring = (): void => {
    waiting = null;
    if (allowedMs() === null) return;
    const unclear = isUnclear && !hasWords && !isPatient();
    isUnclear = false;
    onSilence(unclear);
  };
  const restart = (): void => {
    if (waiting !== null) stop();
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
    // LiveKit reports the user as away after a silence that is already counted.
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
      // The flow does not wait for sound during the agent's own speech or during work.
      if (allowedMs() === null) return;
      isUnclear = true;
      restart();
    },
  };
}
