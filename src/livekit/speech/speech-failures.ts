import type { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import { errorKind } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import { createRecogniserFailures } from './recogniser-failures.ts';
import { isOffline } from '../guards/guard-plug-ins.ts';
import type { Voicing } from './playback.ts';
import { spokenAudio } from './spoken-audio.ts';
import type { TroubleLines } from './failure-lines.ts';

export interface SpeechFailuresOptions {
  readonly clock: Clock;
  readonly lines: TroubleLines;
  session(): voice.AgentSession | null;
  onTrouble(reason: string, stage: 'tts' | 'stt'): void;
  /** The caller's speech was not understood. */
  onUnclear(): void;
  /** The call ends. */
  onEnd(reason: string): void;
}

/** Handles failures of a session's voice and recogniser, after which LiveKit would close the session mid-word. */
export interface SpeechFailures {
  /** Speaks a line within limits and records it with `voicing`. A frame is given out once it may be heard. */
  speak(
    text: ReadableStream<string>,
    synthesise: (text: ReadableStream<string>) => Promise<ReadableStream<AudioFrame> | null>,
    voicing: Voicing,
    mayBeHeard?: () => Promise<boolean>,
  ): ReadableStream<AudioFrame>;
  /** Ends the call, after a line if there is one and a voice to say it. */
  letGo(reason: string, line: string | null): Promise<void>;
  /** Handles an error event of LiveKit's session. Errors of a model are handled elsewhere. */
  onError(event: voice.ErrorEvent): void;
}

/** How long a network voice may delay, in milliseconds. */
const patienceMs = 3_000;
/** An offline voice is late because the machine is busy, and a retry would only add load. */
const offlinePatienceMs = 20_000;
const noVoice = { label: '' };

export function createSpeechFailures(options: SpeechFailuresOptions): SpeechFailures {
  let errors = 0;
  let silentLines = 0;
  let isLettingGo = false;

  const letGo = async (reason: string, line: string | null): Promise<void> => {
    if (isLettingGo) return;
    isLettingGo = true;
    try {
      if (line !== null) await options.session()?.say(line, { allowInterruptions: false }).waitForPlayout();
    } catch {
      // The session is closing already, or has no voice.
    }
    options.onEnd(reason);
  };

  const ears = createRecogniserFailures({
    session: () => options.session(),
    againLine: options.lines.again,
    onTrouble: (reason) => options.onTrouble(reason, 'stt'),
    onUnclear: () => options.onUnclear(),
    onDeaf: () => void letGo('stt-failed', options.lines.deaf),
  });

  return {
    letGo,
    speak(text, synthesise, voicing, mayBeHeard = () => Promise.resolve(true)) {
      const audio = spokenAudio({
        clock: options.clock,
        text,
        onText: (piece) => voicing.text(piece),
        synthesise,
        patienceMs: isOffline(options.session()?.tts ?? noVoice) ? offlinePatienceMs : patienceMs,
        errors: () => errors,
        onTrouble: (reason) => options.onTrouble(reason, 'tts'),
        onOutcome(wasSpoken, unheard) {
          if (unheard !== '') voicing.unheard(unheard);
          // One line without sound may be bad luck; after two in a row the call ends instead of staying silent.
          silentLines = wasSpoken ? 0 : silentLines + 1;
          if (silentLines === 2) void letGo('tts-failed', null);
        },
      });
      let isAllowed = false;
      return new ReadableStream<AudioFrame>(
        {
          async pull(controller) {
            const next = await audio.next();
            isAllowed ||= await mayBeHeard();
            if (next.done === true) voicing.end();
            else voicing.frame(next.value);
            if (next.done === true || !isAllowed) controller.close();
            else controller.enqueue(next.value);
          },
          // Not awaited: it ends when what it waits for has ended.
          cancel: () => void audio.return(undefined),
        },
        { highWaterMark: 0 },
      );
    },
    onError({ error }) {
      if (error.type === 'tts_error') {
        errors += 1;
        error.recoverable = true;
        options.onTrouble(errorKind(error.error), 'tts');
      } else if (error.type === 'stt_error') ears.onError(error);
    },
  };
}
