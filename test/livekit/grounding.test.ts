import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { systemClock } from '../../src/system.ts';
import { live } from './live.ts';

const flow = {
  initialNode: 'details',
  slots: {
    full_name: { type: 'name', ask: 'What is your name?' },
    birth_date: { type: 'date', ask: 'And your date of birth?', before: 'today' },
    been_before: { type: 'boolean', ask: 'Have you been here before?' },
    reason: { type: 'enum', ask: 'What brings you in?', values: { checkup: ['check up'], pain: ['hurts'] } },
    phone: { type: 'phone', ask: 'Which number can we reach you on?' },
  },
  nodes: {
    details: { collect: ['full_name', 'birth_date', 'been_before', 'reason', 'phone'], defaultTransition: 'bye' },
    bye: { say: 'Thank you.', end: 'done' },
  },
} satisfies ConversationFlow;

const fillsTheForm = {
  full_name: 'Maria Delgado',
  birth_date: '1990-01-01',
  been_before: true,
  reason: 'checkup',
  phone: '+14155550123',
};

describe('a model that fills the form with invented values', () => {
  it('is not believed: each value is confirmed before the flow continues', async () => {
    const { runner, heard } = await live(flow, ({ userText }) =>
      userText.startsWith('Maria') ? { calls: [{ name: 'record', arguments: fillsTheForm }] } : { text: 'I see.' },
    );
    await runner.send('Maria Delgado, as always.');
    expect(heard.at(-1)).toBe('Birth date January 1, 1990, is that right?');
    expect(runner.currentNode).toBe('details');
    await runner.send('no');
    expect(heard.at(-1)).toBe('And your date of birth?');
    const { slots } = runner.state.knowledge;
    expect(slots['full_name']).toMatchObject({ confirmed: true, grounded: true, source: { kind: 'said' } });
    expect(slots['been_before']).toBeUndefined();
    expect(slots['reason']).toMatchObject({ confirmed: false, grounded: false });
    expect(slots['phone']).toMatchObject({ confirmed: false, grounded: false });
  });

  it.each([
    ['en', 'What brings you in?', 'Goodbye.', '555 2671.'],
    ['en', 'What brings you in?', 'Goodbye.', 'Hello.'],
    ['de', 'Was führt Sie zu uns?', 'Auf Wiederhören.', '555 2671.'],
    ['de', 'Was führt Sie zu uns?', 'Auf Wiederhören.', 'Danke.'],
  ])('is not believed in words that mean no choice: %s, "%s" %s "%s"', async (language, ask, say, words) => {
    const asked = {
      ...{ language, initialNode: 'why', slots: { reason: { ...flow.slots.reason, ask } } },
      nodes: { why: { collect: ['reason'], defaultTransition: 'bye' }, bye: { say, end: 'done' } },
    };
    const { runner } = await live(asked, () => ({ calls: [{ name: 'record', arguments: { reason: 'pain' } }] }));
    await runner.send(words);
    expect(runner.state.knowledge.slots['reason']).toMatchObject({ confirmed: false, grounded: false });
    expect(runner.currentNode).toBe('why');
  });

  it('is not believed in words that are the value of another slot', async () => {
    const guests = { type: 'integer', ask: 'Wie viele sind Sie?' } as const;
    const asked = {
      ...{
        language: 'de',
        initialNode: 'why',
        slots: { guests, reason: { ...flow.slots.reason, ask: 'Was führt Sie zu uns?' } },
      },
      nodes: {
        why: { collect: ['guests', 'reason'], defaultTransition: 'bye' },
        bye: { say: 'Auf Wiederhören.', end: 'done' },
      },
    } satisfies ConversationFlow;
    const { runner } = await live(asked, () => ({
      calls: [{ name: 'record', arguments: { reason: 'pain' } }],
    }));
    await runner.send('sechs');
    await runner.send('nein, wir sind fünf');
    expect(runner.state.knowledge.slots['reason']).toMatchObject({ grounded: false });
  });

  it.each([
    ['Non, Allergie.', { note: 'Allergie', full_name: 'Allergie' }, 'Anne Martin'],
    ["Non, je m'appelle Dupont.", { note: 'Dupont', full_name: 'Dupont' }, 'Dupont'],
    ["Non, je m'appelle Dupont.", { full_name: 'Dupont' }, 'Dupont'],
  ])('is not believed if it gives the words of a note to a name too: %s', async (words, given, name) => {
    const { full_name } = flow.slots;
    const asked = {
      ...{
        language: 'fr',
        initialNode: 'why',
        slots: {
          full_name: { ...full_name, ask: 'Comment vous appelez-vous ?' },
          note: { type: 'text', ask: 'Que doit savoir le médecin ?' },
          reason: { ...flow.slots.reason, ask: 'Quelle est la raison ?' },
        },
      },
      nodes: {
        why: { collect: ['full_name', 'note', 'reason'], defaultTransition: 'bye' },
        bye: { say: 'Au revoir.', end: 'done' },
      },
    } satisfies ConversationFlow;
    const { runner } = await live(asked, ({ userText }) =>
      userText === words ? { calls: [{ name: 'record', arguments: given }] } : { text: 'Bien.' },
    );
    await runner.send('Anne Martin.');
    await runner.send(words);
    expect(runner.state.knowledge.slots['full_name']?.value).toBe(name);
  });

  it('is not believed before the caller has spoken, unless the input has the value', async () => {
    const greeted = {
      ...{
        initialNode: 'why',
        slots: { reason: { type: 'enum', values: ['checkup', 'pain'] }, full_name: { type: 'name' } },
      },
      input: { customer: { type: 'string' } },
      nodes: {
        why: {
          taskMessages: [{ role: 'system', content: 'Greet the caller and ask why they call.' }],
          collect: ['reason', 'full_name'],
          defaultTransition: 'bye',
        },
        bye: { say: 'Goodbye.', end: 'done' },
      },
    } satisfies ConversationFlow;
    const values = { reason: 'checkup', full_name: 'Maria Delgado' };
    const { runner, heard } = await live(
      greeted,
      ({ userText }) => (userText === '' ? { calls: [{ name: 'record', arguments: values }] } : { text: 'I see.' }),
      { input: { customer: 'Maria Delgado' } },
    );
    expect(runner.state.knowledge.slots['reason']).toMatchObject({ confirmed: false, grounded: false });
    expect(runner.state.knowledge.slots['full_name']).toMatchObject({ grounded: true, source: { kind: 'input' } });
    expect(heard.at(-1)).toBe('Reason checkup, is that right?');
  });

  it('is not believed for words in another language either, although it reports their meaning', async () => {
    const { runner, heard } = await live(flow, ({ userText }) => {
      if (userText === 'Maria Delgado.')
        return { calls: [{ name: 'record', arguments: { full_name: 'Maria Delgado' } }] };
      if (userText.startsWith('Je')) return { calls: [{ name: 'record', arguments: { birth_date: '1990-01-01' } }] };
      return { calls: [{ name: 'record', arguments: { been_before: true } }] };
    });
    await runner.send('Maria Delgado.');
    await runner.send('Je ne comprends pas.');
    expect(heard.at(-1)).toBe('Birth date January 1, 1990, is that right?');
    await runner.send('yes');
    await runner.send('Oui, une fois.');
    expect(heard.at(-1)).toBe('What brings you in?');
  });

  it('is believed for values that the caller gave in a sentence, over several turns or by keys', async () => {
    const { runner, heard } = await live(flow, ({ userText }) => {
      if (userText.startsWith('Hi')) return { calls: [{ name: 'record', arguments: { ...fillsTheForm, phone: '' } }] };
      return { calls: [{ name: 'record', arguments: { phone: '4155550123' } }] };
    });
    await runner.send("Hi, it's Maria Delgado, born January first 1990. I have been there before, I need a check up.");
    expect(heard.at(-1)).toBe('Which number can we reach you on?');
    await runner.send('4155550123#', { via: 'dtmf' });
    expect(await runner.ended).toBe('done');
  });

  it.each([
    ['Actually, My name is Maria Delgado.', 'been_before', true],
    ['Actually, Ida Park.', 'reason', 'checkup'],
    ['No, sorry, I meant March fourth, 1984.', 'been_before', true],
    ['By the way, my tooth hurts.', 'been_before', true],
    ['Maria Delgado. And my tooth hurts.', 'been_before', true],
  ] as const)('is not believed by words that answer something else: "%s" as %s', async (words, slot, value) => {
    const asking: ConversationFlow = {
      ...flow,
      nodes: { ...flow.nodes, details: { collect: [slot, 'phone'], defaultTransition: 'bye' } },
    };
    const { runner, heard } = await live(asking, () => ({ calls: [{ name: 'record', arguments: { [slot]: value } }] }));
    await runner.send(words);
    const isYesOrNo = typeof value === 'boolean';
    if (isYesOrNo) expect(runner.state.knowledge.slots[slot]).toBeUndefined();
    else expect(runner.state.knowledge.slots[slot]).toMatchObject({ confirmed: false, grounded: false });
    expect(heard.at(-1)).toContain(isYesOrNo ? 'Have you been here before?' : 'Reason checkup, is that right?');
  });

  it.each([
    ['Ten.', 'the question for it', { collect: ['at'], defaultTransition: 'bye' }],
    [
      'Ten, please.',
      'the line of its node',
      {
        say: 'What time would you like?',
        functions: [
          {
            name: 'choose_time',
            description: 'The caller chooses a time.',
            parameters: { type: 'object', properties: { at: { type: 'string', format: 'time' } }, required: ['at'] },
            transitionTo: 'bye',
          },
        ],
      },
    ],
  ] as const)('is not believed that "%s" is a degree of pain, where %s asks for a time', async (words, _by, node) => {
    const visit = {
      initialNode: 'when',
      slots: {
        at: { type: 'time', ask: 'What time would you like?' },
        pain_level: { type: 'integer', ask: 'From zero to ten, how bad is the pain?', minimum: 0, maximum: 10 },
      },
      nodes: { when: node, bye: flow.nodes.bye },
    } as unknown as ConversationFlow; // Its lists are read-only.
    const { runner } = await live(visit, () => ({
      calls: [{ name: 'record', arguments: { pain_level: 10 } }],
    }));
    await runner.send(words);
    expect(runner.state.knowledge.slots['pain_level']).toMatchObject({ confirmed: false, grounded: false });
  });

  it('is not believed that a digit of a spelled code is a floor', async () => {
    const visit: ConversationFlow = {
      initialNode: 'floor',
      slots: {
        code: { type: 'text', ask: 'What is the code of your branch?' },
        floor: { type: 'integer', ask: 'On which floor do you live?', minimum: 1, maximum: 40 },
      },
      nodes: {
        floor: { collect: ['floor'], defaultTransition: 'door' },
        door: { collect: ['code'], defaultTransition: 'bye' },
        bye: { say: 'Thank you.', end: 'done' },
      },
    };
    const { runner } = await live(visit, ({ userText }) => {
      if (userText.startsWith('Three')) return { calls: [{ name: 'record', arguments: { code: '305', floor: 3 } }] };
      return { text: 'I see.' };
    });
    await runner.send('Twelve.');
    // The digits of two turns together are not a number.
    await runner.send('30');
    await runner.send('Three zero five.');
    const { floor, code } = runner.state.knowledge.slots;
    expect(floor).toMatchObject({ value: 12 });
    expect(code).toMatchObject({ value: '305' });
  });

  it('is not believed for a value that the caller has corrected since', async () => {
    const asking: ConversationFlow = {
      ...flow,
      nodes: { ...flow.nodes, details: { collect: ['full_name', 'reason', 'phone'], defaultTransition: 'bye' } },
    };
    const { runner, heard } = await live(asking, ({ userText }) => {
      const told = userText.includes('hurts') ? { reason: 'pain' } : {};
      // Rules take the correction, so the model's own calls contain the old name.
      return userText.startsWith('No')
        ? { text: '' }
        : { calls: [{ name: 'record', arguments: { full_name: 'Robert Smith', ...told } }] };
    });
    await runner.send('Robert Smith.');
    await runner.send('No, sorry, I meant Maria Delgado.');
    const proposed = { value: 'Robert Smith', proposed: { value: 'Maria Delgado' } };
    expect(runner.state.knowledge.slots['full_name']).toMatchObject(proposed);
    // The name is read back, because rules are unsure of names. That question stays open too.
    await runner.send('My tooth hurts.');
    expect(heard.at(-1)).toContain('is that right?');
    expect(runner.state.knowledge.slots['full_name']).toMatchObject(proposed);
    await runner.send('Yes.');
    expect(heard.at(-1)).toBe('Which number can we reach you on?');
    expect(runner.state.knowledge.slots['full_name']).toMatchObject({ value: 'Maria Delgado' });
    // The open question keeps its place; the value that is not in the words is read back behind it.
    await runner.send('Hm, take the first one.');
    expect(heard.at(-1)).toContain('Which number can we reach you on?');
    await runner.send('415 555 2671');
    expect(heard.at(-1)).toBe('Robert Smith, is that right?');
  });

  it('is not believed if the words correct the same slot', async () => {
    const { runner, heard } = await live(flow, ({ userText }) => {
      const full_name = userText.startsWith('Maria') ? 'Maria Delgado' : 'John Doe';
      return { calls: [{ name: 'record', arguments: { full_name } }] };
    });
    await runner.send('Maria Delgado, as always.');
    await runner.send('Oh, wait, it is Robert Smith.');
    expect(heard.at(-1)).toBe('Robert Smith, is that right?');
  });

  it('is not believed that a no means none if the question was never asked', async () => {
    const rate: ConversationFlow = {
      initialNode: 'start',
      slots: { pain_level: { type: 'integer', ask: 'From zero to ten, how bad is the pain?' } },
      nodes: {
        start: {
          say: 'What brings you in?',
          functions: [{ name: 'in_pain', description: 'The caller is in pain.', transitionTo: 'pain' }],
        },
        pain: {
          collect: ['pain_level'],
          functions: [{ name: 'cannot_rate', description: 'The caller cannot say it.', transitionTo: 'bye' }],
          defaultTransition: 'bye',
        },
        bye: flow.nodes.bye,
      },
    };
    const { runner, heard } = await live(rate, ({ userText }) =>
      userText.startsWith('My')
        ? { calls: [{ name: 'in_pain' }], text: 'Sorry, what do you mean?' }
        : { calls: [{ name: 'record', arguments: { pain_level: 0 } }] },
    );
    await runner.send('My tooth.');
    await runner.send('No, I would rather not give one.');
    expect(heard.at(-1)).toBe('Pain level 0, is that right?');
    await runner.send('no');
    expect(heard.at(-1)).toBe('From zero to ten, how bad is the pain?');
    await runner.send('No pain.');
    expect(await runner.ended).toBe('done');
    expect(runner.state.knowledge.slots['pain_level']?.value).toBe(0);
  });

  it('is believed for a correction that answers the flow’s last question', async () => {
    const { runner } = await live(
      {
        ...flow,
        // The model asks for it, so the flow's last question stays the previous one.
        slots: { ...flow.slots, phone: { type: 'phone' } },
        nodes: { ...flow.nodes, details: { collect: ['been_before', 'phone'], defaultTransition: 'bye' } },
      },
      ({ userText }) =>
        userText.startsWith('No')
          ? { text: 'Sorry, what do you mean?' }
          : { calls: [{ name: 'record', arguments: { been_before: true } }] },
    );
    await runner.send('No, never.');
    expect(runner.state.knowledge.slots['been_before']?.value).toBe(false);
    await runner.send('Yes, my mother was. And 415 555 2671.');
    expect(runner.state.knowledge.slots['been_before']?.value).toBe(true);
  });

  it.each([
    ['I do not know that.', 'invented'],
    ['Oh, wait, it is Ada Park.', 'invented'],
    ['Yes, that works.', 'chosen'],
  ])('is believed in what the agent has named only if the caller chooses it: "%s" is %s', async (words, how) => {
    const { runner } = await live(
      {
        ...flow,
        slots: { full_name: flow.slots.full_name, day: { type: 'date', ask: 'Which day?', after: 'today' } },
        nodes: { details: { collect: ['full_name', 'day'], defaultTransition: 'bye' }, bye: flow.nodes.bye },
      },
      ({ userText }) =>
        userText === 'Robert Smith.'
          ? { calls: [{ name: 'record', arguments: { full_name: userText } }] }
          : userText === words
            ? { calls: [{ name: 'record', arguments: { day: '2098-05-05' } }] }
            : { text: 'Would that be May fifth, 2098?' },
    );
    await runner.send('Robert Smith.');
    await runner.send('Some day.');
    await runner.send(words);
    const known = runner.state.knowledge.slots['day'];
    expect(known).toMatchObject({ value: '2098-05-05', grounded: how === 'chosen' });
  });

  it.each([
    ['That is all you need.', '2097-12-01'],
    ['Yes, that works.', '2098-05-05'],
  ])('replaces what the caller said only after a yes to what the agent has named: %j', async (words, value) => {
    const { runner } = await live(
      {
        ...flow,
        slots: { day: { type: 'date', ask: 'Which day?', after: 'today' }, phone: { type: 'phone' } },
        nodes: { details: { collect: ['day', 'phone'], defaultTransition: 'bye' }, bye: flow.nodes.bye },
      },
      ({ userText }) =>
        userText === words
          ? { calls: [{ name: 'record', arguments: { day: '2098-05-05' } }] }
          : { text: 'Would that be May fifth, 2098?' },
    );
    await runner.send('December first, 2097.');
    await runner.send('It is about my visit.');
    await runner.send(words);
    expect(runner.state.knowledge.slots['day']).toMatchObject({ value });
  });

  it('does not replace what the caller said by what a function returned, without a read-back', async () => {
    const lookUp = flowTool({
      name: 'look_up',
      description: 'Look up the account.',
      parameters: z.object({}),
      effect: 'read',
      execute: () => ({ owner: 'Robert Smith' }),
    });
    const account: ConversationFlow = {
      initialNode: 'name',
      slots: { name: { type: 'name', ask: 'What is your name?' }, day: { type: 'date', ask: 'Which day?' } },
      nodes: {
        name: { collect: ['name'], defaultTransition: 'look' },
        look: { call: 'look_up', functions: [{ name: 'look_up', saveAs: 'account', transitionTo: 'details' }] },
        details: { collect: ['day'], defaultTransition: 'bye' },
        bye: { say: 'Thank you, {{ name }}.', end: 'done' },
      },
    };
    const { runner, heard } = await live(
      account,
      ({ userText }) =>
        userText === 'Okay.'
          ? { calls: [{ name: 'record', arguments: { name: 'Robert Smith' } }] }
          : { text: 'I see.' },
      { tools: [lookUp] },
    );
    await runner.send('My name is Maria Delgado.');
    await runner.send('Okay.');
    expect(runner.state.knowledge.slots['name']).toMatchObject({
      value: 'Maria Delgado',
      proposed: { value: 'Robert Smith' },
    });
    await runner.send('December first, 2097.');
    expect(heard.at(-1)).toContain('Robert Smith');
    await runner.send('No.');
    expect(heard.at(-1)).toBe('Thank you, Maria Delgado.');
  });

  it('does not replace what the caller said by a yes to a later question', async () => {
    const { runner } = await live(
      {
        ...flow,
        slots: { day: { type: 'date', ask: 'Which day?', after: 'today' }, phone: { type: 'phone' } },
        nodes: { details: { collect: ['day', 'phone'], defaultTransition: 'bye' }, bye: flow.nodes.bye },
      },
      ({ userText }) => {
        if (userText === 'Okay.') return { calls: [{ name: 'record', arguments: { day: '2098-05-05' } }] };
        const isLater = userText.startsWith('It is');
        return { text: isLater ? 'Would that be in the morning?' : 'Would that be May fifth, 2098?' };
      },
    );
    await runner.send('December first, 2097.');
    await runner.send('I have a dog.');
    await runner.send('It is about my visit.');
    await runner.send('Okay.');
    const proposed = { value: '2098-05-05' };
    expect(runner.state.knowledge.slots['day']).toMatchObject({ value: '2097-12-01', proposed });
  });

  it.each([
    ['en', { type: 'boolean', ask: 'Do you smoke?' }, false, 'No.', true, 'They say that you have a swimming pool.'],
    [
      'en',
      { type: 'text', ask: 'What is your address?' },
      'Main Road',
      'Main Road.',
      'Oak Street',
      'Is the street loud?',
    ],
    ['de', { type: 'boolean', ask: 'Rauchen Sie?' }, false, 'Nein.', true, 'Bei Ihnen soll ein Bad im Haus sein.'],
    [
      'de',
      { type: 'text', ask: 'Wie ist die Adresse?' },
      'Am See 5',
      'Am See 5.',
      'Am Tor 9',
      'Bei Ihnen soll ein Bad im Haus sein.',
    ],
    [
      'de',
      { type: 'email', ask: 'Wie ist die E-Mail?' },
      'a@see.de',
      'a@see.de',
      'b@see.de',
      'Bei Ihnen soll ein Bad im Haus sein.',
    ],
    [
      'de',
      { type: 'enum', values: ['klein', 'groß'], ask: 'Welche Größe?' },
      'klein',
      'klein',
      'groß',
      'Bei Ihnen soll ein Bad im Haus sein.',
    ],
    // Polish has no reader.
    ['en', { type: 'integer', ask: 'Ile osób przyjdzie do nas w tym dniu?' }, 2, 'dwie', 3, 'Czy jest u was basen?'],
    [
      'en',
      { type: 'date', ask: 'Którego dnia chce Pan do nas przyjść?' },
      '2098-05-04',
      'w maju',
      '2098-05-05',
      'Czy jest basen?',
    ],
    [
      'en',
      { type: 'name', ask: 'Jak się Pani nazywa i kto dzwoni?' },
      'Anna Nowak',
      'Anna Nowak',
      'Ewa Nowak',
      'Czy jest basen?',
    ],
  ])(
    'is not believed in %s words that do not say another %j',
    async (language, detail, first, words, other, question) => {
      const phone = { type: 'phone', ask: 'Tel.?' };
      const asking = {
        ...{ language, initialNode: 'details', slots: { detail, phone } },
        nodes: {
          details: { collect: ['detail', 'phone'], defaultTransition: 'bye' },
          bye: { say: 'Bye.', end: 'done' },
        },
      } as ConversationFlow; // Of any of the types.
      const { runner, heard } = await live(asking, ({ userText }) => ({
        calls: [{ name: 'record', arguments: { detail: userText === question ? other : first } }],
      }));
      await runner.send(words);
      await runner.send(question);
      expect(runner.state.knowledge.slots['detail']).toMatchObject({ value: first, proposed: { value: other } });
      expect(heard.at(-1)).toContain('?');
      expect(heard.at(-1)).not.toContain('Tel.');
    },
  );

  it('is checked against the rules’ reading of a day', async () => {
    const day: ConversationFlow = {
      ...flow,
      slots: { day: { type: 'date', ask: 'Which day?', after: 'today' } },
      nodes: { details: { collect: ['day'], defaultTransition: 'bye' }, bye: flow.nodes.bye },
    };
    const { runner } = await live(day, () => ({ calls: [{ name: 'record', arguments: { day: '2099-05-05' } }] }));
    await runner.send('on the fourth of July 2098');
    expect(runner.state.knowledge.slots['day']?.value).toBe('2098-07-04');
    expect(await runner.ended).toBe('done');
  });
});

describe('a write', () => {
  const booking = {
    initialNode: 'desk',
    slots: { day: { type: 'date' } },
    nodes: {
      desk: {
        taskMessages: [{ role: 'system', content: 'Book.' }],
        respondImmediately: false,
        functions: [
          {
            name: 'book_table',
            effect: 'write',
            parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
            transitionTo: 'bye',
          },
        ],
      },
      bye: { say: 'Booked.', end: 'done' },
    },
  } satisfies ConversationFlow;
  const rig = (words: string, day: string) => {
    const booked: string[] = [];
    const book = flowTool({
      name: 'book_table',
      description: 'Book a table.',
      parameters: z.object({ day: z.string() }),
      execute: ({ day: on }) => void booked.push(on),
    });
    const store = createMemoryStore({ clock: systemClock });
    return live(
      booking,
      { desk: [{ when: words, calls: [{ name: 'book_table', arguments: { day } }] }] },
      {
        tools: [book],
        store,
        sessionId: 's',
      },
    ).then((call) => ({ ...call, booked, store }));
  };

  it('that depends on an invented value needs a yes first, even without a confirm', async () => {
    const { runner, heard, booked } = await rig('a table', '2098-05-05');
    await runner.send('I would like a table');
    expect(booked).toEqual([]);
    expect(heard.at(-1)).toBe('Shall I book the table, day May 5, 2098?');
    await runner.send('yes');
    expect(booked).toEqual(['2098-05-05']);
  });

  it('of given values runs at once, and the store keeps the evidence of its arguments', async () => {
    const { runner, booked, store } = await rig('a table', '2098-05-05');
    await runner.send('a table on May fifth 2098');
    expect(booked).toEqual(['2098-05-05']);
    const write = (await store.effects.list('s')).find(({ kind }) => kind === 'tool');
    expect(write?.payload).toMatchObject({ provenance: { day: { source: { kind: 'said' }, grounded: true } } });
  });
});

describe('a write with an argument of a slot’s name', () => {
  async function hotel(wrong: number) {
    const nights = {
      initialNode: 'ask',
      roleMessages: [{ role: 'system', content: 'You book rooms for a hotel by the sea.' }],
      slots: { nights: { type: 'integer', maximum: 30, ask: 'For how many nights?' } },
      nodes: {
        ask: { collect: ['nights'], defaultTransition: 'book' },
        book: {
          functions: [
            {
              name: 'book_room',
              description: 'Book the room.',
              effect: 'write',
              confirm: '{{ nights }} nights. Shall I book it?',
              parameters: { type: 'object', properties: { nights: { type: 'integer' } }, required: ['nights'] },
              transitionTo: 'bye',
            },
          ],
        },
        bye: { say: 'Booked.', end: 'done' },
      },
    } satisfies ConversationFlow;
    const booked: number[] = [];
    const outputs: string[] = [];
    const book = flowTool({
      name: 'book_room',
      description: 'Book the room.',
      parameters: z.object({ nights: z.number() }),
      execute: ({ nights: count }) => void booked.push(count),
    });
    const { runner, heard } = await live(
      nights,
      ({ items, afterTool, tools }) => {
        if (!tools.includes('book_room')) return { calls: [{ name: 'record', arguments: { nights: 15 } }] };
        if (afterTool === 'book_room') outputs.push(items.at(-1) ?? '');
        return { calls: [{ name: 'book_room', arguments: { nights: afterTool === 'book_room' ? 15 : wrong } }] };
      },
      { tools: [book] },
    );
    return { runner, heard, booked, outputs };
  }

  it.each([
    [4, 'nights is 15, as the caller has said, and not 4.'],
    [4000, 'nights cannot be 4000: must be at most 30.'],
  ])('is not made with %s after "Fifteen.", and the model receives the reason', async (wrong, reason) => {
    const { runner, heard, booked, outputs } = await hotel(wrong);
    await runner.send('Fifteen.');
    expect(outputs).toEqual([expect.stringContaining(reason)]);
    expect(heard.at(-1)).toBe('15 nights. Shall I book it?');
    await runner.send('yes');
    expect(booked).toEqual([15]);
  });
});

it('a flow in another language is not checked against the rules for English', async () => {
  const german: ConversationFlow = {
    initialNode: 'frage',
    slots: { tag: { type: 'date', ask: 'An welchem Tag möchten Sie zu uns in die Praxis kommen?' } },
    nodes: {
      frage: { collect: ['tag'], defaultTransition: 'ende' },
      ende: { say: 'Vielen Dank, und auf Wiederhören.', end: 'done' },
    },
  };
  const { runner } = await live(german, () => ({ calls: [{ name: 'record', arguments: { tag: '2098-05-05' } }] }));
  await runner.send('am fünften Mai');
  expect(await runner.ended).toBe('done');
  expect(runner.state.knowledge.slots['tag']).toMatchObject({ grounded: null });
});
