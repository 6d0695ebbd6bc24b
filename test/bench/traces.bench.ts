import { telemetry } from '@livekit/agents';
import { context, trace, type TracerProvider } from '@opentelemetry/api';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { openCalls, rateRatio } from './busy-calls.ts';
import type { Measure } from './measure.ts';

const sessions = 25;
const turnsARound = 2;
// Many short rounds by turns, of the same sessions. Single pairs of a thing against itself read 0.88 to 1.07 on a busy machine, so
// that the median of sixty of them may be 2 % beside the truth, and that of 240 1 %.
const repetitions = 240;
// New sessions now and then: a long history makes turns dear, and spans cheap beside them.
const roundsASession = 6;

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
  // What is compiled at first is no part of either.
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
