import { inference, initializeLogger, type VAD, VADEventType } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import { expect, it, onTestFinished } from 'vitest';
import { guardSpeechBuffer } from '../../../src/livekit/guards/speech-buffer.ts';
import { fliteHelper, fliteSampleRate, speakSentence } from '../../../src/offline/voice/flite.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** Returns the utterance that a VAD finds in some audio. */
async function utteranceIn(audio: Int16Array, vad: VAD): Promise<Int16Array> {
  const stream = vad.stream();
  onTestFinished(() => stream.close());
  const chunk = fliteSampleRate / 100;
  const frames = Array.from({ length: Math.floor(audio.length / chunk) }, (_, index) => {
    return new AudioFrame(audio.slice(index * chunk, (index + 1) * chunk), fliteSampleRate, 1, chunk);
  });
  stream.updateInputStream(ReadableStream.from(frames));
  for await (const event of stream)
    if (event.type === VADEventType.END_OF_SPEECH) return event.frames[0]?.data ?? new Int16Array();
  return new Int16Array();
}

it('an utterance keeps its beginning, which LiveKit’s own VAD replaces with its end', async () => {
  onTestFinished(() => fliteHelper.stop());
  const said = await speakSentence('Yes, please.', 'slt');
  const audio = new Int16Array(said.length + 3 * fliteSampleRate).fill(1);
  audio.set(said, fliteSampleRate);
  const isInAudio = (utterance: Int16Array): boolean =>
    Buffer.from(audio.buffer).includes(Buffer.from(utterance.slice().buffer));

  const guarded = new inference.VAD({ model: 'silero' });
  guardSpeechBuffer(guarded);
  const utterance = await utteranceIn(audio, guarded);
  expect(utterance.length).toBeGreaterThan(said.length / 2);
  expect(isInAudio(utterance)).toBe(true);
  const own = await utteranceIn(audio, new inference.VAD({ model: 'silero' }));
  expect(isInAudio(own), 'LiveKit has mended it: src/livekit/guards/speech-buffer.ts can go').toBe(false);
});
