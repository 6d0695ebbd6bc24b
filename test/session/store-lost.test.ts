import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import { FlowError } from '../../src/errors.ts';
import { systemClock } from '../../src/session/system.ts';
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
  'a text conversation ends by %s in %s; the caller is told where it is still ours to tell',
  async (reason, where, failure, lines) => {
    const memory = createMemoryStore({ clock: systemClock });
    let fails = false;
    const store = {
      ...memory,
      commit: async (commit: Parameters<typeof memory.commit>[0]) => {
        if (fails) throw failure();
        await memory.commit(commit);
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
    await runner.send('one');
    expect(await runner.ended).toBe(reason);
    expect(heard).toEqual(['Hello.', ...lines]);
    expect(runner.state.status).toBe('ended');
  },
);
