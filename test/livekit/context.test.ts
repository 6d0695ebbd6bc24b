import { llm } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { View } from '../../src/kernel/state/view.ts';
import { chatView } from '../../src/livekit/context/chat-view.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ScriptedReply, ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

type Strategy = 'append' | 'reset' | 'reset_with_summary' | { strategy: 'reset_with_summary'; summaryPrompt: string };

/** Two rooms. Function `go` leads to the second with the caller's words as argument. */
const twoRooms = (contextStrategy: Strategy, more: object = {}): ConversationFlow => ({
  initialNode: 'hall',
  roleMessages: prompt('You are a butler.'),
  slots: { guest: { type: 'text' } },
  nodes: {
    hall: {
      say: 'Welcome.',
      taskMessages: prompt('Hall.'),
      functions: [
        { name: 'look' },
        {
          name: 'go',
          parameters: { type: 'object', properties: { guest: { type: 'string' } } },
          transitionTo: 'attic',
        },
      ],
    },
    attic: {
      taskMessages: prompt('Attic.'),
      contextStrategy,
      functions: [{ name: 'back', transitionTo: 'hall' }],
      ...more,
    },
  },
});

// All flows of this file use it.
flowTool({ name: 'look', description: 'Look.', execute: () => 'a hall', register: true });

/** The caller chats, has the model call `look`, and then moves with their words. */
const replyTo = ({ userText, afterTool, instructions }: ScriptedRequest): ScriptedReply => {
  if (userText.startsWith('Summarise')) return { text: 'Ada was welcomed.' };
  if (userText === 'look around') return { calls: [{ name: 'look' }] };
  if (userText === 'go up') return { calls: [{ name: 'go', arguments: { guest: 'Ada' } }] };
  if (afterTool === 'look') return { text: 'It is a hall.' };
  return { text: instructions.includes('Attic.') ? 'The attic.' : 'Yes?' };
};

const before = [
  'assistant: Welcome.',
  'user: look around',
  'call: look',
  'output: look a hall',
  'assistant: It is a hall.',
];

describe('append', () => {
  it('keeps the words with their calls and outputs', async () => {
    const { runner, model } = await live(twoRooms('append'), replyTo);
    await runner.send('look around');
    await runner.send('go up');
    expect(model.requests.at(-1)?.items).toEqual([...before, 'user: go up', 'call: go', 'output: go ok']);
    expect(model.requests.at(-1)?.instructions).toContain('guest: Ada');
  });
});

describe('reset', () => {
  it('hides everything before the node, including the call that led there; known values stay', async () => {
    const { runner, model } = await live(twoRooms('reset'), replyTo);
    await runner.send('look around');
    await runner.send('go up');
    expect(model.requests.at(-1)?.items).toEqual([]);
    expect(model.requests.at(-1)?.instructions).toContain('guest: Ada');
    await runner.send('and now?');
    expect(model.requests.at(-1)?.items).toEqual(['assistant: The attic.', 'user: and now?']);
  });

  it('does not hide unanswered words', async () => {
    const { runner, model } = await live(
      {
        initialNode: 'hall',
        nodes: {
          hall: { say: 'Welcome.', defaultTransition: 'attic' },
          attic: {
            taskMessages: prompt('Attic.'),
            contextStrategy: 'reset',
            functions: [{ name: 'back', transitionTo: 'hall' }],
          },
        },
      },
      { '*': [{ text: 'The attic.' }] },
    );
    await runner.send('I would like some tea');
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.items).toEqual(['user: I would like some tea']);
  });
});

describe('reset_with_summary', () => {
  it('replaces the earlier conversation with a summary', async () => {
    const { runner, model } = await live(
      twoRooms({ strategy: 'reset_with_summary', summaryPrompt: 'Summarise it.' }),
      replyTo,
    );
    await runner.send('look around');
    await runner.send('go up');
    const asked = model.requests.find(({ userText }) => userText === 'Summarise it.');
    expect(asked?.items).toEqual([
      'assistant: Welcome.',
      'user: look around',
      'assistant: It is a hall.',
      'user: go up',
      'user: Summarise it.',
    ]);
    expect(asked?.tools).toEqual([]);
    const last = model.requests.at(-1);
    expect(last?.items).toEqual([]);
    expect(last?.instructions).toContain('Summary of the conversation so far: Ada was welcomed.');
    await runner.send('and now?');
    expect(model.requests.at(-1)?.instructions).toContain('Ada was welcomed.');
    expect(model.requests.at(-1)?.items).toEqual(['assistant: The attic.', 'user: and now?']);
  });

  it('requests the summary while a line is spoken: only the reply waits for it', async () => {
    const clock = createVirtualClock();
    const order: string[] = [];
    const asked = createGate();
    const said = createGate();
    const { runner } = await live(
      twoRooms('reset_with_summary', { preActions: [{ type: 'tts_say', text: 'One moment please.' }] }),
      (request) => {
        const isSummary = request.tools.length === 0;
        order.push(isSummary ? 'summary asked' : `asked in ${request.node}`);
        if (!isSummary) return replyTo(request);
        asked.open();
        return { text: 'Ada was welcomed.', delayMs: 50 };
      },
      {
        clock,
        sink: {
          write: async (text) => {
            if (text.includes('moment')) {
              order.push('line said');
              said.open();
            }
          },
          end: () => undefined,
        },
      },
    );
    const answered = runner.send('go up');
    await asked.opened;
    await said.opened;
    await clock.advance(2_000);
    await answered;
    expect(order).toEqual(['asked in hall', 'summary asked', 'line said', 'asked in attic']);
  });

  // The clock moves only when needed, because the next request to the model has a deadline on the same clock.
  it.each<[string, ScriptedReply, number]>([
    ['fails', { fails: 'error' }, 0],
    ['is empty', {}, 0],
    ['takes too long', { text: 'Too late.', delayMs: 60_000 }, 5_000],
  ])('that %s leaves everything in view, with an event, and changes nothing else', async (_what, summary, passesMs) => {
    const clock = createVirtualClock();
    const flow = twoRooms('reset_with_summary');
    const written = structuredClone(flow);
    const asked = createGate();
    const { runner, session, model, events, heard } = await live(
      flow,
      (request) => {
        if (request.tools.length > 0) return replyTo(request);
        asked.open();
        return summary;
      },
      { clock },
    );
    const options = structuredClone(session.sessionOptions.turnHandling);
    const answered = runner.send('go up');
    await asked.opened;
    await clock.advance(passesMs);
    await answered;
    expect(heard.at(-1)).toBe('The attic.');
    expect(model.requests.at(-1)?.items).toEqual(['assistant: Welcome.', 'user: go up', 'call: go', 'output: go ok']);
    expect(model.requests.at(-1)?.instructions).not.toContain('Summary');
    expect(events.filter(({ type }) => type === 'context:fallback')).toEqual([
      { type: 'context:fallback', data: { from: 'reset_with_summary', reason: 'no-summary' } },
    ]);
    expect(flow).toEqual(written);
    expect(session.sessionOptions.turnHandling).toEqual(options);
  });
});

it('a persona stays until a node sets another', async () => {
  const go = (transitionTo: string) => [{ name: 'go', transitionTo }];
  const { runner, model } = await live(
    {
      initialNode: 'a',
      roleMessages: prompt('You are a butler.'),
      nodes: {
        a: { taskMessages: prompt('A.'), functions: go('b') },
        b: { roleMessages: prompt('You are a gardener.'), taskMessages: prompt('B.'), functions: go('c') },
        c: { taskMessages: prompt('C.'), contextStrategy: 'reset', functions: go('a') },
      },
    },
    ({ userText }) => (userText === 'go' ? { calls: [{ name: 'go' }] } : { text: 'Yes.' }),
  );
  await runner.send('go');
  await runner.send('go');
  await runner.send('go');
  const shown = new Map(
    model.requests.map(({ node, userText, instructions }) => {
      const [prompts = ''] = instructions.split('\n\nThe caller has just said');
      return [`${node} ${userText}`, prompts];
    }),
  );
  expect([...shown]).toEqual([
    ['a ', 'You are a gardener.\n\nA.'],
    ['a go', 'You are a butler.\n\nA.'],
    ['b ', 'You are a gardener.\n\nB.'],
    ['b go', 'You are a gardener.\n\nB.'],
    ['c ', 'You are a gardener.\n\nC.'],
    ['c go', 'You are a gardener.\n\nC.'],
  ]);
});

describe('the model sees each output', () => {
  it('after the calls that were made together, and before later calls', async () => {
    const script: ScriptedReply[] = [
      { text: 'Let me see.', calls: [{ name: 'look' }, { name: 'look' }] },
      { calls: [{ name: 'look' }] },
      { text: 'Done.' },
    ];
    let next = 0;
    const { runner, model } = await live(twoRooms('append'), () => script[next++] ?? { text: 'Nothing more.' });
    await runner.send('look twice');
    expect(model.requests.at(-1)?.items).toEqual([
      'assistant: Welcome.',
      'user: look twice',
      'assistant: Let me see.',
      'call: look',
      'call: look',
      'output: look a hall',
      'output: look a hall',
      'call: look',
      'output: look a hall',
    ]);
  });

  it('after the words of its call, even if LiveKit orders them among calls of the same millisecond', () => {
    const call = (callId: string) =>
      llm.FunctionCall.create({ id: `said/${callId}`, callId, name: 'look', args: '{}' });
    const output = (callId: string) =>
      llm.FunctionCallOutput.create({ callId, name: 'look', output: 'a hall', isError: false });
    const said = llm.ChatMessage.create({ id: 'said', role: 'assistant', content: 'Let me see.' });
    const items = [call('fnc_0'), said, call('fnc_1'), output('fnc_0'), output('fnc_1')];
    const view: View = {
      node: 'hall',
      visit: 1,
      language: 'en',
      instructions: '',
      knowledge: '',
      answersWords: true,
      messages: [],
      functions: [],
      context: null,
    };
    const members = { outputOf: () => undefined, withoutAsides: (message: llm.ChatMessage) => message };
    const shown = chatView(items, view, null, members).items.slice(1);
    expect(shown.map((item) => ('callId' in item ? `${item.type} ${item.callId}` : item.id))).toEqual([
      'said',
      'function_call fnc_0',
      'function_call fnc_1',
      'function_call_output fnc_0',
      'function_call_output fnc_1',
    ]);
  });

  it('at its call, even if it ran after a yes: the real result replaces the placeholder', async () => {
    const book = flowTool({ name: 'book', description: 'Book.', execute: () => 'number 7' });
    const script: ScriptedReply[] = [
      { calls: [{ name: 'book' }] },
      { text: 'It is number 7.' },
      { text: 'Still number 7.' },
    ];
    let next = 0;
    const { runner, model } = await live(
      {
        initialNode: 'desk',
        nodes: {
          desk: {
            say: 'Hello.',
            taskMessages: prompt('Book.'),
            functions: [
              { name: 'book', effect: 'write', confirm: 'Shall I?' },
              { name: 'leave', transitionTo: 'desk' },
            ],
          },
        },
      },
      () => script[next++] ?? { text: 'Nothing more.' },
      { tools: [book] },
    );
    await runner.send('book it');
    await runner.send('yes');
    await runner.send('which number');
    expect(model.requests.at(-1)?.items).toEqual([
      'assistant: Hello.',
      'user: book it',
      'call: book',
      'output: book number 7',
      'assistant: Shall I?',
      'user: yes',
      'assistant: It is number 7.',
      'user: which number',
    ]);
  });
});
