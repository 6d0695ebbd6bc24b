import { telemetry } from '@livekit/agents';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

const canaries = /wombat|xylophone|zebedee/i;

/** A call with a marker word for each path of content into traces. */
async function tracedCall(exporter: InMemorySpanExporter): Promise<string> {
  const model = new ScriptedModel(({ userText }) =>
    userText === '' ? { text: 'The wombat is here.' } : { calls: [{ name: 'look', arguments: { who: 'Zebedee' } }] },
  );
  const look = flowTool({
    name: 'look',
    description: 'Look a wombat up.',
    parameters: z.object({ who: z.string() }),
    execute: ({ who }) => {
      throw new Error(`There is no ${who}.`);
    },
  });
  const session = createTextSession(model);
  const runner = createRunner({ session, prompt: 'The password is xylophone.', tools: [look] });
  await runner.start();
  await runner.send('I am Zebedee.');
  await runner.stop();
  await session.close();
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['agent_session', 'llm_request', 'agent_turn']));
  return JSON.stringify(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
}

it('the global tracer that LiveKit uses: receives content, and none if it is guarded', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const guarded = telemetry.tracer.getProvider();
  onTestFinished(async () => {
    telemetry.tracer.setProvider(guarded);
    trace.disable();
    await provider.shutdown();
  });
  expect(await tracedCall(exporter)).not.toMatch(canaries);
  telemetry.tracer.setProvider(trace.getTracerProvider());
  expect(process.env['LIVEKIT_TELEMETRY_ALLOW_PII']).toBe('0');
  const mended = 'LiveKit has mended it: src/livekit/guards/trace-content.ts can go';
  expect(await tracedCall(exporter), mended).toMatch(canaries);
});

it.each([
  [undefined, false],
  [true, true],
])(
  'a tracer that is given to LiveKit gets no content, unless requested (allowPii: %s)',
  async (allowPii, hasContent) => {
    const exporter = new InMemorySpanExporter();
    const fanout = new telemetry.FanoutSpanProcessor();
    const provider = new NodeTracerProvider({ spanProcessors: [fanout, new SimpleSpanProcessor(exporter)] });
    const before = telemetry.tracer.getProvider();
    telemetry.setTracerProvider(provider, {
      registerSpanProcessor: (processor) => fanout.add(processor),
      ...(allowPii === undefined ? {} : { allowPii }),
    });
    onTestFinished(async () => {
      telemetry.tracer.setProvider(before);
      await provider.shutdown();
    });
    expect(canaries.test(await tracedCall(exporter))).toBe(hasContent);
  },
);
