import { telemetry } from '@livekit/agents';
import { context, trace, type TracerProvider } from '@opentelemetry/api';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { openCalls, rateRatio } from './busy-calls.ts';
import type { Measure } from './measure.ts';
import { rounds } from './rounds.ts';

const sessions = rounds(25);
const turnsARound = 2;
// Many short alternating rounds of the same sessions. On a busy machine, single pairs of equal work read 0.88 to 1.07,
// so the median of 60 pairs may be 2 % off, and that of 240 pairs 1 %.
const repetitions = rounds(240);
// New sessions from time to time, because a long history makes turns slow and spans cheap in comparison.
const roundsASession = 6;

/** An exporter that drops everything, because the collector is not measured. */
const nowhere: SpanExporter = {
  export: (_spans, done) => done({ code: 0 }),
  shutdown: () => Promise.resolve(),
};

/** Compares turns with Roomflow's and LiveKit's spans with turns of the same sessions with LiveKit's spans only. */
async function spansRatio(): ReturnType<Measure['run']> {
  const both = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(nowhere)] });
  both.register();
  const none = trace.wrapSpanContext({ traceId: '', spanId: '', traceFlags: 0 });
  const livekitAlone: TracerProvider = {
    getTracer: (name) =>
      name === 'roomflow' ? { startSpan: () => none, startActiveSpan: () => undefined as never } : both.getTracer(name),
  };
  let calls = await openCalls({ sessions });
  let lot = 0;
  const turnsWith = async (provider: TracerProvider, round: number): Promise<number> => {
    telemetry.tracer.setProvider(provider);
    if (Math.floor(round / roundsASession) !== lot) {
      await calls.close();
      calls = await openCalls({ sessions });
      lot = Math.floor(round / roundsASession);
    }
    return await calls.talk(turnsARound);
  };
  // Warm-up for both.
  for (const provider of [both, livekitAlone, both, livekitAlone]) await turnsWith(provider, 0);
  const found = await rateRatio({
    candidate: (round) => turnsWith(both, round),
    baseline: (round) => turnsWith(livekitAlone, round),
    ...{ baselineName: "LiveKit's spans alone", repetitions },
  });
  await calls.close();
  context.disable();
  return found;
}

export const measures: Measure[] = [
  { name: 'traces.turns_ratio', unit: 'times', better: 'higher', limit: 0.97, run: spansRatio },
];
