import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];

function flowTo(next: object): ConversationFlow {
  return {
    initialNode: 'desk',
    slots: {
      size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
      colour: { type: 'enum', values: ['red'], ask: 'Which colour?' },
    },
    nodes: {
      desk: {
        taskMessages: task,
        functions: [
          { name: 'save', effect: 'write', saveAs: 'saved', transitionTo: 'next' },
          { name: 'find', handler: 'find', saveAs: 'found', transitionTo: 'next' },
          { name: 'ring', handler: 'ring', cancelOnInterruption: false, transitionTo: 'next' },
        ],
      },
      next,
      bye: { say: 'Bye.', end: true },
    },
  };
}
const replies = { taskMessages: task, functions: [{ name: 'leave', transitionTo: 'bye' }] };

/** A conversation at the desk in which a write call of the model is under way. */
function writing(next: object = replies) {
  const call = conversation(graphOf(flowTo(next), ['save', 'find', 'ring']));
  call.start();
  const reply = call.effects[0]?.key ?? '';
  const at = { node: call.state.position.node, visit: call.state.position.visit };
  const key = call.called({ name: 'save' });
  return { call, reply, write: { name: 'save', key, at, result: 7 } };
}

describe('a turn that completes before a batch has settled', () => {
  test('voids the reply under way, and is answered by another', () => {
    const { call, reply } = writing();
    call.turn('wait');
    expect(call.outcome).toEqual(['reply desk']);
    expect(call.told('effect:settled')).toEqual([{ key: reply, kind: 'reply', state: 'cancelled' }]);
  });

  test('takes the transition that a write has earned: the words go to the new node, and are answered once', () => {
    const { call, reply, write } = writing();
    call.turn('wait');
    const second = call.effects[0]?.key ?? '';
    call.batch([write], '', { reply });
    expect(call.moves).toEqual(['desk -> next by function']);
    expect(call.outcome).toEqual(['reply next']);
    expect(call.state.knowledge.variables).toEqual({ saved: 7 });
    expect(call.state.effects).not.toHaveProperty(second);
    expect(Object.values(call.state.effects).filter(({ kind }) => kind === 'reply')).toHaveLength(1);
  });

  test('leaves a write that still runs as it was intended: whoever goes on makes it under its key, and it leads on', () => {
    const { call, reply, write } = writing();
    call.batch([{ ...write, state: 'pending', isRunning: true }], '', { reply, superseded: true });
    expect(call.moves).toEqual([]);
    call.turn('hello?');
    expect(call.outcome).toEqual(['reply desk']);
    expect(call.state.effects[write.key]).toMatchObject({ kind: 'tool', state: 'intended' });
    expect(call.resume()).toContainEqual(expect.objectContaining({ key: write.key, kind: 'tool', state: 'intended' }));
    call.batch([write], '', { reply: null });
    expect(call.moves).toEqual(['desk -> next by function']);
    expect(call.state.effects).not.toHaveProperty(write.key);
  });

  test('takes the transition of a read that an interruption does not cancel', () => {
    const { call, reply, write } = writing();
    call.turn('wait');
    call.batch([{ name: 'ring', at: write.at, result: 7 }], '', { reply });
    expect(call.moves).toEqual(['desk -> next by function']);
  });

  test('ignores the transition of a read, though what it found is kept', () => {
    const { call, reply, write } = writing();
    call.turn('wait');
    call.batch([{ ...write, name: 'find' }], '', { reply });
    expect(call.state).toMatchObject({ position: { node: 'desk' }, knowledge: { variables: { found: 7 } } });
    expect(call.told('transition:dropped')).toEqual([{ to: 'next', function: 'find', reason: 'superseded' }]);
    expect(call.outcome).toEqual([]);
  });

  test('a write moves behind a read that may not', () => {
    const { call, reply, write } = writing();
    call.turn('wait');
    call.batch([{ ...write, name: 'find', key: 'x' }, write], '', { reply });
    expect(call.state.position.node).toBe('next');
  });

  test('keeps slots that were recorded meanwhile', () => {
    const { call, reply, write } = writing();
    call.turn('wait');
    call.batch([{ ...write, name: 'record', key: 'x', arguments: { size: 'small' } }], '', { reply });
    expect(call.known).toEqual({ size: 'small' });
    expect(call.outcome).toEqual([]);
  });
});

describe('the words of the caller and the new node', () => {
  const nodes: [string, object, string[], string[]][] = [
    ['one that replies', replies, [], ['reply next']],
    ['one that asks', { collect: ['size'], defaultTransition: 'bye' }, [], ['reply next']],
    ['one that speaks', { say: 'Saved.', ...replies }, ['say: Saved.'], ['reply next']],
    [
      'one that only talks',
      { say: 'Saved.', defaultTransition: 'bye' },
      ['say: Saved.'],
      ['say: Bye.', 'end completed'],
    ],
    ['one that ends', { say: 'Saved.', end: 'saved' }, ['say: Saved.', 'end saved'], ['reply next']],
  ];

  test.each(nodes)('%s: in either order of turn and batch the answer is the same', (_, next, entering, answering) => {
    const first = writing(next);
    first.call.batch([first.write], '', { superseded: true, reply: first.reply });
    expect(first.call.outcome).toEqual(entering);
    first.call.turn('wait', 'ev9', {});
    expect(first.call.outcome).toEqual(answering);

    const last = writing(next);
    last.call.turn('wait', 'ev9', {});
    last.call.batch([last.write], '', { reply: last.reply });
    // Earlier words are answered before the end and its line.
    const isEnd = entering.includes('end saved');
    expect(last.call.outcome).toEqual(isEnd ? answering : [...entering, ...answering]);
    expect(last.call.state.position.node).toBe(first.call.state.position.node);
    expect(last.call.state.status).toBe(first.call.state.status);
  });

  test('a write that settles after the words were answered speaks for itself', () => {
    const { call, reply, write } = writing();
    call.turn('wait');
    call.batch([], 'I am still saving it.');
    call.batch([write], '', { reply, superseded: true });
    expect(call.state.position.node).toBe('next');
    expect(call.outcome).toEqual(['reply next']);
  });

  test('a write whose batch no turn has overtaken is answered by the new node at once', () => {
    const { call, write } = writing();
    call.batch([write]);
    expect(call.outcome).toEqual(['reply next']);
  });
});

test('a confirmed call that the caller talks over moves as a write: one answer, never two', () => {
  const flow = flowTo({ say: 'Saved.', end: true });
  const nodes = flow.nodes as Record<string, { functions?: { confirm?: boolean }[] }>;
  nodes['desk']!.functions![0]!.confirm = true;
  const call = conversation(graphOf(flow, ['save', 'find', 'ring']));
  call.start();
  call.batch([{ name: 'save', state: 'waiting' }]);
  const key = call.turn('yes')[0]?.key ?? '';
  call.turn('hurry up', 'ev9', {});
  expect(call.outcome).toEqual(['reply desk']);
  call.settleTool(key, { result: 7 });
  // The words come before the end and its line.
  expect(call.outcome).toEqual(['reply next']);
  call.batch([], 'It is done.');
  expect(call.outcome).toEqual(['say: Saved.', 'end completed']);
  expect(Object.values(call.state.effects).map(({ kind }) => kind)).not.toContain('reply');
});

test('a turn is taken once: its duplicate changes nothing', () => {
  const { call } = writing();
  call.turn('hello', 'ev1');
  const { state } = call;
  call.turn('hello', 'ev1');
  expect(call.state).toEqual(state);
  expect(call.told('turn:duplicate')).toEqual([{ eventId: 'ev1' }]);
});

test('a read-back does not outlive its node: a later yes is not its answer', () => {
  const flow = flowTo(replies);
  const graph = graphOf(
    {
      ...flow,
      slots: { who: { type: 'name', ask: 'Who?', confirm: 'readback' } },
      nodes: {
        ...(flow.nodes as object),
        desk: {
          collect: ['who'],
          functions: [{ name: 'save', effect: 'write', transitionTo: 'next' }],
          defaultTransition: 'bye',
        },
      },
    },
    ['save'],
  );
  const call = conversation(graph);
  call.start();
  call.turn('Maria Delgado');
  const reply = call.effects[0]?.key ?? '';
  const at = { node: call.state.position.node, visit: call.state.position.visit };
  const key = call.called({ name: 'save' });
  call.turn('I said Maria Delgado');
  call.batch([{ name: 'record', arguments: { who: 'Maria Delgado' } }]);
  expect(call.outcome).toEqual(['wait: Maria Delgado, is that right?']);
  call.batch([{ name: 'save', key, at }], '', { reply });
  expect(call.outcome).toEqual(['reply next']);
  call.turn('yes');
  expect(call.state.knowledge.slots['who']).toMatchObject({ confirmed: false });
  expect(call.state.position.node).toBe('next');
});
