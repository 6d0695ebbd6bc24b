import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createTerminalChannel } from '../../src/livekit/channels/terminal.ts';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { modelPort } from '../../src/livekit/model/model-port.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { silenceLivekit } from '../livekit/call-record.ts';

silenceLivekit();

const desk: ConversationFlow = {
  initialNode: 'hello',
  nodes: {
    hello: { say: 'Hello there.', defaultTransition: 'plan' },
    plan: {
      type: 'control.gate',
      input: { prompt: 'Basic or premium?', choices: ['basic', 'premium'] },
      defaultTransition: 'bye',
    },
    bye: { say: 'You take {{ plan.response.choice }}.', end: 'chosen' },
  },
};

function terminal(typed: string) {
  const input = new PassThrough();
  let screen = '';
  const channel = createTerminalChannel({ input, write: (text) => void (screen += text) });
  input.end(typed);
  return { channel, screen: () => screen };
}

const model = () => modelPort(new ScriptedModel({}));

test('each line of a pipe is a turn, which waits for the answer to the line before', async () => {
  const { channel, screen } = terminal('Good morning\n\npremium\n');
  const { status, outputs } = await createFlowRunner(desk, undefined, { model: model(), channels: [channel] }).run();
  expect({ status, reason: outputs['reason'] }).toEqual({ status: 'complete', reason: 'chosen' });
  const agent = screen()
    .split('\n')
    .filter((line) => line.startsWith('agent'));
  expect(agent.map((line) => line.slice(5).trim())).toEqual(['Hello there.', 'Basic or premium?', 'You take premium.']);
});

test('the end of the input is the end of the call', async () => {
  const { channel } = terminal('Good morning\n');
  const { status } = await createFlowRunner(desk, undefined, { model: model(), channels: [channel] }).run();
  expect(status).toBe('aborted');
});

test('a task flow asks there', async () => {
  const { channel, screen } = terminal('2\n');
  const gate = 'flow: {}\nnodes: { a: { type: control.gate, input: { prompt: Which?, choices: [one, two] } } }\n';
  const { outputs } = await createFlowRunner(gate, undefined, { channels: [channel] }).run();
  expect(outputs).toEqual({ a: { response: { content: '2', choice: 'two' } } });
  expect(screen()).toBe('Which?\n  1  one\n  2  two\n');
});
