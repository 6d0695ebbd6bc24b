import { voice } from '@livekit/agents';
import { openOfKind } from '../../kernel/draft.ts';
import type { Engine } from '../../turn/engine/engine.ts';

/**
 * Keeps lines from being cut off once they sound: those that the flow protects from their first sound on, the last words of
 * a conversation once the caller has heard what they are. Who speaks over their first words has not, and is answered.
 */
export interface LastWords {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** A speech was given more to say, or is about to be cut off. */
  hold(): void;
}

export interface LastWordsOptions {
  readonly engine: Engine;
  /** The speeches that are under way. */
  readonly speeches: () => Iterable<voice.SpeechHandle>;
  /** Whether a speech was given a line that the flow protects. */
  readonly isProtected: (speech: voice.SpeechHandle) => boolean;
  /** How many words of a speech the caller has heard. */
  readonly wordsHeard: (speech: voice.SpeechHandle) => number;
  /** Whether a speech can be kept from interruptions: not where the model itself decides on turns. */
  readonly canHold: () => boolean;
}

/** After so many words a caller knows that these are the last ones. */
const knownAfterWords = 2;

export function createLastWords({ engine, speeches, isProtected, wordsHeard, canHold }: LastWordsOptions): LastWords {
  let session: voice.AgentSession | null = null;
  const hold = (): void => {
    // Before its first sound LiveKit may wait until the caller is silent, for a speech that can be interrupted. What is
    // written is there at once.
    if (session?.agentState !== 'speaking' || session.output.audio === null || !canHold()) return;
    // Words spoken over the last line of a flow that was called go to the flow that comes after it.
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
