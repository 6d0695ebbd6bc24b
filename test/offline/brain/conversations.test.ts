import { expect, test } from 'vitest';
import { z } from 'zod';
import * as clinic from '../../../flows/clinic-intake/tools.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { defineFlow } from '../../../src/flow/document/define.ts';
import { end, interrupt } from '../../../src/flow/document/generator-yields.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { talk } from './talk.ts';

test('a flow without a word of its own asks by its task and its slots, looks up and says what came of it', async () => {
  const rental: ConversationFlow = {
    name: 'bike-rental',
    initialNode: 'welcome',
    slots: {
      bikes: { type: 'integer', description: 'How many bikes they need.', minimum: 1, maximum: 8 },
      kind: {
        type: 'enum',
        description: 'Which kind of bike they want.',
        values: { city: ['normal'], electric: ['e-bike', 'ebike'], mountain: ['off road'] },
      },
      from: { type: 'date', description: 'The first day of the rental.', after: 'today' },
      renter: { type: 'name', description: "The caller's full name." },
    },
    nodes: {
      welcome: {
        taskMessages: [{ role: 'system', content: 'Greet the caller and ask how many bikes they need.' }],
        collect: ['bikes', 'kind', 'from', 'renter'],
        functions: [{ name: 'repair', description: 'The caller has a broken bike.', transitionTo: 'workshop' }],
        defaultTransition: 'price',
      },
      price: {
        taskMessages: [{ role: 'system', content: 'Look up the price with find_price and tell the caller.' }],
        functions: [
          {
            name: 'find_price',
            description: 'Look up the price of a rental.',
            parameters: {
              type: 'object',
              properties: {
                bikes: { type: 'integer' },
                kind: { type: 'string', enum: ['city', 'electric', 'mountain'] },
              },
              required: ['bikes', 'kind'],
            },
            effect: 'read',
          },
          { name: 'accept_price', description: 'The caller agrees to the price.', transitionTo: 'done' },
          { name: 'too_expensive', description: 'The caller refuses or finds it too expensive.', transitionTo: 'bye' },
        ],
      },
      workshop: { say: 'I am putting you through to the workshop.', end: 'workshop' },
      done: { say: 'See you then!', end: 'rented' },
      bye: { say: 'Maybe another time. Goodbye!', end: 'declined' },
    },
  };
  const findPrice = flowTool({
    name: 'find_price',
    description: 'Look up the price of a rental.',
    parameters: z.object({ bikes: z.int(), kind: z.string() }),
    execute: ({ bikes }) => ({ price: `${bikes * 20} euros a day`, deposit: 50 }),
  });
  const { heard, say, calls, runner } = await talk({ flow: rental, tools: [findPrice] });

  expect(heard).toEqual(['Hello! How many bikes do you need?']);
  expect(await say('three, from next Saturday on')).toBe('Which kind of bike do you want?');
  expect(await say('the electric ones please')).toBe('Could you tell me your full name?');
  expect(await say('Ann Lee')).toBe('Price: 60 euros a day, deposit: 50. What would you like to do?');
  expect(await say('that is too expensive')).toBe('Maybe another time. Goodbye!');
  expect(await runner.ended).toBe('declined');
  expect(calls).toEqual([
    'record {"bikes":3,"from":"2026-11-28"}',
    'record {"kind":"electric"}',
    'record {"renter":"Ann Lee"}',
    'find_price {"bikes":3,"kind":"electric"}',
    'too_expensive {}',
  ]);
});

test('a flow of functions with parameters, without slots, gathers one argument after the other', async () => {
  const cinema: ConversationFlow = {
    name: 'film-club',
    initialNode: 'start',
    roleMessages: [{ role: 'system', content: 'You sell tickets of a small cinema. Ask one question at a time.' }],
    nodes: {
      start: {
        taskMessages: [{ role: 'system', content: 'Greet the caller and ask which film they would like to see.' }],
        functions: [
          {
            name: 'choose_film',
            description: 'Record the film.',
            parameters: {
              type: 'object',
              properties: { film: { type: 'string', enum: ['space_dogs', 'the_long_rain'], description: 'The film.' } },
              required: ['film'],
            },
            transitionTo: 'count',
          },
        ],
      },
      count: {
        taskMessages: [{ role: 'system', content: 'Ask how many tickets they need and for which show.' }],
        functions: [
          {
            name: 'choose_tickets',
            description: 'Record how many tickets and which show.',
            parameters: {
              type: 'object',
              properties: {
                count: { type: 'integer', minimum: 1, maximum: 10, description: 'How many tickets.' },
                show: { type: 'string', format: 'time', description: 'What time the show starts.' },
              },
              required: ['count', 'show'],
            },
            transitionTo: 'confirm',
          },
        ],
      },
      confirm: {
        taskMessages: [{ role: 'system', content: 'Ask whether the caller wants to pay now.' }],
        functions: [
          { name: 'pay_now', description: 'User wants to pay now.', transitionTo: 'paid' },
          { name: 'pay_later', description: 'User does not want to pay now.', transitionTo: 'unpaid' },
        ],
      },
      paid: { say: 'Thank you, enjoy the film!', end: 'paid' },
      unpaid: { say: 'Please pay at the counter.', end: 'unpaid' },
    },
  };
  const { heard, say, calls, runner } = await talk({ flow: cinema });

  expect(heard).toEqual(['Hello! Which film would you like to see?']);
  expect(await say('what is on?')).toBe('Sorry, I did not get that. Which film would you like to see?');
  expect(await say('Space Dogs')).toBe('How many tickets do you need and for which show?');
  expect(await say('three')).toBe('Could you tell me what time the show starts?');
  expect(await say('at eight in the evening')).toBe('Do you want to pay now?');
  expect(await say('no')).toBe('Please pay at the counter.');
  expect(await runner.ended).toBe('unpaid');
  expect(calls).toEqual([
    'choose_film {"film":"space_dogs"}',
    'choose_tickets {"show":"20:00","count":3}',
    'pay_later {}',
  ]);
});

const desk: ConversationFlow = {
  name: 'parcel-desk',
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Parcel desk. What can I do for you?',
      taskMessages: [{ role: 'system', content: 'Help the caller with their parcel.' }],
      functions: [
        {
          name: 'find_parcel',
          description: 'Look up where a parcel is.',
          parameters: {
            type: 'object',
            properties: {
              tracking_number: { type: 'string', pattern: '^[A-Z]{2}\\d{6}$', description: 'The tracking number.' },
            },
            required: ['tracking_number'],
          },
          effect: 'read',
        },
        { name: 'hang_up', description: 'The caller says goodbye or needs nothing else.', transitionTo: 'bye' },
      ],
    },
    bye: { say: 'Goodbye!', end: 'done' },
  },
};

function findParcel(isReachable: () => boolean) {
  return flowTool({
    name: 'find_parcel',
    description: 'Look up where a parcel is.',
    parameters: z.object({ tracking_number: z.string() }),
    execute: () => {
      if (!isReachable()) throw new Error('The depot does not answer.');
      return { status: 'moving', place: 'Lyon', due: '2026-11-24' };
    },
  });
}

test('what a tool returns is said in words, and what it is called without is asked for', async () => {
  const { say, calls } = await talk({ flow: desk, tools: [findParcel(() => true)] });
  expect(await say('where is my parcel')).toBe('Could you tell me the tracking number?');
  expect(await say('it is AB 123456')).toBe(
    'Place: Lyon, due: Tuesday, November 24. Is there anything else I can do for you?',
  );
  expect(await say('no thanks')).toBe('Goodbye!');
  expect(calls).toEqual(['find_parcel {"tracking_number":"AB123456"}', 'hang_up {}']);
});

test('a letter of a word before it is not a part of a code', async () => {
  const { say, calls } = await talk({ flow: desk, tools: [findParcel(() => true)] });
  await say('where is my parcel');
  await say("it's AB 123456");
  expect(calls).toEqual(['find_parcel {"tracking_number":"AB123456"}']);
});

test('a tool that fails is owned up to, and is not called again until the caller speaks', async () => {
  let runs = 0;
  const { say } = await talk({ flow: desk, tools: [findParcel(() => (runs += 1) > 1)] });
  expect(await say('where is my parcel AB123456')).toMatch(/^I am sorry, that did not work\. .*\?$/);
  expect(runs).toBe(1);
});

test('what is not understood climbs the ladder of the question, never twice in a row in the same words', async () => {
  const { say, runner } = await talk({ flow: desk, tools: [findParcel(() => true)] });
  const asked = [await say('where is my parcel'), await say('blah'), await say('blub'), await say('foo')];
  expect(asked).toEqual([
    'Could you tell me the tracking number?',
    'Sorry, I did not get that. What can I do for you?',
    'A short answer is enough. What can I do for you?',
    'I am sorry, I cannot help you any further here, so I have to end this conversation. Goodbye.',
  ]);
  expect(await runner.ended).toBe('no-match');
});

const openClinic = () => {
  const run: Record<string, (input: unknown, call: clinic.ToolCall) => Promise<unknown>> = clinic.createTools({
    today: () => '2026-11-21',
  });
  const tools = Object.entries(clinic.toolArguments).map(([name, parameters]) =>
    flowTool({ name, description: name, parameters, execute: (input, call) => run[name]?.(input, call) }),
  );
  return talk({
    flow: 'flows/clinic-intake/flow.yaml',
    tools,
    handlers: { ring: () => ({ ringing: true }), note_consent: () => ({ noted: true }) },
  });
};

test('whoever asks whether anybody is there has answered nothing by it', async () => {
  const { say, runner } = await talk({
    flow: {
      initialNode: 'complaint',
      slots: { reason: { type: 'text', ask: 'What was wrong with it?' } },
      nodes: { complaint: { collect: ['reason'], defaultTransition: 'noted' }, noted: { say: 'Noted.', end: 'noted' } },
    },
  });
  for (const words of ['Hello? Anyone there?', 'Are you still there?', 'Can you hear me?'])
    expect(await say(words)).toBe('Hello! What was wrong with it?');
  expect(await say('It came broken.')).toBe('Noted.');
  await runner.stop();
});

test('the clinic intake is gone through from the greeting to the booking, with what is said early and what is corrected', async () => {
  const { say, calls, runner } = await openClinic();
  expect(await say("yes, I'm Maria Delgado and my tooth hurts")).toBe('Maria Delgado, is that right?');
  expect(await say('yes')).toBe('What is your date of birth?');
  expect(await say('March third, no wait, the fourth')).toBe('And the year, for the birth date?');
  expect(await say('1984')).toBe('Have you been here before?');
  expect(await say('no')).toBe('From zero to ten, how bad is the pain right now?');
  expect(await say('seven')).toBe('May I have a phone number, in case something changes?');
  expect(await say("I don't have one")).toBe('Which day would suit you?');
  expect(await say('December first at half past nine')).toMatch(/9:30 AM for Maria Delgado\. Shall I book it\?$/);
  expect(await say('yes please')).toMatch(/^You are booked for Tuesday, December 1 at 9:30 AM/);
  expect(await runner.ended).toBe('booked');
  // No model copies known values: the node makes the call itself.
  expect(calls.at(-1)).toBe('record {"day":"2026-12-01","visit_time":"09:30"}');
  expect(runner.state.knowledge.variables['visit']).toMatchObject({ status: 'booked' });
});

test('whoever tells of pain at the last question is asked how bad it is, and put through to the nurse', async () => {
  const { say, calls, runner } = await openClinic();
  await say("yes, I'm Maria Delgado and I need a checkup");
  for (const words of ['yes', 'March fourth, 1984', 'yes', 'no']) await say(words);
  expect(await say('December first at half past nine')).toMatch(/Shall I book it\?$/);
  expect(await say('by the way, my back hurts')).toBe('From zero to ten, how bad is the pain right now?');
  expect(await say('nine')).toBe('That is a lot of pain. I am putting you through to our nurse right now.');
  expect(await runner.ended).toBe('nurse');
  expect(calls.filter((call) => call.startsWith('book_visit'))).toEqual([]);
});

test('a bare number is the hour that was asked for, and no degree of pain', async () => {
  const { say, runner } = await openClinic();
  for (const words of ['yes', 'Maria Delgado', 'yes', 'March fourth, 1984', 'yes', 'a checkup', 'no']) await say(words);
  expect(await say('December first')).toMatch(/What time would you like\?$/);
  expect(await say('10')).toMatch(/^I am sorry, 10:00 AM is not open\./);
  expect(await say('11')).toMatch(/11:00 AM for Maria Delgado\. Shall I book it\?$/);
  expect(runner.state.knowledge.slots['pain_level']).toBeUndefined();
});

test.each([
  ['the name', 'May I have your full name?'],
  ['the day', 'Could you tell me the day of the visit?'],
  ['the time', 'Could you tell me the time of the visit?'],
  ["no, it's fine, book it", 'So that is Tuesday, December 1 at 9:30 AM for Maria Delgado. Shall I book it?'],
])('whoever names what is to be changed is asked for that alone: "%s"', async (words, next) => {
  const { say } = await openClinic();
  for (const each of ['yes', 'Maria Delgado', 'yes', 'March fourth, 1984', 'yes', 'a checkup', 'no']) await say(each);
  await say('December first at half past nine');
  expect(await say('no')).toMatch(/What would you like to change\?$/);
  expect(await say(words)).toBe(next);
});

test('pain is a reason for a visit, and pain in the chest an emergency', async () => {
  const { say, runner } = await openClinic();
  expect(await say("hello, I'm in pain")).toMatch(/Shall we start\?$/);
  expect(runner.state.knowledge.slots['reason']?.value).toBe('pain');
  await say("it's for my pain");
  expect(runner.currentNode).toBe('greet');
  expect(await say('no, chest pain')).toMatch(/call nine one one/);
  expect(await runner.ended).toBe('emergency');
});

test('a full name by itself answers what was asked before, also where a yes is asked for', async () => {
  const { say, runner } = await openClinic();
  await say('yes');
  expect(await say('no')).toMatch(/Shall we go on\?$/);
  expect(await say('Maria Delgado')).toBe('Maria Delgado, is that right?');
  expect(runner.currentNode).toBe('details');
});

test('the question of one value does not ask again for a known one by a word that both share', async () => {
  const { say, runner } = await talk({
    flow: {
      initialNode: 'car',
      slots: {
        plate: { type: 'text', ask: 'What is your number plate?' },
        phone: { type: 'phone', ask: 'Which number shall the driver call?', region: 'US' },
      },
      nodes: { car: { collect: ['plate', 'phone'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
    },
  });
  await say('ABC 123');
  await say('202 555 0123');
  expect(runner.state.knowledge.slots['plate']?.value).toBe('ABC123');
  expect(runner.state.knowledge.slots['phone']?.value).toBe('+12025550123');
});

test('words that are no yes to what a generator confirms have it put again, in its own words', async () => {
  const order = defineFlow(async function* order() {
    const { decision } = yield* interrupt.confirm({ key: 'sure', question: 'Two at seven, shall I order them?' });
    yield* end(decision);
  });
  const { say, runner } = await talk({ flow: order });
  expect(await say('yes but make it eight')).toBe('Sorry, I did not get that. Two at seven, shall I order them?');
  await say('sure');
  expect(await runner.ended).toBe('yes');
});

test('a digression is answered, and the open question is asked again', async () => {
  const { say } = await openClinic();
  await say('yes');
  expect(await say('where can I park?')).toMatch(/free parking.* May I have your full name\?$/);
});

test.each([[['no, I would like another day', 'Monday']], [['Monday']], [['no, next Monday please']]])(
  'whoever says another day than the one that is to be booked is asked about that one: %j',
  async (words) => {
    const booked: string[] = [];
    const book = flowTool({
      name: 'book_service',
      description: 'Book the service.',
      parameters: z.object({ day: z.string() }),
      execute: ({ day }) => booked.push(day),
    });
    const bike = new URL('../../../examples/bike-service.yaml', import.meta.url);
    const { heard, say, runner } = await talk({ flow: bike, tools: [book] });
    await say('yes, this is Ada Park, about a road bike');
    expect(await say('Thursday')).toBe('Shall I book Thursday, November 26 for Ada Park?');
    for (const line of words) await say(line);
    expect(heard.at(-1)).toBe('Shall I book Monday, November 23 for Ada Park?');
    expect(await say('yes')).toBe('It is booked. See you on Monday, November 23, Ada Park.');
    expect(await runner.ended).toBe('booked');
    expect(booked).toEqual(['2026-11-23']);
  },
);
