// `@livekit/agents` 1.9.0: the audio that its VAD emits at the end of speech is a view of a buffer that it keeps writing to. Its first
// half second is overwritten with its last before it is read, so that a recogniser without streams hears "Best, please" for "Yes,
// please". Upstream: https://github.com/livekit/agents-js/pull/2254 (closed). Reproduced in test/livekit/guards/speech-buffer.test.ts.
import { type VAD, VADEventType, type VADEvent, type VADStream } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';

/** Makes a VAD emit a copy of each utterance. */
export function guardSpeechBuffer(vad: VAD): void {
  const open = vad.stream.bind(vad);
  vad.stream = () => {
    const stream = open();
    // Protected in its type: an implementation calls it on itself for each event.
    const sender = stream as unknown as EventSender;
    const send = sender.sendVADEvent.bind(stream);
    sender.sendVADEvent = (event) =>
      send(event.type === VADEventType.INFERENCE_DONE ? event : { ...event, frames: event.frames.map(copyOf) });
    return stream satisfies VADStream;
  };
}

interface EventSender {
  sendVADEvent(event: VADEvent): boolean;
}

function copyOf({ data, sampleRate, channels, samplesPerChannel }: AudioFrame): AudioFrame {
  return new AudioFrame(data.slice(), sampleRate, channels, samplesPerChannel);
}
