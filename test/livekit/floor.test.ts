import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { ScriptedReply } from '../../src/testing/scripted-model.ts';
import { prompt, replies, tool } from './desk-functions.ts';
import { live } from './live.ts';

const stay: ConversationFlow = {
  initialNode: 'stay',
  slots: {
    day: { type: 'date', ask: 'Which day do you arrive?' },
    nights: { type: 'integer', ask: 'How many nights do you stay?' },
    wish: { type: 'text', description: 'A wish.' },
  },
  nodes: {
    stay: {
      taskMessages: prompt('Book a room.'),
      collect: ['day', 'nights'],
      functions: [
        { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { x: { type: 'string' } } } },
        { name: 'end_call', description: 'The caller is done.', transitionTo: 'bye' },
      ],
      defaultTransition: 'wishes',
    },
    wishes: { taskMessages: prompt('Ask for wishes.'), collect: ['wish'], defaultTransition: 'bye' },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

const record = (given: Record<string, string | number>) => ({ name: 'record', arguments: given });
const day = record({ day: '2027-12-01' });
const onDay = 'We come on December 1, 2027, I think it was.';

async function heardAfter(reply: ScriptedReply, said = onDay, flow = stay) {
  const { runner, heard } = await live(flow, replies(reply, { text: 'Nothing more.' }));
  await runner.send(said);
  return heard.slice(1).join(' | ').replaceAll(/\s+/g, ' ').trim();
}

describe('a question of the model beside a call', () => {
  it.each([
    ['And how many nights?', 'How many nights do you stay?'],
    ['Noted. And how many nights?', 'Noted. How many nights do you stay?'],
    [
      'Noted, 7.30 p.m. works. How many nights, and why? Take your time.',
      'Noted, 7.30 p.m. works. Take your time. How many nights do you stay?',
    ],
    ['Would 7.30 p.m. be fine?', 'How many nights do you stay?'],
  ])('is cut off where the flow puts one: %s', async (text, heard) => {
    expect((await heardAfter({ text, calls: [day] })).replaceAll(' | ', ' ')).toBe(heard);
  });

  it('is kept if the model has to ask', async () => {
    const text = 'Noted. Do you have a wish?';
    const calls = [record({ day: '2027-12-01', nights: 3 })];
    expect(await heardAfter({ text, calls }, 'On December 1, 2027, for three nights.')).toContain(
      'Do you have a wish?',
    );
  });

  it('is kept if there is no call beside it', async () => {
    expect(await heardAfter({ text: 'Sorry, of which month?' }, 'the first, I guess')).toContain('of which month?');
  });

  it('is removed if the flow asks for a yes to the call', async () => {
    const flow: ConversationFlow = {
      initialNode: 'desk',
      nodes: {
        desk: {
          say: 'Hello.',
          taskMessages: prompt('Book.'),
          functions: [{ name: 'book', effect: 'write', confirm: 'Shall I book it?' }],
        },
      },
    };
    const { runner, heard } = await live(flow, replies({ text: 'Fine. Is that all?', calls: [{ name: 'book' }] }), {
      tools: [tool('book', () => 'ok')],
    });
    await runner.send('book it');
    expect(heard.slice(1).join(' ').replaceAll(/\s+/g, ' ')).toBe('Fine. Shall I book it?');
  });

  it('is kept if it is about a missing value', async () => {
    const text = 'Noted. Is that the first or the eleventh?';
    expect(await heardAfter({ text, calls: [record({ nights: 3 })] }, 'for three nights, from the first')).toContain(
      'the first or the eleventh?',
    );
  });

  it('is not added to the reply that ends the call', async () => {
    const heard = await heardAfter({ text: 'All right. Anything else?', calls: [{ name: 'end_call' }] }, 'that is all');
    expect(heard.replaceAll(' | ', ' ')).toBe('All right. Goodbye.');
  });
});
