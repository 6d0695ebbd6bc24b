import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ScriptedReply } from '../../src/testing/scripted-model.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

const desk: ConversationFlow = {
  initialNode: 'desk',
  fallback: 'Sorry, say that again?',
  // Too long for any busy machine to reach.
  replyTimeoutMs: 60_000,
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: prompt('Help.'),
      functions: [
        {
          name: 'pay',
          effect: 'write',
          parameters: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
          transitionTo: 'paid',
        },
        { name: 'look', transitionTo: 'desk' },
      ],
    },
    paid: { say: 'Paid.', end: 'paid' },
  },
};

/** Answers the caller's nth words with the nth list of replies, one per request to the model. */
const inTurn = (...replies: ScriptedReply[]) => {
  let next = 0;
  return (): ScriptedReply => replies[next++] ?? { text: 'Nothing more.' };
};

describe('when the model is in trouble', () => {
  it('an empty reply is retried once, unnoticed by the caller', async () => {
    const { runner, heard, model } = await live(desk, inTurn({}, { text: 'Here I am.' }), { tools: [payTool().tool] });
    await runner.send('hello?');
    expect(heard).toEqual(['Hello.', 'Here I am.']);
    expect(model.requests).toHaveLength(2);
  });

  it('two empty replies end in the fallback line, and the next turn continues', async () => {
    const { runner, heard } = await live(desk, inTurn({}, {}, { text: 'Fine.' }), { tools: [payTool().tool] });
    await runner.send('hello?');
    await runner.send('again');
    expect(heard).toEqual(['Hello.', 'Sorry, say that again?', 'Fine.']);
  });

  it('an error before the first word is retried once', async () => {
    const { runner, heard } = await live(desk, inTurn({ fails: 'error' }, { text: 'Now.' }), {
      tools: [payTool().tool],
    });
    await runner.send('hello?');
    expect(heard).toEqual(['Hello.', 'Now.']);
  });

  it('a model that fails both times is reported once', async () => {
    const { runner, heard, troubles } = await live(desk, inTurn({ fails: 'error' }, { fails: 'error' }), {
      tools: [payTool().tool],
    });
    await runner.send('hello?');
    expect(heard).toEqual(['Hello.', 'Sorry, say that again?']);
    expect(troubles).toHaveLength(1);
  });

  it('the filler covers a slow model', async () => {
    const { runner, heard } = await live(
      { ...desk, filler: 'One moment.' },
      inTurn({ text: 'There.', delayMs: 1_800 }),
      {
        tools: [payTool().tool],
      },
    );
    await runner.send('hello?');
    expect(heard.slice(1).join(' ')).toBe('One moment. There.');
  });

  it('the fallback line covers a silent model within the time limit, and the failure is reported', async () => {
    const late = inTurn({ text: 'Too late.', delayMs: 600_000 });
    const { runner, heard, troubles } = await live({ ...desk, replyTimeoutMs: 100 }, late, { tools: [payTool().tool] });
    const before = performance.now();
    await runner.send('hello?');
    expect(performance.now() - before).toBeLessThan(60_000);
    expect(heard.slice(1)).toEqual(['Sorry, say that again?']);
    expect(troubles).toEqual(['model model-late']);
  });

  it('a reply that breaks off keeps its heard words and asks the caller to continue', async () => {
    const { runner, heard } = await live(desk, inTurn({ text: 'I can help you with that today.', fails: 3 }), {
      tools: [payTool().tool],
    });
    await runner.send('hello?');
    expect(heard.slice(1).join(' ')).toBe('I can help  Sorry, say that again?');
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'a reply cut after %i words runs none of its calls, and the next turn continues',
    async (fails) => {
      const { tool, paid } = payTool();
      const text = 'I can do that for you.';
      const cut = { text, calls: [{ name: 'pay', arguments: { amount: 12 } }], fails };
      // A reply that was cut before its first word is requested once more.
      const { runner, heard } = await live(desk, inTurn(cut, ...(fails === 0 ? [cut] : []), { text: 'And now?' }), {
        tools: [tool],
      });
      await runner.send('pay');
      const said = text.split(' ').slice(0, fails).join(' ');
      // A reply that is cut after its last word is complete.
      expect(paid).toEqual(fails === 6 ? [12] : []);
      if (fails === 6) return;
      expect(heard[1]?.startsWith(said)).toBe(true);
      expect(heard[1]).toContain('Sorry, say that again?');
      await runner.send('go on');
      expect(heard.at(-1)).toBe('And now?');
    },
  );

  it.each([
    ['cut', '{"amount": 10'],
    ['no JSON', 'ten dollars'],
    ['of the wrong type', '{"amount": "ten"}'],
    ['without what is required', '{}'],
    ['a list', '[10]'],
    ['with a prototype', '{"__proto__": {"amount": 10}}'],
  ])('arguments that are %s never reach a write, and the model may mend them', async (_what, rawArguments) => {
    const { tool, paid } = payTool();
    const { runner, model, heard } = await live(
      desk,
      inTurn({ calls: [{ name: 'pay', rawArguments }] }, { calls: [{ name: 'pay', arguments: { amount: 12 } }] }),
      { tools: [tool] },
    );
    await runner.send('pay');
    expect(paid).toEqual([12]);
    expect(model.requests[1]?.items.at(-1)).toMatch(/^output: pay The arguments/);
    expect(heard.at(-1)).toBe('Paid.');
  });

  it('a function of another node or an unknown function does not run, and the model gets an error', async () => {
    const { tool, paid } = payTool();
    const { runner, model, heard, events } = await live(
      {
        ...desk,
        initialNode: 'lobby',
        nodes: {
          ...desk.nodes,
          lobby: { say: 'Lobby.', taskMessages: prompt('Wait.'), functions: [{ name: 'enter', transitionTo: 'desk' }] },
        },
      },
      inTurn(
        { calls: [{ name: 'pay', arguments: { amount: 5 } }, { name: 'nothing_like_it' }] },
        { text: 'I cannot do that here.' },
      ),
      { tools: [tool] },
    );
    await runner.send('pay');
    expect(paid).toEqual([]);
    expect(events.filter(({ type }) => type === 'tool:blocked')).toHaveLength(2);
    expect(heard.at(-1)).toBe('I cannot do that here.');
    expect(model.requests[1]?.items.filter((item) => item.startsWith('output:'))).toHaveLength(2);
    expect(runner.currentNode).toBe('lobby');
  });

  it('a handler that throws gives the model an error, and the runner continues', async () => {
    const broken = flowTool({
      name: 'pay',
      description: 'Pay.',
      parameters: z.object({ amount: z.number() }),
      execute: () => {
        throw new Error('secret detail');
      },
    });
    const { runner, model, heard } = await live(
      desk,
      inTurn({ calls: [{ name: 'pay', arguments: { amount: 1 } }] }, { text: 'It failed.' }),
      {
        tools: [broken],
      },
    );
    await runner.send('pay');
    expect(model.requests[1]?.items.at(-1)).toBe(
      'output: pay An internal error occurred. The function did not succeed.',
    );
    expect(heard.at(-1)).toBe('It failed.');
    expect(runner.currentNode).toBe('desk');
  });

  it('a handler that hangs ends at its timeout, and the turn counts as failed', async () => {
    const hanging = flowTool({
      name: 'pay',
      description: 'Pay.',
      parameters: z.object({ amount: z.number() }),
      execute: () => new Promise(() => undefined),
    });
    const flow = structuredClone(desk);
    Object.assign((flow.nodes as Record<string, { functions: object[] }>)['desk']!.functions[0]!, { timeoutMs: 100 });
    const { runner, model, heard, events } = await live(
      flow,
      inTurn({ calls: [{ name: 'pay', arguments: { amount: 1 } }] }, { text: 'It took too long.' }),
      {
        tools: [hanging],
      },
    );
    await runner.send('pay');
    expect(model.requests[1]?.items.at(-1)).toBe('output: pay The function took longer than 100 ms.');
    expect(heard.at(-1)).toBe('It took too long.');
    const settled = events.flatMap((event) => (event.type === 'tool:settled' ? [event.data] : []));
    expect(settled).toMatchObject([{ function: 'pay', state: 'failed', reason: 'timeout' }]);
    expect(events.findLast(({ type }) => type === 'turn:completed')?.data).toMatchObject({ outcome: 'failed' });
  });
});

function payTool(): { tool: ReturnType<typeof flowTool>; paid: number[] } {
  const paid: number[] = [];
  const tool = flowTool({
    name: 'pay',
    description: 'Pay.',
    parameters: z.object({ amount: z.number() }),
    execute: ({ amount }) => {
      paid.push(amount);
      return 'ok';
    },
  });
  return { tool, paid };
}
