import { stt, type VAD } from '@livekit/agents';
import { AudioStream, type RemoteTrack } from '@livekit/rtc-node';
import { guardEars } from '../guards/guard-plug-ins.ts';

/** A recogniser for one participant, separate from the session's own. */
export interface ParticipantRecogniser {
  /** Recognises a track until it ends, and calls `onHeard` with each utterance. Rejects if the recogniser fails. */
  listen(track: RemoteTrack, onHeard: (text: string) => void): Promise<void>;
  close(): void;
}

const sampleRate = 16_000;

/**
 * Creates an ear from a separate recogniser, because errors of the session's recogniser
 * would be attributed to the caller. Null if it cannot split speech into utterances.
 */
export function createParticipantRecogniser(recogniser: stt.STT, vad: VAD | undefined): ParticipantRecogniser | null {
  if (!recogniser.capabilities.streaming && vad === undefined) return null;
  guardEars(recogniser, vad);
  const hearing = recogniser.capabilities.streaming ? recogniser : new stt.StreamAdapter(recogniser, vad as VAD);
  const closing = new Set<() => void>();
  let isClosed = false;
  return {
    async listen(track, onHeard) {
      if (isClosed) return;
      const stream = hearing.stream();
      const sound = new AudioStream(track, sampleRate, 1).getReader();
      // Without a listener an error event throws in the code that emits it.
      hearing.on('error', () => undefined);
      const close = (): void => {
        closing.delete(close);
        sound.cancel().catch(() => undefined);
        stream.close();
      };
      closing.add(close);
      const push = async (): Promise<void> => {
        for (;;) {
          const { done, value } = await sound.read();
          if (done || isClosed) return;
          stream.pushFrame(value);
        }
      };
      const pushing = push().finally(close);
      for await (const event of stream) {
        const text = event.type === stt.SpeechEventType.FINAL_TRANSCRIPT ? event.alternatives?.[0]?.text.trim() : '';
        if (text !== undefined && text !== '') onHeard(text);
      }
      await pushing;
    },
    close() {
      isClosed = true;
      for (const close of [...closing]) close();
    },
  };
}
