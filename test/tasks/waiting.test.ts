import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/events/json.ts';
import type { OutsideSignal } from '../../src/events/inbox.ts';
import { createFlowRun } from '../../src/runner/create-flow-run.ts';
import { newPlace, sessionId } from './durable-rig.ts';

/** A refund that somebody decides about: nothing of it runs meanwhile. */
const refund = (more: JsonObject = {}) => ({
  flow: { name: 'refund', input: { amount: { type: 'number' as const } } },
  nodes: [
    {
      id: 'ask',
      type: 'interrupt.escalate',
      input: { to: 'refunds', question: 'Refund {{ flow.input.amount }}?', ...more },
    },
    { id: 'tell', type: 'data.template', input: { template: 'It is: {{ ask.decision }}.' } },
  ],
  edges: [{ from: 'ask', to: 'tell' }],
});

function waiting(more: JsonObject = {}) {
  const place = newPlace();
  const run = async (input?: JsonObject) => await place.run(refund(more), input === undefined ? {} : { input });
  const post = async (key: string, signal: OutsideSignal) =>
    await place.store.post([
      { key, sessionId, dueAt: place.clock.now(), signal, reach: 'wait', correlation: {}, actor: null },
    ]);
  return { place, run, post };
}

test('a run whose tasks all wait is let go of, and goes on in another process once somebody has decided', async () => {
  const { place, run, post } = waiting();
  const first = await run({ amount: 120 });
  expect([first?.status, first?.outputs]).toEqual(['waiting', {}]);
  const [open] = await place.store.openEffects({ kind: 'wait', limit: 10 });
  expect(open?.effect).toMatchObject({
    payload: { to: 'refunds', question: 'Refund 120?', options: ['approve', 'reject'] },
  });
  expect(await place.store.openEffects({ kind: 'message', limit: 10 })).toHaveLength(1);
  const key = open?.effect.key ?? '';
  // Nothing has come yet.
  expect((await run())?.status).toBe('waiting');
  await post('link-1', { type: 'wait:resolved', key, resolution: { decision: 'approve' } });
  await post('sent-1', { type: 'effect:settled', key: `${key}/notify`, state: 'done' });
  const last = await run();
  expect([last?.status, last?.outputs]).toMatchObject([
    'complete',
    { ask: { decision: 'approve' }, tell: { text: 'It is: approve.' } },
  ]);
  expect(await place.store.listEntries({ limit: 10 })).toEqual([]);
  expect((await place.store.loadEffects(sessionId)).filter(({ state }) => state === 'intended')).toEqual([]);
});

test('without a store nothing could go on with it, so the task fails and says so', async () => {
  const run = createFlowRun(refund(), { input: { amount: 120 } });
  expect(await run.run()).toMatchObject({ status: 'failed', failures: [{ taskId: 'ask', code: 'wait-unkept' }] });
});

test('what does not fit is kept for a person to see, and the run waits on', async () => {
  const { place, run, post } = waiting();
  await run({ amount: 120 });
  const [open] = await place.store.openEffects({ kind: 'wait', limit: 10 });
  await post('odd', { type: 'wait:resolved', key: open?.effect.key ?? '', resolution: { decision: 'maybe' } });
  expect((await run())?.status).toBe('waiting');
  expect(await place.store.listEntries({ state: 'dead', limit: 10 })).toMatchObject([{ reason: 'unfit' }]);
});

test('where nobody answers in time a default is taken, or the task fails for good', async () => {
  // oxlint-disable unicorn/no-thenable -- keys of documents, which are no promises
  const steps = [
    { after: '1m', then: 'remind' },
    { after: '2m', then: 'answer', answer: 'reject' },
  ];
  const byDefault = waiting({ deadline: steps });
  const failing = waiting({ deadline: { after: '3m', then: 'end' } });
  // oxlint-enable unicorn/no-thenable
  for (const { place, run } of [byDefault, failing]) {
    await run({ amount: 120 });
    await place.clock.advance(179_000);
    expect((await run())?.status).toBe('waiting');
    await place.clock.advance(2_000);
  }
  expect((await byDefault.run())?.outputs).toMatchObject({ tell: { text: 'It is: reject.' } });
  expect(await failing.run()).toMatchObject({ status: 'failed', failures: [{ taskId: 'ask', code: 'wait-expired' }] });
});
