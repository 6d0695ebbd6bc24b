import { describe, expect, it } from 'vitest';
import { prompt } from '../session/realtime-rig.ts';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { RealtimeScript } from './openai-realtime-server.ts';
import { realtimeCall } from './realtime-call.ts';

const twoNodes: ConversationFlow = {
  initialNode: 'a',
  nodes: {
    a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
    b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
  },
};

/** Greets, calls what it is offered when the caller speaks, and tells where it is when a call has been answered. */
const walks: RealtimeScript = {
  hears: () => 'go on',
  answer: ({ items, tools, instructions }) =>
    (items.at(-1) ?? '').startsWith('user:')
      ? { calls: [{ name: tools[0] ?? '' }] }
      : { text: `Here is ${instructions}` },
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
});
