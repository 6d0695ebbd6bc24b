import { telemetry } from '@livekit/agents';
import { context, trace, type TracerProvider } from '@opentelemetry/api';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { cpuUsage } from 'node:process';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { flowTool } from '../../dist/livekit/tools/flow-tool.js';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import { type Measure, median } from './measure.ts';

const sessions = 50;
const turnsASession = 6;
const repetitions = 9;

const work = flowTool({ name: 'work', description: 'Do the work.', execute: () => ({ ok: true }) });

async function openCall() {
  const model = new ScriptedModel(({ userText }) => {
    model.requests.length = 0;
    return userText === '' ? { text: 'Fine, thank you.' } : { calls: [{ name: 'work' }] };
  });
  const node = (next: string) => ({
    taskMessages: [{ role: 'system' as const, content: 'You are the receptionist of a small clinic.' }],
    functions: [{ name: 'work', transitionTo: next }],
  });
  const session = createTextSession(model);
  const runner = new FlowRunner({
    session,
    flow: { initialNode: 'a', nodes: { a: { ...node('b'), respondImmediately: false }, b: node('a') } },
    tools: [work],
  });
  await runner.start();
  return { session, runner };
}

/** Turns for a second of the processor, of sessions that all speak at once. */
async function turnsPerSecond(provider: TracerProvider): Promise<number> {
  telemetry.tracer.setProvider(provider);
  const calls = await Promise.all(Array.from({ length: sessions }, openCall));
  const talk = (turns: number): Promise<unknown> =>
    Promise.all(
      calls.map(async ({ runner }) => {
        for (let turn = 0; turn < turns; turn += 1) await runner.send('I would like to go on, please.');
      }),
    );
  await talk(1);
  const started = cpuUsage();
  await talk(turnsASession);
  const { user, system } = cpuUsage(started);
  for (const { runner, session } of calls) {
    await runner.stop();
    void session.close();
  }
  return (sessions * turnsASession) / ((user + system) / 1e6);
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
  const withOurs: number[] = [];
  const without: number[] = [];
  await turnsPerSecond(both);
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    if (repetition % 2 === 0) withOurs.push(await turnsPerSecond(both));
    without.push(await turnsPerSecond(livekitAlone));
    if (repetition % 2 === 1) withOurs.push(await turnsPerSecond(both));
  }
  context.disable();
  const reference = median(without);
  return {
    value: median(withOurs.map((turns, index) => turns / (without[index] ?? reference))),
    baseline: `LiveKit's spans alone, ${reference.toPrecision(3)} turns/s`,
    runs: repetitions,
  };
}

export const measures: Measure[] = [
  { name: 'traces.turns_ratio', unit: 'times', better: 'higher', limit: 0.97, run: spansRatio },
];
