import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { FlowError } from '../../src/model/errors.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { systemClock } from '../../src/system.ts';
import { fastClock } from '../fast-clock.ts';
import { live } from './live.ts';

/** Speeds up the wait for a store that stays away. */
const fast = fastClock(40);

const talk: ConversationFlow = {
  initialNode: 'a',
  nodes: {
    a: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Talk.' }],
      functions: [{ name: 'go', transitionTo: 'a' }],
    },
  },
};

it.each<[string, 'steps.create' | 'inbox.isConsumed', () => Error, readonly string[]]>([
  [
    'store-failed',
    'inbox.isConsumed',
    () => new Error('Nobody answers.'),
    ['I am sorry, something went wrong here. I have to end this conversation.'],
  ],
  [
    'store-failed',
    'steps.create',
    () => new Error('The disk is full.'),
    ['I am sorry, something went wrong here. I have to end this conversation.'],
  ],
  ['lease-lost', 'steps.create', () => new FlowError('lease-lost', 'It is not ours any more.'), []],
])(
  'S1: a text conversation is left by %s in %s; the caller is told where it is still ours to tell',
  async (reason, where, failure, lines) => {
    const memory = createMemoryStore({ clock: systemClock });
    let fails = false;
    const store = {
      ...memory,
      steps: {
        ...memory.steps,
        create: async (commit: Parameters<typeof memory.steps.create>[0]) => {
          if (fails && where === 'steps.create') throw failure();
          await memory.steps.create(commit);
        },
      },
      inbox: {
        ...memory.inbox,
        isConsumed: async (key: string) => {
          if (fails && where === 'inbox.isConsumed') throw failure();
          return await memory.inbox.isConsumed(key);
        },
      },
    };
    const { runner, heard } = await live(
      talk,
      { '*': [{ text: 'Nobody hears this.' }] },
      { store, sessionId: 's', clock: fast },
    );
    fails = true;
    expect(await runner.send('one', { eventId: 'e1' })).toBe('over');
    expect(await runner.ended).toBe(reason);
    expect(heard).toEqual(['Hello.', ...lines]);
    // The session is released, not ended: the resuming runner takes the words under their id.
    fails = false;
    const next = await live(talk, { '*': [{ text: 'I hear you.' }] }, { store: memory, sessionId: 's', clock: fast });
    expect(await next.runner.send('one', { eventId: 'e1' })).toBe('taken');
    expect(next.heard.at(-1)).toBe('I hear you.');
  },
);

it.each<['inbox' | 'steps', string, 'before' | 'after']>([
  ['inbox', 'isConsumed', 'before'],
  ['steps', 'create', 'before'],
  ['steps', 'create', 'after'],
])(
  'a store that fails once in %s.%s, %s its work is done, ends no conversation, and the step is kept once',
  async (noun, name, when) => {
    const memory = createMemoryStore({ clock: systemClock });
    let failures = 0;
    const work = Reflect.get(memory[noun], name) as (...given: unknown[]) => Promise<unknown>;
    const failing = async (...given: unknown[]): Promise<unknown> => {
      const isNow = failures === 1;
      if (isNow) failures += 1;
      if (isNow && when === 'before') throw new Error('Nobody answers.');
      const result = await work(...given);
      if (isNow) throw new Error('Nobody answers.');
      return result;
    };
    const store: Store = { ...memory, [noun]: { ...memory[noun], [name]: failing } };
    const { runner, heard } = await live(talk, { '*': [{ text: 'I hear you.' }] }, { store, sessionId: 's' });
    failures = 1;
    expect(await runner.send('one', { eventId: 'e1' })).toBe('taken');
    expect(failures).toBe(2);
    expect(heard).toEqual(['Hello.', 'I hear you.']);
    await runner.keep();
    const turns = (await memory.steps.list('s')).filter(({ signal }) => signal.type === 'user:turn');
    expect(turns).toHaveLength(1);
  },
);

it.each<[string, ConversationFlow | null]>([
  ['classic', null],
  ['flow', { initialNode: 'a', nodes: { a: { say: 'Hello.', functions: [{ name: 'go', transitionTo: 'a' }] } } }],
])('a turn that fails on the %s path is told as one of that path', async (source, flow) => {
  const store = createMemoryStore({ clock: systemClock });
  const isConsumed = (): Promise<never> => Promise.reject(new Error('Nobody answers.'));
  const { runner } = await live(
    flow,
    { '*': [{ text: 'Hello.' }] },
    {
      ...(flow === null ? { prompt: 'Talk.' } : {}),
      clock: fast,
      store: { ...store, inbox: { ...store.inbox, isConsumed } },
    },
  );
  const told: unknown[] = [];
  runner.on('response:failed', ({ data }) => told.push(data));
  await runner.send('one');
  await runner.ended;
  expect(told).toEqual([{ source, stage: 'turn', reason: 'store-failed' }]);
});
