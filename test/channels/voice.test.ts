import { describe, expect, test } from 'vitest';
import { createVoiceChannel } from '../../src/livekit/channels/voice.ts';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../src/testing/virtual-clock.ts';
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
  const clock = createVirtualClock(undefined, settleLiveKit);
  const model = new ScriptedModel({});
  const one = voiceSession(model, { preemptive: false });
  closeLater(() => one.session.close());
  return {
    ...one,
    model,
    clock,
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

  test('asks a caller who stays silent again, then with the choices, and then gives up', async () => {
    const { channel, heard, clock, speaker } = call();
    const running = createFlowRunner(gates, undefined, { channels: [channel], clock }).run();
    await heard('premium?');
    await clock.advance(8_000);
    await heard('still there? Basic or premium?');
    await clock.advance(8_000);
    await heard('You can say basic or premium. Basic or premium?');
    await clock.advance(8_000);
    expect((await running).failures).toMatchObject([{ taskId: 'plan', code: 'unanswered' }]);
    expect(speaker.words.join(' ').match(/Basic or premium\?/g)).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });

  test('counts words that do not answer like silences, and lets a caller take their time', async () => {
    const { channel, heard, says, clock, speaker } = call();
    const running = createFlowRunner(gates, undefined, { channels: [channel], clock }).run();
    await heard('premium?');
    await says('What a day');
    await heard('Basic or premium? basic, premium?');
    await says('One moment please');
    await heard('I will wait.');
    await clock.advance(59_000);
    expect(speaker.words.join(' ').match(/Basic or premium\?/g)).toHaveLength(2);
    await says('the first');
    await heard('name?');
    await says('Ann');
    expect((await running).outputs['plan']).toEqual({ response: { content: 'the first', choice: 'basic' } });
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
