import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { voiceCall } from './voice-rig.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

describe.each([false, true])('by voice, with preemptive generation %s', (preemptive) => {
  const fourNodes: ConversationFlow = {
    initialNode: 'a',
    nodes: {
      a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
      b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_c', transitionTo: 'c' }] },
      c: { taskMessages: prompt('Node C.'), functions: [{ name: 'to_d', transitionTo: 'd' }] },
      d: { taskMessages: prompt('Node D.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
    },
  };

  it('four transitions are a greeting and two requests each, every reply under the new node', async () => {
    const { caller, model, heard, path, hasHeard, quiet } = await voiceCall(
      fourNodes,
      ({ userText, tools }) => (userText === '' ? { text: `Now ${tools[0]}.` } : { calls: [{ name: tools[0] ?? '' }] }),
      { preemptive },
    );
    await hasHeard(1);
    for (const turn of [1, 2, 3, 4]) {
      await caller.says('go on');
      await hasHeard(turn + 1);
    }
    await quiet();
    expect(heard).toEqual(['Now to_b.', 'Now to_c.', 'Now to_d.', 'Now to_a.', 'Now to_b.']);
    expect(path).toEqual(['a -> b', 'b -> c', 'c -> d', 'd -> a']);
    expect(model.requests.map(({ node }) => node).join('')).toBe('aabbccdda');
    expect(model.requests.map(({ tools }) => tools.join()).join(' ')).toBe(
      'to_b to_b to_c to_c to_d to_d to_a to_a to_b',
    );
  });
});
