import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import type { Responses } from '../../turn/reply/responses.ts';
import { moment, streamOf } from './spoken-audio.ts';

type Synthesise = (text: ReadableStream<string>) => Promise<ReadableStream<AudioFrame> | null>;

/** A voice that leaves lines unspoken which a hook wants to be read: they go out as text, with a moment of silence. */
export function unlessShown(
  { decides, takeShown }: Pick<Responses, 'decides' | 'takeShown'>,
  synthesise: Synthesise,
): Synthesise {
  // A hook decides about whole lines: they are complete here, and need not be waited for.
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
