import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import type { Responses } from '../../engine/reply/responses.ts';
import { moment, streamOf } from './spoken-audio.ts';

type Synthesise = (text: ReadableStream<string>) => Promise<ReadableStream<AudioFrame> | null>;

/** Wraps a voice so that lines which a hook wants shown are not spoken: they appear as text with a moment of silence. */
export function unlessShown(
  { decides, takeShown }: Pick<Responses, 'decides' | 'takeShown'>,
  synthesise: Synthesise,
): Synthesise {
  // A hook decides about whole lines, so only then is the text complete here.
  if (!decides) return synthesise;
  return async (text) => {
    let whole = '';
    for await (const words of text) whole += words;
    if (!takeShown(whole)) return await synthesise(streamOf(whole));
    return new ReadableStream<AudioFrame>({
      start(controller) {
        controller.enqueue(moment());
        controller.close();
      },
    });
  };
}
