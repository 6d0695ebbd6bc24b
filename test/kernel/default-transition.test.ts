import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const end = { say: 'Bye.', end: true } as const;

function started(flow: ConversationFlow, functions: readonly string[] = []) {
  const call = conversation(graphOf(flow, functions));
  call.start();
  return call;
}

describe('a node without functions and without collect', () => {
  test('is left on the next turn before any inference, and the new node answers', () => {
    const call = started({
      initialNode: 'hello',
      nodes: {
        hello: { say: 'Hello.', defaultTransition: 'desk' },
        desk: { taskMessages: task, defaultTransition: 'bye' },
        bye: end,
      },
    });
    expect(call.outcome).toEqual(['say: Hello.']);
    call.turn('hi');
    expect(call.moves).toEqual(['hello -> desk by default']);
    expect(call.outcome).toEqual(['reply desk']);
  });

  test('is not left by its own reply', () => {
    const call = started({
      initialNode: 'desk',
      slots: { size: { type: 'enum', values: ['small'] } },
      nodes: { desk: { taskMessages: task, defaultTransition: 'bye' }, bye: end },
    });
    expect(call.outcome).toEqual(['reply desk']);
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    expect(call.state.position.node).toBe('desk');
    expect(call.outcome).toEqual(['reply desk']);
    call.batch([], 'There you are.');
    expect(call.state.position.node).toBe('desk');
    expect(call.outcome).toEqual([]);
  });

  test('is left by the first edge that holds, else by the default', () => {
    const flow: ConversationFlow = {
      initialNode: 'desk',
      state: { urgent: false },
      nodes: { desk: { say: 'Hello.', defaultTransition: 'bye' }, now: end, bye: end },
      edges: [{ from: 'desk', to: 'now', when: { equals: { var: 'urgent', value: true } } }],
    };
    const calm = started(flow);
    calm.turn('hi');
    expect(calm.moves).toEqual(['desk -> bye by default']);
    const urgent = started({ ...flow, state: { urgent: true } });
    urgent.turn('hi');
    expect(urgent.moves).toEqual(['desk -> now by edge']);
  });

  test('replies where nothing leads out yet, and is left as soon as a call meets a condition', () => {
    const call = started({
      initialNode: 'desk',
      slots: { size: { type: 'enum', values: ['small', 'large'] } },
      nodes: { desk: { taskMessages: task }, small: end, large: end },
      edges: [
        { from: 'desk', to: 'small', when: { equals: { var: 'size', value: 'small' } } },
        { from: 'desk', to: 'large', when: { equals: { var: 'size', value: 'large' } } },
      ],
    });
    call.batch([], 'Which size?');
    call.turn('large');
    expect(call.outcome).toEqual(['reply desk']);
    call.batch([{ name: 'record', arguments: { size: 'large' } }]);
    expect(call.moves).toEqual(['desk -> large by edge']);
  });
});

describe('a node with functions and without collect', () => {
  const flow: ConversationFlow = {
    initialNode: 'desk',
    nodes: {
      desk: {
        taskMessages: task,
        functions: [
          { name: 'stop', transitionTo: 'bye' },
          { name: 'look_up', handler: 'look_up' },
        ],
        defaultTransition: 'next',
      },
      next: { taskMessages: task, functions: [{ name: 'stop', transitionTo: 'bye' }] },
      bye: end,
    },
  };

  test('stays on the caller’s turn', () => {
    const call = started(flow, ['look_up']);
    call.turn('hello?');
    expect(call.outcome).toEqual(['reply desk']);
  });

  test.each([
    ['an empty batch', []],
    ['a call that does not move', [{ name: 'look_up', result: 1 }]],
  ] as const)('leaves by its default when %s has settled', (_, calls) => {
    const call = started(flow, ['look_up']);
    call.batch(calls);
    expect(call.moves).toEqual(['desk -> next by default']);
    expect(call.outcome).toEqual(['reply next']);
  });

  test('stays where a call failed, so that the model hears of it', () => {
    const call = started(flow, ['look_up']);
    call.batch([{ name: 'look_up', state: 'failed' }]);
    expect(call.outcome).toEqual(['reply desk']);
  });

  test('stays where nothing leads out', () => {
    const call = started({ ...flow, initialNode: 'next', nodes: { ...flow.nodes, desk: end } });
    call.batch([], 'What can I do for you?');
    expect(call.outcome).toEqual([]);
    expect(call.state.position.node).toBe('next');
  });
});

describe('text that a completion already had is the reply', () => {
  const flow = (next: object): ConversationFlow => ({
    initialNode: 'desk',
    slots: { size: { type: 'enum', values: ['small'], ask: 'Which size?' } },
    nodes: { desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'next' }] }, next, bye: end },
  });
  const go = (next: object) => {
    const call = started(flow(next));
    call.batch([{ name: 'go' }], 'Sure, let me see.');
    expect(call.state.position.node).toBe('next');
    return call;
  };

  test('a generated reply waits for the caller', () => {
    const call = go({ taskMessages: task, functions: [{ name: 'stop', transitionTo: 'bye' }] });
    expect(call.outcome).toEqual([]);
    call.turn('thanks');
    expect(call.outcome).toEqual(['reply next']);
  });

  test('a slot’s question waits for the caller', () => {
    const call = go({ collect: ['size'], defaultTransition: 'bye' });
    expect(call.outcome).toEqual([]);
    expect(call.state.dialogue.pendingAskKey).toBe('size');
  });

  test('a line of the node is said', () => {
    expect(go({ say: 'Here we are.', defaultTransition: 'bye' }).outcome).toEqual(['say: Here we are.']);
  });

  test('the end goes on', () => {
    expect(go({ say: 'Bye.', end: 'gone' }).outcome).toEqual(['say: Bye.', 'end gone']);
  });
});

describe('a node with collect', () => {
  const flow: ConversationFlow = {
    initialNode: 'ask',
    slots: {
      size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
      name: { type: 'name', ask: 'Your name?', confirm: 'readback' },
      phone: { type: 'phone', optional: true, ask: 'Your phone?' },
    },
    nodes: {
      ask: { collect: ['size', 'name', 'phone'], defaultTransition: 'bye' },
      bye: end,
      large: end,
    },
  };

  test('leaves only once every required slot is known and confirmed', () => {
    const call = started(flow);
    expect(call.outcome).toEqual(['say: Which size?']);
    call.turn('small');
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    expect(call.outcome).toEqual(['say: Your name?']);
    call.turn('Maria Delgado');
    call.batch([{ name: 'record', arguments: { name: 'Maria Delgado' } }]);
    expect(call.outcome).toEqual(['wait: Maria Delgado, is that right?']);
    call.turn('yes');
    // An optional slot is asked for once.
    expect(call.outcome).toEqual(['say: Your phone?']);
    call.turn('rather not', undefined, { declines: true });
    expect(call.moves).toEqual(['ask -> bye by default']);
  });

  test('leaves by an edge whose condition holds even while something is missing', () => {
    const call = started({
      ...flow,
      edges: [{ from: 'ask', to: 'large', when: { equals: { var: 'size', value: 'large' } } }],
    });
    call.turn('large');
    call.batch([{ name: 'record', arguments: { size: 'large' } }]);
    expect(call.moves).toEqual(['ask -> large by edge']);
  });

  test('an edge without condition needs it complete, and comes before the default', () => {
    const call = started({ ...flow, edges: [{ from: 'ask', to: 'large' }] });
    call.turn('small');
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    expect(call.moves).toEqual([]);
    call.turn('x');
    call.batch([{ name: 'record', arguments: { name: 'Maria Delgado' } }]);
    call.turn('yes');
    call.turn('rather not', undefined, { declines: true });
    expect(call.moves).toEqual(['ask -> large by edge']);
  });

  test('is passed through where everything is known on entry', () => {
    const known: ConversationFlow = {
      ...flow,
      initialNode: 'hello',
      nodes: {
        ...flow.nodes,
        hello: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'ask' }] },
        ask: { collect: ['size'], say: 'One question.', defaultTransition: 'bye' },
      },
    };
    const call = started(known);
    call.batch([{ name: 'record', arguments: { size: 'small' } }, { name: 'go' }]);
    expect(call.moves).toEqual(['hello -> ask by function', 'ask -> bye by default']);
    expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  });

  test('is passed through by an edge whose condition holds on entry, though something is missing', () => {
    const call = started({
      ...flow,
      initialNode: 'hello',
      nodes: {
        ...flow.nodes,
        hello: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'ask' }] },
        ask: { collect: ['size', 'name'], say: 'Two questions.', defaultTransition: 'bye' },
      },
      edges: [
        { from: 'ask', to: 'bye' },
        { from: 'ask', to: 'large', when: { equals: { var: 'size', value: 'large' } } },
      ],
    });
    call.batch([{ name: 'record', arguments: { size: 'large' } }, { name: 'go' }]);
    expect(call.moves).toEqual(['hello -> ask by function', 'ask -> large by edge']);
    expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  });

  test('with functions stays when complete and nothing leads out', () => {
    const call = started({
      initialNode: 'ask',
      slots: { size: { type: 'enum', values: ['small'], ask: 'Which size?' } },
      nodes: { ask: { collect: ['size'], functions: [{ name: 'stop', transitionTo: 'bye' }] }, bye: end },
    });
    call.turn('small');
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    expect(call.state.position.node).toBe('ask');
    expect(call.outcome).toEqual(['reply ask']);
  });
});

describe('a node that does not respond immediately', () => {
  test('is entered in silence and replies on the caller’s turn', () => {
    const call = started({
      initialNode: 'desk',
      nodes: {
        desk: { taskMessages: task, respondImmediately: false, functions: [{ name: 'stop', transitionTo: 'bye' }] },
        bye: end,
      },
    });
    expect(call.outcome).toEqual([]);
    call.turn('hello');
    expect(call.outcome).toEqual(['reply desk']);
  });

  test('does not ask for its slots before the caller has spoken', () => {
    const call = started({
      initialNode: 'ask',
      slots: { size: { type: 'enum', values: ['small'], ask: 'Which size?' } },
      nodes: { ask: { collect: ['size'], respondImmediately: false, defaultTransition: 'bye' }, bye: end },
    });
    expect(call.outcome).toEqual([]);
    call.turn('hello');
    expect(call.outcome).toEqual(['reply ask']);
    call.batch([]);
    expect(call.outcome).toEqual(['say: Which size?']);
  });
});

describe('a node that speaks', () => {
  test('says its line and waits for the caller', () => {
    const call = started({
      initialNode: 'desk',
      nodes: {
        desk: { say: 'How can I help?', taskMessages: task, functions: [{ name: 'stop', transitionTo: 'bye' }] },
        bye: end,
      },
    });
    expect(call.outcome).toEqual(['say: How can I help?']);
    call.turn('hm');
    expect(call.outcome).toEqual(['reply desk']);
  });

  test('says its line and then asks for its slots', () => {
    const call = started({
      initialNode: 'ask',
      slots: { size: { type: 'enum', values: ['small'], ask: 'Which size?' } },
      nodes: { ask: { say: 'Welcome.', collect: ['size'], defaultTransition: 'bye' }, bye: end },
    });
    expect(call.outcome).toEqual(['say: Welcome.', 'say: Which size?']);
  });
});
