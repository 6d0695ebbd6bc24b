import { describe, expect, test } from 'vitest';
import { type ConversationItem, createConversation } from '../../../src/offline/brain/conversation.ts';
import { decide } from '../../../src/offline/brain/offline-brain.ts';
import { spokenOutput } from '../../../src/offline/brain/phrase-reply.ts';
import { questionFrom } from '../../../src/offline/brain/question-from.ts';
import { linesOfTask } from '../../../src/offline/brain/task-lines.ts';

describe('a task becomes what is said on entering a node', () => {
  test.each([
    ['Ask what time they want.', 'What time do you want?'],
    ['Ask the caller what time they would like to come. Be brief.', 'What time would you like to come?'],
    ['Find out which day suits the caller.', 'Which day suits you?'],
    ['Ask whether they have an account with us.', 'Do you have an account with us?'],
    ['Ask if they are a new patient.', 'Are you a new patient?'],
    ['Ask how many people will come.', 'How many people will come?'],
    ["Collect the caller's name and phone number.", 'Could you tell me your name and phone number, please?'],
    ['Ask the caller to spell their last name.', 'Could you spell your last name?'],
    ['Greet the caller and ask how you can help.', 'Hello! How can I help you?'],
    ['Greet them with: "Hi there, what can I get you?" If they are rude, hang up.', 'Hi there, what can I get you?'],
    [
      'Tell the caller that their order is on its way and ask if there is anything else.',
      'Your order is on its way. Is there anything else?',
    ],
    ['Thank the caller and say goodbye.', 'Thank you. Goodbye!'],
    ['Find out what the caller wants, and call the function for it.', 'What do you want?'],
    ['Find out the booking code and then use swap_tickets.', 'Could you tell me the booking code, please?'],
    ['If the caller wants to stop, say "Goodbye, dear caller."', ''],
    ['Offer a time and book it.', ''],
  ])('%s', (task, line) => {
    expect(linesOfTask(['You are a friendly assistant.', task])).toBe(line);
  });
});

describe('a description becomes a question', () => {
  test.each([
    ['What brings you in?', 'What brings you in?'],
    ['The day of the visit.', 'Could you tell me the day of the visit?'],
    ['Whether the caller has been to this clinic before.', 'Have you been to this clinic before?'],
    ['How bad the pain is now, from 0 to 10.', 'How bad is the pain now, from 0 to 10?'],
    ['Where the caller wants to be picked up.', 'Where do you want to be picked up?'],
    ['What time the show starts.', 'Could you tell me what time the show starts?'],
    ['Date of birth of the patient', 'Could you tell me your date of birth?'],
    ['', 'Could you tell me the order number, please?'],
  ])('%s', (description, question) => {
    expect(questionFrom(description, 'order number')).toBe(question);
  });
});

describe("a tool's output becomes a sentence", () => {
  test.each([
    ['ok', ''],
    ['{}', ''],
    ['It will arrive tomorrow', 'It will arrive tomorrow.'],
    ['["red","green","blue"]', 'Red, green or blue.'],
    ['{"status":"found","spoken":"for 4 on Tuesday"}', 'For 4 on Tuesday.'],
    [
      '{"free":true,"times":["10:00","14:30"],"day":"2026-12-01","booking_id":"x"}',
      'Free: yes, times: 10:00 AM or 2:30 PM, day: Tuesday, December 1.',
    ],
    ['{"nested":{"deep":1}}', ''],
  ])('%s', (output, sentence) => {
    expect(spokenOutput(output)).toBe(sentence);
  });
});

function reply(instructions: string, items: readonly ConversationItem[], tools: Parameters<typeof decide>[0] = []) {
  return decide(tools, createConversation(instructions, items, { now: '2026-11-21T12:00', region: 'US' }));
}

test('a node that is entered without words runs the tool that its task orders, if everything is known', () => {
  const lookUp = {
    name: 'find_order',
    description: 'Look up the order.',
    parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  };
  const task = 'Call `find_order` with what is known. If that fails, call `give_up`.';
  const known = `${task}\n\nKnown so far:\n- order: 4711`;
  const call = { name: 'find_order', arguments: { order: 4711 } };
  expect(reply(known, [], [lookUp])).toEqual({ calls: [call], text: '' });
  expect(reply(task, [], [lookUp])).toEqual({ calls: [], text: 'What number is that, for the order?' });
  const done: ConversationItem[] = [
    { type: 'call', name: 'find_order', arguments: '{"order":4711}' },
    { type: 'output', name: 'find_order', text: 'It is on its way', isError: false },
  ];
  expect(reply(known, done, [lookUp]).calls).toEqual([]);
  expect(reply(known, done, [lookUp]).text).toMatch(/^It is on its way\. /);
});

test('a request to sum up is answered by what the caller said', () => {
  const items: ConversationItem[] = [
    { type: 'agent', text: 'What can I do for you?' },
    { type: 'caller', text: 'My parcel is broken.' },
    { type: 'agent', text: 'Oh dear. Shall I send a new one?' },
    { type: 'caller', text: 'yes' },
    { type: 'caller', text: 'Summarise the conversation so far.' },
  ];
  expect(reply('', items)).toEqual({ calls: [], text: 'The caller said: "My parcel is broken.".' });
});

test('the instructions tell what is known, what is missing and what day it is', () => {
  const instructions =
    'You are kind.\n\nAsk nicely.\n\nIt is Thursday, 2026-12-24, 10:00.\n\nKnown so far:\n- name: Ann: the first (not confirmed yet)\n- day: 2026-12-25\n\nNot known yet: time, note. Ask for the first of them.\n\nThe caller has just said: "Hm." Call the function that fits.';
  const { paragraphs, now, known, unconfirmed, missing } = createConversation(instructions, [], {
    now: '2020-01-01T08:30',
    region: 'US',
  });
  expect(paragraphs).toEqual(['You are kind.', 'Ask nicely.']);
  expect(now).toBe('2026-12-24T08:30');
  expect([...known]).toEqual([
    ['name', 'Ann: the first'],
    ['day', '2026-12-25'],
  ]);
  expect([...unconfirmed]).toEqual(['name']);
  expect(missing).toEqual(['time', 'note']);
});

test('after a value that nobody asked for, the open question is put again, and no greeting', () => {
  const greeting: ConversationItem = { type: 'agent', text: 'Hotel Lindenhof, how can I help?' };
  const record = {
    name: 'record',
    description: '',
    parameters: { type: 'object', properties: { nights: { type: 'integer' } } },
  };
  const book = { name: 'book', description: 'The caller wants to book a room.', parameters: { type: 'object' } };
  const told: ConversationItem[] = [
    greeting,
    { type: 'caller', text: 'It is three nights.' },
    { type: 'call', name: 'record', arguments: '{"nights":3}' },
    { type: 'output', name: 'record', text: '{"recorded":{"nights":3}}', isError: false },
  ];
  const first = reply('Known so far:\n- nights: 3', told, [record, book]).text;
  expect(first).toBe('Thank you. How can I help?');
  const again = reply(
    'Known so far:\n- nights: 3',
    [greeting, { type: 'agent', text: first }, ...told],
    [record, book],
  );
  expect(again.text).toBe('Alright. How can I help?');
});

test('where nothing is understood, or two functions are meant alike, nothing is said: the question stays open', () => {
  const parameters = { type: 'object' };
  const tools = [
    { name: 'a', description: 'Copy of a bill', parameters },
    { name: 'b', description: 'Objection to a bill', parameters },
  ];
  const said = (text: string) =>
    reply(
      '',
      [
        { type: 'agent', text: 'What is it about?' },
        { type: 'caller', text },
      ],
      tools,
    );
  expect(said('copy, objection, bill')).toEqual({ calls: [], text: '' });
  expect(said('fiddlesticks')).toEqual({ calls: [], text: '' });
});

test("a note to a model about a function's argument is not read out as a question", () => {
  const correct = { type: 'boolean', description: 'True if the details are correct' };
  const parameters = { type: 'object', properties: { details_correct: correct }, required: ['details_correct'] };
  const { text } = reply('', [], [{ name: 'verify', description: 'Verify the details.', parameters }]);
  expect(text).toBe('Could you tell me, yes or no: details correct?');
});

test('a task that says no more than the verb of a function orders it', () => {
  const reserve = { name: 'reserve', description: 'Reserve the room.', parameters: { type: 'object' } };
  const change = { name: 'change', description: 'The caller wants to change it.', parameters: { type: 'object' } };
  const ordered = (task: string) => reply(task, [], [reserve, change]).calls.map(({ name }) => name);
  expect(ordered('Be kind. Now book it.')).toEqual(['reserve']);
  expect(ordered('If they are sure, book it.')).toEqual([]);
  expect(ordered('Change it.')).toEqual([]);
});
