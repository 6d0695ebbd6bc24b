import type { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import type { Clock } from '../ports/time.ts';
import { kindOf } from './ask-model.ts';
import { spokenAudio } from './spoken-audio.ts';

/** Said before a call is ended in which the caller cannot be heard. */
export const deafLine = 'I am sorry, I cannot hear you. Please call again later.';

export interface VoiceTroublesOptions {
  readonly clock: Clock;
  /** Said before a call is ended in which the caller cannot be heard. */
  readonly deafLine: string;
  session(): voice.AgentSession | null;
  onTrouble(reason: string, stage: 'tts' | 'stt'): void;
  /** The caller is let go. */
  onEnd(reason: string): void;
}

/** What happens where a session's voice or its ears fail: LiveKit would close it in the middle of a word. */
export interface VoiceTroubles {
  /** A line of speech within bounds; a frame of it is given out once it may be heard. */
  speak(
    text: ReadableStream<string>,
    synthesise: (text: ReadableStream<string>) => Promise<ReadableStream<AudioFrame> | null>,
    mayBeHeard?: () => Promise<boolean>,
  ): ReadableStream<AudioFrame>;
  /** Ends the call, with a line before it where there is one and a voice to say it. */
  letGo(reason: string, line: string | null): Promise<void>;
  /** An error that LiveKit's session told; those of a model are left to others. */
  onError(event: voice.ErrorEvent): void;
}

export function createVoiceTroubles(options: VoiceTroublesOptions): VoiceTroubles {
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

  return {
    letGo,
    speak(text, synthesise, mayBeHeard = () => Promise.resolve(true)) {
      const audio = spokenAudio({
        clock: options.clock,
        text,
        synthesise,
        errors: () => errors,
        onTrouble: (reason) => options.onTrouble(reason, 'tts'),
        onOutcome(wasSpoken) {
          // A line without sound may be bad luck; after two in a row the caller is not kept in silence.
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
        options.onTrouble(kindOf(error.error), 'tts');
      } else if (error.type === 'stt_error' && !error.recoverable) {
        error.recoverable = true;
        options.onTrouble(kindOf(error.error), 'stt');
        void letGo('stt-failed', options.deafLine);
      }
    },
  };
}
