import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf, noon } from './session.ts';

const end = { say: 'Bye.', end: true } as const;

const visit: ConversationFlow = {
  initialNode: 'when',
  slots: {
    day: { type: 'date', ask: 'Which day?' },
    at: { type: 'time', ask: 'What time?' },
  },
  nodes: {
    when: { collect: ['day', 'at'], defaultTransition: 'booked' },
    booked: { say: 'Booked.', end: 'booked' },
    closed: { say: 'We are closed then.', end: 'closed' },
  },
  edges: [{ from: 'when', to: 'closed', when: { not: { less: { var: 'at', value: '14:30' } } } }],
};

describe('an edge', () => {
  test('does not jump over a question by denying what nobody has answered', () => {
    const call = conversation(graphOf(visit));
    call.start();
    expect(call.state.position.node).toBe('when');
    expect(call.outcome).toEqual(['say: Which day?']);
  });

  test('fires as soon as what it denies is known', () => {
    const call = conversation(graphOf(visit));
    call.start();
    call.turn('at four');
    call.batch([{ name: 'record', arguments: { at: '16:00' } }]);
    expect(call.state.position.node).toBe('closed');
  });

  test('fires on true alone where a catalog node decides', () => {
    const call = conversation(
      graphOf({
        initialNode: 'gate',
        slots: { member: { type: 'boolean', optional: true } },
        nodes: {
          gate: { type: 'control.noop', defaultTransition: 'ask' },
          ask: end,
          guest: end,
        },
        edges: [{ from: 'gate', to: 'guest', when: { notEquals: { var: 'member', value: true } } }],
      }),
    );
    call.start();
    expect(call.state.position.node).toBe('ask');
  });

  test('a switch takes no case, and an if does not hold, by what is unknown', () => {
    const decided = (type: string, input: Record<string, unknown>): unknown => {
      const call = conversation(
        graphOf({
          initialNode: 'gate',
          state: { level: null },
          nodes: { gate: { type, input, defaultTransition: 'bye' }, bye: end },
        }),
      );
      call.start();
      return call.state.knowledge.outputs['gate'];
    };
    const denied = { not: { equals: { var: 'level', value: 3 } } };
    expect(decided('control.switch', { cases: [{ when: denied, route: 'low' }] })).toMatchObject({ route: 'default' });
    expect(decided('control.if', { condition: denied })).toEqual({ condition: false });
  });
});

describe('a condition', () => {
  const decide = (
    when: NonNullable<ConversationFlow['edges']>[number]['when'],
    timeZone = 'UTC',
    at = noon,
  ): string => {
    const graph = graphOf({
      initialNode: 'gate',
      state: { basket: ['one', 'two'], arrive: '2026-11-23' },
      nodes: { gate: { type: 'control.noop', defaultTransition: 'no' }, yes: end, no: end },
      edges: [{ from: 'gate', to: 'yes', ...(when === undefined ? {} : { when }) }],
    });
    const call = conversation(graph);
    call.send({
      ...{ type: 'session:started', at, sessionId: 's', input: {}, timeZone },
      flow: { id: graph.name, hash: graph.hash },
    });
    return call.state.position.node;
  };

  test('knows what time it is from the signal, in the time zone of the session', () => {
    expect(decide({ less: { var: 'now', value: '12:30' } })).toBe('yes');
    expect(decide({ less: { var: 'now', value: '12:30' } }, 'Europe/Berlin')).toBe('no');
    expect(decide({ equals: { weekday: 'now', value: 'saturday' } })).toBe('yes');
    expect(decide({ equals: { weekday: 'now', value: 'sunday' } }, 'Pacific/Auckland')).toBe('yes');
    expect(decide({ equals: { daysBetween: ['today', 'arrive'], value: 2 } })).toBe('yes');
  });

  test('counts lists', () => {
    expect(decide({ atLeast: { count: 'basket', value: 2 } })).toBe('yes');
    expect(decide({ atLeast: { count: 'basket', value: 3 } })).toBe('no');
  });
});

test('a node that adds to its own output counts its visits', () => {
  const call = conversation(
    graphOf({
      initialNode: 'ask',
      nodes: {
        ask: {
          say: 'Shall we start?',
          functions: [{ name: 'again', description: 'The caller is not ready.', transitionTo: 'tries' }],
        },
        tries: {
          type: 'data.reduce',
          input: { list: ['{{ tries.value }}', 1] },
          defaultTransition: 'ask',
        },
        bye: end,
      },
      edges: [{ from: 'tries', to: 'bye', when: { atLeast: { var: 'tries.value', value: 3 } } }],
    }),
  );
  call.start();
  const nodes = [1, 2, 3].map(() => {
    call.turn('not yet');
    call.batch([{ name: 'again' }]);
    return call.state.position.node;
  });
  expect(nodes).toEqual(['ask', 'ask', 'bye']);
});

test('an edge leads on once a question was left unanswered so many times', () => {
  const call = conversation(
    graphOf({
      initialNode: 'ask',
      slots: { day: { type: 'date', ask: 'Which day?' } },
      nodes: {
        ask: { collect: ['day'], defaultTransition: 'bye' },
        desk: { say: 'One moment.', end: 'desk' },
        bye: end,
      },
      edges: [{ from: 'ask', to: 'desk', when: { atLeast: { var: 'attempts.ask', value: 2 } } }],
    }),
  );
  call.start();
  expect(call.state.position.node).toBe('ask');
  const nodes = ['hmm', 'well', 'hm'].map((words) => {
    call.turn(words);
    call.batch([]);
    return call.state.position.node;
  });
  expect(nodes).toEqual(['ask', 'ask', 'desk']);
});
