import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { prompt, twoNodes } from '../livekit/flows.ts';
import { WordTts } from '../livekit/speech/voice-parts.ts';
import type { RealtimeScript } from './openai-realtime-server.ts';
import { realtimeCall } from './realtime-call.ts';
import { walks } from './realtime-walks.ts';

const lines: ConversationFlow = {
  initialNode: 'greet',
  nodes: {
    greet: { say: 'Hello there.', taskMessages: prompt('Greet.'), functions: [{ name: 'go', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

/** Says each requested line word for word, and calls the offered function when the caller speaks. */
const speaksLines: RealtimeScript = {
  answer: ({ instructions, tools }) => {
    const line = /Say exactly the following and nothing else: (.*)$/s.exec(instructions)?.[1];
    return line === undefined ? { calls: [{ name: tools[0] ?? '' }] } : { text: line };
  },
};

describe('a flow on OpenAI’s realtime model', () => {
  it('a transition updates instructions and tools before the one response that follows it', async () => {
    const { server, heard, path, microphone, troubles, hasHeard } = await realtimeCall(twoNodes, walks);
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.']);
    expect(path).toEqual(['a -> b']);
    expect(server.asks.map(({ instructions, tools, isAskedFor }) => [instructions, tools.join(), isAskedFor])).toEqual([
      ['Node A.', 'to_b', true],
      ['Node A.', 'to_b', false],
      ['Node B.', 'to_a', true],
    ]);
    expect(server.asks.at(-1)?.items).toEqual(['assistant:Here is Node A.', 'user:go on', 'call:to_b', 'out:ok']);
    expect(server.sockets).toHaveLength(1);
    expect(server.last).toMatchObject({ path: '/v1/realtime', headers: { authorization: 'Bearer sk-secret' } });
    expect(server.errors).toEqual([]);
    expect(troubles).toEqual([]);
  });

  it('calls made together settle as one batch: one moves, and one response follows both outputs', async () => {
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }, { name: 'look' }] },
        b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
      },
    };
    const look = flowTool({
      name: 'look',
      description: 'Look.',
      parameters: z.object({ at: z.string() }),
      execute: async ({ at }) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        return `seen ${at}`;
      },
    });
    const script: RealtimeScript = {
      answer: ({ items, instructions }) =>
        items.at(-1) === 'user:yes'
          ? { calls: [{ name: 'look', args: '{"at":"the moon"}' }, { name: 'to_b' }] }
          : { text: instructions },
    };
    const { server, heard, path, microphone, hasHeard } = await realtimeCall(flow, script, { tools: [look] });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(heard).toEqual(['Node A.', 'Node B.']);
    expect(path).toEqual(['a -> b']);
    expect(server.asks).toHaveLength(3);
    expect(server.asks.at(-1)?.items.toSorted()).toEqual(
      ['assistant:Node A.', 'user:yes', 'call:look', 'call:to_b', 'out:ok', 'out:seen the moon'].toSorted(),
    );
    expect(server.errors).toEqual([]);
  });

  it('what the model says before its call asks nothing, so the node it moves to replies as well', async () => {
    const { server, runner, heard, path, microphone, hasHeard } = await realtimeCall(twoNodes, {
      answer: ({ items, instructions }) =>
        items.at(-1) === 'user:yes' && instructions === 'Node A.'
          ? { text: 'On we go.', calls: [{ name: 'to_b' }] }
          : { text: `Here is ${instructions}` },
    });
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(3);
    await runner.idle();
    expect(path).toHaveLength(1);
    expect(heard).toEqual(['Here is Node A.', 'On we go.', 'Here is Node B.']);
    expect(server.asks).toHaveLength(3);
    expect(server.asks.at(-1)?.items).toEqual([
      'assistant:Here is Node A.',
      'user:yes',
      'assistant:On we go.',
      'call:to_b',
      'out:ok',
    ]);
    expect(server.errors).toEqual([]);
  });

  it('a chain of moves is followed to its end, with a response a node', async () => {
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: { taskMessages: prompt('A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
        b: { taskMessages: prompt('B.'), functions: [{ name: 'to_c', transitionTo: 'c' }] },
        c: { taskMessages: prompt('C.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
      },
    };
    const script: RealtimeScript = {
      answer: ({ items, instructions, tools }) =>
        items.length === 0 || instructions === 'C.' ? { text: instructions } : { calls: [{ name: tools[0] ?? '' }] },
    };
    const { server, heard, path, microphone, hasHeard } = await realtimeCall(flow, script);
    await hasHeard(1);
    await microphone.speak();
    await hasHeard(2);
    expect(heard).toEqual(['A.', 'C.']);
    expect(path).toEqual(['a -> b', 'b -> c']);
    expect(server.asks.map(({ instructions }) => instructions)).toEqual(['A.', 'A.', 'B.', 'C.']);
    expect(server.errors).toEqual([]);
  });

  it('a fixed line is the model’s to say word for word, and runs no function', async () => {
    const { server, runner, heard, microphone, hasHeard } = await realtimeCall(lines, speaksLines);
    await hasHeard(1);
    await microphone.speak();
    expect(await runner.ended).toBe('done');
    expect(heard).toEqual(['Hello there.', 'Goodbye.']);
    expect(server.asks.map(({ toolChoice, isAskedFor }) => `${toolChoice} ${isAskedFor}`)).toEqual([
      'none true',
      'auto false',
      'none true',
    ]);
    expect(server.errors).toEqual([]);
  });

  it('where there is a voice it says fixed lines as they stand, and the model is told them before it answers', async () => {
    const { server, runner, heard, microphone, hasHeard } = await realtimeCall(lines, speaksLines, {
      tts: new WordTts(),
    });
    await hasHeard(1);
    expect(server.asks).toEqual([]);
    await microphone.speak();
    expect(await runner.ended).toBe('done');
    expect(heard).toEqual(['Hello there.', 'Goodbye.']);
    expect(server.asks.map(({ items }) => items)).toEqual([['assistant:Hello there.', 'user:yes']]);
    expect(server.errors).toEqual([]);
  });
});
