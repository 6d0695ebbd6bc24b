import { expect, test } from 'vitest';
import type { Effect } from '../../src/model/effect.ts';
import { newSession, type SessionState } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import { clinic } from './clinic.ts';
import { conversation, graphOf } from './session.ts';

const graph = graphOf(clinic, ['book_visit']);

test('a whole intake with a booking and a crash is eleven transactions and four model requests', () => {
  const call = conversation(graph);
  const intended: Effect[] = [];
  let transactions = 0;

  /** Returns the effects of a step with their keys; counts the step as a transaction. */
  const asked = (effects: readonly Effect[]): string[] => {
    transactions += 1;
    return uncounted(effects);
  };
  const uncounted = (effects: readonly Effect[]): string[] => {
    intended.push(...effects);
    expect(JSON.parse(JSON.stringify(call.state))).toEqual(call.state);
    return effects.map((effect, index) => `${effect.key} ${call.outcome[index]}`);
  };

  // 1: the caller joins.
  expect(asked(call.start())).toEqual(['s/1/0 say: Hi, this is Harbour Clinic. Shall we start?']);

  // 2: "yes, I'm Maria Delgado and my tooth hurts"
  expect(asked(call.turn("yes, I'm Maria Delgado and my tooth hurts", 'ev7'))).toEqual(['s/2/0 reply greet']);

  // 3: several facts in one sentence, in a node that does not ask for them; two parallel calls, one of which moves.
  const facts = { full_name: 'Maria Delgado', reason: 'my tooth hurts' };
  expect(asked(call.batch([{ name: 'record', arguments: facts }, { name: 'start' }]))).toEqual([
    's/2/3 wait: Maria Delgado, is that right?',
  ]);
  expect(call.state.position.node).toBe('details');
  expect(call.state.knowledge.slots).toMatchObject({
    full_name: { value: 'Maria Delgado', confirmed: false },
    reason: { value: 'pain', confirmed: true },
  });

  // 4: the caller interrupts; the heard part of the question arrives after the answer.
  expect(asked(call.turn('yes', 'ev9'))).toEqual(['s/3/0 say: And your date of birth?']);
  expect(uncounted(call.heard('s/2/3', 'Maria Del', 'cancelled'))).toEqual([]);
  expect(call.state.knowledge.slots['full_name']).toMatchObject({ value: 'Maria Delgado', confirmed: true });

  // 5: "March third, no wait, the fourth, 1984"
  expect(asked(call.turn('March third, no wait, the fourth, 1984', 'ev11'))).toEqual(['s/4/0 reply details']);

  // 6: complete, so the default leads to a node that runs at once, which leads on: two hops in one transaction.
  expect(asked(call.batch([{ name: 'record', arguments: { birth_date: '1984-03-04' } }]))).toEqual([
    's/4/2 say: One moment.',
    's/4/3 reply book',
  ]);
  expect(call.moves).toEqual(['details -> triage by default', 'triage -> book by edge']);
  expect(call.state.knowledge.outputs).toEqual({ triage: { route: 'urgent', value: 'pain' } });
  expect(uncounted(call.heard('s/4/2', 'One moment.'))).toEqual([]);

  // 7: "Tuesday at ten"
  expect(asked(call.batch([], 'When would suit you?'))).toEqual([]);
  transactions -= 1; // An empty batch that moves nothing changes nothing that a store must keep.
  expect(asked(call.turn('Tuesday at ten', 'ev13'))).toEqual(['s/5/0 reply book']);
  const booking = { name: 'book_visit', arguments: { time: 'Tuesday at ten' } };
  expect(asked(call.batch([{ ...booking, state: 'waiting' }]))).toEqual(['s/5/2 wait: Shall I book Tuesday at ten?']);

  // 8: "yes please": the write is intended, under its idempotency key, before it runs.
  expect(asked(call.turn('yes please', 'ev15'))).toEqual(['s/6/0 tool book_visit']);
  expect(call.state.effects['s/6/0']).toMatchObject({ kind: 'tool', payload: { write: true, confirmed: true } });

  // 9 and 10: the process is killed while the tool runs, and another takes over: the same call under the same key.
  expect(asked(call.resume())).toEqual(['s/7/0 say: Sorry, I was gone for a moment.', 's/6/0 tool book_visit']);

  // 11: the result leads on, and the next line is made from it.
  const result = { ok: true, time: 'Tuesday 10:00' };
  expect(asked(call.settleTool('s/6/0', { result }))).toEqual([
    's/7/1 say: You are booked for Tuesday 10:00.',
    's/7/2 end booked',
  ]);
  expect(call.state.position.node).toBe('done');
  uncounted(call.settleEffect('s/7/2'));
  expect(call.state.status).toBe('ended');

  expect(transactions).toBe(11);
  expect(intended.filter((effect) => effect.kind === 'reply')).toHaveLength(4);

  let folded: SessionState = newSession('s');
  for (const signal of call.log) folded = step(graph, folded, signal).state;
  expect(folded).toEqual(call.state);
});
