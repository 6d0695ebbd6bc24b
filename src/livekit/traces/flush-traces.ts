import { telemetry } from '@livekit/agents';
import { ProxyTracerProvider, trace, type TracerProvider } from '@opentelemetry/api';
import type { Clock } from '../../ports/time.ts';
import { timeLimit } from '../../turn/engine/time-limit.ts';
import { writeNow } from './write-later.ts';

/** How long a process waits for its last spans to be sent, in milliseconds. */
const withinMs = 3_000;

/**
 * Sends the spans that an SDK of the user's still holds, before the process ends: a batch is sent every few seconds, and the
 * last turns of a call are in it. Never throws.
 */
export async function flushTraces(clock: Clock): Promise<void> {
  writeNow();
  const providers = new Set([telemetry.tracer.getProvider(), trace.getTracerProvider()].map(behind));
  const flushed = [...providers].map(async (provider) => {
    const { forceFlush } = provider as { readonly forceFlush?: () => Promise<void> }; // An SDK's has it, the API's own not.
    await forceFlush?.call(provider);
  });
  await timeLimit(Promise.allSettled(flushed), clock, withinMs);
}

/** What the user has set up stands behind the API's own provider. */
function behind(provider: TracerProvider): TracerProvider {
  return provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
}
