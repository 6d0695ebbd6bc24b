import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { NodeDocument } from '../../src/flow/document/node.ts';
import { conversation, graphOf } from './session.ts';

const find = {
  name: 'find',
  description: 'Look up the open times of a day.',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string', format: 'date' }, reason: { type: 'string' } },
    required: ['day'],
  },
  effect: 'read' as const,
  saveAs: 'openings',
  transitionTo: { field: 'status', cases: { open: 'offer' } },
};
const book = {
  name: 'book',
  description: 'Book the visit.',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  effect: 'write' as const,
  confirm: 'Shall I book {{ day }}?',
  saveAs: 'visit',
  transitionTo: 'done',
};

function flowWith(look: Partial<NodeDocument>): ConversationFlow {
  return {
    initialNode: 'begin',
    slots: {
      day: { type: 'date', ask: 'Which day?' },
      reason: { type: 'text' },
      who: { type: 'name', ask: 'Who?', confirm: 'readback' },
    },
    nodes: {
      begin: {
        taskMessages: [{ role: 'system', content: 'Begin.' }],
        functions: [{ name: 'go', transitionTo: 'look' }],
      },
      look: { call: 'find', functions: [find], ...look },
      offer: { say: 'I have ten and eleven.', functions: [{ name: 'again', transitionTo: 'look' }] },
      down: { say: 'I cannot look right now.', end: 'down' },
      done: { say: 'Done.', end: 'done' },
    },
  };
}

function atLook(look: Partial<NodeDocument> = {}, known: Record<string, string> = { day: '2026-12-01' }) {
  const call = conversation(graphOf(flowWith(look), ['find', 'book']));
  call.start();
  call.batch([{ name: 'record', arguments: known }, { name: 'go' }]);
  return call;
}

/** Returns the open call. */
function open(call: ReturnType<typeof atLook>) {
  const effect = Object.values(call.state.effects).find(({ kind }) => kind === 'tool');
  if (effect?.kind !== 'tool') throw new Error('no call is open');
  return effect;
}

describe('a node that names what it calls', () => {
  test('calls it on entry with what the slots hold, without the model', () => {
    const call = atLook();
    expect(call.outcome).toEqual(['tool find']);
    expect(open(call).payload.arguments).toEqual({ day: '2026-12-01' });
    call.settleTool(open(call).key, { result: { status: 'open' } });
    expect(call.moves).toEqual(['look -> offer by function']);
    expect(call.outcome).toEqual(['say: I have ten and eleven.']);
    expect(call.state.knowledge.variables['openings']).toEqual({ status: 'open' });
  });

  test('says its own line first', () => {
    expect(atLook({ say: 'One moment.' }).outcome).toEqual(['say: One moment.', 'tool find']);
  });

  test('gives what it binds, and leaves out what is optional and not known', () => {
    const call = atLook({ input: { reason: 'a {{ reason }}' } });
    expect(open(call).payload.arguments).toEqual({ day: '2026-12-01' });
    const other = atLook({ input: { reason: 'a {{ reason }}' } }, { day: '2026-12-01', reason: 'check' });
    expect(open(other).payload.arguments).toEqual({ day: '2026-12-01', reason: 'a check' });
  });

  test('asks by its own words for a slot that it cannot do without, and never calls with a blank', () => {
    const call = atLook({}, { reason: 'check' });
    expect(call.outcome).toEqual(['say: Which day?']);
    call.turn('on the first of December');
    expect(call.outcome).toEqual(['reply look']);
    call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }]);
    expect(call.outcome).toEqual(['tool find']);
  });

  test('leaves to the model what it cannot know', () => {
    const parameters = { ...find.parameters, properties: { ...find.parameters.properties, desk: { type: 'string' } } };
    const call = atLook({ functions: [{ ...find, parameters: { ...parameters, required: ['day', 'desk'] } }] });
    expect(call.outcome).toEqual(['reply look']);
    call.batch([{ name: 'find', arguments: { day: '2026-12-02', desk: 'a' }, result: { status: 'none' } }]);
    // The call of the model is not repeated with the values of the slots.
    expect(call.outcome).toEqual(['reply look']);
    call.batch([], 'Nothing is open.');
    expect(call.outcome).toEqual([]);
  });

  test('reads a value back that still needs its yes, before it is used', () => {
    const call = atLook({ input: { reason: '{{ who }}' } }, { day: '2026-12-01', who: 'Ada Park' });
    expect(call.outcome).toEqual(['wait: Ada Park, is that right?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['tool find']);
  });

  test('is not left before the call is done, whatever was kept on an earlier visit', () => {
    const flow = flowWith({ collect: ['day'], defaultTransition: 'done' });
    const edges = [{ from: 'look', to: 'down', when: { exists: { var: 'openings' } } }];
    const call = conversation(graphOf({ ...flow, edges }, ['find', 'book']));
    call.start();
    call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }, { name: 'go' }]);
    expect(call.outcome).toEqual(['tool find']);
    call.settleTool(open(call).key, { result: { status: 'open' } });
    call.turn('again');
    call.batch([{ name: 'again' }]);
    expect(call.outcome).toEqual(['tool find']);
    call.settleTool(open(call).key, { result: { status: 'none' } });
    expect(call.moves).toEqual(['look -> down by edge']);
  });

  test('asks the caller first where the function wants a yes', () => {
    const call = atLook({ call: 'book', functions: [book] });
    call.settleTool(open(call).key, { state: 'waiting' });
    expect(call.outcome).toEqual(['wait: Shall I book December 1, 2026?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['tool book']);
    expect(open(call).payload).toMatchObject({ confirmed: true });
    call.settleTool(open(call).key);
    expect(call.moves).toEqual(['look -> done by function']);
  });

  test('does not call again what the caller has refused, until it is about something else', () => {
    const call = atLook({ call: 'book', functions: [book] });
    call.settleTool(open(call).key, { state: 'waiting' });
    call.turn('no');
    expect(call.outcome).not.toContain('tool book');
    call.batch([], 'What would you like to change?');
    expect(call.outcome).not.toContain('tool book');
    call.turn('on the second');
    call.batch([{ name: 'record', arguments: { day: '2026-12-02' } }]);
    expect(call.outcome).toEqual(['tool book']);
    call.settleTool(open(call).key, { state: 'waiting' });
    expect(call.outcome).toEqual(['wait: Shall I book December 2, 2026?']);
  });

  test('goes to on_error where the call has failed, and lets the model speak where there is none', () => {
    const call = atLook({ onError: 'down' });
    call.settleTool(open(call).key, { state: 'failed' });
    expect(call.moves).toEqual(['look -> down by error']);
    const other = atLook();
    other.settleTool(open(other).key, { state: 'failed' });
    expect(other.outcome).toEqual(['reply look']);
  });

  test('calls again what the caller has interrupted, once their words are answered', () => {
    const call = atLook();
    const { key } = open(call);
    call.settleTool(key, { state: 'cancelled', superseded: true });
    expect(call.outcome).toEqual([]);
    call.turn('Are you still there?');
    expect(call.outcome).toEqual(['reply look']);
    call.batch([], 'Yes, I am looking.');
    expect(call.outcome).toEqual(['tool find']);
    expect(open(call).key).not.toBe(key);
  });

  test('leaves the caller’s next words to the model where a write leads to it after them', () => {
    const flow = flowWith({});
    const nodes = { ...flow.nodes, begin: { functions: [{ ...book, confirm: false, transitionTo: 'look' }] } };
    const call = conversation(graphOf({ ...flow, nodes }, ['find', 'book']));
    call.start();
    call.turn('the first, please');
    const key = call.called({ name: 'book', arguments: { day: '2026-12-01' } });
    call.batch([{ name: 'book', arguments: { day: '2026-12-01' }, key }], '', { superseded: true });
    expect(call.outcome).toEqual([]);
    call.turn('and in the morning');
    expect(call.outcome).toEqual(['reply look']);
    call.batch([{ name: 'record', arguments: { reason: 'morning' } }]);
    expect(call.outcome).toEqual(['tool find']);
  });

  test('makes its call in the process that goes on', () => {
    const call = atLook();
    const { key } = open(call);
    call.resume();
    expect(call.effects.map((effect) => effect.key)).toContain(key);
    call.settleTool(key, { state: 'cancelled', superseded: true });
    call.resume();
    expect(call.outcome).toContain('tool find');
  });
});
