import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import { FlowError } from '../../src/errors.ts';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { systemClock } from '../../src/system.ts';
import { live } from './live.ts';

it.each<[string, 'commit' | 'wasConsumed', () => Error, readonly string[]]>([
  [
    'store-failed',
    'wasConsumed',
    () => new Error('Nobody answers.'),
    ['I am sorry, something went wrong here. I have to end this conversation.'],
  ],
  [
    'store-failed',
    'commit',
    () => new Error('The disk is full.'),
    ['I am sorry, something went wrong here. I have to end this conversation.'],
  ],
  ['lease-lost', 'commit', () => new FlowError('lease-lost', 'It is not ours any more.'), []],
])(
  'S1: a text conversation ends by %s in %s; the caller is told where it is still ours to tell',
  async (reason, where, failure, lines) => {
    const memory = createMemoryStore({ clock: systemClock });
    let fails = false;
    const store = {
      ...memory,
      commit: async (commit: Parameters<typeof memory.commit>[0]) => {
        if (fails && where === 'commit') throw failure();
        await memory.commit(commit);
      },
      wasConsumed: async (key: string) => {
        if (fails && where === 'wasConsumed') throw failure();
        return await memory.wasConsumed(key);
      },
    };
    const { runner, heard } = await live(
      {
        initialNode: 'a',
        nodes: {
          a: {
            say: 'Hello.',
            taskMessages: [{ role: 'system', content: 'Talk.' }],
            functions: [{ name: 'go', transitionTo: 'a' }],
          },
        },
      },
      { '*': [{ text: 'Nobody hears this.' }] },
      { store },
    );
    fails = true;
    expect(await runner.send('one', { eventId: 'e1' })).toBe('over');
    expect(await runner.ended).toBe(reason);
    expect(heard).toEqual(['Hello.', ...lines]);
    expect(runner.state.status).toBe('ended');
  },
);

it.each<[string, ConversationFlow | null]>([
  ['classic', null],
  ['flow', { initialNode: 'a', nodes: { a: { say: 'Hello.', functions: [{ name: 'go', transitionTo: 'a' }] } } }],
])('a turn that fails on the %s path is told as one of that path', async (source, flow) => {
  const store = createMemoryStore({ clock: systemClock });
  const wasConsumed = (): Promise<never> => Promise.reject(new Error('Nobody answers.'));
  const { runner } = await live(
    flow,
    { '*': [{ text: 'Hello.' }] },
    {
      ...(flow === null ? { prompt: 'Talk.' } : {}),
      store: { ...store, wasConsumed },
    },
  );
  const told: unknown[] = [];
  runner.on('response:failed', ({ data }) => told.push(data));
  await runner.send('one');
  await runner.ended;
  expect(told).toEqual([{ source, stage: 'turn', reason: 'store-failed' }]);
});
