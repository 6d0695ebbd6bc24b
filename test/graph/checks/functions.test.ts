import { expect, test } from 'vitest';
import { flow, found, problemsOf } from './found.ts';

const write = { name: 'book', effect: 'write', transitionTo: 'done' };

test('a caller agrees to what changes the world', () => {
  const start = (offered: object): object => ({ start: { say: 'Hi.', functions: [offered] } });
  expect(found('write-without-confirm', flow(start(write)))).toEqual(['warning nodes.start.functions[0].effect']);
  expect(found('write-without-confirm', flow({}, { functions: [write] }))).toEqual(['warning functions[0].effect']);

  for (const confirm of [true, 'Shall I?'])
    expect(found('write-without-confirm', flow(start({ ...write, confirm })))).toEqual([]);
  expect(found('write-without-confirm', flow(start({ ...write, effect: 'read' })))).toEqual([]);
  expect(found('write-without-confirm', flow({ lost: { say: 'L.', functions: [write] } }))).toEqual([]);
});

test('a function of a node that hides one of the flow is noted', () => {
  const functions = [{ name: 'go', transitionTo: 'done' }];
  const start = { say: 'Hi.', functions };
  expect(found('global-shadowed', flow({ start }, { functions }))).toEqual(['note nodes.start.functions[0].name']);
  expect(found('global-shadowed', flow({ start }, { functions: [{ ...functions[0], name: 'quit' }] }))).toEqual([]);
});

test('a way back to what is known already has to bring something new', () => {
  const back = (functions: object[], details: object = {}): object =>
    flow(
      {
        start: { collect: ['day'], defaultTransition: 'book', ...details },
        book: { say: 'Shall I?', functions: [{ name: 'yes', transitionTo: 'done' }, ...functions] },
      },
      { slots: { day: { type: 'date', ask: 'Which day?' } } },
    );
  const change = { name: 'change', transitionTo: 'start' };
  const at = 'warning nodes.book.functions[1].transitionTo';
  expect(found('leads-straight-back', back([change]))).toEqual([at]);
  const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
  expect(found('leads-straight-back', back([{ ...change, parameters }]))).toEqual([]);
  expect(found('leads-straight-back', back([{ ...change, effect: 'read' }]))).toEqual([]);
  expect(found('leads-straight-back', back([change], { defaultTransition: 'done' }))).toEqual([]);
});

test('a way back through nodes that ask nothing is one as well, and one that asks again is none', () => {
  const slots = { slots: { day: { type: 'date', ask: 'Which day?' } } };
  const book = (onRefuse: string): object => ({
    say: 'Shall I?',
    functions: [{ name: 'book', transitionTo: 'done', effect: 'write', confirm: true, onRefuse }],
  });
  const loop = (change: object, nodes: object = {}): readonly string[] =>
    found(
      'leads-straight-back',
      flow(
        {
          start: { collect: ['day'], defaultTransition: 'offer' },
          offer: book('change'),
          change: { defaultTransition: 'check', ...change },
          check: { type: 'test.pure', defaultTransition: 'offer' },
          ...nodes,
        },
        slots,
      ),
    );
  const at = ['warning nodes.offer.functions[0].onRefuse'];
  expect(loop({ collect: ['day'] })).toEqual(at);
  expect(loop({ say: 'Well.', collect: ['day'] })).toEqual(at);
  expect(loop({ collect: [{ slot: 'day', again: true }] })).toEqual([]);
  expect(loop({ forget: ['day'], collect: ['day'] })).toEqual([]);
  expect(loop({ collect: ['day'] }, { check: { say: 'So?', defaultTransition: 'offer' } })).toEqual([]);
  const isHelped = problemsOf(
    flow(
      {
        start: { collect: ['day'], defaultTransition: 'offer' },
        offer: book('change'),
        change: { collect: ['day'], defaultTransition: 'offer' },
      },
      slots,
    ),
  ).some(({ hint }) => hint?.includes('collect: [{ slot: day, again: true }]'));
  expect(isHelped).toBe(true);
});

test('what stands in the place of a keyword of JSON Schema is told with what was probably meant', () => {
  const told = (parameters: object): readonly (string | undefined)[] =>
    problemsOf(flow({ start: { say: 'Hi.', functions: [{ name: 'go', transitionTo: 'done', parameters }] } }))
      .filter(({ code }) => code === 'unknown-keyword')
      .map(({ hint }) => hint);
  expect(told({ day: { type: 'string' }, time: 'string' })).toEqual([
    'Parameters stand under properties: properties: { day: … }.',
    'Parameters stand under properties: properties: { time: … }.',
  ]);
  expect(told({ type: 'object', properties: { day: { typ: 'string', nullable: true } } })).toEqual([
    'Did you mean "type"?',
    'Add "null" to its type.',
  ]);
  const known = { type: 'string', title: 'Day', examples: ['Monday'], 'x-order': 1, $comment: 'c', default: 'd' };
  expect(told({ type: 'object', properties: { typ: known }, $defs: { typ: known } })).toEqual([]);
});

test('a call is proposed for what copies known values, and not where there is nothing to copy', () => {
  const proposed = (parameters: object): readonly string[] =>
    found(
      'could-call',
      flow(
        {
          start: { collect: ['day'], defaultTransition: 'book' },
          book: { taskMessages: [{ role: 'system', content: 'Book.' }], functions: [{ ...write, parameters }] },
        },
        { slots: { day: { type: 'date', ask: 'Which day?' } } },
      ),
    );
  const properties = { day: { type: 'string' } };
  expect(proposed({ type: 'object', properties, required: ['day'] })).toEqual(['note key of nodes.book']);
  expect(proposed({ type: 'object', properties: {} })).toEqual([]);
});
