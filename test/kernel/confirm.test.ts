import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { FunctionDocument } from '../../src/flow/document/function.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const book: FunctionDocument = {
  name: 'book',
  description: 'Book the visit.',
  effect: 'write',
  confirm: 'Shall I book {{ args.time }}?',
  saveAs: 'visit',
  transitionTo: 'done',
};

function flowWith(...functions: FunctionDocument[]): ConversationFlow {
  return {
    initialNode: 'desk',
    slots: {
      topic: { type: 'enum', values: ['a', 'b'], ask: 'Which?' },
      who: { type: 'name', ask: 'Who?', confirm: 'readback' },
    },
    nodes: {
      desk: { taskMessages: task, functions: [...functions, { name: 'move', transitionTo: 'other' }] },
      other: { taskMessages: task, functions: [{ name: 'leave', transitionTo: 'done' }] },
      form: { collect: ['who'], functions, defaultTransition: 'done' },
      done: { say: 'Booked.', end: true },
    },
    functions: [{ name: 'to_form', transitionTo: 'form' }],
  };
}

function atDesk(...functions: FunctionDocument[]) {
  const call = conversation(
    graphOf(
      flowWith(...functions),
      functions.map(({ name }) => name),
    ),
  );
  call.start();
  return call;
}

const waiting = (time: string, name = 'book') => ({ name, arguments: { time }, state: 'waiting' as const });

/** A conversation at the question whether to book ten o'clock. */
function asked(...more: FunctionDocument[]) {
  const call = atDesk(book, ...more);
  call.batch([waiting('ten')]);
  expect(call.outcome).toEqual(['wait: Shall I book ten?']);
  return call;
}

describe('the question', () => {
  test('is the author’s, with the arguments', () => {
    asked();
  });

  // The description is written for a model, so it is never read out.
  test('is made of name and arguments where none was written', () => {
    const call = atDesk({ ...book, confirm: true });
    call.batch([
      {
        name: 'book',
        arguments: { visit_time: 'ten', seats: 2, extras: ['tea', 'cake'], note: '', map: { a: 1 } },
        state: 'waiting',
      },
    ]);
    expect(call.outcome).toEqual(['wait: Shall I book, visit time ten, seats 2, extras tea and cake?']);
  });

  test('and what is said after it are about what is done, not about what a slot held before', () => {
    const flow = flowWith({ ...book, confirm: 'Shall I book {{ day }} for {{ who }}?' });
    const slots = { day: { type: 'date' } } as const;
    const nodes = { ...flow.nodes, done: { say: 'It is {{ day }}.', end: true } };
    const call = conversation(graphOf({ ...flow, nodes, slots: { ...flow.slots, ...slots } }, ['book']));
    call.start();
    call.batch([{ name: 'record', arguments: { day: '2026-12-03', who: 'Ada Park' } }]);
    const given = { day: '2026-12-07' };
    call.batch([{ name: 'book', arguments: given, state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: Shall I book December 7, 2026 for Ada Park?']);
    expect(call.state.knowledge.slots['day']?.value).toBe('2026-12-03');
    const key = call.turn('yes')[0]?.key ?? '';
    call.batch([{ name: 'book', arguments: given, key }], '', { reply: null });
    expect(call.outcome).toContain('say: It is December 7, 2026.');
    expect(call.state.knowledge.slots['day']?.value).toBe('2026-12-07');
  });

  test('says arguments that are called like slots as people say them, and others as they are', () => {
    const flow = flowWith({ ...book, confirm: 'Call {{ args.phone }} or {{ args.mobile }} on {{ args.day }}?' });
    const slots = { phone: { type: 'phone' }, mobile: { type: 'phone' }, day: { type: 'date' } } as const;
    const call = conversation(graphOf({ ...flow, slots: { ...flow.slots, ...slots } }, ['book']));
    call.start();
    const given = { phone: '+12127365000', mobile: 'the same', day: '1984-03-04' };
    call.batch([{ name: 'book', arguments: given, state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: Call 2 1 2, 7 3 6, 5 0 0 0 or the same on March 4, 1984?']);
  });

  test('takes arguments by their names, and is made of the call where something in it would stay blank', () => {
    const parameters = { type: 'object', properties: { time: { type: 'string' }, note: { type: 'string' } } };
    const call = atDesk({ ...book, parameters, confirm: 'Shall I book {{ time }}, {{ note }}?' });
    call.batch([{ name: 'book', arguments: { time: 'ten', note: 'by the window' }, state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: Shall I book ten, by the window?']);
    for (const blank of [{}, { note: '' }, { note: ' \n' }, { note: '\u200B' }]) {
      const without = atDesk({ ...book, parameters, confirm: 'Shall I book {{ time }}, {{ note }}?' });
      without.batch([{ name: 'book', arguments: { time: 'ten', ...blank }, state: 'waiting' }]);
      expect(without.outcome).toEqual(['wait: Shall I book, time ten?']);
    }
  });

  test('is said in a wording that has all its values, where another has not', () => {
    const parameters = { type: 'object', properties: { time: { type: 'string' }, note: { type: 'string' } } };
    const confirm = ['Shall I book {{ time }}, {{ note }}?', 'Shall I book {{ time }} for you?'];
    const call = atDesk({ ...book, parameters, confirm });
    call.batch([{ name: 'book', arguments: { time: 'ten' }, state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: Shall I book ten for you?']);
  });

  test('falls back to the name where there is no description', () => {
    const { description: _, ...plain } = book;
    const call = atDesk({ ...plain, name: 'book_visit', confirm: true });
    call.batch([waiting('ten', 'book_visit')]);
    expect(call.outcome).toEqual(['wait: Shall I book the visit, time ten?']);
  });

  test('is not troubled by arguments nested without end', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const call = atDesk({ ...book, confirm: true });
    call.batch([{ name: 'book', arguments: { deep: deep as never, topic: deep as never }, state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: Shall I book?']);
  });
});

test('a call that waits does not take its transition', () => {
  const call = asked();
  expect(call.state.position.node).toBe('desk');
  expect(call.moves).toEqual([]);
});

describe('a plain yes', () => {
  test('runs the call without an inference, with the arguments that were asked about', () => {
    const call = asked();
    const effects = call.turn('yes please');
    expect(call.outcome).toEqual(['tool book']);
    expect(effects[0]?.payload).toMatchObject({
      arguments: { time: 'ten' },
      write: true,
      confirmed: true,
      callId: expect.any(String),
    });
  });

  test('and its result moves, once, and is kept', () => {
    const call = asked();
    const key = call.turn('yes')[0]?.key ?? '';
    call.settleTool(key, { result: { id: 7 } });
    expect(call.state.knowledge.variables).toEqual({ visit: { id: 7 } });
    expect(call.moves).toEqual(['desk -> done by function']);
    expect(call.outcome).toEqual(['say: Booked.', 'end completed']);
    expect(call.state.effects).not.toHaveProperty(key);
  });

  test('to a call that then fails is answered by the model', () => {
    const call = asked();
    const key = call.turn('yes')[0]?.key ?? '';
    call.settleTool(key, { state: 'failed' });
    expect(call.state.position.node).toBe('desk');
    expect(call.outcome).toEqual(['reply desk']);
  });
});

describe('a plain no', () => {
  test('cancels the call, and the model goes on', () => {
    const call = asked();
    call.turn('no');
    expect(call.outcome).toEqual(['reply desk']);
    expect(call.told('tool:settled')).toEqual([{ function: 'book', key: expect.any(String), state: 'cancelled' }]);
    call.turn('yes');
    expect(call.outcome).toEqual(['reply desk']);
  });
});

describe('two calls that wait', () => {
  function both() {
    const call = atDesk(book);
    call.batch([waiting('ten'), waiting('eleven')]);
    expect(call.outcome).toEqual(['wait: Shall I book ten?']);
    return call;
  }

  test('are asked about one after the other, the next when the first has settled', () => {
    const call = both();
    const first = call.turn('yes')[0]?.key ?? '';
    call.settleTool(first, { result: null, next: { kind: 'stay' } });
    expect(call.outcome).toEqual(['wait: Shall I book eleven?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['tool book']);
    expect(call.state.dialogue.confirmations).toEqual([]);
  });

  test('a no to the first still asks about the second', () => {
    const call = both();
    call.turn('no');
    expect(call.outcome).toEqual(['wait: Shall I book eleven?']);
  });

  test('the end of the flow cancels what was not asked about any more', () => {
    const call = both();
    const first = call.turn('yes')[0]?.key ?? '';
    call.settleTool(first);
    expect(call.outcome).toEqual(['say: Booked.', 'end completed']);
    expect(call.state.dialogue.confirmations).toEqual([]);
    expect(call.told('tool:settled').map((one) => one.state)).toEqual(['done', 'cancelled']);
  });
});

describe('beside a sibling that moves', () => {
  function moved() {
    const call = atDesk(book);
    call.batch([waiting('ten'), { name: 'move' }]);
    return call;
  }

  test('the flow moves, and the question is asked there', () => {
    const call = moved();
    expect(call.state.position.node).toBe('other');
    expect(call.outcome).toEqual(['wait: Shall I book ten?']);
  });

  test('the yes runs the call, but it moves nothing any more', () => {
    const call = moved();
    const key = call.turn('yes')[0]?.key ?? '';
    expect(call.outcome).toEqual(['tool book']);
    call.settleTool(key, { result: { id: 7 } });
    expect(call.state).toMatchObject({ position: { node: 'other' }, knowledge: { variables: { visit: { id: 7 } } } });
    expect(call.told('transition:dropped')).toEqual([{ to: 'done', function: 'book', reason: 'stale' }]);
    expect(call.outcome).toEqual(['reply other']);
  });

  test('comes before a read-back of the new node, which is asked when the call has settled', () => {
    const call = atDesk(book);
    call.batch([waiting('ten'), { name: 'record', arguments: { who: 'Maria Delgado' } }, { name: 'to_form' }]);
    expect(call.state.position.node).toBe('form');
    expect(call.outcome).toEqual(['wait: Shall I book ten?']);
    const key = call.turn('yes')[0]?.key ?? '';
    call.settleTool(key, { next: { kind: 'stay' } });
    expect(call.outcome).toEqual(['reply form']);
    call.batch([], 'It is booked.');
    expect(call.outcome).toEqual(['wait: Maria Delgado, is that right?']);
  });
});

test('the waiting call of a completion that the caller overtook is not asked about', () => {
  const call = atDesk(book);
  call.batch([waiting('ten')], '', { superseded: true });
  expect(call.outcome).toEqual([]);
  expect(call.state.dialogue.confirmations).toEqual([]);
  expect(call.told('tool:settled').map((one) => one.state)).toEqual(['waiting', 'cancelled']);
});

test('a move that the author’s code asks for gives the question up: a later yes runs nothing', () => {
  const call = asked();
  call.request('other');
  call.turn('yes');
  expect(call.outcome).toEqual(['reply other']);
});

test('text beside a waiting call does not keep the question back', () => {
  const call = atDesk(book);
  call.batch([waiting('ten')], 'I have ten free.');
  expect(call.outcome).toEqual(['wait: Shall I book ten?']);
});
