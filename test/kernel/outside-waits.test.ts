import { describe, expect, test } from 'vitest';
import type { Waiting } from '../../src/model/effect.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { waitingIn } from '../../src/kernel/state/draft.ts';
import { correlationOf, hitlOf, hitlOfEffects } from '../../src/kernel/wait/hitl.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const minute = 60_000;

/** A deadline as a document writes it. */
// oxlint-disable-next-line unicorn/no-thenable -- a key of documents, not of a promise
const due = (when: JsonObject, act: string, more: JsonObject = {}): JsonObject => ({ ...when, then: act, ...more });

/** A refund that needs the decision of a person with authority. */
const refund = (input: JsonObject = {}): ConversationFlow => ({
  initialNode: 'details',
  slots: {
    order: { type: 'text', ask: 'Which order?' },
    amount: { type: 'number', ask: 'How much was it?' },
  },
  functions: [{ name: 'hours', transitionTo: 'hours', digression: true }],
  nodes: {
    details: { collect: ['order', 'amount'], defaultTransition: 'approve' },
    approve: {
      type: 'interrupt.escalate',
      input: {
        to: 'refunds',
        question: 'Refund {{ amount }} for order {{ order }}?',
        facts: { order: '{{ order }}', amount: '{{ amount }}' },
        say: 'Let me check that with my colleague.',
        meanwhile: { every: '15s', say: ['Still checking.', 'Nearly there.'], functions: ['order_status'] },
        ...input,
      },
    },
    hours: { say: 'We are open until six.', defaultTransition: '$return' },
    refund: { say: 'It is approved.', end: 'refunded' },
    sorry: { say: 'It was refused.', end: 'refused' },
    call_you_back: { say: 'We will call you back.', end: 'called-back' },
  },
  edges: [
    { from: 'approve', to: 'refund', when: { equals: { var: 'approve.decision', value: 'approve' } } },
    { from: 'approve', to: 'sorry' },
  ],
});

function waiting(input: JsonObject = {}) {
  const call = conversation(graphOf(refund(input), ['order_status']));
  call.start();
  call.turn('order 7, it was 120');
  call.batch([{ name: 'record', arguments: { order: '7', amount: 120 } }]);
  const open = (): Waiting => {
    const [wait] = waitingIn(call.state);
    if (wait === undefined) throw new Error('Nothing is waited for.');
    return wait;
  };
  const resolve = (resolution: JsonObject, key = open().key) =>
    call.send({ type: 'wait:resolved', at: noon, key, resolution, actor: { id: 'ada' } });
  const expire = (afterMs: number, key = open().key) => call.send({ type: 'wait:expired', at: noon + afterMs, key });
  return { call, open, resolve, expire };
}

describe('a decision of somebody with authority', () => {
  test('is asked for with its facts, and the caller is told', () => {
    const { call, open } = waiting();
    expect(call.outcome).toEqual([
      'wait: admin_resolution',
      'message refunds: Refund 120 for order 7?',
      'say: Let me check that with my colleague.',
    ]);
    const { key, payload } = open();
    expect(payload).toMatchObject({
      to: 'refunds',
      facts: { order: '7', amount: 120 },
      options: ['approve', 'reject'],
    });
    expect(payload.factsHash).toMatch(/^[0-9a-f]{64}$/);
    expect(hitlOf(call.state)).toEqual({ hitlState: 'pending_admin_resolution', escalationId: key });
  });

  test('ends the call at its deadline without speaking of a fault where the author says so', () => {
    // oxlint-disable-next-line unicorn/no-thenable -- a key of documents, not of a promise
    const { call, expire } = waiting({ deadline: { after: '2h', then: 'end' } });
    expire(2 * 3_600_000);
    expect(call.outcome[0]).toContain('cannot help you any further');
    expect(call.outcome[0]).not.toContain('went wrong');
    expect(call.outcome[1]).toMatch(/^end /);
  });

  test('leads where the edges say, and what is waited for and told is over', () => {
    const { call, resolve, open } = waiting();
    const { key } = open();
    resolve({ decision: 'approve' });
    expect(call.outcome).toEqual(['say: It is approved.', 'end refunded']);
    expect(call.told('effect:settled').map(({ kind, state }) => [kind, state])).toEqual([
      ['wait', 'done'],
      ['message', 'cancelled'],
    ]);
    expect(hitlOf(call.state)).toEqual({ hitlState: 'resolved', escalationId: key });
    expect(call.state.knowledge.outputs['approve']).toEqual({ decision: 'approve' });
  });

  test('counts once: what comes later finds the wait over and changes nothing', () => {
    const { call, resolve, expire, open } = waiting();
    const { key } = open();
    resolve({ decision: 'reject' });
    const before = call.state;
    resolve({ decision: 'approve' }, key);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:resolved', reason: 'wait-over' }]);
    expire(5 * minute, key);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:expired', reason: 'wait-over' }]);
    expect(call.state).toEqual(before);
  });

  test('that is none of the options changes nothing', () => {
    const { call, resolve } = waiting();
    const before = call.state;
    resolve({ decision: 'maybe' });
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:resolved', reason: 'unfit' }]);
    expect(call.state).toEqual(before);
  });
});

describe('while somebody is waited for', () => {
  test('the caller who asks is answered under the node, with its functions, and then asked to wait on', () => {
    const { call } = waiting();
    call.turn('How long will it take?');
    expect(call.outcome).toEqual(['reply approve']);
    call.batch([{ name: 'order_status', result: { left: 2 } }]);
    expect(call.outcome).toEqual(['reply approve']);
    call.batch([], 'Two minutes, I think.', { asks: false });
    expect(call.outcome).toEqual(['say: Still checking.']);
    expect(waitingIn(call.state)).toHaveLength(1);
  });

  test('the caller who is silent hears its lines in turn, and nothing is counted against them', () => {
    const { call } = waiting();
    const said = Array.from({ length: 12 }, () => {
      call.silence();
      return call.outcome;
    });
    expect(said.slice(0, 3)).toEqual([['say: Still checking.'], ['say: Nearly there.'], ['say: Still checking.']]);
    expect(call.state.status).toBe('active');
  });

  test('a digression is taken, and what was decided meanwhile counts once it is over', () => {
    const { call, resolve, open } = waiting();
    const { key } = open();
    call.turn('When do you close?');
    call.batch([{ name: 'hours' }]);
    expect(call.outcome).toEqual(['say: We are open until six.', 'say: Still checking.']);
    expect(open().key).toBe(key);
    resolve({ decision: 'approve' });
    expect(call.outcome).toEqual(['say: It is approved.', 'end refunded']);
  });

  test('facts that the caller corrects are asked about anew, and the old question is over', () => {
    const { call, resolve, open } = waiting();
    const { key, payload } = open();
    call.turn('Sorry, it was 150.');
    call.batch([{ name: 'record', arguments: { amount: 150 } }], 'I see.', { asks: false });
    expect(call.told('wait:cancelled')).toEqual([{ key, wait: 'admin_resolution', reason: 'facts-changed' }]);
    expect(open().payload).toMatchObject({ facts: { amount: 150 }, question: 'Refund 150 for order 7?' });
    expect(open().payload.factsHash).not.toBe(payload.factsHash);
    resolve({ decision: 'approve' }, key);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:resolved', reason: 'wait-over' }]);
    resolve({ decision: 'approve' });
    expect(call.outcome).toEqual(['say: It is approved.', 'end refunded']);
  });

  test('a new process says that it waits, and waits on', () => {
    const { call, open } = waiting();
    const { key } = open();
    call.resume();
    expect(call.outcome.slice(-1)).toEqual(['say: Still checking.']);
    expect(open().key).toBe(key);
  });

  test('the conversation that goes elsewhere waits no longer', () => {
    const { call } = waiting();
    call.request('sorry');
    expect(call.told('wait:cancelled')).toMatchObject([{ reason: 'left' }]);
    expect(waitingIn(call.state)).toEqual([]);
  });
});

test('a decision that comes while the caller is elsewhere leads on once they are back', () => {
  const flow = refund();
  const stays = {
    taskMessages: [{ role: 'system' as const, content: 'Help.' }],
    functions: [{ name: 'back', transitionTo: '$return' }],
  };
  const call = conversation(graphOf({ ...flow, nodes: { ...flow.nodes, hours: stays } }, ['order_status']));
  call.start();
  call.turn('order 7, it was 120');
  call.batch([{ name: 'record', arguments: { order: '7', amount: 120 } }]);
  call.turn('When do you close?');
  call.batch([{ name: 'hours' }]);
  const [wait] = waitingIn(call.state);
  call.send({
    type: 'wait:resolved',
    at: noon,
    key: wait?.key ?? '',
    resolution: { decision: 'approve' },
    actor: null,
  });
  expect([call.outcome, call.state.position.node]).toEqual([[], 'hours']);
  call.turn('Thanks, back to it.');
  call.batch([{ name: 'back' }]);
  expect(call.outcome).toEqual(['say: It is approved.', 'end refunded']);
});

/** A node of a kind that waits, and the nodes that its ways out lead to. */
function waitOf(type: string, input: JsonObject, output?: JsonObject, language = 'en') {
  const node = { type, input, ...(output === undefined ? {} : { output }), defaultTransition: 'after' };
  const call = conversation(
    graphOf({
      language,
      initialNode: 'wait',
      nodes: {
        wait: node,
        after: { say: 'You said {{ wait.text }}{{ wait.decision }}.', end: true },
        late: { say: 'Late.', end: true },
      },
    }),
  );
  call.start();
  const key = waitingIn(call.state)[0]?.key ?? '';
  return { call, key, payload: waitingIn(call.state)[0]?.payload };
}

const timer = (key: string) =>
  ({
    ...{ key, kind: 'wait', node: 'wait', visit: 1 },
    payload: { wait: 'timeout', to: null },
  }) as unknown as Waiting; // Only the fields that decide its outcome.

describe('the other kinds of waits', () => {
  test('a time is waited for in silence, and then the flow goes on', () => {
    const { call, key, payload } = waitOf('interrupt.wait', { for: '30m', say: 'I will call you in half an hour.' });
    expect(call.outcome).toEqual(['wait: timeout', 'say: I will call you in half an hour.']);
    expect(payload).toMatchObject({ to: null, policy: null });
    call.send({ type: 'wait:expired', at: noon + 30 * minute, key });
    expect(call.outcome).toEqual(['say: You said.', 'end completed']);
    // No person was asked, so there is no decision.
    expect(hitlOf(call.state)).toEqual({ hitlState: 'none' });
    expect(hitlOfEffects([{ ...timer(key), state: 'done' }])).toEqual({ hitlState: 'none' });
  });

  test('a node without a line answers a caller who has just spoken', () => {
    const flow: ConversationFlow = {
      initialNode: 'day',
      slots: { day: { type: 'date', ask: 'Which day?' } },
      nodes: {
        day: { collect: ['day'], defaultTransition: 'wait' },
        wait: { type: 'interrupt.wait', input: { for: '30m' }, defaultTransition: 'after' },
        after: { say: 'That is all.', end: true },
      },
    };
    const call = conversation(graphOf(flow));
    call.start();
    call.turn('December first');
    call.batch([{ name: 'record', arguments: { day: '2026-12-01' } }]);
    expect(call.outcome).toEqual(['wait: timeout', 'say: One moment, please.']);
    // The model has said so already.
    const other = conversation(graphOf(flow));
    other.start();
    other.turn('December first');
    other.batch([{ name: 'record', arguments: { day: '2026-12-01' } }], 'I will see.', { asks: false });
    expect(other.outcome).toEqual(['wait: timeout']);
    // No line has been spoken yet.
    expect(waitOf('interrupt.wait', { for: '30m' }).call.outcome).toEqual(['wait: timeout']);
  });

  test('a wait until a time has a schedule id: its own key, unless a schedule has begun the session', () => {
    const { call, key } = waitOf('interrupt.wait', { until: '2099-01-01T10:00' });
    expect(hitlOf(call.state)).toEqual({ hitlState: 'none', scheduleId: key });
    const run = { ...call.state, people: { ...call.state.people, origin: { scheduleId: 'mondays' } } };
    expect(correlationOf(run)).toEqual({ scheduleId: 'mondays' });
  });

  test('an event resolves what names it, with what its output makes of it', () => {
    const { call, key, payload } = waitOf('interrupt.wait', { event: 'paid' }, { text: '{{ resolution.sum }} euros' });
    expect(payload).toMatchObject({ wait: 'timeout', event: 'paid' });
    call.send({ type: 'wait:resolved', at: noon, key, resolution: { sum: 12 }, actor: null });
    expect(call.outcome).toEqual(['say: You said 12 euros.', 'end completed']);
  });

  test("a person's words in the caller's stead resolve what waits for them", () => {
    const { call } = waitOf('interrupt.wait', { proxy: 'front-desk', question: 'Which room?' });
    expect(call.outcome.slice(0, 2)).toEqual(['wait: proxy_input', 'message front-desk: Which room?']);
    expect(hitlOf(call.state).hitlState).toBe('pending_admin_resolution');
    const actor = { id: 'desk-3' };
    call.send({ type: 'user:turn', at: noon, eventId: 'p1', text: 'Room four', via: 'proxy', actor });
    expect(call.outcome).toEqual(['say: You said Room four.', 'end completed']);
  });

  test("somebody else's yes is waited for like a decision", () => {
    const { call, key } = waitOf('interrupt.confirm', { of: 'nurse', question: 'May she come today?' });
    expect(call.outcome.slice(0, 2)).toEqual(['wait: confirm', 'message nurse: May she come today?']);
    expect(hitlOf(call.state)).toEqual({ hitlState: 'pending_confirm', escalationId: key });
    call.send({ type: 'wait:resolved', at: noon, key, resolution: { decision: 'no' }, actor: null });
    expect(call.outcome).toEqual(['say: You said no.', 'end completed']);
  });

  test("the caller's own yes or no is asked for in words, and put again until it is one", () => {
    const { call } = waitOf('interrupt.confirm', { question: 'Shall I cancel it?', say: 'That costs nothing.' });
    expect(call.outcome).toEqual(['say: That costs nothing.', 'wait: Shall I cancel it?']);
    expect(hitlOf(call.state)).toEqual({ hitlState: 'pending_confirm' });
    call.turn('hmm', 'e1', { isBlank: true });
    expect(call.outcome).toEqual([expect.stringContaining('Shall I cancel it?')]);
    call.turn('no', 'e2', { answer: 'no', isPlain: true });
    expect(call.outcome).toEqual(['say: You said no.', 'end completed']);
  });

  test.each([
    ['en', 'Shall I cancel it?', "No, not before I've talked to my wife.", true],
    ['de', 'Soll ich das absagen?', 'Nein, nicht bevor ich mit meiner Frau gesprochen habe.', true],
    ['es', '¿Lo cancelo?', 'No, no antes de hablar con mi mujer.', true],
    ['fr', 'Voulez-vous que je l’annule ?', "Non, pas avant d'en avoir parlé à ma femme.", true],
    ['pt', 'Posso cancelar?', 'Não, não antes de falar com a minha mulher.', true],
    ['en', 'Shall I cancel it?', "I can't hear you, hello.", false],
    ['en', 'Shall I cancel it?', 'No, why?', false],
    ['es', '¿Lo cancelo?', 'No entiendo.', false],
  ])('a no with other words refuses, and they are its comment (%s: "%s" %j: %j)', (language, question, text, isNo) => {
    const { call } = waitOf('interrupt.confirm', { question }, undefined, language);
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.turn(text, 'e1', utterance);
    // The model only talks.
    call.batch([], 'I see.');
    expect(call.outcome.at(-1) === 'end completed').toBe(isNo);
    expect(call.state.knowledge.outputs['wait']).toEqual(isNo ? { decision: 'no', comment: text } : undefined);
  });

  test("the caller's question says days, times and numbers as people say them", () => {
    const call = conversation(
      graphOf({
        initialNode: 'details',
        slots: {
          day: { type: 'date', ask: 'Which day?', after: 'today' },
          hour: { type: 'time' },
          phone: { type: 'phone', region: 'US' },
        },
        nodes: {
          details: { collect: ['day', 'hour', 'phone'], defaultTransition: 'wait' },
          wait: {
            type: 'interrupt.confirm',
            input: { question: 'It ends on {{ day }} at {{ hour }}, and we call {{ phone }}. Is that right?' },
            defaultTransition: 'after',
          },
          after: { say: 'You said {{ wait.decision }}.', end: true },
        },
      }),
    );
    call.start();
    call.turn('December first at 5 pm, 415 555 2671');
    call.batch([{ name: 'record', arguments: { day: '2026-12-01', hour: '17:00', phone: '+14155552671' } }]);
    expect(call.outcome).toEqual([
      'wait: It ends on Tuesday, December 1 at 5:00 PM, and we call 4 1 5, 5 5 5, 2 6 7 1. Is that right?',
    ]);
  });

  test("the caller's yes that only a model understands counts as well", () => {
    const { call } = waitOf('interrupt.confirm', { question: 'Shall I cancel it?' });
    call.turn('yes, I would be so glad', undefined, { leansYes: true });
    call.batch([{ name: 'answer', arguments: { agrees: true } }]);
    expect(call.outcome).toEqual(['say: You said yes.', 'end completed']);
  });
});

describe('H2: a deadline', () => {
  test('that has not come is none', () => {
    const { call, expire } = waiting({ deadline: due({ after: '3m' }, 'end') });
    expire(2 * minute);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'wait:expired', reason: 'not-due' }]);
  });

  test.each([
    ['goes to a node', 'go_to', { node: 'call_you_back' }, ['say: We will call you back.', 'end called-back']],
    ['takes a default', 'answer', { answer: 'reject' }, ['say: It was refused.', 'end refused']],
    ['ends the conversation', 'end', { reason: 'nobody-there' }, [expect.stringMatching(/^say: /), 'end nobody-there']],
  ])('%s', (_, act, more, outcome) => {
    const { call, open, expire } = waiting({ deadline: due({ after: '3m' }, act, more) });
    expect(open().deadline).toBe(noon + 3 * minute);
    expire(3 * minute);
    expect(call.outcome).toEqual(outcome);
    expect(hitlOf(call.state).hitlState).toBe('timed_out');
  });

  test('reminds, then asks somebody else, then goes on: each after the one before', () => {
    const { call, open, expire } = waiting({
      deadline: [
        due({ after: '3m' }, 'remind'),
        due({ after: '2m' }, 'escalate', { to: 'manager' }),
        due({ after: '5m' }, 'go_to', { node: 'call_you_back' }),
      ],
    });
    const { key } = open();
    expire(3 * minute);
    expect(call.outcome).toEqual(['wait: admin_resolution', 'message refunds: Refund 120 for order 7?']);
    expect(open()).toMatchObject({ key, deadline: noon + 5 * minute });
    expire(5 * minute);
    expect(call.outcome).toEqual(['wait: admin_resolution', 'message manager: Refund 120 for order 7?']);
    expect(open().key).not.toBe(key);
    expect(open()).toMatchObject({ node: 'approve', deadline: noon + 10 * minute, payload: { to: 'manager' } });
    expire(10 * minute);
    expect(call.outcome).toEqual(['say: We will call you back.', 'end called-back']);
  });

  test.each([['2026-11-20T09:00'], ['2026-11-20T09:00+01:00']])('that is past (%s) has come at once', (at) => {
    const { call, open, expire } = waiting({ deadline: due({ at }, 'answer', { answer: 'reject' }) });
    expect(open().deadline).toBeLessThan(noon);
    expire(0);
    expect(call.outcome).toEqual(['say: It was refused.', 'end refused']);
    expect(hitlOf(call.state).hitlState).toBe('timed_out');
  });

  test('on the wall is looked at again shortly before, for the clock may have been set', () => {
    const { call, open, expire } = waiting({
      deadline: due({ at: '2026-11-22T09:00' }, 'answer', { answer: 'reject' }),
    });
    const hour = 60 * minute;
    expect(open().deadline).toBe(noon + 20 * hour);
    expire(20 * hour);
    expect(call.state.status).toBe('active');
    expect(open().deadline).toBe(noon + 21 * hour);
    expire(21 * hour);
    expect(call.outcome).toEqual(['say: It was refused.', 'end refused']);
  });
});
