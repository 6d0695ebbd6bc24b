import { initializeLogger } from '@livekit/agents';
import { realtime } from '@livekit/agents-plugin-openai';
import { expect, it, onTestFinished } from 'vitest';
import { guardOpenaiRealtime } from '../../../src/livekit/guards/openai-realtime.ts';
import type { Fault } from '../../providers/local-server.ts';
import { openaiRealtimeServer } from '../../providers/openai-realtime-server.ts';
import { until } from '../until.ts';
import { fatalErrors } from './fatal-errors.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** Opens a session with a server that shows the fault. */
async function open(fault: Fault, prepare: (model: realtime.RealtimeModel) => void) {
  const server = await openaiRealtimeServer({ openFault: () => fault });
  const connOptions = { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 1_000 };
  const model = new realtime.RealtimeModel({ apiKey: 'sk-secret', baseURL: server.url, connOptions });
  prepare(model);
  const session = model.session();
  const told: string[] = [];
  session.on('error', ({ error }: { readonly error: Error }) => void told.push(error.constructor.name));
  onTestFinished(async () => {
    await session.close();
    await server.close();
  });
  return { told };
}

const faults: readonly [string, Fault, string][] = [
  ['refuses the connection', { fault: 'status', status: 401 }, 'APIStatusError'],
  ['hangs up', { fault: 'cut' }, 'APIConnectionError'],
  ['sends what is no JSON', { fault: 'garbage' }, 'APIConnectionError'],
];

it.each(faults)('LiveKit’s own: a server that %s ends the process', async (_what, fault) => {
  const fatal = fatalErrors();
  await open(fault, () => undefined);
  expect(await fatal.first('openai-realtime.ts')).toBeInstanceOf(Error);
});

it.each(faults)('guarded: a server that %s is reported', async (_what, fault, kind) => {
  const fatal = fatalErrors();
  const { told } = await open(fault, (model) => guardOpenaiRealtime(model, realtime));
  await until(() => told.length > 0, 'an error event');
  expect(await fatal.settled()).toEqual([]);
  expect(told[0]).toBe(kind);
});
