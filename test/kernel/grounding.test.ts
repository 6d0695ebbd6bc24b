import { describe, expect, test } from 'vitest';
import type { ValueReadings } from '../../src/model/provenance.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { noInputMsOf } from '../../src/kernel/question/silence.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'form',
  slots: {
    who: { type: 'name', ask: 'Who?' },
    pain_level: { type: 'integer', ask: 'How bad is the pain?' },
    been_before: { type: 'boolean', ask: 'Have you been here before?' },
    day: { type: 'date', ask: 'Which day?' },
  },
  nodes: {
    form: { collect: ['who', 'pain_level', 'been_before'], defaultTransition: 'sort' },
    sort: {
      type: 'control.switch',
      input: {
        value: '{{ pain_level }}',
        cases: [{ when: { greater: { var: 'pain_level', value: 7 } }, route: 'nurse' }],
      },
      defaultTransition: 'desk',
    },
    desk: {
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        {
          name: 'rate',
          parameters: { type: 'object', properties: { pain_level: { type: 'integer' } }, required: ['pain_level'] },
          transitionTo: 'sort',
        },
        {
          name: 'book',
          effect: 'write',
          parameters: { type: 'object', properties: { who: { type: 'string' }, day: { type: 'string' } } },
          confirm: 'Shall I book {{ args.day }}?',
          transitionTo: 'done',
        },
        { name: 'talk', transitionTo: 'talk' },
      ],
    },
    talk: { say: 'Anything else?', functions: [{ name: 'no_more', transitionTo: 'done' }] },
    done: { say: 'Done.', end: 'done' },
  },
  edges: [{ from: 'talk', to: 'done', when: { equals: { var: 'pain_level', value: 2 } } }],
};

function started(initialNode = 'form', of: ConversationFlow = flow) {
  const call = conversation(graphOf({ ...of, initialNode }, ['book']));
  call.start();
  /** The calls of a model for the caller's words, with the grounding of their arguments. */
  const makes = (
    name: string,
    given: Record<string, string | number | boolean>,
    readings: ValueReadings,
    state: 'done' | 'waiting' = 'done',
  ) => {
    const { node, visit } = call.state.position;
    const { number: turn, ordinal } = call.state.turn;
    const reply = Object.values(call.state.effects).find(({ kind }) => kind === 'reply')?.key ?? null;
    call.send({
      type: 'batch:settled',
      at: noon,
      reply,
      text: '',
      calls: [
        { key: `s/${turn}/${ordinal}`, callId: `c${turn}`, name, node, visit, arguments: given, readings, state },
      ],
    });
  };
  return {
    ...call,
    makes,
    get outcome() {
      return call.outcome;
    },
    get state() {
      return call.state;
    },
    get moves() {
      return call.moves;
    },
  };
}

describe('a value that was found nowhere', () => {
  test('is read back before the node goes on, whatever the author says, and a yes grounds it', () => {
    const call = started();
    call.turn('I am Ada Park, and my knee hurts for two weeks');
    call.makes(
      'record',
      { who: 'Ada Park', pain_level: 2 },
      { who: { grounded: true }, pain_level: { grounded: false } },
    );
    expect(call.outcome).toEqual(['wait: Pain level 2, is that right?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['say: Have you been here before?']);
    expect(call.state.knowledge.slots['pain_level']).toEqual({
      value: 2,
      confirmed: true,
      grounded: true,
      source: { kind: 'said', turn: 2 },
    });
  });

  test('is read back before a node that works on it, and again into silence', () => {
    const call = started('desk');
    call.turn('it hurts');
    call.makes('rate', { pain_level: 9 }, { pain_level: { grounded: false } });
    expect(call.outcome).toEqual(['wait: Pain level 9, is that right?']);
    expect(call.state.position.node).toBe('sort');
    expect(noInputMsOf(call.graph, call.state, noonCivil)).toBe(8_000);
    call.silence();
    expect(call.outcome).toEqual(['say: Are you still there? Pain level 9, is that right?']);
    call.silence();
    call.silence();
    expect(call.outcome.at(-1)).toBe('end no-input');
  });

  test('is forgotten by a no, and asked for', () => {
    const call = started();
    call.turn('Ada Park');
    call.makes(
      'record',
      { who: 'Ada Park', pain_level: 2 },
      { who: { grounded: true }, pain_level: { grounded: false } },
    );
    call.turn('no');
    expect(call.outcome).toEqual(['say: How bad is the pain?']);
    // Also beside another value that no rule can find.
    call.turn('it is Ida Park');
    call.makes(
      'record',
      { who: 'Ida Park', pain_level: 2 },
      { who: { grounded: true }, pain_level: { grounded: null } },
    );
    expect(call.outcome).toEqual(['wait: Pain level 2, is that right?']);
  });

  test('is corrected by the answer where no model hears that', () => {
    const call = started('desk');
    call.turn('it hurts');
    call.makes('rate', { pain_level: 9 }, { pain_level: { grounded: false } });
    const words = 'No, sorry, I meant four';
    call.turn(words, 'no', readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words));
    expect(call.state.knowledge.slots['pain_level']).toMatchObject({ value: 4, confirmed: true });
    expect(call.state.position.node).toBe('desk');
  });

  const askedBetween = () => {
    const call = started('form', {
      ...flow,
      slots: { ...flow.slots, day: { type: 'date', ask: 'Which day?', optional: true } },
      nodes: {
        ...flow.nodes,
        form: { collect: ['who'], defaultTransition: 'sort' },
        desk: { collect: ['been_before'], defaultTransition: 'done' },
      },
    });
    call.turn('Ada Park');
    call.makes('record', { who: 'Ada Park', day: '2026-12-01' }, { day: { grounded: false } });
    expect(call.outcome).toEqual(['wait: Day December 1, 2026, is that right?']);
    const say = (words: string): void =>
      void call.turn(words, words, readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words));
    say('No.');
    expect(call.outcome).toEqual(['say: Which day?']);
    return { call, say };
  };

  test('may stay unsaid where it is asked for between two nodes, and the next node asks its own question', () => {
    const { call, say } = askedBetween();
    say('No, I would rather not say');
    expect(call.state.knowledge.declined).toEqual(['day']);
    expect(call.outcome).toEqual(['say: Have you been here before?']);
  });

  test('is taken where it is said between two nodes, though no model hears it', () => {
    const { call, say } = askedBetween();
    say('On December third, 2026');
    expect(call.state.knowledge.slots['day']).toMatchObject({ value: '2026-12-03', confirmed: true });
  });

  test('of yes or no is asked for by its question', () => {
    const call = started();
    call.turn('Ada Park');
    call.makes(
      'record',
      { who: 'Ada Park', pain_level: 2, been_before: true },
      { who: { grounded: true }, pain_level: { grounded: true }, been_before: { grounded: false } },
    );
    expect(call.told('slot:rejected')).toEqual([{ slot: 'been_before', problem: 'not said' }]);
    expect(call.outcome).toEqual(['say: Have you been here before?']);
  });

  test('decides nothing: what is computed from it waits for its yes', () => {
    const call = started();
    call.request('desk');
    call.turn('it is bad');
    call.makes('rate', { pain_level: 9 }, { pain_level: { grounded: false } });
    expect(call.outcome).toEqual(['wait: Pain level 9, is that right?']);
    call.turn('yes');
    expect(call.moves).toEqual(['sort -> desk by default']);
  });

  test('holds the edge that reads it', () => {
    const call = started();
    call.request('talk');
    call.turn('for two weeks');
    call.makes('record', { pain_level: 2 }, { pain_level: { grounded: false } });
    expect(call.moves).toEqual([]);
    expect(call.outcome).toEqual(['wait: Pain level 2, is that right?']);
    call.turn('yes');
    expect(call.moves).toEqual(['talk -> done by edge']);
  });

  test('is heard before a write, where the author’s question does not say it', () => {
    const call = started();
    call.request('desk');
    call.turn('on Friday');
    const given = { who: 'John Doe', day: '2026-11-27' };
    call.makes('book', given, { who: { grounded: false }, day: { grounded: true } }, 'waiting');
    expect(call.outcome).toEqual(['wait: Shall I book, who John Doe, day November 27, 2026?']);
    call.turn('yes');
    const write = Object.values(call.state.effects).find(({ kind }) => kind === 'tool');
    expect(write?.payload).toMatchObject({
      provenance: {
        who: { source: { kind: 'said', turn: 3 }, grounded: false },
        day: { source: { kind: 'said', turn: 3 }, grounded: true },
      },
    });
    call.settleTool(write?.key ?? '');
    expect(call.state.knowledge.slots['who']).toMatchObject({ value: 'John Doe', confirmed: true, grounded: true });
  });
});

test('what was found elsewhere, corrected or not looked for says so, and no event tells a value', () => {
  const call = started();
  call.turn('Ada Park');
  call.makes('record', { who: 'Ada Park' }, { who: { grounded: true, from: { kind: 'function', name: 'look_up' } } });
  expect(call.told('slot:filled')).toEqual([{ slot: 'who', corrected: false, source: 'function', grounded: true }]);
  call.turn('no, Ida Park');
  call.makes('record', { who: 'Ida Park' }, { who: { grounded: null } });
  expect(call.told('slot:proposed')).toEqual([{ slot: 'who' }]);
  expect(call.state.knowledge.slots['who']).toMatchObject({ value: 'Ada Park', proposed: { value: 'Ida Park' } });
  call.turn('yes');
  expect(call.told('slot:filled')).toEqual([{ slot: 'who', corrected: true, source: 'correction', grounded: true }]);
});

describe('a value that rules cannot find in the words, for a slot whose value was said', () => {
  const known = () => {
    const call = started('desk');
    call.turn('Ada Park, on Friday');
    const said = { grounded: true } as const;
    call.makes('record', { who: 'Ada Park', day: '2026-11-27' }, { who: said, day: said });
    return call;
  };
  const readings = { who: { grounded: null }, day: { grounded: true } } as const;

  test('is named by the question about a write, and a no leaves the known one', () => {
    const call = known();
    call.turn('Is there a pool?');
    call.makes('book', { who: 'Ida Park', day: '2026-11-27' }, readings, 'waiting');
    expect(call.outcome).toEqual(['wait: Shall I book, who Ida Park, day November 27, 2026?']);
    call.turn('no');
    expect(call.state.knowledge.slots).toMatchObject({ who: { value: 'Ada Park' } });
  });

  test('corrects the question about a write, beside a no with other words', () => {
    const call = known();
    call.turn('Book it.');
    call.makes('book', { who: 'Ada Park', day: '2026-11-27' }, { day: { grounded: true } }, 'waiting');
    const words = 'No, for my wife.';
    call.turn(words, words, { leansNo: true });
    call.makes('record', { who: 'Ida Park' }, readings);
    expect(call.outcome).toEqual(['wait: Shall I book, who Ida Park, day November 27, 2026?']);
    expect(call.state.knowledge.slots).toMatchObject({ who: { value: 'Ada Park' } });
    call.turn('yes');
    expect(call.state.knowledge.slots).toMatchObject({ who: { value: 'Ida Park' } });
  });
});

test('a proposed value that the caller agrees to answers a slot that was asked for again', () => {
  const form = { collect: [{ slot: 'who', again: true }], defaultTransition: 'done' };
  const call = started('desk', { ...flow, nodes: { ...flow.nodes, talk: form } });
  call.turn('Ada Park');
  call.makes('record', { who: 'Ada Park' }, { who: { grounded: true } });
  call.turn('Someone else comes.');
  call.makes('talk', {}, {});
  expect(call.outcome).toEqual(['say: Who?']);
  call.turn('My wife, Ida.');
  call.makes('record', { who: 'Ida Park' }, { who: { grounded: null } });
  expect(call.outcome).toEqual(['wait: Ida Park, is that right?']);
  call.turn('yes');
  expect(call.state.position.node).toBe('done');
});

test('the reader’s day goes before the model’s', () => {
  const call = started();
  call.turn('on Friday');
  call.makes('record', { day: '2026-11-28' }, { day: { grounded: true, value: '2026-11-27' } });
  expect(call.state.knowledge.slots['day']?.value).toBe('2026-11-27');
});

test('an old log holds no readings, and its values count as they did', () => {
  const call = started();
  call.batch([{ name: 'record', arguments: { who: 'Ada Park', pain_level: 2 } }]);
  expect(call.outcome).toEqual(['say: Have you been here before?']);
  expect(call.state.knowledge.slots['pain_level']).toMatchObject({ confirmed: true, grounded: null });
});
