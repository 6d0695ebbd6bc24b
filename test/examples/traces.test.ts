import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FlowRunner } from 'roomflow/livekit';
import { trace } from '@opentelemetry/api';
import { expect, it, onTestFinished } from 'vitest';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { flushTraces } from '../../dist/livekit/traces/flush-traces.js';
import { systemClock } from '../../dist/system.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';

it('the configuration that sends traces sends each turn to a collector by OTLP, and nothing that was said', async () => {
  const posted: { readonly path: string | undefined; readonly body: string }[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      // Names stand in the bytes of Protobuf as they are.
      posted.push({ path: request.url, body: Buffer.concat(chunks).toString('latin1') });
      response.end();
    });
  });
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo; // It listens at a port.
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${port}`;
  onTestFinished(() => {
    delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    trace.disable();
    collector.closeAllConnections();
    collector.close();
  });
  const { default: config } = await import('../../examples/traces/agent.config.ts');
  const session = createTextSession(new ScriptedModel({ '*': [{ text: 'The wombat is mended.' }] }));
  const runner = new FlowRunner({
    session,
    agent: { prompt: config.prompt ?? '' },
    settings: { prices: config.prices ?? {} },
  });
  await runner.start();
  await runner.send('I am Zebedee.');
  await runner.stop();
  await session.close();
  await flushTraces(systemClock);

  const sent = posted.map(({ body }) => body).join('');
  expect(new Set(posted.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  for (const name of ['flow.turn', 'flow.step', 'flow.commit', 'chat scripted', 'flow.speak', 'agent_session'])
    expect(sent).toContain(name);
  expect(sent).not.toMatch(/wombat|zebedee|bicycle/i);
});
