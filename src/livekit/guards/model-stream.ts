// `@livekit/agents` 1.9.0: the stream of a failed model ends as if the answer were complete. The error is
// an event of the model, which may have several streams. Without a listener for that event, Node throws it
// and nothing is retried. Upstream: not reported. Reproduced in test/livekit/guards/model-stream.test.ts.
import type { llm } from '@livekit/agents';

/** Watches a newly opened stream. Returns a function that returns the error that ended it, or null. */
export function guardModelStream(model: llm.LLM, stream: llm.LLMStream): () => Error | null {
  let failure: Error | null = null;
  // Protected in its type only; each stream calls it on itself.
  const own = stream as unknown as { emitError(event: { error: Error; recoverable: boolean }): void };
  const emitError = own.emitError.bind(stream);
  own.emitError = (event) => {
    if (!event.recoverable) failure = event.error;
    if (model.listenerCount('error') > 0) emitError(event);
  };
  return () => failure;
}
