import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { systemClock } from '../../src/system.ts';
import type { ScriptedReply } from '../../src/testing/scripted-model.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

const desk: ConversationFlow = {
  initialNode: 'desk',
  filler: 'One moment, please.',
  fallback: 'Something went wrong here.',
  // Too long for any busy machine to reach.
  replyTimeoutMs: 60_000,
  nodes: {
    desk: {
      say: 'Hello, what is it about?',
      taskMessages: prompt('Help.'),
      functions: [{ name: 'look', transitionTo: 'found' }],
    },
    found: { taskMessages: prompt('Tell it.'), functions: [{ name: 'leave', transitionTo: 'left' }] },
    left: { say: 'Goodbye.', end: 'left' },
  },
};

const inTurn = (...replies: ScriptedReply[]) => {
  let next = 0;
  return (): ScriptedReply => replies[next++] ?? { text: 'Nothing more.' };
};

const greeting = 'assistant: Hello, what is it about?';

describe('speech that only fills a pause is not shown to the model', () => {
  it('a filler before its words, which are shown without it', async () => {
    const { runner, model, heard } = await live(desk, inTurn({ text: 'There. And what else?', delayMs: 1_800 }));
    await runner.send('one');
    await runner.send('two');
    expect(heard[1]).toContain('One moment, please.');
    expect(model.requests.at(-1)?.items).toEqual([
      greeting,
      'user: one',
      'assistant: There. And what else?',
      'user: two',
    ]);
  });

  it('a filler before nothing but calls', async () => {
    const slowly = inTurn({ calls: [{ name: 'look' }], delayMs: 1_800 }, { text: 'Found.' });
    const { runner, model, heard } = await live(desk, slowly);
    await runner.send('one');
    expect(heard[1]).toContain('One moment, please.');
    expect(model.requests.at(-1)?.items).toEqual([greeting, 'user: one', 'call: look', 'output: look ok']);
  });

  it('the fallback after the model has failed', async () => {
    const { runner, model, heard } = await live(desk, inTurn({ fails: 'error' }, { fails: 'error' }));
    await runner.send('one');
    await runner.send('two');
    expect(heard[1]).toBe('Something went wrong here.');
    expect(model.requests.at(-1)?.items).toEqual([greeting, 'user: one', 'user: two']);
  });

  it('the line that grants time', async () => {
    const { runner, model, heard } = await live(desk, inTurn());
    await runner.send('one moment');
    await runner.send('two');
    expect(heard).toHaveLength(3);
    expect(model.requests.at(-1)?.items).toEqual([greeting, 'user: one moment', 'user: two']);
  });

  it('after a resume, the gap and all of these: the repeated question stays', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const of = { store, sessionId: 'one' };
    const flow: ConversationFlow = {
      ...desk,
      slots: { name: { type: 'text', ask: 'Your name?' } },
      nodes: { ...desk.nodes, desk: { collect: ['name'], defaultTransition: 'found' } },
    };
    const first = await live(flow, inTurn({ text: 'It is free.', delayMs: 1_800 }), of);
    await first.runner.send('is it free?');
    await first.runner.leave();
    const second = await live(flow, inTurn(), of);
    await second.runner.send('is it?');
    await second.runner.leave();
    const third = await live(flow, inTurn(), of);
    await third.runner.send('so what?');
    const [gap] = second.heard;
    expect(gap).toContain('gone');
    expect(gap).toContain('Your name?');
    const shown = third.model.requests.at(-1)?.items.join('\n') ?? '';
    expect(shown).not.toContain('gone');
    expect(shown).not.toContain('One moment');
    expect(shown).toContain('assistant: It is free.');
    expect(shown.match(/assistant: .*Your name\?/g)?.length).toBeGreaterThan(2);
  });
});
