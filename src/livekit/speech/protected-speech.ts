import { voice } from '@livekit/agents';
import { openOfKind } from '../../kernel/state/draft.ts';
import type { Engine } from '../../engine/engine.ts';

/**
 * Prevents interruptions of playing lines: protected lines from their first sound, and the last
 * words of a conversation once the caller recognises them. A caller who speaks earlier is answered.
 */
export interface ProtectedSpeech {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** A speech was given more to say, or is about to be interrupted. */
  hold(): void;
}

export interface ProtectedSpeechOptions {
  readonly engine: Engine;
  /** The current speeches. */
  readonly speeches: () => Iterable<voice.SpeechHandle>;
  /** Whether a speech contains a protected line. */
  readonly isProtected: (speech: voice.SpeechHandle) => boolean;
  /** How many words of a speech the caller has heard. */
  readonly wordsHeard: (speech: voice.SpeechHandle) => number;
  /** Whether interruptions can be prevented; not if the model itself detects turns. */
  readonly canHold: () => boolean;
}

/** After this many words, a caller recognises the last words. */
const knownAfterWords = 2;

export function createProtectedSpeech({
  engine,
  speeches,
  isProtected,
  wordsHeard,
  canHold,
}: ProtectedSpeechOptions): ProtectedSpeech {
  let session: voice.AgentSession | null = null;
  const hold = (): void => {
    // For an interruptible speech, LiveKit may wait for the caller to fall silent before its first sound. Written text appears at once.
    if (session?.agentState !== 'speaking' || session.output.audio === null || !canHold()) return;
    // Words spoken over the last line of a called flow go to the flow after it.
    const isLast = openOfKind(engine.state, 'end')?.payload.returns === null;
    for (const speech of speeches()) {
      const isKnown = isLast && wordsHeard(speech) >= knownAfterWords;
      if (!speech.interrupted && (isKnown || isProtected(speech))) speech.allowInterruptions = false;
    }
  };
  const { AgentStateChanged, UserStateChanged } = voice.AgentSessionEventTypes;
  return {
    attach(to) {
      session = to;
      to.on(AgentStateChanged, hold);
      to.on(UserStateChanged, hold);
    },
    detach() {
      session?.off(AgentStateChanged, hold);
      session?.off(UserStateChanged, hold);
      session = null;
    },
    hold,
  };
}
