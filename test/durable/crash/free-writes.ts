import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';

// Scenes whose model writes without asking and continues before the caller hears anything. After a crash the model
// repeats the writes unless its context contains them.

const task = (content: string) => [{ role: 'system' as const, content }];
const n = { type: 'object', properties: { n: { type: 'integer' } } } as const;

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      taskMessages: task('Book what the caller asks for.'),
      functions: [
        { name: 'book', effect: 'write', parameters: n },
        { name: 'bill', effect: 'write', transitionTo: 'bill' },
      ],
    },
    bill: {
      taskMessages: task('Take the payment.'),
      contextStrategy: 'append',
      functions: [{ name: 'pay', effect: 'write', parameters: n, transitionTo: 'more' }],
    },
    more: { taskMessages: task('Say goodbye.'), functions: [{ name: 'leave', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

/** Writes in a node that stays, and on the way to another node. */
export const freeDesk = {
  name: 'desk that writes without asking',
  flow: desk,
  script: ({ items, tools }: ScriptedRequest): ScriptedReply => {
    const last = items.at(-1) ?? '';
    const offers = (name: string): boolean => tools.includes(name);
    const amount = Number(/\d+/.exec(last)?.[0]);
    if (last.startsWith('user: book') && offers('book')) return { calls: [{ name: 'book', arguments: { n: amount } }] };
    if (last === 'user: the bill' && offers('bill')) return { calls: [{ name: 'bill' }] };
    if (last.startsWith('user: here are') && offers('pay'))
      return { calls: [{ name: 'pay', arguments: { n: amount } }] };
    if (last === 'user: bye' && offers('leave')) return { calls: [{ name: 'leave' }] };
    if (offers('pay')) return { text: 'How much do you pay?' };
    if (offers('leave')) return { text: 'Is that all?' };
    const booked = items.filter((item) => item === 'call: book').length;
    return {
      text: ['What shall I book?', 'What else shall I book?', 'Do you want the bill?'][Math.min(booked, 2)] ?? '',
    };
  },
  answers: [
    [/What shall I book\?/, 'book 7'],
    [/What else shall I book\?/, 'book 8'],
    [/the bill\?/, 'the bill'],
    [/How much/, 'here are 3'],
    [/Is that all\?/, 'bye'],
  ],
} as const;

const form: ConversationFlow = {
  initialNode: 'guest',
  slots: {
    who: { type: 'text', description: 'The name of the caller.', ask: 'Who is calling?' },
    size: { type: 'text', description: 'The size.', ask: 'Which size?' },
  },
  nodes: {
    guest: { collect: ['who', 'size'], defaultTransition: 'order' },
    order: {
      taskMessages: task('Order at once.'),
      functions: [{ name: 'order', effect: 'write', transitionTo: 'more' }],
    },
    more: {
      taskMessages: task('Ask whether there is anything else.'),
      functions: [
        { name: 'note', effect: 'write', parameters: n, transitionTo: 'more' },
        { name: 'leave', transitionTo: 'bye' },
      ],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

/** A form that the model fills in, and writes before the next words to the caller. */
export const freeForm = {
  name: 'form that a model fills in',
  flow: form,
  script: ({ items, tools }: ScriptedRequest): ScriptedReply => {
    const last = items.at(-1) ?? '';
    const [, who] = /^user: I am (.+)/.exec(last) ?? [];
    const [, size] = /^user: size (.+)/.exec(last) ?? [];
    if (tools.includes('order')) return { calls: [{ name: 'order' }] };
    if (tools.includes('note') && last === 'user: note 5') return { calls: [{ name: 'note', arguments: { n: 5 } }] };
    if (tools.includes('leave') && last === 'user: bye') return { calls: [{ name: 'leave' }] };
    if (tools.includes('leave'))
      return { text: items.includes('call: note') ? 'Is that all?' : 'Is there anything to note?' };
    if (who !== undefined) return { calls: [{ name: 'record', arguments: { who } }] };
    if (size !== undefined) return { calls: [{ name: 'record', arguments: { size } }] };
    return { text: 'Go on.' };
  },
  answers: [
    [/Who is calling\?/, 'I am Ana'],
    [/Which size\?/, 'size 42'],
    [/anything to note\?/, 'note 5'],
    [/Is that all\?/, 'bye'],
  ],
} as const;
