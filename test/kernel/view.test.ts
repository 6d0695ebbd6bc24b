import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import { viewOf } from '../../src/kernel/state/view.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'desk',
  input: { clinic: { type: 'string', default: 'Harbour' } },
  slots: {
    who: { type: 'name', ask: 'Who?', confirm: 'readback' },
    born: { type: 'date', before: 'today' },
    phone: { type: 'phone', optional: true },
    topic: { type: 'text' },
  },
  roleMessages: [{ role: 'system', content: 'You work at {{ clinic }}.' }],
  functions: [
    { name: 'leave', transitionTo: 'bye' },
    { name: 'hours', transitionTo: 'expert', digression: true },
  ],
  nodes: {
    desk: {
      taskMessages: [
        { role: 'system', content: 'Greet {{ who }}{{ nobody }}.' },
        { role: 'user', content: 'Start.' },
      ],
      functions: [
        { name: 'expert', transitionTo: 'expert' },
        { name: 'leave', description: 'Its own.', transitionTo: 'expert' },
      ],
    },
    expert: {
      roleMessages: [{ role: 'developer', content: 'You are the expert.' }],
      taskMessages: [{ role: 'system', content: 'Explain.' }],
      functions: [
        { name: 'form', transitionTo: 'form' },
        { name: 'back', transitionTo: '$return' },
      ],
    },
    form: {
      collect: ['who', 'born', 'phone'],
      taskMessages: [{ role: 'system', content: 'Ask.' }],
      defaultTransition: 'bye',
    },
    bye: { say: 'Bye.', end: true },
  },
};

function started(more: Partial<ConversationFlow> = {}) {
  const graph = graphOf({ ...flow, ...more });
  const call = conversation(graph);
  call.start();
  return { call, view: () => viewOf(graph, call.state, noonCivil) };
}

describe('the instructions', () => {
  test('are the persona and the task, filled in, and stay the same while the session is in the node', () => {
    const { call, view } = started();
    expect(view().instructions).toBe('You work at Harbour.\n\nGreet .');
    call.batch([{ name: 'record', arguments: { topic: 'teeth' } }]);
    expect(view().instructions).toBe('You work at Harbour.\n\nGreet .');
  });

  test('leave to what is shown last the time, what is known, and what is missing where the node collects', () => {
    const { call, view } = started();
    call.batch([{ name: 'record', arguments: { who: 'Maria Delgado', topic: 'teeth' } }, { name: 'expert' }]);
    call.batch([{ name: 'form' }]);
    expect(view().knowledge.split('\n\n')).toEqual([
      'It is Saturday, 2026-11-21, 12:00.',
      'Known so far:\n- who: Maria Delgado (not confirmed yet)\n- topic: teeth',
      // Optional slots are not asked for again.
      'Not known yet: born. Ask for the first of them.',
    ]);
  });

  test('replace the persona where a node has one, and keep it from there on', () => {
    const { call, view } = started();
    call.batch([{ name: 'expert' }]);
    expect(view().instructions).toMatch(/^You are the expert\.\n\nExplain\./);
    call.batch([{ name: 'form' }]);
    expect(view().instructions).toMatch(/^You are the expert\.\n\nAsk\./);
  });

  test('have the old persona again after a digression', () => {
    const { call, view } = started();
    call.batch([{ name: 'hours' }]);
    expect(view().instructions).toMatch(/^You are the expert\./);
    call.batch([{ name: 'back' }]);
    expect(view().instructions).toMatch(/^You work at Harbour\./);
  });
});

test('messages that are not the system’s stand for themselves', () => {
  expect(started().view().messages).toEqual([{ role: 'user', content: 'Start.' }]);
});

describe('the functions', () => {
  test('are the node’s own, the flow’s, and record; the node’s own of a name wins', () => {
    const { view } = started();
    expect(view().functions.map(({ name }) => name)).toEqual(['expert', 'leave', 'hours', 'record']);
    expect(view().functions[1]?.description).toBe('Its own.');
  });

  test('have no record where the flow has no slots', () => {
    const { view } = started({
      slots: {},
      nodes: {
        ...(flow.nodes as object),
        desk: { functions: [{ name: 'leave', transitionTo: 'bye' }] },
        form: { say: 'Hm.', defaultTransition: 'bye' },
      },
    });
    expect(view().functions.map(({ name }) => name)).toEqual(['leave', 'hours']);
  });
});

test('what a caller said is never read as a template', () => {
  const { call, view } = started();
  call.batch([{ name: 'record', arguments: { topic: '{{ clinic }} and {{ topic }}' } }]);
  expect(view().knowledge).toContain('- topic: {{ clinic }} and {{ topic }}');
});

test('there is a view of any state', () => {
  expect(viewOf(graphOf(flow), newSession('s'), noonCivil)).toMatchObject({
    node: '',
    functions: [],
    messages: [],
    context: null,
  });
});

test('what is not known yet is listed in the order in which the node asks, with who asks for it', () => {
  const graph = graphOf({
    initialNode: 'form',
    slots: { who: { type: 'name', ask: 'Who?' }, day: { type: 'date', ask: 'When?', after: 'today' } },
    nodes: { form: { collect: ['day', 'who'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
  });
  const call = conversation(graph);
  call.start();
  const { knowledge, functions } = viewOf(graph, call.state, noonCivil);
  expect(knowledge).toContain('Not known yet: day, who. The next question is asked for you.');
  const properties = functions[0]?.parameters['properties'] ?? {};
  expect(Object.keys(properties)).toEqual(['day', 'who']);
});

test('the model is told the bounds within which it may record a value', () => {
  const graph = graphOf({
    initialNode: 'form',
    slots: {
      day: { type: 'date', ask: 'When?', after: 'today', before: '2027-06-01' },
      phone: { type: 'phone', ask: 'Which number?', region: 'GB' },
      seats: { type: 'integer', ask: 'How many?', minimum: 1, maximum: 8 },
      member: { type: 'text', ask: 'Which member?', pattern: '^[A-Z]\\d{4}$' },
    },
    nodes: { form: { collect: ['day', 'phone'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
  });
  const call = conversation(graph);
  call.start();
  const record = viewOf(graph, call.state, noonCivil).functions.find(({ name }) => name === 'record');
  expect(record?.parameters['properties']).toMatchObject({
    seats: { type: 'integer', minimum: 1, maximum: 8 },
    member: { type: 'string', pattern: '^[A-Z]\\d{4}$' },
  });
  const told = JSON.stringify(record?.parameters);
  expect(told).toContain('Must be before 2027-06-01. Must be after today.');
  expect(told).toContain('Without a country code it is read as one of GB.');
});

describe('a value too long for a text', () => {
  const letter = 'x'.repeat(1_000_001);

  test('is left out of it, which is told by node and name', () => {
    const call = conversation(
      graphOf({
        initialNode: 'desk',
        input: { letter: { type: 'string' } },
        nodes: {
          desk: {
            preActions: [
              { type: 'tts_say', text: 'You wrote {{ letter }}.' },
              { type: 'note', data: 'It: {{ letter }}' },
            ],
            taskMessages: [{ role: 'system', content: 'Answer {{ letter }}' }],
            defaultTransition: 'bye',
          },
          bye: { say: 'Goodbye, {{ letter }}', end: true },
        },
      }),
    );
    call.start({ letter });
    expect(call.outcome).toEqual(['say: You wrote .', 'pre-action note', 'reply desk']);
    expect(call.told('text:too-long')).toEqual([{ name: 'letter' }, { name: 'letter' }, { name: 'letter' }]);
    call.turn('Thanks.');
    expect(call.outcome).toEqual(['say: Goodbye,', 'end completed']);
    expect(call.told('text:too-long')).toEqual([{ name: 'letter' }]);
  });

  test('is the failure of a catalog node', () => {
    const call = conversation(
      graphOf({
        initialNode: 'write',
        input: { letter: { type: 'string' } },
        nodes: {
          write: {
            type: 'data.json.stringify',
            input: { value: 'Re: {{ letter }}' },
            onError: 'sorry',
            defaultTransition: 'bye',
          },
          bye: { say: 'Bye.', end: true },
          sorry: { say: 'Sorry.', end: 'failed' },
        },
      }),
    );
    call.start({ letter });
    expect(call.told('flow:stuck')).toEqual([{ reason: 'node-failed', code: 'text-too-long' }]);
    expect(call.outcome).toEqual(['say: Sorry.', 'end failed']);
  });
});
