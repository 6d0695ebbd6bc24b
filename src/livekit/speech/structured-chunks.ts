import type { OutputReading } from '../../turn/reply/structured-output.ts';
import type { Chunk } from '../model/ask-model.ts';

/** What is to be said of a structured answer while it streams in; its calls go through as they are. */
export function structuredChunks(
  chunks: AsyncIterableIterator<Chunk>,
  reading: Pick<OutputReading, 'push' | 'end'>,
): AsyncIterableIterator<Chunk> {
  let hasCalls = false;
  return {
    async next() {
      for (;;) {
        const next = await chunks.next();
        if (next.done === true) {
          reading.end(hasCalls);
          return next;
        }
        const chunk = next.value;
        if (typeof chunk === 'symbol') return next;
        if (typeof chunk === 'string') return { done: false, value: reading.push(chunk) };
        const { delta } = chunk;
        const calls = delta?.toolCalls ?? [];
        hasCalls ||= calls.length > 0;
        const written = delta?.content ?? '';
        if (delta === undefined || written === '') return next;
        const content = reading.push(written);
        // What is written beside the reply is nobody's to hear, and an empty chunk would wake everybody for nothing.
        if (content !== '' || calls.length > 0)
          return { done: false, value: { ...chunk, delta: { ...delta, content } } };
      }
    },
    async return() {
      // Not awaited in the middle of a reading: the model is stopped at once.
      return (await chunks.return?.()) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
