import { voice } from '@livekit/agents';
import type { HeardLine } from '../../model/signals/signal.ts';
import type { Clock } from '../../model/ports/time.ts';

/** Records what the caller had heard when they began to speak or press keys, until their turn is taken. */
export interface InterruptedLines {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** A line was given out. A turn that began earlier does not answer it. */
  onGiven(key: string): void;
  /** The caller presses the first key of a turn. */
  onKey(): void;
  /** Returns the lines that were still playing when the current turn began; undefined if all had ended. */
  take(by: 'voice' | 'keys'): readonly HeardLine[] | undefined;
}

export interface InterruptedLinesOptions {
  readonly clock: Clock;
  /** Returns the lines that are still playing, with the heard part of each. */
  readonly unfinished: () => readonly HeardLine[];
}

interface Beginning {
  readonly lines: readonly HeardLine[];
  /** Lines that were given out since. */
  readonly later: Set<string>;
  /** When the caller fell silent; null while they speak. */
  endedAt: number | null;
}

/** How long words may follow their sound, in milliseconds, besides the session's endpointing delay. */
const wordsWithinMs = 1_500;

export function createInterruptedLines({ clock, unfinished }: InterruptedLinesOptions): InterruptedLines {
  let session: voice.AgentSession | null = null;
  const begun: { voice: Beginning | null; keys: Beginning | null } = { voice: null, keys: null };
  /** Whether the words of the next turn are known. */
  let hasWords = false;
  /** Number of turns taken before their words were known, as with a realtime model. */
  let wordsOwed = 0;
  const begin = (): Beginning => ({ lines: unfinished(), later: new Set(), endedAt: null });
  /** Checks for a sound that led to no turn in time: it was not speech, or LiveKit dropped its words. */
  const isOver = ({ endedAt }: Beginning): boolean => {
    const waitsMs = session?.sessionOptions.turnHandling.endpointing.maxDelay ?? 0;
    return endedAt !== null && clock.now() - endedAt > waitsMs + wordsWithinMs;
  };
  const onUser = ({ oldState, newState }: voice.UserStateChangedEvent): void => {
    if (newState === 'speaking') {
      if (begun.voice === null || isOver(begun.voice)) begun.voice = begin();
      begun.voice.endedAt = null;
    } else if (oldState === 'speaking' && begun.voice !== null) begun.voice.endedAt = clock.now();
  };
  const onWords = ({ transcript, isFinal }: voice.UserInputTranscribedEvent): void => {
    if (transcript.trim() === '') return;
    if (wordsOwed > 0) {
      if (isFinal) wordsOwed -= 1;
      return;
    }
    hasWords ||= isFinal;
    // A recogniser may hear a voice that is too quiet for the voice detector.
    if (session?.userState !== 'speaking') begun.voice ??= { ...begin(), endedAt: clock.now() };
  };
  const { UserStateChanged, UserInputTranscribed } = voice.AgentSessionEventTypes;
  return {
    attach(to) {
      session = to;
      to.on(UserStateChanged, onUser);
      to.on(UserInputTranscribed, onWords);
    },
    detach() {
      session?.off(UserStateChanged, onUser);
      session?.off(UserInputTranscribed, onWords);
      session = null;
    },
    onGiven(key) {
      begun.voice?.later.add(key);
      begun.keys?.later.add(key);
    },
    onKey: () => void (begun.keys = begin()),
    take(by) {
      const { lines, later } = begun[by] ?? begin();
      begun[by] = null;
      if (by === 'voice') {
        if (!hasWords) wordsOwed += 1;
        hasWords = false;
      }
      const given = [...later].filter((key) => lines.every((line) => line.key !== key));
      const all = [...lines, ...given.map((key) => ({ key, text: '' }))];
      return all.length === 0 ? undefined : all;
    },
  };
}
