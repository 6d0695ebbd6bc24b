import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { prompt, twoNodesWith } from '../livekit/flows.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import { until } from '../livekit/until.ts';
import type { RealtimeScript } from './openai-realtime-server.ts';
import { realtimeCall } from './realtime-call.ts';
import { walks } from './realtime-walks.ts';

describe('on OpenAI’s realtime model', () => {
  it('a node that is entered in silence is known to the model when the caller speaks next', async () => {
    const flow = twoNodesWith({ respondImmediately: false });
    const said = ['go on', 'are you there'];
    const script: RealtimeScript = {
      hears: (utterance) => said[utterance - 1] ?? '',
      answer: ({ items, instructions, tools }) =>
        items.at(-1) === 'user:go on' ? { calls: [{ name: tools[0] ?? '' }] } : { text: `Here is ${instructions}` },
    };
    const { server, runner, heard, microphone, hasHeard } = await realtimeCall(flow, script);
    await hasHeard(1);
    await microphone.speak();
    await until(
      () => runner.currentNode === 'b' && server.last.talk.instructions === 'Node B.',
      'the node to be known',
    );
    await runner.idle();
    expect(server.asks).toHaveLength(2);
    await microphone.speak();
    await hasHeard(2);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.']);
    expect(server.asks.at(-1)).toMatchObject({ instructions: 'Node B.', tools: ['to_a'], isAskedFor: false });
    expect(server.asks.at(-1)?.items).toEqual([
      'assistant:Here is Node A.',
      'user:go on',
      'call:to_b',
      'out:ok',
      'user:are you there',
    ]);
    expect(server.errors).toEqual([]);
  });

  it('a reset takes out of the model’s conversation what came before the node', async () => {
    const flow = twoNodesWith({ contextStrategy: 'reset' });
    const said = ['go on', 'hm'];
    const { server, heard, microphone, hasHeard } = await realtimeCall(flow, {
      ...walks,
      hears: (utterance) => said[utterance - 1] ?? '',
      answer: (ask, count) =>
        ask.items.at(-1) === 'user:hm' ? { text: 'Still B.' } : (walks.answer?.(ask, count) ?? {}),
    });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(server.asks.at(-1)?.items).toEqual([]);
    await microphone.speak();
    await hasHeard(3);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.', 'Still B.']);
    expect(server.asks.at(-1)?.items).toEqual(['assistant:Here is Node B.', 'user:hm']);
    expect(server.errors).toEqual([]);
  });

  it('slots are asked for as they stand, and taken from what the model makes of the caller’s words', async () => {
    const flow: ConversationFlow = {
      initialNode: 'ask',
      slots: { color: { type: 'text', ask: 'Which color?' }, size: { type: 'text', ask: 'Which size?' } },
      nodes: {
        ask: { collect: ['color', 'size'], taskMessages: prompt('Collect.'), defaultTransition: 'done' },
        done: { say: 'It is {{ color }}, {{ size }}.', end: 'done' },
      },
    };
    const said = ['blue', 'a large one'];
    const records = ['{"color":"blue"}', '{"size":"large"}'];
    const script: RealtimeScript = {
      hears: (utterance) => said[utterance - 1] ?? '',
      answer: ({ items }) => ({
        calls: [{ name: 'record', args: records[items.filter((item) => item.startsWith('user:')).length - 1] ?? '{}' }],
      }),
    };
    const { server, runner, heard, microphone, hasHeard } = await realtimeCall(flow, script, { tts: new WordTts() });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    await microphone.speak();
    expect(await runner.ended).toBe('done');
    expect(heard).toEqual(['Which color?', 'Which size?', 'It is blue, large.']);
    expect(server.asks).toHaveLength(2);
    expect(server.errors).toEqual([]);
  });

  it.each([
    ['yes', 1, 'It is done.'],
    ['no', 0, 'What would you like to change?'],
  ])(
    'a call that needs a yes is asked for and settled by the word %s, without a response of the model',
    async (word, runs, last) => {
      let ran = 0;
      const pay = flowTool({
        name: 'pay',
        description: 'Pay.',
        parameters: z.object({ amount: z.number() }),
        execute: () => (ran += 1),
      });
      const flow: ConversationFlow = {
        initialNode: 'desk',
        nodes: {
          desk: {
            taskMessages: prompt('Desk.'),
            functions: [
              { name: 'pay', effect: 'write', confirm: 'Shall I pay {{ args.amount }}?', transitionTo: 'paid' },
            ],
          },
          paid: { say: 'It is done.', end: 'paid' },
        },
      };
      const said = ['pay it', word];
      const script: RealtimeScript = {
        hears: (utterance) => said[utterance - 1] ?? '',
        answer: ({ items }) => {
          if (items.at(-1) === 'user:pay it') return { calls: [{ name: 'pay', args: '{"amount": 3}' }] };
          return { text: 'What may I do?' };
        },
      };
      const { server, path, heard, microphone, hasHeard } = await realtimeCall(flow, script, {
        tts: new WordTts(),
        tools: [pay],
      });
      await hasHeard(1);
      await microphone.speak();
      await hasHeard(2);
      await microphone.speak();
      await hasHeard(3);
      expect(heard).toEqual(['What may I do?', 'Shall I pay 3?', last]);
      expect(ran).toBe(runs);
      expect(path).toEqual(runs === 1 ? ['desk -> paid'] : []);
      expect(server.errors).toEqual([]);
    },
  );
});
