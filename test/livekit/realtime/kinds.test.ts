import type { llm } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import type { RealtimeScript } from './fake-model.ts';
import { prompt, twoNodes, twoNodesWith } from '../flows.ts';
import { realtimeCall, walks } from './rig.ts';
import { until } from '../until.ts';

const nothingMid = {
  midSessionChatCtxUpdate: false,
  midSessionInstructionsUpdate: false,
  midSessionToolsUpdate: false,
};

const kinds: readonly (readonly [string, Partial<llm.RealtimeCapabilities>])[] = [
  ['everything', {}],
  ['no other functions in mid-session', { midSessionToolsUpdate: false }],
  ['no other instructions in mid-session', { midSessionInstructionsUpdate: false }],
  ['nothing new in mid-session', nothingMid],
  ['all but silence after a call', { autoToolReplyGeneration: true }],
  ['no transcripts', { userTranscription: false }],
  [
    'nothing new in mid-session, no calls of others, and no silence after a call',
    { ...nothingMid, manualFunctionCalls: false, autoToolReplyGeneration: true },
  ],
];

/** Calls the offered function when it hears `go on`, else says which node it is in. */
const goesOn: RealtimeScript = ({ items, tools, instructions }) =>
  items.at(-1) === 'user:go on' ? { calls: [{ name: tools[0] ?? '' }] } : { text: `Here is ${instructions}` };

describe.each(kinds)('on a realtime model that can do %s', (_what, capabilities) => {
  it('each move is followed by one reply of the new node', async () => {
    const { model, heard, path, hasHeard, runner } = await realtimeCall(twoNodes, walks, capabilities);
    await hasHeard(1);
    model.last.callerSays('go on');
    await hasHeard(2);
    await runner.idle();
    model.last.callerSays('and on');
    await hasHeard(3);
    await runner.idle();
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.', 'Here is Node A.']);
    expect(path).toEqual(['a -> b', 'b -> a']);
  });

  it('a node that is entered silently waits for the caller’s words', async () => {
    const flow = twoNodesWith({ respondImmediately: false });
    const { model, heard, hasHeard, runner } = await realtimeCall(flow, goesOn, capabilities);
    await hasHeard(1);
    model.last.callerSays('go on');
    await until(() => runner.currentNode === 'b', 'the move');
    await runner.idle();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(heard).toEqual(['Here is Node A.']);
    model.last.callerSays('hm');
    await hasHeard(2);
    expect(heard).toEqual(['Here is Node A.', 'Here is Node B.']);
  });

  it('turns before a reset are not in the context of the next reply', async () => {
    const flow = twoNodesWith({ contextStrategy: 'reset' });
    const { model, hasHeard, runner } = await realtimeCall(flow, goesOn, capabilities);
    await hasHeard(1);
    model.last.callerSays('go on');
    await hasHeard(2);
    await runner.idle();
    model.last.callerSays('hm');
    await hasHeard(3);
    const { items, instructions } = model.requests.at(-1) ?? {};
    expect(instructions).toBe('Node B.');
    expect(items).toContain('assistant:Here is Node B.');
    expect(items).not.toContain('assistant:Here is Node A.');
    expect(items).not.toContain('user:go on');
  });

  it('a function’s result is in the context of the reply after it', async () => {
    const look = flowTool({
      name: 'look',
      description: 'Look.',
      parameters: z.object({}),
      execute: () => 'the sea',
    });
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: {
        a: { taskMessages: prompt('Node A.'), functions: [{ name: 'look', saveAs: 'seen', transitionTo: 'b' }] },
        b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
      },
    };
    const { model, hasHeard } = await realtimeCall(flow, goesOn, capabilities, { tools: [look] });
    await hasHeard(1);
    model.last.callerSays('go on');
    await hasHeard(2);
    const { items = [] } = model.requests.at(-1) ?? {};
    expect(items.join('|')).toMatch(/out:the sea|gave: the sea/);
    // A session that accepts no foreign calls receives them as words.
    if (capabilities.manualFunctionCalls === false) expect(items).not.toContain('call:look');
  });
});
