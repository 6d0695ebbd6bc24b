import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ScriptedReply } from '../../src/testing/scripted-model.ts';
import { live } from './live.ts';
import { realtimeCall } from './realtime/rig.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } as const;

const desk: ConversationFlow = {
  initialNode: 'desk',
  fallback: 'Sorry, say that again?',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: prompt('Help.'),
      functions: [{ name: 'pay', effect: 'write', description: 'Pays.', parameters: amount, transitionTo: 'paid' }],
    },
    paid: { taskMessages: prompt('Say goodbye.'), functions: [{ name: 'leave', transitionTo: 'left' }] },
    left: { say: 'Goodbye.', end: 'left' },
  },
};

function payTool() {
  const parameters = z.object({ amount: z.number() });
  const paid: unknown[] = [];
  const run = (input: unknown) => {
    paid.push(input);
    return 'ok';
  };
  return {
    paid,
    tool: flowTool({ name: 'pay', description: 'Pays.', effect: 'write', parameters, execute: run }),
  };
}

const inTurn = (...replies: ScriptedReply[]) => {
  let next = 0;
  return (): ScriptedReply => replies[next++] ?? { text: 'Nothing more.' };
};

describe('a call that the model writes into its words', () => {
  it.each([
    '<tool_call>\n{"name": "pay", "arguments": {"amount": 3}}\n</tool_call>',
    'pay({"amount": 3})',
    '```json\n{"name": "pay", "arguments": {"amount": 3}}\n```',
  ])('runs as any other, and nobody hears it: %s', async (written) => {
    const { paid, tool } = payTool();
    const { runner, heard, path, model } = await live(desk, inTurn({ text: written }, { text: 'Paid. Bye?' }), {
      tools: [tool],
    });
    await runner.send('pay three');
    expect(paid).toEqual([{ amount: 3 }]);
    expect(path).toEqual(['desk -> paid']);
    expect(heard).toEqual(['Hello.', 'Paid. Bye?']);
    expect(model.requests.at(-1)?.items.slice(-3)).toEqual(['user: pay three', 'call: pay', 'output: pay ok']);
  });

  it('is held to the same checks: wrong arguments are told to the model, and nothing runs', async () => {
    const { paid, tool } = payTool();
    const { runner, heard, model } = await live(
      desk,
      inTurn({ text: 'One moment. pay({"amount": "three"})' }, { text: 'How much is it?' }),
      { tools: [tool] },
    );
    await runner.send('pay three');
    expect(paid).toEqual([]);
    expect(heard.map((line) => line.trim())).toEqual(['Hello.', 'One moment.', 'How much is it?']);
    expect(model.requests.at(-1)?.items.at(-1)).toContain('The arguments do not fit');
  });

  it('of a function that another node offers runs nothing, and the model is told so', async () => {
    const { runner, heard, path, model } = await live(desk, inTurn({ text: 'leave({})' }, { text: 'What else?' }), {
      tools: [payTool().tool],
    });
    await runner.send('bye');
    expect(path).toEqual([]);
    expect(heard).toEqual(['Hello.', 'What else?']);
    expect(model.requests.at(-1)?.items.at(-1)).toBe('output: leave The function leave is not available now.');
  });

  it('that breaks off is no reply: the model is asked once more', async () => {
    const { runner, heard } = await live(desk, inTurn({ text: 'pay({"amount": 3' }, { text: 'How much?' }), {
      tools: [payTool().tool],
    });
    await runner.send('pay');
    expect(heard).toEqual(['Hello.', 'How much?']);
  });

  it('of a realtime model that is spoken for runs as well', async () => {
    const { paid, tool } = payTool();
    const { runner, heard, path, hasHeard } = await realtimeCall(
      desk,
      ({ items }) =>
        items.at(-1) === 'user:pay three' ? { text: 'Sure. pay({"amount": 3})' } : { text: 'Paid. Anything else?' },
      {},
      { tools: [tool] },
    );
    await hasHeard(1);
    await runner.send('pay three');
    await hasHeard(3);
    expect(paid).toEqual([{ amount: 3 }]);
    expect(path).toEqual(['desk -> paid']);
    expect(heard.map((line) => line.trim())).toEqual(['Hello.', 'Sure.', 'Paid. Anything else?']);
  });
});
