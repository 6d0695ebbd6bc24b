import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/model/signals/signal.ts';
import { newSession } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import { clinic } from './clinic.ts';
import { conversation, graphOf, noon } from './session.ts';

const graph = graphOf(clinic, ['book_visit']);
const flow = { id: graph.name, hash: graph.hash };
const at = noon;

const signals: readonly Signal[] = [
  { type: 'session:resumed', at },
  { type: 'session:ended', at, reason: 'x' },
  { type: 'user:turn', at, eventId: 'e', text: 'yes', via: 'text' },
  { type: 'tool:called', at, key: 's/0/0', callId: 'c', name: 'book_visit', node: 'book', visit: 0, arguments: {} },
  { type: 'batch:settled', at, reply: null, text: '', calls: [] },
  { type: 'batch:settled', at, reply: 's/9/9', text: 'Hm.', calls: [] },
  { type: 'effect:settled', at, key: 's/1/0', state: 'done' },
  { type: 'speech:settled', at, key: 's/1/0', state: 'done', text: '', heard: '' },
  { type: 'reply:routed', at, to: 'order' },
  { type: 'reply:failed', at, key: 's/1/0', reason: 'x' },
  { type: 'node:requested', at, to: 'book' },
  { type: 'limit:reached', at, limit: 'time' },
  { type: 'flow:swapped', at, flow },
  { type: 'flow:called', at, flow, input: {} },
  { type: 'flow:returned', at },
];

test.each(signals)('$type before the start changes nothing and is reported', (signal) => {
  const state = newSession('s');
  const next = step(graph, state, signal);
  expect(next.state).toEqual(state);
  expect(next.effects).toEqual([]);
  expect(next.facts).toEqual([{ type: 'signal:ignored', data: { signal: signal.type, reason: 'not-started' } }]);
});

test('a second start changes nothing and is reported', () => {
  const call = conversation(graph);
  call.start();
  const { state } = call;
  call.start();
  expect(call.state).toEqual(state);
  expect(call.told('signal:ignored')).toEqual([{ signal: 'session:started', reason: 'already-started' }]);
});

test.each(signals.filter(({ type }) => type !== 'session:resumed'))(
  '$type after the end says and moves nothing',
  (signal) => {
    const call = conversation(graph);
    call.start();
    call.end();
    const before = call.state;
    call.send(signal);
    expect(call.outcome).toEqual([]);
    expect({ ...call.state, turn: { ...call.state.turn, failures: before.turn.failures } }).toEqual(before);
  },
);

describe('keys that are not open', () => {
  test.each(['s/1/0', 's/99/99', '', '__proto__', 'constructor', 'toString', 's/1/1e99'])(
    '%j settles nothing',
    (key) => {
      const call = conversation(graph);
      call.start();
      call.heard('s/1/0', 'Hi.');
      const { state } = call;
      call.settleEffect(key, 'done', { a: 1 });
      expect(call.state).toEqual(state);
      call.heard(key, 'Hi.');
      expect(call.state).toEqual(state);
      call.send({ type: 'reply:failed', at, key, reason: 'x' });
      expect(call.state).toEqual(state);
    },
  );

  test('a settled reply, call or question is not settled as an effect', () => {
    const call = conversation(graph);
    call.start();
    const reply = call.turn('hello')[0]?.key ?? '';
    call.settleEffect(reply);
    expect(call.state.effects).toHaveProperty(reply);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'effect:settled', reason: 'unknown-effect' }]);
  });

  test('a batch is not taken for the reply to a line', () => {
    const call = conversation(graph);
    const line = call.start()[0]?.key ?? '';
    call.batch([{ name: 'start' }], '', { reply: line });
    expect(call.state.effects).toHaveProperty(line);
    expect(call.state.position.node).toBe('greet');
  });
});

test('the key of a call that the host minted is never minted again', () => {
  const call = conversation(graph);
  call.start();
  call.turn('hello');
  call.batch([{ name: 'record', key: 's/2/7', arguments: { full_name: 'Maria Delgado' } }, { name: 'start' }]);
  expect(call.effects.map(({ key }) => key)).toEqual(['s/2/8']);
});

test('a node that the graph does not have leaves the caller not in silence', () => {
  const call = conversation(graph);
  call.start();
  const lost = step(
    graph,
    { ...call.state, position: { ...call.state.position, node: 'gone' } },
    { type: 'user:turn', at, eventId: 'e', text: 'hi', via: 'text' },
  );
  expect(lost.facts).toContainEqual({ type: 'flow:stuck', data: { reason: 'unknown-node' } });
  expect(lost.effects).toEqual([expect.objectContaining({ kind: 'say' })]);
});

test.each([Number.NaN, Infinity, -Infinity, 9e15, -9e15])(
  'a moment that no calendar has (%d) still is one',
  (moment) => {
    const call = conversation(graph);
    call.start();
    call.turn('hello');
    const calls = [
      {
        key: 's/2/1',
        callId: 'c',
        name: 'record',
        node: 'greet',
        visit: 1,
        arguments: { birth_date: '1984-03-04' },
        state: 'done' as const,
      },
    ];
    expect(() => call.send({ type: 'batch:settled', at: moment, reply: 's/2/0', text: '', calls })).not.toThrow();
  },
);

test('today is the day that the signal tells, whatever the zone is, and that of UTC where it tells none', () => {
  const late = Date.UTC(2026, 10, 21, 23, 30);
  const filled = (timeZone: string, told: Pick<Signal, 'civil'>): unknown => {
    const next = step(graph, newSession('s'), {
      type: 'session:started',
      at: late,
      sessionId: 's',
      flow,
      input: {},
      timeZone,
    });
    const calls = [
      {
        key: 's/1/1',
        callId: 'c',
        name: 'record',
        node: 'greet',
        visit: 1,
        arguments: { birth_date: '2026-11-21' },
        state: 'done' as const,
      },
    ];
    const batch = { type: 'batch:settled', at: late, ...told, reply: null, text: '', calls } as const;
    return step(graph, next.state, batch).state.knowledge.slots['birth_date']?.value;
  };
  expect(filled('America/New_York', { civil: '2026-11-22T08:30' })).toBe('2026-11-21');
  expect(filled('Asia/Tokyo', { civil: '2026-11-21T18:30' })).toBeUndefined();
  expect(filled('Asia/Tokyo', {})).toBeUndefined();
});
