import { type Answer, fact, said, says, tells } from '../../talk/said.ts';
import { english } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done, readsBack } from './scene-answers.ts';

const pin = '73916428';

const values: Scene['values'] = {
  account: [
    fact('4711', 'Four seven one one', /4\D?7\D?1\D?1/),
    fact('58220', 'Five eight two two zero', /5\D?8\D?2\D?2\D?0/),
  ],
  pin: [fact(pin, pin), fact('99999999', '99999999', /9(?:\D?9){7}/)],
  day: [
    fact('2026-12-01', 'December first', /December 1\b/),
    fact('2026-12-03', 'December third', /December 3\b/),
    fact('2026-12-24', 'December twenty-fourth', /December 24/),
  ],
  amount: [fact(250, 'Two hundred and fifty', /\b250\b/), fact(90, 'Ninety dollars', /\b90\b/)],
  floor: [fact(12, 'Twelve', /\b(12|twelve)\b/i), fact(3, 'Three', /\b(3|three)\b/i)],
  house: [fact(16, 'Sixteen', /\b(16|sixteen)\b/i)],
  code: [fact('305', 'Three zero five', /3\D?0\D?5/), fact('611', 'Six one one', /6\D?1\D?1/)],
};

const entersPin: Answer = (question) =>
  /your PIN/i.test(question) ? { ...said('', { slots: { pin } }), keys: `${pin}#` } : null;

const task = [{ role: 'system' as const, content: 'Help the caller.' }];

/** A caller at a telephone: menus, entries that end a node, and keys where a yes is wanted. */
export const account: Scene = {
  name: 'account',
  source: {
    name: 'account',
    initialNode: 'menu',
    onTrouble: 'desk',
    slots: {
      account: {
        type: 'text',
        ask: 'Please say your account number, or enter it and press hash. Which is it?',
        confirm: 'readback',
        confirmText: 'I have account {{ value }}. Is that right?',
        dtmf: { digits: '4..6', timeoutMs: 20_000 },
      },
      pin: { type: 'text', pii: true, dtmf: { digits: 8, timeoutMs: 20_000 } },
      day: {
        type: 'date',
        after: 'today',
        ask: 'Which day shall it be?',
        confirm: 'readback',
        confirmText: 'That is {{ value }}. Is that right?',
      },
      amount: {
        type: 'integer',
        ...{ minimum: 1, maximum: 900 },
        ask: 'How many dollars shall I move?',
        dtmf: { digits: '1..3', timeoutMs: 20_000 },
      },
      floor: {
        type: 'integer',
        ...{ minimum: 1, maximum: 40 },
        ask: 'On which floor do you live?',
        dtmf: { digits: '1..2', timeoutMs: 20_000 },
      },
      house: {
        type: 'integer',
        ...{ minimum: 1, maximum: 400 },
        ask: 'What is the number of your house?',
        dtmf: { digits: '1..3', timeoutMs: 20_000 },
      },
      code: {
        type: 'text',
        ask: 'What is the code of your branch?',
        dtmf: { digits: 3, timeoutMs: 20_000 },
      },
    },
    nodes: {
      menu: {
        say: 'For a transfer press 1, for a person press 0.',
        keys: { 1: 'identify', 0: 'desk' },
        taskMessages: task,
        functions: [{ name: 'move', description: 'The caller wants a transfer.', transitionTo: 'identify' }],
      },
      identify: { collect: ['account', 'pin'], taskMessages: task, defaultTransition: 'plan' },
      plan: { collect: ['day'], keys: { 1: 'desk', 0: 'desk' }, defaultTransition: 'amount' },
      amount: { collect: ['amount'], defaultTransition: 'pay' },
      pay: {
        call: 'pay',
        keys: { 1: 'left', 9: 'desk' },
        functions: [
          {
            name: 'pay',
            description: 'Move the money.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: {
                day: { type: 'string', format: 'date' },
                amount: { type: 'integer' },
                account: { type: 'string' },
                pin: { type: 'string' },
              },
              required: ['day', 'amount', 'account', 'pin'],
            },
            confirm: 'That is {{ amount }} dollars from account {{ account }} on {{ day }}. Shall I move it now?',
            onRefuse: 'left',
            transitionTo: 'floor',
          },
        ],
      },
      floor: { collect: ['floor'], defaultTransition: 'hold' },
      hold: {
        type: 'interrupt.wait',
        keys: { 0: 'desk' },
        input: { for: '18s', say: 'One moment, I look for your letter.', meanwhile: { every: '6s' } },
        defaultTransition: 'letter',
        onError: 'desk',
      },
      letter: {
        call: 'post',
        functions: [
          {
            name: 'post',
            description: 'Send the letter.',
            effect: 'write',
            parameters: { type: 'object', properties: { floor: { type: 'integer' } }, required: ['floor'] },
            confirm: 'The letter goes to floor {{ floor }}. Shall I send it now?',
            onRefuse: 'code',
            transitionTo: 'code',
          },
        ],
      },
      code: { collect: ['code'], defaultTransition: 'gate' },
      gate: {
        type: 'control.gate',
        input: { prompt: 'Shall I note the branch?', choices: ['note', 'leave'] },
        defaultTransition: 'street',
        onError: 'desk',
      },
      street: { collect: ['house'], defaultTransition: 'receipt' },
      receipt: {
        say: 'For a receipt press 1, to do without press 2.',
        keys: { 1: 'talk', 2: 'talk' },
        taskMessages: task,
        functions: [{ name: 'send', description: 'The caller wants a receipt.', transitionTo: 'talk' }],
      },
      talk: {
        taskMessages: [{ role: 'system', content: 'Talk with the caller.' }],
        keys: { 1: 'moved', 0: 'desk' },
        functions: [{ name: 'finish', description: 'The caller is done.', transitionTo: 'moved' }],
      },
      moved: { say: 'It is moved. Goodbye.', end: 'moved' },
      left: { say: 'Then I leave it. Goodbye.', end: 'left' },
      desk: { say: 'A colleague will call you. Goodbye.', end: 'desk' },
    },
  },
  phrases: english,
  tools: done(['pay', 'post']),
  values,
  answers: [
    agrees(/shall I move it/i, ['day', 'amount', 'account'], english),
    agrees(/shall I send it/i, ['floor'], english),
    says(/note the branch/i, said('Note it.', { wants: 'agree' })),
    readsBack(/right\?|correct\?/i, values, english),
    says(/for a transfer/i, said('A transfer, please.', { wants: 'move' })),
    says(/for a receipt/i, said('With a receipt, please.', { wants: 'send' })),
    tells(/account number|which is it/i, 'account'),
    entersPin,
    tells(/which day/i, 'day'),
    tells(/how many dollars/i, 'amount'),
    tells(/which floor/i, 'floor'),
    tells(/number of your house/i, 'house'),
    tells(/code of your branch/i, 'code'),
  ],
  otherwise: said('That is all, please finish.', { wants: 'finish' }),
  modelAsks: { pin: 'What is your PIN?' },
  keys: {
    menus: { menu: '1', receipt: '2', talk: '1' },
    refused: { amount: '999', floor: '77', house: '999' },
    secret: 'pin',
  },
  // "Four hundred" is an amount.
  badValues: ['Yesterday.', 'On February thirtieth.', 'Nine thousand.', '555 2671.'],
  question: 'Is there a fee?',
  echo: 'Then move it for my wife.',
  decides: [],
};
