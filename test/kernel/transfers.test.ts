import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { TransferDocument } from '../../src/flow/document/people/transfer.ts';
import type { TransferPayload } from '../../src/model/transfer.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { openOfKind, waitingIn } from '../../src/kernel/state/draft.ts';
import { conversation, graphOf, noon } from './session.ts';

const warm: TransferDocument = {
  to: '{{ office }}',
  mode: 'warm',
  say: 'I am putting you through to the pharmacist.',
  brief: 'A caller asks about order {{ order }}.',
  ringMs: 20_000,
  on: { busy: 'call_back', noAnswer: 'call_back' },
};

/** A pharmacy that puts callers through once it knows their order. */
const pharmacy = (transfer: TransferDocument = warm): ConversationFlow => ({
  initialNode: 'ask',
  slots: { order: { type: 'text', ask: 'Which order?' } },
  state: { office: '+49 30 1234' },
  functions: [
    { name: 'hours', transitionTo: 'hours', digression: true },
    {
      name: 'front_desk',
      description: 'The caller wants the front desk.',
      transfer: { to: '+49 30 1', say: 'One moment.' },
    },
  ],
  nodes: {
    ask: { collect: ['order'], defaultTransition: 'pharmacist' },
    pharmacist: {
      transfer,
      functions: [{ name: 'never_mind', transitionTo: 'bye' }],
      defaultTransition: 'sorry',
    },
    hours: { say: 'We are open until six.', defaultTransition: '$return' },
    call_back: { say: 'They will call you back.', end: 'called-back' },
    sorry: { say: 'I am sorry, nobody is there.', end: 'not-reached' },
    after: { say: 'Is there anything else?', functions: [{ name: 'never_mind', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
});

function transferring(transfer?: TransferDocument) {
  const call = conversation(graphOf(pharmacy(transfer)));
  call.start();
  call.turn('order 7');
  call.batch([{ name: 'record', arguments: { order: '7' } }]);
  const attempt = (): TransferPayload | undefined => openOfKind(call.state, 'transfer')?.payload;
  const end = (resolution: JsonObject, key = attempt()?.wait ?? '') =>
    call.send({ type: 'wait:resolved', at: noon, key, resolution, actor: null });
  const leaves = () => call.send({ type: 'takeover:ended', at: noon, actor: null });
  return { call, attempt, end, leaves };
}

describe('a transfer', () => {
  test('is one effect with the key of its wait, performed after its line', () => {
    const { call, attempt } = transferring();
    expect(call.outcome).toEqual([
      'wait: transfer',
      'say: I am putting you through to the pharmacist.',
      'transfer warm',
    ]);
    const [wait] = waitingIn(call.state);
    expect(attempt()).toEqual({
      wait: wait?.key,
      to: { kind: 'line', address: '+49 30 1234' },
      mode: 'warm',
      brief: { text: 'A caller asks about order 7.' },
      hold: 'music',
      ringMs: 20_000,
    });
    expect(call.told('transfer:started')).toEqual([{ key: wait?.key, to: 'line', mode: 'warm' }]);
  });

  test.each([
    ['busy', 'They will call you back.'],
    ['no_answer', 'They will call you back.'],
    ['refused', 'I am sorry, nobody is there.'],
    ['voicemail', 'I am sorry, nobody is there.'],
    ['failed', 'I am sorry, nobody is there.'],
  ])('that ends as %s goes on at the node of that outcome, else at default_transition', (outcome, line) => {
    const { call, end, attempt } = transferring();
    const key = attempt()?.wait;
    end({ decision: outcome });
    expect(call.outcome[0]).toBe(`say: ${line}`);
    expect(call.told('transfer:ended')).toEqual([{ key, outcome }]);
    expect([attempt(), waitingIn(call.state)]).toEqual([undefined, []]);
    expect(call.state.knowledge.outputs['pharmacist']).toEqual({ outcome });
  });

  test('that is answered elsewhere ends the conversation', () => {
    const { call, end } = transferring({ to: '+49 30 1234' });
    end({ decision: 'answered' });
    expect(call.outcome).toEqual(['end transferred']);
  });

  test('counts once: a later outcome changes nothing', () => {
    const { call, end, attempt } = transferring();
    const key = attempt()?.wait ?? '';
    end({ decision: 'busy' });
    const before = call.state;
    end({ decision: 'answered', participant: 'transfer-1' }, key);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:resolved', reason: 'wait-over' }]);
    expect(call.state).toEqual(before);
  });

  test('without an outcome in time counts as not answered', () => {
    const { call, attempt } = transferring();
    call.send({ type: 'wait:expired', at: noon + 60_000, key: attempt()?.wait ?? '' });
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:expired', reason: 'not-due' }]);
    call.send({ type: 'wait:expired', at: noon + 110_000, key: attempt()?.wait ?? '' });
    expect(call.told('transfer:ended')).toMatchObject([{ outcome: 'no_answer' }]);
    expect(call.outcome[0]).toBe('say: They will call you back.');
  });

  test('is cancelled when the caller wants something else', () => {
    const { call, attempt } = transferring();
    call.turn('Oh, never mind.');
    call.batch([{ name: 'never_mind' }]);
    expect(call.outcome).toEqual(['say: Goodbye.', 'end done']);
    expect(call.told('wait:cancelled')).toMatchObject([{ wait: 'transfer', reason: 'left' }]);
    expect(attempt()).toBeUndefined();
  });

  test('is requested again by the process that resumes the call, under the same key', () => {
    const { call, attempt } = transferring();
    const before = attempt();
    const requested = call.send({ type: 'session:resumed', at: noon });
    expect(requested.filter(({ kind }) => kind === 'transfer').map(({ payload }) => payload)).toEqual([before]);
    expect(waitingIn(call.state)).toHaveLength(1);
  });

  test('is not begun without a listener', () => {
    const { call } = transferring();
    const requested = call.send({ type: 'session:resumed', at: noon, silent: true });
    expect(requested.map(({ kind }) => kind)).not.toContain('transfer');
  });
});

describe('a person who is connected with the caller', () => {
  test('talks to them alone, and the flow goes on when that person leaves', () => {
    const { call, end, leaves } = transferring({ ...warm, on: { answered: 'after' } });
    end({ decision: 'answered', participant: 'transfer-1' });
    expect(call.outcome).toEqual([]);
    expect(call.state.people.takeover).toEqual({
      actor: null,
      escalationId: expect.any(String),
      participant: 'transfer-1',
    });
    call.turn('Can I take two of them?');
    expect([call.outcome, call.told('turn:decided')]).toEqual([[], [{ action: 'hold', by: 'takeover' }]]);
    call.send({ type: 'session:resumed', at: noon });
    expect(call.outcome).toEqual([]);
    leaves();
    expect(call.outcome).toEqual(['say: Is there anything else?']);
  });

  test('ends the conversation by leaving if no node is named', () => {
    const { call, end, leaves } = transferring();
    end({ decision: 'answered', participant: 'transfer-1' });
    leaves();
    expect(call.outcome).toEqual(['end transferred']);
  });
});

describe('a transfer of a function', () => {
  test('returns to the question that was open if nobody is reached', () => {
    const call = conversation(graphOf(pharmacy()));
    call.start();
    call.turn('The front desk, please.');
    call.batch([{ name: 'front_desk' }]);
    expect(call.outcome.slice(0, 2)).toEqual(['wait: transfer', 'say: One moment.']);
    const key = openOfKind(call.state, 'transfer')?.payload.wait ?? '';
    call.send({ type: 'wait:resolved', at: noon, key, resolution: { decision: 'busy' }, actor: null });
    expect(call.outcome).toEqual(['say: I could not reach anybody there.', 'say: Which order?']);
    expect(call.state.position.node).toBe('ask');
  });
});

describe('a transfer to a queue', () => {
  const queue: TransferDocument = {
    to: { queue: 'pharmacists' },
    brief: 'Order {{ order }}.',
    on: { answered: 'after' },
  };

  test('notifies its people and is answered by the person who takes the call over', () => {
    const { call, leaves } = transferring(queue);
    expect(call.outcome).toContain('message pharmacists: Order 7.');
    expect(openOfKind(call.state, 'transfer')).toBeUndefined();
    call.send({ type: 'takeover:started', at: noon, actor: { id: 'ada' }, participant: 'desk-1' });
    expect(call.told('transfer:ended')).toMatchObject([{ outcome: 'answered' }]);
    expect(waitingIn(call.state)).toEqual([]);
    leaves();
    expect(call.outcome).toEqual(['say: Is there anything else?']);
  });

  test('is refused by a decision', () => {
    const { call, end } = transferring(queue);
    end({ decision: 'refused' }, waitingIn(call.state)[0]?.key);
    expect(call.outcome[0]).toBe('say: I am sorry, nobody is there.');
  });
});

test('a transfer to a flow hands the conversation over, or fails if there is no such flow', () => {
  const { call } = transferring({ to: { flow: 'billing' }, say: 'One moment.' });
  expect(call.outcome).toEqual(['say: One moment.', 'handoff billing']);
  const key = openOfKind(call.state, 'handoff')?.key ?? '';
  call.send({ type: 'effect:settled', at: noon, key, state: 'failed', error: 'flow-unknown' });
  expect(call.outcome[0]).toBe('say: I am sorry, nobody is there.');
});
