import { voice } from '@livekit/agents';
import type { HeardLine } from '../../events/signal.ts';
import type { Clock } from '../../ports/time.ts';

/** What the caller had heard when they began to speak or to press keys, kept until their turn is taken. */
export interface SpokenOver {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** A line was given out; what the caller has begun before answers nothing of it. */
  onGiven(key: string): void;
  /** The caller presses the first key of a turn. */
  onKey(): void;
  /** The lines that had not ended when the turn began that is taken now; undefined where all had. */
  take(by: 'voice' | 'keys'): readonly HeardLine[] | undefined;
}

export interface SpokenOverOptions {
  readonly clock: Clock;
  /** The lines that have not ended now, with what was heard of each. */
  readonly unfinished: () => readonly HeardLine[];
}

interface Beginning {
  readonly lines: readonly HeardLine[];
  /** Lines that were given out since. */
  readonly later: Set<string>;
  /** When the caller fell silent; null while they speak. */
  endedAt: number | null;
}

/** How long after a sound its words may come, in milliseconds, beside the time that the session waits for the end of a turn. */
const wordsWithinMs = 1_500;

export function createSpokenOver({ clock, unfinished }: SpokenOverOptions): SpokenOver {
  let session: voice.AgentSession | null = null;
  const begun: { voice: Beginning | null; keys: Beginning | null } = { voice: null, keys: null };
  /** Whether the words of the turn that comes next are known. */
  let hasWords = false;
  /** Turns that were taken before their words were known, as a realtime model's are. */
  let wordsOwed = 0;
  const begin = (): Beginning => ({ lines: unfinished(), later: new Set(), endedAt: null });
  /** A sound of which no turn has come in time was no speech, or LiveKit has dropped its words. */
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
    // A recogniser may hear a voice that is too low for the detector.
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
