import { voice } from '@livekit/agents';
import { openOfKind } from '../../kernel/draft.ts';
import type { Engine } from '../../turn/engine/engine.ts';

/**
 * Keeps lines from being cut off, from their first sound on: those that the flow protects, and the last words of a
 * conversation. A caller who speaks over the last words would lose what they were to hear, such as the time of a visit.
 */
export interface LastWords {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** A speech was given more to say. */
  onGiven(): void;
}

export interface LastWordsOptions {
  readonly engine: Engine;
  /** The speeches that are under way. */
  readonly speeches: () => Iterable<voice.SpeechHandle>;
  /** Whether a speech was given a line that the flow protects. */
  readonly isProtected: (speech: voice.SpeechHandle) => boolean;
  /** Whether a speech can be kept from interruptions: not where the model itself decides on turns. */
  readonly canHold: () => boolean;
}

export function createLastWords({ engine, speeches, isProtected, canHold }: LastWordsOptions): LastWords {
  let session: voice.AgentSession | null = null;
  const hold = (): void => {
    // Before its first sound LiveKit may wait until the caller is silent, for a speech that can be interrupted.
    if (session?.agentState !== 'speaking' || !canHold()) return;
    // Words spoken over the last line of a flow that was called go to the flow that comes after it.
    const isLast = openOfKind(engine.state, 'end')?.payload.returns === null;
    for (const speech of speeches())
      if (!speech.interrupted && (isLast || isProtected(speech))) speech.allowInterruptions = false;
  };
  const { AgentStateChanged } = voice.AgentSessionEventTypes;
  return {
    attach(to) {
      session = to;
      to.on(AgentStateChanged, hold);
    },
    detach() {
      session?.off(AgentStateChanged, hold);
      session = null;
    },
    onGiven: hold,
  };
}
