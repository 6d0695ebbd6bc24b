import { describe, expect, test } from 'vitest';
import { createVoiceChannel } from '../../src/channels/voice.ts';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { closeLater } from '../livekit/call-record.ts';
import { until } from '../livekit/until.ts';
import { voiceSession } from '../livekit/speech/voice-rig.ts';

const gates = `
flow: {}
nodes:
  plan: { type: control.gate, input: { prompt: "Basic or premium?", choices: [basic, premium] } }
  name: { type: control.gate, input: { prompt: "Under which name?" } }
edges:
  - { from: plan, to: name }
`;

function call() {
  const model = new ScriptedModel({});
  const one = voiceSession(model, { preemptive: false });
  closeLater(() => one.session.close());
  return {
    ...one,
    model,
    channel: createVoiceChannel(one.session, { onEnd: 'keep' }),
    heard: (words: string) => until(() => one.speaker.words.join(' ').includes(words), words),
    async says(words: string) {
      await one.caller.begins();
      await one.caller.isUnderstood(words);
      await one.caller.stops();
    },
  };
}

describe('a voice channel', () => {
  test('asks the questions of a task flow aloud, and takes what the caller says as answers', async () => {
    const { channel, heard, says, model } = call();
    const running = createFlowRunner(gates, undefined, { channels: [channel] }).run();
    await heard('premium?');
    await says('The premium one please');
    await heard('name?');
    await says('Ann');
    expect((await running).outputs).toEqual({
      plan: { response: { content: 'The premium one please', choice: 'premium' } },
      name: { response: { content: 'Ann' } },
    });
    expect(model.requests).toEqual([]);
  });

  test('lets a conversation run on its session, and others hear what is said', async () => {
    const { channel, heard, says } = call();
    const lines: string[] = [];
    const listener = { name: 'listener', onSpeech: (text: string) => Promise.resolve(void lines.push(text)) };
    const running = createFlowRunner(
      {
        initialNode: 'plan',
        nodes: {
          plan: {
            type: 'control.gate',
            input: { prompt: 'Basic or premium?', choices: ['basic', 'premium'] },
            defaultTransition: 'bye',
          },
          bye: { say: 'You take {{ plan.response.choice }}.', end: 'chosen' },
        },
      },
      undefined,
      { channels: [listener, channel] },
    ).run();
    await heard('premium?');
    await says('basic');
    const { status, outputs } = await running;
    expect({ status, reason: outputs['reason'] }).toEqual({ status: 'complete', reason: 'chosen' });
    expect(lines).toEqual(['Basic or premium?', 'You take basic.']);
  });

  test('whose session has closed fails the question', async () => {
    const { channel, heard, session } = call();
    const running = createFlowRunner(gates, undefined, { channels: [channel] }).run();
    await heard('premium?');
    await session.close();
    expect((await running).failures).toMatchObject([{ taskId: 'plan', code: 'caller-left' }]);
  });

  test('is asked no longer than the task lets it', async () => {
    const { channel } = call();
    const hurried = gates.replace('premium] } }', 'premium] }, policy: { timeout_ms: 1 } }');
    const { failures } = await createFlowRunner(hurried, undefined, { channels: [channel] }).run();
    expect(failures).toMatchObject([{ taskId: 'plan', code: 'task-timeout' }]);
  });
});
