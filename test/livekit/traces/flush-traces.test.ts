import { telemetry } from '@livekit/agents';
import { ProxyTracerProvider, trace, type TracerProvider } from '@opentelemetry/api';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { flushTraces } from '../../../src/livekit/traces/flush-traces.ts';
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts';

afterEach(() => trace.disable());

/** A user's provider, given to LiveKit, that exports its spans like this. */
function sending(forceFlush?: () => Promise<void>): void {
  const before = telemetry.tracer.getProvider();
  onTestFinished(() => telemetry.tracer.setProvider(before));
  const provider: TracerProvider = { getTracer: () => new ProxyTracerProvider().getTracer('none') };
  telemetry.tracer.setProvider(Object.assign(provider, forceFlush === undefined ? {} : { forceFlush }));
}

/** Returns how long the end of a process waits, in milliseconds of a moving clock. */
async function waited(): Promise<number> {
  const clock = createVirtualClock();
  const began = clock.now();
  let isOver = false;
  const flushed = flushTraces(clock).then(() => {
    isOver = true;
  });
  await clock.advance(0);
  while (!isOver && (await clock.advanceToNext()));
  await flushed;
  expect(clock.pending).toBe(0);
  return clock.now() - began;
}

describe('the spans of an ending process', () => {
  it('are sent before its end', async () => {
    let sent = 0;
    sending(async () => void (sent += 1));
    trace.setGlobalTracerProvider(
      Object.assign(new ProxyTracerProvider(), { forceFlush: async () => void (sent += 1) }),
    );
    expect([await waited(), sent]).toEqual([0, 2]);
  });

  it('delay the end for at most three seconds if their collector does not answer', async () => {
    sending(() => new Promise(() => undefined));
    expect(await waited()).toBe(3_000);
  });

  it.each([
    ['that refuses them', () => Promise.reject(new Error('gone'))],
    [
      'that throws',
      () => {
        throw new Error('gone');
      },
    ],
    ['that cannot send any', undefined],
  ])('keep nothing from ending by a provider %s', async (_, forceFlush) => {
    sending(forceFlush);
    expect(await waited()).toBe(0);
  });
});
