import { describe, expect, test } from 'vitest';
import { conversation, graphOf, type TestCall } from './session.ts';

const graph = graphOf(
  {
    initialNode: 'desk',
    nodes: {
      desk: {
        taskMessages: [{ role: 'system', content: 'Help.' }],
        functions: [
          { name: 'billing', transitionTo: 'bills' },
          { name: 'sales', transitionTo: 'shop' },
          { name: 'look_up', handler: 'look_up' },
          { name: 'find', handler: 'find', transitionTo: 'shop' },
          {
            name: 'check',
            handler: 'check',
            saveAs: 'checked',
            transitionTo: { field: 'is.ok', cases: { true: 'bills' } },
          },
        ],
        defaultTransition: 'bye',
      },
      bills: {
        taskMessages: [{ role: 'system', content: 'Bills.' }],
        functions: [{ name: 'leave', transitionTo: 'bye' }],
      },
      shop: {
        taskMessages: [{ role: 'system', content: 'Shop.' }],
        functions: [{ name: 'leave', transitionTo: 'bye' }],
      },
      urgent: { say: 'One moment.', end: true },
      bye: { say: 'Bye.', end: true },
    },
    edges: [{ from: 'desk', to: 'urgent', when: { equals: { var: 'checked.urgent', value: true } } }],
  },
  ['look_up', 'find', 'check'],
);

/** A conversation at the desk, after one request to the model. */
function atTheDesk() {
  const call = conversation(graph);
  call.start();
  return call;
}

const billing: TestCall = { name: 'billing' };
const sales: TestCall = { name: 'sales' };

describe('of several calls that would move', () => {
  test('the first in the order of calling wins, and the other is reported', () => {
    for (const [first, second, winner, loser] of [
      [billing, sales, 'bills', 'shop'],
      [sales, billing, 'shop', 'bills'],
    ] as const) {
      const call = atTheDesk();
      call.batch([first, second]);
      expect(call.state.position.node).toBe(winner);
      expect(call.moves).toEqual([`desk -> ${winner} by function`]);
      expect(call.told('transition:dropped')).toEqual([{ to: loser, function: second.name, reason: 'another-won' }]);
    }
  });

  test.each(['failed', 'waiting', 'cancelled', 'blocked'] as const)(
    'one that is %s neither moves nor loses another its move',
    (state) => {
      for (const calls of [
        [{ name: 'find', state }, billing],
        [billing, { name: 'find', state }],
      ] as const) {
        const call = atTheDesk();
        call.batch(calls);
        expect(call.state.position.node).toBe('bills');
        expect(call.told('transition:dropped')).toEqual([]);
      }
    },
  );

  test('a failed one alone stays, and the model hears of it', () => {
    const call = atTheDesk();
    call.batch([{ name: 'find', state: 'failed' }]);
    expect(call.outcome).toEqual(['reply desk']);
    expect(call.state.position.node).toBe('desk');
  });
});

describe('what a handler says', () => {
  test('comes before the transition_to of its function', () => {
    const call = atTheDesk();
    call.batch([{ name: 'find', next: { kind: 'node', to: 'bills' } }]);
    expect(call.moves).toEqual(['desk -> bills by function']);
  });

  test('may be to stay, and then a sibling or the default moves', () => {
    const sibling = atTheDesk();
    sibling.batch([{ name: 'find', next: { kind: 'stay' } }, billing]);
    expect(sibling.moves).toEqual(['desk -> bills by function']);
    const alone = atTheDesk();
    alone.batch([{ name: 'find', next: { kind: 'stay' } }]);
    expect(alone.moves).toEqual(['desk -> bye by default']);
  });

  test('is dropped where it names a node that does not exist, and another call moves', () => {
    const call = atTheDesk();
    call.batch([{ name: 'find', next: { kind: 'node', to: 'nowhere' } }, billing]);
    expect(call.state.position.node).toBe('bills');
    expect(call.told('transition:dropped')).toEqual([{ to: 'nowhere', function: 'find', reason: 'unknown-node' }]);
  });
});

describe('the branch of a result', () => {
  test('follows a field of it', () => {
    const call = atTheDesk();
    call.batch([{ name: 'check', result: { is: { ok: true } } }]);
    expect(call.moves).toEqual(['desk -> bills by function']);
  });

  test.each([{ is: { ok: false } }, { is: 'ok' }, null, 'true', ['is']])(
    'leaves the way to others for %j',
    (result) => {
      const call = atTheDesk();
      call.batch([{ name: 'check', result }]);
      expect(call.moves).toEqual(['desk -> bye by default']);
    },
  );
});

describe('a function moves before an edge, and an edge before the default', () => {
  const urgent = { name: 'check', result: { urgent: true } };

  test('the function', () => {
    const call = atTheDesk();
    call.batch([urgent, billing]);
    expect(call.state.knowledge.variables).toEqual({ checked: { urgent: true } });
    expect(call.moves).toEqual(['desk -> bills by function']);
  });

  test('the edge', () => {
    const call = atTheDesk();
    call.batch([urgent]);
    expect(call.moves).toEqual(['desk -> urgent by edge']);
  });

  test('the default', () => {
    const call = atTheDesk();
    call.batch([{ name: 'look_up', result: 1 }]);
    expect(call.moves).toEqual(['desk -> bye by default']);
  });
});

test('a call of a visit that is over does not move, though what it saved is kept', () => {
  const call = atTheDesk();
  const before = { node: call.state.position.node, visit: call.state.position.visit };
  call.batch([billing]);
  call.batch([{ name: 'check', at: before, result: { is: { ok: true }, found: 1 } }]);
  expect(call.state.position.node).toBe('bills');
  expect(call.state.knowledge.variables).toEqual({ checked: { is: { ok: true }, found: 1 } });
  expect(call.told('transition:dropped')).toEqual([{ to: 'bills', function: 'check', reason: 'stale' }]);
});

test('a move to the node one is in begins a new visit of it', () => {
  const call = atTheDesk();
  const { visit } = call.state.position;
  call.batch([{ name: 'find', next: { kind: 'node', to: 'desk' } }]);
  expect(call.state).toMatchObject({ position: { node: 'desk', visit: visit + 1 } });
  expect(call.outcome).toEqual(['reply desk']);
});

describe('a function that the node does not offer', () => {
  test.each(['leave', 'record', 'constructor', '__proto__', ''])(
    '(%s) does nothing, whatever the model says',
    (name) => {
      const call = atTheDesk();
      call.batch([{ name, arguments: { a: 1 }, result: 2, next: { kind: 'node', to: 'shop' } }]);
      expect(call.state).toMatchObject({ position: { node: 'desk' }, knowledge: { variables: {} } });
      expect(call.told('tool:blocked')).toEqual([{ function: name, reason: 'not-in-node' }]);
      expect(call.outcome).toEqual(['reply desk']);
    },
  );

  test('is not intended before it runs either', () => {
    const call = atTheDesk();
    call.called({ name: 'leave' });
    expect(call.outcome).toEqual([]);
    expect(call.told('tool:blocked')).toEqual([{ function: 'leave', reason: 'not-in-node' }]);
  });

  test('nor is one of a visit that is over', () => {
    const call = atTheDesk();
    const before = { node: call.state.position.node, visit: call.state.position.visit };
    call.batch([billing]);
    call.called({ name: 'find', at: before });
    expect(call.outcome).toEqual([]);
    expect(call.told('tool:blocked')).toEqual([{ function: 'find', reason: 'over' }]);
  });
});

test('slots and results are applied in the order of calling: the last one counts', () => {
  const call = atTheDesk();
  call.batch([
    { name: 'check', result: { n: 1 } },
    { name: 'check', result: { n: 2 } },
  ]);
  expect(call.state.knowledge.variables).toEqual({ checked: { n: 2 } });
});

test('an edge function keeps the arguments it declares, and no others', () => {
  const call = conversation(
    graphOf({
      initialNode: 'desk',
      slots: { size: { type: 'enum', values: ['small', 'large'] } },
      nodes: {
        desk: {
          taskMessages: [{ role: 'system', content: 'Help.' }],
          functions: [
            {
              name: 'go',
              transitionTo: 'bye',
              parameters: { type: 'object', properties: { size: { type: 'string' }, topic: { type: 'string' } } },
            },
          ],
        },
        bye: { say: 'Bye.', end: true },
      },
    }),
  );
  call.start();
  call.batch([{ name: 'go', arguments: { size: 'small', topic: 'shoes', visit: 'hacked' } }]);
  expect(call.known).toEqual({ size: 'small' });
  expect(call.state.knowledge.variables).toEqual({ topic: 'shoes' });
});
