// `@livekit/agents` 1.9.0: the stream of a model that failed ends as if the answer had been complete; the error is an event of
// the model, which may have several streams. Where nobody listens to that event, Node throws it and nothing is tried again.
// Upstream: not reported; test/livekit/guards/model-stream.test.ts shows the fault.
import type { llm } from '@livekit/agents';

/** Watches a stream that has just been opened. Returns a function that gives the error that ended it, or null. */
export function guardModelStream(model: llm.LLM, stream: llm.LLMStream): () => Error | null {
  let failure: Error | null = null;
  // Protected in its type only; each stream calls it as its own method.
  const own = stream as unknown as { emitError(event: { error: Error; recoverable: boolean }): void };
  const emitError = own.emitError.bind(stream);
  own.emitError = (event) => {
    if (!event.recoverable) failure = event.error;
    if (model.listenerCount('error') > 0) emitError(event);
  };
  return () => failure;
}
