import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { live } from './live.ts';

const tomorrow = '2098-12-01';

describe('the answer to a question of the model’s own', () => {
  const stay: ConversationFlow = {
    initialNode: 'details',
    slots: {
      arrive: { type: 'date', ask: 'Which day will you arrive?', after: 'today' },
      guests: { type: 'integer', ask: 'For how many guests?', description: 'The number of people.' },
      email: { type: 'email', ask: 'What is your email address?' },
    },
    nodes: {
      details: { collect: ['arrive', 'guests', 'email'], defaultTransition: 'bye' },
      bye: { say: 'Booked.', end: 'done' },
    },
  };
  const asking = (question: string, answered: readonly { name: string; arguments?: Record<string, number> }[]) =>
    live(stay, ({ userText }) =>
      userText.startsWith('On')
        ? { text: question, calls: [{ name: 'record', arguments: { arrive: tomorrow } }] }
        : { text: answered.length === 0 ? 'Thank you.' : '', calls: answered },
    );

  it.each([
    ['And how many nights?', [], false],
    ['And how many nights?', [{ name: 'record', arguments: { guests: 3 } }], false],
    ['And how many cars will you bring?', [{ name: 'record', arguments: { guests: 3 } }], false],
    ['And for how many guests?', [], true],
    ['How many people will come?', [{ name: 'record', arguments: { guests: 3 } }], true],
  ] as const)(
    '"%s" "Three." (%j) grounds the slot that is due only if it asks for it',
    async (question, calls, grounded) => {
      const { runner, heard } = await asking(question, calls);
      await runner.send('On the first of December 2098.');
      await runner.send('Three.');
      expect(runner.state.slots['guests']).toMatchObject({ value: 3, grounded, confirmed: grounded });
      expect(heard.at(-1)).toContain(grounded ? 'What is your email address?' : 'Guests 3, is that right?');
    },
  );

  it('does not ground the last slot either that the node needs, if it asks for something else', async () => {
    const last = {
      ...stay,
      nodes: { ...stay.nodes, details: { collect: ['arrive', 'guests'], defaultTransition: 'bye' } },
    };
    const { runner, heard } = await live(last, ({ userText }) =>
      userText.startsWith('On')
        ? { text: 'And how many nights?', calls: [{ name: 'record', arguments: { arrive: tomorrow } }] }
        : { calls: [{ name: 'record', arguments: { guests: 3 } }] },
    );
    await runner.send('On the first of December 2098.');
    await runner.send('Three.');
    expect(heard.at(-1)).toBe('Guests 3, is that right?');
    await runner.send('No.');
    expect(heard.at(-1)).toBe('For how many guests?');
    await runner.send('Two.');
    expect(runner.state.slots['guests']?.grounded).not.toBe(false);
  });
});
