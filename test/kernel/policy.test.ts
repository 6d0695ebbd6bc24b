import { describe, expect, test } from 'vitest';
import type { TurnPolicy } from '../../src/model/signals/signal.ts';
import { classicFlow } from '../../src/flow/document/classic.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf, noon } from './session.ts';

const classic = classicFlow({ prompt: 'Be helpful.', functions: [] });
const order: ConversationFlow = {
  name: 'order',
  initialNode: 'size',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?', confirm: 'readback' } },
  nodes: { size: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'Ordered.', end: true } },
};

function decided(call: ReturnType<typeof conversation>, policy: TurnPolicy, eventId = 'decided'): void {
  call.send({ type: 'user:turn', at: noon, eventId, text: 'words', via: 'text', policy });
}

describe('a turn that was decided before it reached the flow', () => {
  test('says the line without an inference, and what the flow has asked stays asked', () => {
    const call = conversation(graphOf(order));
    call.start();
    decided(call, { action: 'say', text: 'We are open till six.', by: 'hook' });
    expect(call.outcome).toEqual(['say: We are open till six.']);
    expect(call.state).toMatchObject({ position: { node: 'size', visit: 1 }, dialogue: { pendingAskKey: 'size' } });
  });

  test('leaves an open read-back to the turn after it', () => {
    const call = conversation(graphOf(order));
    call.start();
    call.turn('large');
    call.batch([{ name: 'record', arguments: { size: 'large' } }]);
    const question = call.effects.find(({ kind }) => kind === 'wait');
    expect(question).toBeDefined();
    decided(call, { action: 'say', text: 'Yes, I am here.', by: 'command' });
    call.turn('yes');
    expect(call.moves).toEqual(['size -> bye by default']);
  });

  test('says nothing where nobody is to answer', () => {
    const call = conversation(graphOf(order));
    call.start();
    decided(call, { action: 'hold', by: 'hook' });
    expect(call.outcome).toEqual([]);
    expect(call.facts).toContainEqual({ type: 'turn:decided', data: { action: 'hold', by: 'hook' } });
  });

  test('ends the session, also from within a flow that was called', () => {
    const call = conversation(graphOf(classic, [], [], true));
    call.start();
    call.call(graphOf(order));
    decided(call, { action: 'end', reason: 'blocked', by: 'hook' });
    expect(call.effects).toMatchObject([{ kind: 'end', payload: { reason: 'blocked', returns: null } }]);
    expect(call.state.status).toBe('ending');
  });

  test('is taken once, however often it comes', () => {
    const call = conversation(graphOf(order));
    call.start();
    decided(call, { action: 'say', text: 'One.', by: 'hook' }, 'e1');
    decided(call, { action: 'say', text: 'One.', by: 'hook' }, 'e1');
    expect(call.outcome).toEqual([]);
  });
});

describe('a caller who was routed to a flow', () => {
  test('has the word when it ends, and is back where they were', () => {
    const calling = graphOf(classic, [], [], true);
    const call = conversation(calling);
    call.start();
    call.send({ type: 'flow:called', at: noon, flow: { id: 'order', hash: 'h' }, input: {}, routed: true });
    const { node, visit } = call.state.position;
    call.giveBack(calling);
    expect(call.outcome).toEqual([]);
    expect(call.state).toMatchObject({ position: { node, visit: visit + 1, stack: [] }, status: 'active' });
    call.turn('and now?');
    expect(call.outcome).toEqual(['reply classic']);
  });
});
