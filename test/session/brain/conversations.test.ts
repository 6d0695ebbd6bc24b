import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as clinic from '../../../flows/clinic-intake/tools.ts';
import type { ConversationFlow } from '../../../src/flow/document.ts';
import { flowTool } from '../../../src/session/flow-tool.ts';
import { talk } from './talk.ts';

void z; void clinic; void flowTool; void describe; void expect;
const bikes: ConversationFlow = {
  name: 'bike-rental',
  initialNode: 'welcome',
  slots: {
    renter: { type: 'name', description: "The caller's full name." },
    bikes: { type: 'integer', description: 'How many bikes they need.', minimum: 1, maximum: 8 },
    kind: { type: 'enum', description: 'Which kind of bike they want.', values: { city: ['normal'], electric: ['e-bike', 'ebike'], mountain: ['off road'] } },
    from: { type: 'date', description: 'The first day of the rental.', after: 'today' },
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
          parameters: { type: 'object', properties: { bikes: { type: 'integer' }, kind: { type: 'string', enum: ['city', 'electric', 'mountain'] } }, required: ['bikes', 'kind'] },
          effect: 'read',
          saveAs: 'price',
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
const film: ConversationFlow = {
  name: 'film-club',
  initialNode: 'start',
  roleMessages: [{ role: 'system', content: 'You sell tickets of a small cinema. Be brief and friendly. Ask one question at a time.' }],
  nodes: {
    start: {
      taskMessages: [{ role: 'system', content: 'Greet the caller and ask which film they would like to see.' }],
      functions: [
        { name: 'choose_film', description: 'Record the film.', parameters: { type: 'object', properties: { film: { type: 'string', enum: ['space_dogs', 'the_long_rain'], description: 'The film: Space Dogs or The Long Rain.' } }, required: ['film'] }, transitionTo: 'count' },
      ],
    },
    count: {
      taskMessages: [{ role: 'system', content: 'Ask how many tickets they need and for which show.' }],
      functions: [
        { name: 'choose_tickets', description: 'Record how many tickets and which show.', parameters: { type: 'object', properties: { count: { type: 'integer', minimum: 1, maximum: 10, description: 'How many tickets.' }, show: { type: 'string', format: 'time', description: 'What time the show starts.' } }, required: ['count', 'show'] }, transitionTo: 'confirm' },
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
const parcel: ConversationFlow = {
  name: 'parcel-desk',
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Parcel desk. What can I do for you?',
      taskMessages: [{ role: 'system', content: 'Help the caller with their parcel.' }],
      functions: [
        { name: 'find_parcel', description: 'Look up where a parcel is.', parameters: { type: 'object', properties: { tracking_number: { type: 'string', pattern: '^[A-Z]{2}\\d{6}$', description: 'The tracking number.' } }, required: ['tracking_number'] }, effect: 'read' },
        { name: 'hang_up', description: 'The caller says goodbye or needs nothing else.', transitionTo: 'bye' },
      ],
    },
    bye: { say: 'Goodbye!', end: 'done' },
  },
};
const tools = [
  flowTool({ name: 'find_price', description: 'x', parameters: z.object({ bikes: z.int(), kind: z.string() }), execute: ({ bikes: n }) => ({ price: `${n * 20} euros a day`, deposit: 50 }) }),
  flowTool({ name: 'find_parcel', description: 'x', parameters: z.object({ tracking_number: z.string() }), execute: ({ tracking_number: n }) => { if (n === 'AB000000') throw new Error('down'); return { status: 'moving', place: 'Lyon', due: '2026-11-24' }; } }),
];
const runs: [ConversationFlow, string[]][] = [
  [bikes, ['hello', 'three', 'electric please', 'next Wednesday', 'on December 2nd', 'Ann Lee', 'what was that?', 'yes']],
  [bikes, ['two e-bikes from Friday', 'Ann Lee', "that's too expensive"]],
  [film, ['space dogs', 'three', 'at eight in the evening', 'no']],
  [film, ['what is on?', 'The Long Rain', 'two tickets for half past seven pm', 'yes please']],
  [parcel, ['where is my parcel', 'it is AB 123456', 'no thanks', 'goodbye']],
  [parcel, ['where is my parcel AB000000', 'blah', 'blub', 'foo', 'bar', 'that is all']],
];
test.each(runs.map(([f, l]) => [f.name, f, l] as const))('%s', async (_n, f, lines) => {
  const t = await talk({ flow: f, tools });
  const out = [`AGENT  ${t.heard[0]}`];
  for (const line of lines) {
    const before = t.calls.length;
    const answer = await t.say(line);
    out.push(`CALLER ${line}`, `       [${t.calls.slice(before).join(' | ')}] @${t.runner.currentNode}`, `AGENT  ${answer}`);
  }
  console.log(out.join('\n'));
});
