import { telemetry } from '@livekit/agents';
import { ProxyTracerProvider, trace, type TracerProvider } from '@opentelemetry/api';
import type { Clock } from '../../model/ports/time.ts';
import { timeLimit } from '../../engine/time-limit.ts';
import { writeNow } from './turn-sink.ts';

/** How long a process waits for its last spans to be sent, in milliseconds. */
const withinMs = 3_000;

/**
 * Sends the spans that the user's SDK still buffers before the process ends. An SDK sends
 * every few seconds, and the buffer contains the last turns of a call. Never throws.
 */
export async function flushTraces(clock: Clock): Promise<void> {
  writeNow();
  const providers = new Set([telemetry.tracer.getProvider(), trace.getTracerProvider()].map(behind));
  const flushed = [...providers].map(async (provider) => {
    const { forceFlush } = provider as { readonly forceFlush?: () => Promise<void> }; // Providers of an SDK have it; the API's own does not.
    await forceFlush?.call(provider);
  });
  await timeLimit(Promise.allSettled(flushed), clock, withinMs);
}

/** Returns the user's provider behind the API's proxy. */
function behind(provider: TracerProvider): TracerProvider {
  return provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
}
