import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { prompt, twoNodes } from '../livekit/flows.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import { until } from '../livekit/until.ts';
import type { RealtimeScript } from './openai-realtime-server.ts';
import { realtimeCall } from './realtime-call.ts';

/** Says a long line, and answers the caller with its node. */
const long: RealtimeScript = {
  hears: () => 'listen',
  answer: ({ items, instructions }) =>
    items.at(-1) === 'user:listen'
      ? { text: `Here is ${instructions}` }
      : { text: 'One two three four five six seven eight nine ten.', seconds: 2 },
};

describe('a caller who interrupts OpenAI’s realtime model', () => {
  it('during its words has heard as much of them as was played, and both sides know how much', async () => {
    const { server, heard, ear, microphone, hasHeard } = await realtimeCall(twoNodes, long);
    ear.hold(0.8);
    ear.cutText = 'One two three four';
    await until(() => ear.loaded >= 1.9, 'all of the sound');
    await microphone.begin();
    await hasHeard(1);
    ear.play();
    await microphone.stop();
    await hasHeard(2);
    expect(heard).toEqual(['One two three four', 'Here is Node A.']);
    const cuts = server.last.messages.filter(({ type }) => type === 'conversation.item.truncate');
    expect(cuts).toMatchObject([{ content_index: 0, audio_end_ms: 800 }]);
    expect(server.asks.at(-1)?.items).toEqual(['assistant:One two three four', 'user:listen']);
    expect(server.asks).toHaveLength(2);
    expect(server.errors).toEqual([]);
  });

  it('before its first word was heard finds it as if it had not been said', async () => {
    const { server, heard, ear, microphone, hasHeard } = await realtimeCall(twoNodes, long);
    ear.hold(0);
    ear.cutText = '';
    await until(() => ear.loaded >= 1.9, 'all of the sound');
    await microphone.begin();
    ear.play();
    await microphone.stop();
    await hasHeard(1);
    expect(heard).toEqual(['Here is Node A.']);
    expect(server.asks.at(-1)?.items).toEqual(['user:listen']);
    expect(server.errors).toEqual([]);
  });

  it('during a line of the voice is answered by a model that knows how much of it was heard', async () => {
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: {
          say: 'One two three four five six.',
          taskMessages: prompt('Node A.'),
          functions: [{ name: 'go', transitionTo: 'a' }],
        },
      },
    };
    const { server, heard, ear, microphone, hasHeard } = await realtimeCall(flow, long, { tts: new WordTts() });
    ear.hold(0.2);
    ear.cutText = 'One two';
    await until(() => ear.loaded >= 0.5, 'all of the sound');
    await microphone.begin();
    await hasHeard(1);
    ear.play();
    await microphone.stop();
    await hasHeard(2);
    expect(heard).toEqual(['One two', 'Here is Node A.']);
    expect(server.asks.at(-1)?.items).toEqual(['assistant:One two', 'user:listen']);
    expect(server.errors).toEqual([]);
  });

  it.each([
    ['read', 'its move is not made', 'a'],
    ['write', 'it is waited for, and its move is made', 'b'],
  ] as const)('while a function that is a %s runs is answered once: %s', async (effect, _what, node) => {
    let runs = 0;
    let finish = (): void => undefined;
    const look = flowTool({
      name: 'look',
      description: 'Look.',
      parameters: z.object({}),
      execute: async () => {
        runs += 1;
        await new Promise<void>((resolve) => (finish = resolve));
        return 'seen';
      },
    });
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: { taskMessages: prompt('Node A.'), functions: [{ name: 'look', effect, transitionTo: 'b' }] },
        b: { taskMessages: prompt('Node B.'), functions: [{ name: 'back', transitionTo: 'a' }] },
      },
    };
    const said = ['look', 'listen'];
    const { server, runner, heard, microphone, hasHeard } = await realtimeCall(
      flow,
      {
        hears: (utterance) => said[utterance - 1] ?? '',
        answer: ({ items, instructions }) =>
          items.at(-1) === 'user:look' ? { calls: [{ name: 'look' }] } : { text: `Here is ${instructions}` },
      },
      { tools: [look] },
    );
    let turns = 0;
    runner.on('turn:started', () => void (turns += 1));
    await hasHeard(1);
    await microphone.speak();
    await until(() => runs === 1, 'the function to run');
    await microphone.speak();
    if (effect === 'read') await until(() => turns === 2, 'the turn to be taken');
    finish();
    await hasHeard(2);
    await runner.idle();
    expect(heard).toEqual(['Here is Node A.', `Here is Node ${node.toUpperCase()}.`]);
    expect(runner.currentNode).toBe(node);
    expect(runs).toBe(1);
    expect(server.last.talk.items).toEqual([
      'assistant:Here is Node A.',
      'user:look',
      'call:look',
      expect.stringMatching(/^out:/),
      'user:listen',
      `assistant:Here is Node ${node.toUpperCase()}.`,
    ]);
    expect(server.errors).toEqual([]);
  });

  it('with nothing but noise hears it go on where nothing was understood', async () => {
    const { heard, ear, microphone, hasHeard } = await realtimeCall(twoNodes, { ...long, hears: () => '' });
    ear.hold(0.8);
    ear.cutText = 'One two three four';
    await until(() => ear.loaded >= 1.9, 'all of the sound');
    await microphone.begin();
    await hasHeard(1);
    ear.play();
    await microphone.stop();
    await hasHeard(2);
    expect(heard[0]).toBe('One two three four');
  });
});
