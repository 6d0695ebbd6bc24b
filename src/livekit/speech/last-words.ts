import { voice } from '@livekit/agents';
import { openOfKind } from '../../kernel/draft.ts';
import type { Engine } from '../../turn/engine/engine.ts';

/**
 * Keeps the last words of a conversation from being cut off: the caller who speaks over them has nobody left to answer, and
 * would lose what they were to hear, such as the time of a visit. From their first sound on they are said to their end.
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
  /** Whether a speech can be kept from interruptions: not where the model itself decides on turns. */
  readonly canHold: () => boolean;
}

export function createLastWords({ engine, speeches, canHold }: LastWordsOptions): LastWords {
  let session: voice.AgentSession | null = null;
  const hold = (): void => {
    // Before its first sound LiveKit may wait until the caller is silent, for a speech that can be interrupted.
    if (session?.agentState !== 'speaking') return;
    const end = openOfKind(engine.state, 'end');
    // Words spoken over the last line of a flow that was called go to the flow that comes after it.
    if (end === undefined || end.payload.returns !== null || !canHold()) return;
    for (const speech of speeches()) if (!speech.interrupted) speech.allowInterruptions = false;
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
