import { telemetry } from '@livekit/agents';
import { context, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { spanName, type TurnTrace } from '../../../src/model/events/turn-trace.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { openTelemetrySink } from '../../../src/livekit/traces/turn-sink.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

const flow: ConversationFlow = {
  initialNode: 'ask',
  nodes: {
    ask: { say: 'Who is it?', functions: [{ name: 'look', transitionTo: 'found' }] },
    found: { taskMessages: [{ role: 'system', content: 'Tell the xylophone.' }] },
  },
};

/** Traces a call with the process's own provider, from its beginning to its end. */
async function tracedCall(env: Readonly<Record<string, string>> = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const guarded = telemetry.tracer.getProvider();
  const allowed = process.env['LIVEKIT_TELEMETRY_ALLOW_PII'];
  Object.assign(process.env, env);
  // LiveKit's own tracer, which is guarded only if content must not be traced.
  if (env['LIVEKIT_TELEMETRY_ALLOW_PII'] === '1') telemetry.tracer.setProvider(trace.getTracerProvider());
  try {
    return { turns: await call(), spans: exporter.getFinishedSpans() };
  } finally {
    process.env['LIVEKIT_TELEMETRY_ALLOW_PII'] = allowed;
    telemetry.tracer.setProvider(guarded);
    trace.disable();
    context.disable();
    await provider.shutdown();
  }
}

async function call(): Promise<readonly TurnTrace[]> {
  const model = new ScriptedModel(({ userText }) =>
    userText === ''
      ? { text: 'The wombat is here.', tokens: { input: 90, output: 5 } }
      : { calls: [{ name: 'look', arguments: { who: 'Zebedee' } }], tokens: { input: 80, output: 9 } },
  );
  const look = flowTool({
    name: 'look',
    description: 'Look somebody up.',
    parameters: z.object({ who: z.string() }),
    execute: ({ who }) => ({ found: who }),
  });
  const session = createTextSession(model);
  const runner = createRunner({ session, flow, tools: [look], sessionId: 's1' });
  const turns: TurnTrace[] = [];
  runner.on('turn:completed', ({ data }) => void turns.push(data));
  await runner.start();
  await runner.idle();
  await runner.send('I am Zebedee.');
  await runner.stop();
  await session.close();
  return turns;
}

const msOf = ([seconds, nanos]: ReadableSpan['startTime']): number => seconds * 1_000 + nanos / 1e6;

it('a turn is a span inside LiveKit’s session span, with a child for each part of its trace, of the same name and times', async () => {
  const { spans, turns } = await tracedCall();
  const sessionSpan = spans.find(({ name }) => name === 'agent_session');
  const written = spans.filter(({ name }) => name === 'flow.turn');
  expect(turns).toHaveLength(2);
  expect(written.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
    sessionSpan?.spanContext().spanId,
    sessionSpan?.spanContext().spanId,
  ]);
  for (const [index, turn] of turns.entries()) {
    const root = written[index];
    const parts = spans.filter((span) => span.parentSpanContext?.spanId === root?.spanContext().spanId);
    expect(parts.map(({ name, startTime, endTime }) => [name, msOf(startTime), msOf(endTime)])).toEqual(
      turn.spans.map((span) => [
        spanName(span),
        turn.startedAt + span.at,
        turn.startedAt + span.at + (span.ms ?? turn.ms - span.at),
      ]),
    );
    expect(root?.events.map(({ name }) => name)).toContain('flow.heard');
  }
  const names = new Set(spans.map(({ name }) => name));
  for (const name of ['flow.step', 'flow.commit', 'chat scripted', 'execute_tool look', 'flow.speak'])
    expect(names).toContain(name);
});

it('a request of LiveKit’s model links to LiveKit’s own span, and only that has the conventional token attributes', async () => {
  const { spans } = await tracedCall();
  const [chat] = spans.filter(({ name }) => name === 'chat scripted');
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted',
    'gen_ai.provider.name': 'roomflow',
    'flow.tokens.input': 80,
  });
  const linked = spans.find((span) => span.spanContext().spanId === chat?.links[0]?.context.spanId);
  expect(linked?.name).toBe('llm_node');
  const counted = spans.filter(({ attributes }) => 'gen_ai.usage.input_tokens' in attributes);
  expect(counted.map(({ name }) => name)).toEqual(['llm_request', 'llm_request']);
});

it('spans contain no content, unless requested, and then in marked attributes', async () => {
  const canaries = /wombat|xylophone|zebedee/i;
  const told = (all: readonly ReadableSpan[]): string =>
    JSON.stringify(all.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
  expect(told((await tracedCall()).spans)).not.toMatch(canaries);

  const { spans } = await tracedCall({ LIVEKIT_TELEMETRY_ALLOW_PII: '1' });
  const ours = spans.filter(({ name }) => name.startsWith('flow.') || /^(chat|execute_tool) /.test(name));
  const marked = ours.flatMap(({ attributes }) =>
    Object.entries(attributes).flatMap(([name, value]) => (canaries.test(String(value)) ? [name] : [])),
  );
  expect(marked.toSorted()).toEqual(['flow.pii.arguments', 'flow.pii.heard', 'flow.pii.result', 'flow.pii.said']);
});

it('without an SDK or in an unsampled trace, only one span is created', async () => {
  let asked = 0;
  const before = telemetry.tracer.getProvider();
  const tracer = trace.getTracer('none');
  telemetry.tracer.setProvider({
    getTracer: (name) =>
      name === 'roomflow' ? { ...tracer, startSpan: (...given) => ((asked += 1), tracer.startSpan(...given)) } : tracer,
  });
  onTestFinished(() => telemetry.tracer.setProvider(before));
  const model = new ScriptedModel({ '*': [{ text: 'I see.' }] });
  const session = createTextSession(model);
  const runner = createRunner({ session, prompt: 'Answer.' });
  await runner.start();
  await runner.send('hm');
  await runner.stop();
  await session.close();
  expect(asked).toBe(2);
});

it('a reported turn does not wait for its spans, and those of a closing session are complete', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const before = telemetry.tracer.getProvider();
  telemetry.tracer.setProvider(provider);
  onTestFinished(() => telemetry.tracer.setProvider(before));
  const [turn] = await call();
  if (turn === undefined) throw new Error('No turn was told.');
  exporter.reset();
  const sink = openTelemetrySink(createTextSession(new ScriptedModel(() => ({ text: '' }))), {});
  const told = { trace: turn, about: {}, places: [], content: null };
  const written = (): readonly string[] => exporter.getFinishedSpans().map(({ name }) => name);
  const all = [...turn.spans.map(spanName), 'flow.turn'];

  sink.turn(told);
  expect(written()).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written()).toEqual(all);

  sink.turn(told);
  sink.close();
  expect(written()).toEqual([...all, ...all]);
});
