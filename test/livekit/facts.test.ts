import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { live } from './live.ts';

// A question that accompanies the model's call is kept if a value is unclear.
const unclear = [{ name: 'record', arguments: { arrive: '2098-12-01', email: 'none' } }];

describe('the answer to a question by the model', () => {
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
        ? { text: question, calls: unclear }
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
      await runner.send('On the first of December 2098, as my sister wants.');
      await runner.send('Three.');
      expect(runner.state.knowledge.slots['guests']).toMatchObject({ value: 3, grounded, confirmed: grounded });
      expect(heard.at(-1)).toContain(grounded ? 'What is your email address?' : 'Guests 3, is that right?');
    },
  );

  it('does not ground the last missing slot if the question is about something else', async () => {
    const last = {
      ...stay,
      nodes: { ...stay.nodes, details: { collect: ['arrive', 'guests'], defaultTransition: 'bye' } },
    };
    const { runner, heard } = await live(last, ({ userText }) =>
      userText.startsWith('On')
        ? { text: 'And how many nights?', calls: unclear }
        : { calls: [{ name: 'record', arguments: { guests: 3 } }] },
    );
    await runner.send('On the first of December 2098, as my sister wants.');
    await runner.send('Three.');
    expect(heard.at(-1)).toBe('Guests 3, is that right?');
    await runner.send('No.');
    expect(heard.at(-1)).toBe('For how many guests?');
    await runner.send('Two.');
    expect(runner.state.knowledge.slots['guests']?.grounded).not.toBe(false);
  });
});

describe('what rules read for certain', () => {
  const slots = {
    day: { type: 'date', ask: 'Which day?', after: 'today' },
    at: { type: 'time', ask: 'At what time?' },
    guests: { type: 'integer', ask: 'For how many guests?', maximum: 12 },
    price: { type: 'number', ask: 'What may it cost?' },
    phone: { type: 'phone', ask: 'Which number can we reach you on?' },
    email: { type: 'email', ask: 'What is your email address?' },
    flowers: { type: 'enum', ask: 'Roses or tulips?', values: ['roses', 'tulips'] },
    member: { type: 'boolean', ask: 'Are you a member?' },
    who: { type: 'name', ask: 'Who is calling, please?' },
  } satisfies ConversationFlow['slots'];

  it.each([
    ['day', 'December first, 2098.', '2001-12-01', '2098-12-01'],
    ['day', 'December first, 2098.', '2098-11-01', '2098-12-01'],
    ['day', 'The day is December first, 2098, thanks to you all.', '2098-11-01', '2098-12-01'],
    ['at', 'At 3 pm.', '13:00', '15:00'],
    ['at', 'At 3 pm.', 'three', '15:00'],
    ['guests', 'Four.', 40, 4],
    ['guests', 'Four.', 5, 4],
    ['price', 'Twelve.', 20, 12],
    ['phone', '415 555 2671', '555 2671', '+14155552671'],
    ['phone', 'It rings at 415 555 2671', '555 2671', '+14155552671'],
    ['phone', '415 555 2671', '+14155552672', '+14155552671'],
    ['email', 'ada@park.org', 'ada', 'ada@park.org'],
    ['email', 'ada@park.org', 'ida@park.org', 'ada@park.org'],
    ['flowers', 'Roses.', 'lilies', 'roses'],
    ['flowers', 'Roses.', 'tulips', 'roses'],
    ['member', 'No.', true, false],
    ['who', 'Ada Park.', 'Robert Smith', 'Ada Park'],
  ] as const)('is the %s in place of what the model makes of it: "%s", %j', async (slot, words, given, value) => {
    const flow: ConversationFlow = {
      initialNode: 'ask',
      slots,
      nodes: { ask: { collect: [slot], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'done' } },
    };
    const { runner, model } = await live(flow, () => ({ calls: [{ name: 'record', arguments: { [slot]: given } }] }));
    await runner.send(words);
    expect(await runner.ended).toBe('done');
    expect(runner.state.knowledge.slots[slot]).toMatchObject({ value, grounded: true, confirmed: true });
    expect(model.requests.length).toBeLessThanOrEqual(1);
  });

  it('does not include a number among other words', async () => {
    const [slot, words, given] = ['guests', 'Four of us and two children.', 6] as const;
    const flow: ConversationFlow = {
      initialNode: 'ask',
      slots,
      nodes: { ask: { collect: [slot], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'done' } },
    };
    const { runner } = await live(flow, () => ({ calls: [{ name: 'record', arguments: { [slot]: given } }] }));
    await runner.send(words);
    expect(runner.state.knowledge.slots[slot]?.value).toBe(given);
  });
});

describe('a write without a question of its own', () => {
  const desk = {
    initialNode: 'desk',
    slots: { phone: { type: 'phone', confirm: 'readback', region: 'US' } },
    nodes: {
      desk: {
        taskMessages: [{ role: 'system', content: 'Note the number.' }],
        respondImmediately: false,
        functions: [
          {
            name: 'note_number',
            effect: 'write',
            parameters: { type: 'object', properties: { phone: { type: 'string' } }, required: ['phone'] },
            transitionTo: 'bye',
          },
        ],
      },
      bye: { say: 'Noted.', end: 'done' },
    },
  } satisfies ConversationFlow;

  it('does not run with a value that needs a read-back before the caller has agreed', async () => {
    const noted: string[] = [];
    const note = flowTool({
      name: 'note_number',
      description: 'Note the number.',
      parameters: z.object({ phone: z.string() }),
      execute: ({ phone }) => void noted.push(phone),
    });
    const { runner, heard } = await live(
      desk,
      () => ({ calls: [{ name: 'note_number', arguments: { phone: '415 555 2671' } }] }),
      { tools: [note] },
    );
    await runner.send('My number is 415 555 2671');
    expect(noted).toEqual([]);
    expect(heard.at(-1)).toContain('4 1 5, 5 5 5, 2 6 7 1');
    await runner.send('yes');
    expect(noted).toHaveLength(1);
    expect(await runner.ended).toBe('done');
    expect(runner.state.knowledge.slots['phone']).toMatchObject({ confirmed: true });
  });
});

describe('a value in a question of the caller', () => {
  const asks = {
    en: ['Is the large room open at 3 pm?', 'Can I have the large table at 3 pm?'],
    de: ['Ist der große Saal um 15 Uhr offen?', 'Kann ich um 15 Uhr den großen Tisch haben?'],
    es: ['¿Está abierta la terraza grande a las 15:00?', '¿Puedo tener la mesa grande a las 15:00?'],
    fr: ['Vous êtes ouverts à 15 h pour la grande salle ?', 'Je peux avoir la grande table à 15 h ?'],
    pt: ['A sala grande está aberta às 15:00?', 'Posso ter a mesa grande às 15:00?'],
  } as const;
  const sizes = {
    en: { large: [], small: [] },
    de: { large: ['groß'], small: ['klein'] },
    es: { large: ['grande'], small: ['pequeña'] },
    fr: { large: ['grande'], small: ['petite'] },
    pt: { large: ['grande'], small: ['pequena'] },
  };
  const value = { at: '15:00', size: 'large' } as const;

  it.each(Object.keys(asks) as (keyof typeof asks)[])(
    'is read back, unless the question asks for it: %s',
    async (language) => {
      for (const slot of ['at', 'size'] as const)
        for (const [index, words] of asks[language].entries()) {
          const flow: ConversationFlow = {
            language,
            initialNode: 'ask',
            slots: { at: { type: 'time', ask: '?' }, size: { type: 'enum', ask: '?', values: sizes[language] } },
            nodes: { ask: { collect: [slot], defaultTransition: 'bye' }, bye: { say: '.', end: 'done' } },
          };
          const given = { name: 'record', arguments: { [slot]: value[slot] } };
          const { runner } = await live(flow, ({ userText }) =>
            userText === words ? { calls: [given] } : { text: '' },
          );
          await runner.send(words);
          const known = runner.state.knowledge.slots[slot];
          expect([words, slot, known?.confirmed]).toEqual([words, slot, index === 1]);
        }
    },
  );
});
