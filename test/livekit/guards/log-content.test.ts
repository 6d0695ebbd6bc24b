import { initializeLogger, voice } from '@livekit/agents';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { logEvents } from '../../../src/worker/log-events.ts';
import { withholdLogContent } from '../../../src/livekit/guards/log-content.ts';
import { startLogging, workerLog } from '../../../src/worker/worker-log.ts';
import { realtimeCall } from '../../providers/realtime-call.ts';
import { live } from '../live.ts';
import { until } from '../until.ts';

const canaries = /wombat|xylophone|zebedee|marmalade/i;

const flow: ConversationFlow = {
  initialNode: 'desk',
  fallback: 'Pardon the wombat?',
  slots: { name: { type: 'name', ask: 'Who is it?', pii: true } },
  nodes: {
    desk: {
      roleMessages: [{ role: 'system', content: 'The password is xylophone.' }],
      taskMessages: [{ role: 'system', content: 'Sell a wombat.' }],
      functions: [{ name: 'look' }, { name: 'go', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye from the wombat.', end: 'done' },
  },
};

const look = flowTool({
  name: 'look',
  description: 'Look a wombat up.',
  parameters: z.object({ who: z.string() }),
  execute: ({ who }) => {
    throw new Error(`There is no ${who}.`);
  },
});

/** Returns the log of this process at the default level from now on, LiveKit's lines included. `start` sets up the logger. */
function logged(start: () => void): () => string {
  let text = '';
  const { write } = process.stdout;
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return true;
  };
  onTestFinished(() => void (process.stdout.write = write));
  start();
  return () => text;
}

function linesWith(pattern: RegExp, log: string): readonly string[] {
  return log.split('\n').filter((line) => pattern.test(line));
}

it('LiveKit’s own: its log contains the arguments of a function', async () => {
  const log = logged(() => initializeLogger({ pretty: false, level: 'info' }));
  const { runner } = await live(
    flow,
    ({ userText }) =>
      userText === '' ? { text: 'Yes?' } : { calls: [{ name: 'look', arguments: { who: 'Zebedee' } }] },
    { tools: [look] },
  );
  // The session continues to log after the test.
  onTestFinished(() => withholdLogContent());
  await runner.send('look at Zebedee');
  const mended = 'LiveKit has mended it: src/livekit/guards/log-content.ts can go';
  expect(linesWith(/"lk\.pii\.arguments":.*Zebedee/, log()), mended).not.toEqual([]);
});

it('a call in text logs no speech, thoughts, arguments or error texts', async () => {
  const log = logged(() => startLogging('info', false));
  const { runner, heard } = await live(
    flow,
    ({ userText }) => {
      if (userText.startsWith('look')) return { calls: [{ name: 'look', arguments: { who: 'Zebedee' } }] };
      if (userText.startsWith('bad')) return { calls: [{ name: 'look', arguments: { who: { zebedee: 'Zebedee' } } }] };
      if (userText.startsWith('nobody')) return { calls: [{ name: 'look', arguments: '{"who": "Zebedee' as never }] };
      return userText.startsWith('fail') ? { fails: 'error' } : { text: `The wombat heard ${userText}` };
    },
    { tools: [look], sessionId: '+4915112345678' },
  );
  onTestFinished(logEvents(runner, workerLog()));
  for (const words of ['I like marmalade', 'look at Zebedee', 'bad Zebedee', 'nobody', 'fail, Zebedee'])
    await runner.send(words);
  await runner.stop();
  expect(heard.join()).toMatch(canaries);
  // Both LiveKit and Roomflow log their actions.
  expect(log()).toMatch(/"msg":"Executing LLM tool call"/);
  expect(log()).toMatch(/"event":"tool:settled"/);
  expect(linesWith(canaries, log())).toEqual([]);
  expect(linesWith(/lk\.pii|15112345678/, log())).toEqual([]);
  expect(linesWith(/"(?:code|reason|error|err)":"Error"/, log())).toEqual([]);
});

it('a call by voice with a realtime model logs none either, even if the provider fails', async () => {
  const log = logged(() => startLogging('info', false));
  const { session, runner, microphone, server } = await realtimeCall(
    flow,
    {
      hears: () => 'I like marmalade',
      answer: ({ items }) =>
        items.at(-1)?.startsWith('user:') === true
          ? { calls: [{ name: 'look', args: '{"who":"Zebedee"}' }] }
          : { text: 'The wombat is here.' },
    },
    { tools: [look] },
  );
  onTestFinished(logEvents(runner, workerLog()));
  let calls = 0;
  session.on(voice.AgentSessionEventTypes.FunctionToolsExecuted, () => (calls += 1));
  await runner.idle();
  await microphone.speak();
  await until(() => calls > 0, 'the function to be called');
  await runner.idle();
  await runner.stop();
  expect(server.asks.length).toBeGreaterThan(1);
  expect(log().split('\n').length).toBeGreaterThan(3);
  expect(linesWith(canaries, log())).toEqual([]);
  expect(linesWith(/lk\.pii/, log())).toEqual([]);
});
