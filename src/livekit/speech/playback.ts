import { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Clock } from '../../model/ports/time.ts';

/** Records the text and sound of one segment of a speech while it is synthesised. */
export interface Voicing {
  text(piece: string): void;
  frame(frame: AudioFrame): void;
  /** The voice has delivered all of the sound. */
  end(): void;
  /** The voice delivered no sound for this text. */
  unheard(text: string): void;
}

/** Tracks how far the segments of a session's speeches were played. */
export interface Playback {
  attach(session: voice.AgentSession): void;
  detach(): void;
  /** Begins the next segment of a speech; segments play in this order. */
  voice(speech: object): Omit<Voicing, 'unheard'>;
  /** Returns how many words of a speech the caller had heard when the current sound of the caller began. */
  wordsHeard(speech: object): number;
  /** The played part of a speech is now in the history. */
  forgetPlayed(speech: object): void;
  /** The speech is over. */
  close(speech: object): void;
}

interface Segment {
  readonly speech: object;
  text: string;
  /** Seconds of sound so far. */
  seconds: number;
  isWhole: boolean;
  /** End times of words in seconds, if the voice reports them. */
  readonly wordEnds: number[];
  startedAt: number | null;
  pausedAt: number | null;
  pausedMs: number;
  /** Seconds that the output has reported as played. */
  played: number;
  isFinished: boolean;
}

/** Detection delay of a sound plus the voice's delay to the caller, in seconds. Longer if word positions are estimated. */
const marginSeconds = { timed: 0.3, estimated: 0.5 };

/** Assumed pace of a voice whose sound is not complete yet, in words per second. */
const usualPace = 2.5;

/** Key under which LiveKit's voices store word times. */
const timedWords = 'lk.timed_transcripts';

export function createPlayback(clock: Clock): Playback {
  let session: voice.AgentSession | null = null;
  let output: voice.AudioOutput | null = null;
  let segments: readonly Segment[] = [];

  const playing = (): Segment | undefined =>
    segments.find(({ startedAt, isFinished }) => startedAt !== null && !isFinished);
  const onStarted = (): void => {
    const segment = segments.find(({ startedAt, seconds }) => startedAt === null && seconds > 0);
    if (segment !== undefined) segment.startedAt = clock.now();
  };
  const onProgressed = ({ offset, duration }: voice.PlaybackProgressedEvent): void => {
    const segment = playing();
    if (segment !== undefined) segment.played = (offset + duration) / 1_000;
  };
  const onFinished = ({ playbackPosition, interrupted }: voice.PlaybackFinishedEvent): void => {
    const segment = playing();
    if (segment === undefined) return;
    segment.played = interrupted ? playbackPosition : Infinity;
    segment.isFinished = true;
  };
  const onState = ({ newState }: voice.AgentStateChangedEvent): void => {
    const segment = playing();
    if (segment === undefined) return;
    if (newState !== 'speaking') segment.pausedAt ??= clock.now();
    else if (segment.pausedAt !== null) {
      segment.pausedMs += clock.now() - segment.pausedAt;
      segment.pausedAt = null;
    }
  };
  const { EVENT_PLAYBACK_STARTED, EVENT_PLAYBACK_PROGRESSED, EVENT_PLAYBACK_FINISHED } = voice.AudioOutput;
  const leaveOutput = (): void => {
    output?.off(EVENT_PLAYBACK_STARTED, onStarted);
    output?.off(EVENT_PLAYBACK_PROGRESSED, onProgressed);
    output?.off(EVENT_PLAYBACK_FINISHED, onFinished);
    output = null;
  };
  /** A session's output may change during a call. */
  const followOutput = (): void => {
    const now = session?.output.audio ?? null;
    if (now === output) return;
    leaveOutput();
    output = now;
    output?.on(EVENT_PLAYBACK_STARTED, onStarted);
    output?.on(EVENT_PLAYBACK_PROGRESSED, onProgressed);
    output?.on(EVENT_PLAYBACK_FINISHED, onFinished);
  };

  return {
    attach(to) {
      session = to;
      to.on(voice.AgentSessionEventTypes.AgentStateChanged, onState);
    },
    detach() {
      session?.off(voice.AgentSessionEventTypes.AgentStateChanged, onState);
      session = null;
      leaveOutput();
      segments = [];
    },
    voice(speech) {
      followOutput();
      const segment: Segment = {
        speech,
        text: '',
        seconds: 0,
        isWhole: false,
        wordEnds: [],
        startedAt: null,
        pausedAt: null,
        pausedMs: 0,
        played: 0,
        isFinished: false,
      };
      segments = [...segments, segment];
      return {
        text: (piece) => void (segment.text += piece),
        frame(frame) {
          segment.seconds += frame.samplesPerChannel / frame.sampleRate;
          segment.wordEnds.push(...endsIn(frame));
        },
        end: () => void (segment.isWhole = true),
      };
    },
    wordsHeard: (speech) =>
      segments.filter((one) => one.speech === speech).reduce((sum, one) => sum + wordsOf(one, clock.now()), 0),
    forgetPlayed: (speech) => void (segments = segments.filter((one) => one.speech !== speech || !one.isFinished)),
    close: (speech) => void (segments = segments.filter((one) => one.speech !== speech)),
  };
}

/** Returns how many words of a segment were heard by `now`. */
function wordsOf(segment: Segment, now: number): number {
  const { text, seconds, isWhole, wordEnds, startedAt, pausedAt, pausedMs, played } = segment;
  const words = text.match(/\S+/g)?.length ?? 0;
  if (played === Infinity) return words;
  if (startedAt === null) return 0;
  const elapsed = segment.isFinished ? played : Math.max(played, ((pausedAt ?? now) - startedAt - pausedMs) / 1_000);
  if (wordEnds.length > 0) return wordEnds.filter((end) => end <= elapsed - marginSeconds.timed).length;
  const heard = Math.max(0, elapsed - marginSeconds.estimated);
  const pace = isWhole && seconds > 0 ? words / seconds : usualPace;
  return Math.min(words, Math.floor(heard * pace));
}

function endsIn({ userdata }: AudioFrame): readonly number[] {
  const words = userdata[timedWords];
  if (!Array.isArray(words)) return [];
  return words.flatMap((word) => (voice.isTimedString(word) && word.text.trim() !== '' ? [word.endTime ?? 0] : []));
}
