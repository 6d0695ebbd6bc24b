import { expect, test } from 'vitest';
import { hitlOf } from '../../src/kernel/wait/hitl.ts';
import { viewOf, wholePrompt } from '../../src/kernel/state/view.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const actor = { id: 'ada', name: 'Ada' };

function talking() {
  const call = conversation(
    graphOf({
      initialNode: 'ask',
      slots: { day: { type: 'date', ask: 'Which day?' } },
      nodes: {
        ask: { collect: ['day'], defaultTransition: 'done' },
        done: { say: 'Booked.', end: 'booked' },
        other: { say: 'Anything else?', functions: [{ name: 'bye', transitionTo: 'done' }] },
      },
    }),
  );
  call.start();
  const take = () => call.send({ type: 'takeover:started', at: noon, actor });
  const giveBack = (more: { node?: string; note?: string } = {}) =>
    call.send({ type: 'takeover:ended', at: noon, actor, ...more });
  return { call, take, giveBack };
}

test('while a person talks to the caller the agent is silent, and keeps what the caller says for nobody', () => {
  const { call, take } = talking();
  call.turn('next week');
  take();
  expect(hitlOf(call.state).hitlState).toBe('live_takeover');
  expect(call.told('effect:settled')).toContainEqual(expect.objectContaining({ kind: 'reply', state: 'cancelled' }));
  call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }]);
  expect([call.outcome, call.state.status]).toEqual([[], 'active']);
  call.turn('Can I speak freely?');
  expect([call.outcome, call.told('turn:decided')]).toEqual([[], [{ action: 'hold', by: 'takeover' }]]);
  call.silence();
  expect([call.outcome, call.told('signal:ignored')]).toEqual([[], [{ signal: 'silence:elapsed', reason: 'stale' }]]);
});

test('a takeover belongs to what a person was asked, or is an escalation of its own', () => {
  const { call, take, giveBack } = talking();
  take();
  expect(hitlOf(call.state)).toEqual({ hitlState: 'live_takeover', escalationId: 's/2/takeover' });
  giveBack();
  expect(call.told('takeover:ended')).toEqual([{ actor: 'ada', escalationId: 's/2/takeover' }]);
  expect(hitlOf(call.state)).toEqual({ hitlState: 'none' });

  const asked = conversation(
    graphOf({
      initialNode: 'approve',
      nodes: {
        approve: {
          type: 'interrupt.escalate',
          input: { to: 'desk', question: 'Do it?', options: ['yes'] },
          defaultTransition: 'done',
        },
        done: { end: 'done' },
      },
    }),
  );
  asked.start();
  const { escalationId } = hitlOf(asked.state);
  asked.send({ type: 'takeover:started', at: noon, actor });
  expect(hitlOf(asked.state)).toEqual({ hitlState: 'live_takeover', escalationId });
});

test('what a person says to the caller is kept while they have the word, and said by nobody', () => {
  const { call, take } = talking();
  const hear = () => call.send({ type: 'takeover:heard', at: noon, text: 'I will pay it back.', actor });
  hear();
  expect(call.told('signal:ignored')).toEqual([{ signal: 'takeover:heard', reason: 'stale' }]);
  take();
  hear();
  expect([call.outcome, call.told('takeover:heard')]).toEqual([[], [{ actor: 'ada' }]]);
});

test("a person's typed words are said by the agent's voice, and only while they have the word", () => {
  const { call, take, giveBack } = talking();
  const say = () => call.send({ type: 'takeover:said', at: noon, text: 'This is Ada.', actor });
  say();
  expect(call.told('signal:ignored')).toEqual([{ signal: 'takeover:said', reason: 'stale' }]);
  take();
  say();
  expect(call.outcome).toEqual(['say: This is Ada.']);
  giveBack();
  expect(call.outcome).toEqual(['say: Which day?']);
});

test("a call that ends meanwhile is nobody's any more", () => {
  const { call, take } = talking();
  take();
  call.end();
  expect([call.state.status, hitlOf(call.state).hitlState]).toEqual(['ended', 'none']);
});

test('afterwards the flow goes on where the person says, and the model knows what they have noted', () => {
  const { call, take, giveBack } = talking();
  take();
  giveBack({ node: 'other', note: 'She wants the refund by Friday.' });
  expect([call.moves, call.outcome]).toEqual([['ask -> other by requested'], ['say: Anything else?']]);
  expect(wholePrompt(viewOf(call.graph, call.state, noonCivil))).toContain('She wants the refund by Friday.');
  expect(hitlOf(call.state).hitlState).toBe('none');
});

test('where code moves the conversation meanwhile it goes afterwards, unless the person says otherwise', () => {
  for (const [said, moved] of [
    [undefined, 'other'],
    ['done', 'done'],
  ] as const) {
    const { call, take, giveBack } = talking();
    take();
    call.send({ type: 'node:requested', at: noon, to: 'other' });
    expect([call.moves, call.outcome, call.state.position.node]).toEqual([[], [], 'ask']);
    giveBack(said === undefined ? {} : { node: said });
    expect(call.moves).toEqual([`ask -> ${moved} by requested`]);
  }
});
