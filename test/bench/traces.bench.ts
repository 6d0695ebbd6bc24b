import { telemetry } from '@livekit/agents';
import { context, trace, type TracerProvider } from '@opentelemetry/api';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { rateRatio, turnsPerSecond } from './busy-calls.ts';
import type { Measure } from './measure.ts';

const sessions = 50;
const turnsASession = 6;
const repetitions = 9;

/** Turns for a second of the processor, of sessions that all speak at once. */
async function turnsWith(provider: TracerProvider): Promise<number> {
  telemetry.tracer.setProvider(provider);
  return await turnsPerSecond({ sessions, turnsASession });
}

/** An exporter that takes everything: what a collector does with it is not measured. */
const nowhere: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
};

/** Turns whose spans are written beside LiveKit's, against those of the same sessions with LiveKit's alone. */
async function spansRatio(): ReturnType<Measure['run']> {
  const both = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(nowhere)] });
  both.register();
  const none = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });
  const livekitAlone: TracerProvider = {
    getTracer: (name) =>
      name === 'roomflow' ? { startSpan: () => none, startActiveSpan: () => undefined as never } : both.getTracer(name),
  };
  await turnsWith(both);
  const found = await rateRatio({
    candidate: () => turnsWith(both),
    baseline: () => turnsWith(livekitAlone),
    ...{ baselineName: "LiveKit's spans alone", repetitions },
  });
  context.disable();
  return found;
}

export const measures: Measure[] = [
  { name: 'traces.turns_ratio', unit: 'times', better: 'higher', limit: 0.97, run: spansRatio },
];
