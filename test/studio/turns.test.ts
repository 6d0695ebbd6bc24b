import { expect, test } from 'vitest';
import type { Event } from '../../src/model/events/event.ts';
import type { TurnTrace } from '../../src/model/events/turn-trace.ts';
import { createTurns } from '../../src/studio/sessions/turns.ts';

const trace: TurnTrace = {
  ...{
    inferences: 2,
    transitions: 1,
    startedAt: 1_000,
    ms: 900,
    via: 'text',
    outcome: 'answered',
    nodes: ['ask', 'warm'],
  },
  moments: { taken: 5, requested: 10, firstToken: 300, heard: 900 },
  spans: [
    { name: 'flow.step', at: 5, ms: 1, signal: 'user:turn', node: 'ask' },
    { name: 'chat', at: 10, ms: 400, use: 'reply', model: 'm', provider: 'p' },
    { name: 'chat', at: 420, ms: 300, use: 'reply', model: 'm', provider: 'p' },
  ],
  ...{ tokens: { input: 10, output: 5, cached: 0 }, cost: 0.0125, interruptions: 0 },
};

function completed(data: TurnTrace, time: number, seq: number): Event {
  return { type: 'turn:completed', data, time, seq, id: `e${seq}`, sessionId: 's', requestId: 'r', nodeId: 'warm' };
}

function started(time: number, seq: number): Event {
  const data = { eventId: 'e', via: 'text' };
  return { type: 'turn:started', data, time, seq, id: `e${seq}`, sessionId: 's', requestId: 'r', nodeId: 'ask' };
}

test('a running turn shows its requests, and a completed turn its trace with the cost', () => {
  const turns = createTurns();
  turns.told(started(1_005, 1));
  turns.asked({ id: 'one', at: 1_011 });
  turns.asked({ id: 'one', at: 1_011 });
  expect(turns.changed()).toMatchObject([
    { index: 1, node: 'ask', trace: null, requests: [{ id: 'one', span: null }] },
  ]);
  turns.asked({ id: 'two', at: 1_421 });
  turns.told(completed(trace, 1_900, 2));
  expect(turns.changed()).toMatchObject([
    {
      ...{ index: 1, from: 1_000, node: 'warm', trace },
      requests: [
        { id: 'one', span: 1 },
        { id: 'two', span: 2 },
      ],
    },
  ]);
  expect(turns.changed()).toEqual([]);
});

test('a request belongs to the span it was made in, even on a slow machine', () => {
  const turns = createTurns();
  turns.told(started(1_005, 1));
  turns.asked({ id: 'one', at: 1_390 });
  turns.asked({ id: 'two', at: 1_719 });
  turns.told(completed(trace, 1_900, 2));
  const requests = (): unknown => turns.turns.at(-1)?.requests;
  expect(requests()).toEqual([
    { id: 'one', span: 1 },
    { id: 'two', span: 2 },
  ]);
  // The first never reached the model.
  turns.asked({ id: 'three', at: 9_450 });
  turns.told(completed({ ...trace, startedAt: 9_000 }, 9_900, 3));
  expect(requests()).toEqual([{ id: 'three', span: 2 }]);
});

test('work after a turn without new words of the caller is a separate turn', () => {
  const turns = createTurns();
  turns.told(started(1_005, 1));
  turns.told(completed(trace, 1_900, 2));
  turns.told(completed({ ...trace, startedAt: 9_000, via: 'event' }, 9_900, 3));
  expect(turns.turns.map(({ index, from }) => [index, from])).toEqual([
    [1, 1_000],
    [2, 9_000],
  ]);
  expect(new Set(turns.turns.map(({ turnId }) => turnId)).size).toBe(2);
});

test('the page’s own recognition results are shown beside the trace, not in it', () => {
  const turns = createTurns();
  turns.told(started(1_005, 1));
  turns.told(completed(trace, 1_900, 2));
  turns.heardInPage({ name: 'speech.first_audio', at: 1_340 });
  expect(turns.turns[0]).toMatchObject({ trace, inPage: [{ name: 'speech.first_audio', at: 1_340 }] });
});

test('the counts of a turn from an older release are shown', () => {
  const turns = createTurns();
  const counts = { inferences: 2, transitions: 1 } as TurnTrace; // As that release wrote it.
  turns.told(completed(counts, 1_900, 1));
  expect(turns.turns).toMatchObject([{ trace: null, kept: { inferences: 2, transitions: 1 } }]);
});
