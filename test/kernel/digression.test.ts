import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const flow: ConversationFlow = {
  initialNode: 'form',
  slots: {
    size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
    colour: { type: 'enum', values: ['red', 'blue'], ask: 'Which colour?' },
  },
  functions: [
    { name: 'hours', transitionTo: 'hours', digression: true },
    { name: 'parking', transitionTo: 'parking', digression: true },
    { name: 'lobby', transitionTo: 'lobby', digression: true },
    { name: 'prices', transitionTo: 'prices', digression: true },
  ],
  nodes: {
    form: { say: 'Welcome.', collect: ['size', 'colour'], defaultTransition: 'bye' },
    hours: {
      taskMessages: task,
      roleMessages: [{ role: 'system', content: 'You know the hours.' }],
      functions: [{ name: 'back', transitionTo: '$return' }],
    },
    parking: { say: 'Behind the house.', defaultTransition: '$return' },
    lobby: { say: 'Upstairs.' },
    prices: { taskMessages: task, functions: [{ name: 'back', transitionTo: '$return' }] },
    bye: { say: 'Bye.', end: true },
  },
  edges: [{ from: 'lobby', to: '$return' }],
};

function atForm() {
  const call = conversation(graphOf(flow));
  call.start();
  expect(call.outcome).toEqual(['say: Welcome.', 'say: Which size?']);
  call.turn('by the way, when are you open?');
  return call;
}

describe('a digression', () => {
  test('is come back from by a function, and the pending question is asked anew, the greeting is not', () => {
    const call = atForm();
    call.batch([{ name: 'hours' }]);
    expect(call.outcome).toEqual(['reply hours']);
    call.batch([{ name: 'back' }]);
    expect(call.moves).toEqual(['hours -> form by return']);
    expect(call.outcome).toEqual(['say: Now then: Which size?']);
    expect(call.state).toMatchObject({ position: { stack: [], persona: null }, dialogue: { pendingAskKey: 'size' } });
  });

  test.each([
    ['parking', 'Behind the house.'],
    ['lobby', 'Upstairs.'],
  ])('that only answers (%s) goes straight back, and the open question is put again', (place, answer) => {
    const call = atForm();
    call.batch([{ name: place }]);
    expect(call.moves).toEqual([`form -> ${place} by function`, `${place} -> form by return`]);
    expect(call.outcome).toEqual([`say: ${answer}`, 'say: Now then: Which size?']);
  });

  test('puts a line that asks again by its question alone: the greeting was just heard', () => {
    const form = { say: 'Welcome. Shall we start?', functions: [{ name: 'start', transitionTo: 'bye' }] };
    const call = conversation(graphOf({ ...flow, nodes: { ...flow.nodes, form } }));
    call.start();
    call.turn('where can I park?');
    call.batch([{ name: 'parking' }]);
    expect(call.outcome).toEqual(['say: Behind the house.', 'say: Now then: Shall we start?']);
    call.turn('and upstairs?');
    call.batch([{ name: 'lobby' }]);
    expect(call.outcome).toEqual(['say: Upstairs.', 'say: So: Shall we start?']);
  });

  test('puts such a line again without the model, also where the node has a task for it', () => {
    const form = { say: 'Shall we start?', taskMessages: task, functions: [{ name: 'start', transitionTo: 'bye' }] };
    const call = conversation(graphOf({ ...flow, nodes: { ...flow.nodes, form } }));
    call.start();
    call.turn('where can I park?');
    call.batch([{ name: 'parking' }]);
    expect(call.outcome).toEqual(['say: Behind the house.', 'say: Now then: Shall we start?']);
  });

  test('whose line asks, or that is to listen, waits for the caller', () => {
    for (const node of [
      { say: 'Behind the house. Shall we go on?', defaultTransition: '$return' },
      { say: 'Behind the house.', listen: true, defaultTransition: '$return' },
    ]) {
      const call = conversation(graphOf({ ...flow, nodes: { ...flow.nodes, parking: node } }));
      call.start();
      call.turn('where can I park?');
      call.batch([{ name: 'parking' }]);
      expect(call.outcome).toEqual([`say: ${node.say}`]);
      call.turn('thanks');
      expect(call.outcome).toEqual(['say: Which size?']);
    }
  });

  test('keeps what is said meanwhile: the question asked anew is the next one', () => {
    const call = atForm();
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'record', arguments: { size: 'large' } }, { name: 'back' }]);
    expect(call.outcome).toEqual(['say: Which colour?']);
  });

  test('comes back to a node that is complete by then by going on', () => {
    const call = atForm();
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'record', arguments: { size: 'large', colour: 'red' } }, { name: 'back' }]);
    expect(call.moves).toEqual(['hours -> form by return', 'form -> bye by default']);
  });

  test('asks anew even behind the words with which it was answered', () => {
    const call = atForm();
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'back' }], 'We are open until six.');
    expect(call.outcome).toEqual(['say: Now then: Which size?']);
  });

  test('comes back without doing again what is done on entry', () => {
    const nodes = flow.nodes as Record<string, object>;
    const form = {
      ...nodes['form'],
      preActions: [{ type: 'tts_say', text: 'One.' }],
      postActions: [{ type: 'note' }],
    };
    const call = conversation(graphOf({ ...flow, nodes: { ...nodes, form } }));
    expect(call.start()).toHaveLength(4);
    call.turn('when?');
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'back' }]);
    expect(call.outcome).toEqual(['say: Now then: Which size?']);
  });

  test('comes back in silence where the caller’s next words are already there to be answered', () => {
    const nodes = flow.nodes as Record<string, object>;
    const hours = {
      taskMessages: task,
      functions: [{ name: 'note_and_back', effect: 'write', transitionTo: '$return' }],
    };
    const graph = graphOf({ ...flow, nodes: { ...nodes, hours } } as ConversationFlow, ['note_and_back']);
    const call = conversation(graph);
    call.start();
    call.turn('when?');
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'note_and_back' }], '', { superseded: true });
    expect(call.state.position.node).toBe('form');
    expect(call.outcome).toEqual([]);
    call.turn('small');
    expect(call.outcome).toEqual(['reply form']);
  });

  test('may nest, and comes back one by one', () => {
    const call = atForm();
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'prices' }]);
    expect(call.state.position.stack.map((frame) => frame.node)).toEqual(['form', 'hours']);
    call.batch([{ name: 'back' }]);
    expect(call.state).toMatchObject({ position: { node: 'hours', persona: 'hours' } });
    call.batch([{ name: 'back' }]);
    expect(call.state).toMatchObject({ position: { node: 'form', persona: null } });
  });

  test('into the node one is in already leaves nothing to come back to twice', () => {
    const call = atForm();
    call.batch([{ name: 'hours' }]);
    call.batch([{ name: 'hours' }]);
    expect(call.state.position.stack).toHaveLength(1);
    call.batch([{ name: 'back' }]);
    expect(call.state.position.node).toBe('form');
  });

  test('nests no deeper than thirty-two: the oldest is forgotten', () => {
    const call = atForm();
    for (let time = 0; time < 50; time += 1) {
      call.batch([{ name: time % 2 === 0 ? 'hours' : 'prices' }]);
      call.turn('and?');
    }
    expect(call.state.position.stack).toHaveLength(32);
  });
});

describe('where there is nothing to come back to', () => {
  const astray: ConversationFlow = {
    ...flow,
    initialNode: 'hours',
    nodes: {
      ...flow.nodes,
      hours: {
        taskMessages: task,
        functions: [
          { name: 'back', transitionTo: '$return' },
          { name: 'on', transitionTo: 'form' },
        ],
      },
    },
  };

  test('a function stays, and a sibling moves', () => {
    const alone = conversation(graphOf(astray));
    alone.start();
    alone.batch([{ name: 'back' }]);
    expect(alone.told('transition:dropped')).toEqual([{ to: '$return', function: 'back', reason: 'unknown-node' }]);
    expect(alone.outcome).toEqual(['reply hours']);
    const sibling = conversation(graphOf(astray));
    sibling.start();
    sibling.batch([{ name: 'back' }, { name: 'on' }]);
    expect(sibling.state.position.node).toBe('form');
  });

  test('a default says so and the fallback', () => {
    const call = conversation(graphOf({ ...flow, initialNode: 'parking', fallback: 'Hm.' }));
    call.start();
    call.turn('ok');
    expect(call.told('flow:stuck')).toEqual([{ reason: 'nothing-to-return-to' }]);
    expect(call.outcome).toEqual(['say: Hm.']);
  });
});
