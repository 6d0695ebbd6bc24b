import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const end = { say: 'Bye.', end: true } as const;

describe('a flow that calls another', () => {
  const outer = graphOf({
    name: 'outer',
    initialNode: 'desk',
    state: { kept: 1 },
    slots: {
      who: { type: 'name', ask: 'Your name?' },
      size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
    },
    nodes: {
      desk: {
        roleMessages: [{ role: 'system', content: 'Outer.' }],
        taskMessages: task,
        functions: [{ name: 'ask', transitionTo: 'form' }],
      },
      form: { collect: ['size'], defaultTransition: 'paid' },
      paid: { say: 'Paid.', end: 'paid' },
    },
  });
  const inner = graphOf({
    name: 'inner',
    initialNode: 'amount',
    input: { currency: { type: 'string', default: 'EUR' } },
    slots: {
      amount: { type: 'number', ask: 'How much, in {{ currency }}?' },
      who: { type: 'name' },
      size: { type: 'enum', values: ['small'] },
    },
    functions: [{ name: 'aside', transitionTo: 'aside', digression: true }],
    nodes: {
      amount: { collect: ['amount'], defaultTransition: 'thanks' },
      aside: { taskMessages: task, functions: [{ name: 'back', transitionTo: '$return' }] },
      thanks: { say: 'Thank you.', end: 'done' },
    },
  });

  function inside() {
    const call = conversation(outer);
    call.start();
    call.batch([{ name: 'record', arguments: { who: 'Maria Delgado', size: 'large' } }]);
    call.call(inner, { currency: 'USD' });
    return call;
  }

  test('begins it in its first node, with its own input, variables and persona', () => {
    const call = inside();
    expect(call.outcome).toEqual(['say: How much, in USD?']);
    expect(call.state).toMatchObject({
      position: { node: 'amount', flow: { id: 'inner' }, persona: null },
      knowledge: { variables: {} },
    });
  });

  test('hands on the slots that mean the same there, and no others', () => {
    expect(inside().known).toEqual({ who: 'Maria Delgado' });
  });

  test('comes back with what was learned, to the node it left, with its persona', () => {
    const call = inside();
    call.turn('20');
    call.batch([{ name: 'record', arguments: { amount: 20, who: 'Mario Delgado' } }]);
    expect(call.effects.at(-1)).toMatchObject({ kind: 'end', payload: { reason: 'done', returns: { id: 'outer' } } });
    call.settleEffect(call.effects.at(-1)?.key ?? '');
    expect(call.state.status).toBe('ending');
    // A process that dies here leaves the end to be performed again.
    call.resume();
    expect(call.outcome).toEqual(['end done']);
    call.giveBack(outer);
    expect(Object.values(call.state.effects).map(({ kind }) => kind)).toEqual(['reply']);
    expect(call.state).toMatchObject({
      status: 'active',
      position: { flow: { id: 'outer' }, node: 'desk', persona: 'desk', stack: [] },
      knowledge: { variables: { kept: 1 } },
    });
    expect(call.known).toEqual({ who: 'Mario Delgado', size: 'large' });
    expect(call.outcome).toEqual(['reply desk']);
  });

  test('goes on from a node that collects, by its next question or past it', () => {
    const call = conversation(outer);
    call.start();
    call.batch([{ name: 'ask' }]);
    call.call(inner);
    expect(call.state.position.persona).toBeNull();
    call.giveBack(outer);
    expect(call.state.position.persona).toBe('desk');
    expect(call.outcome).toEqual(['say: Which size?']);
    call.call(inner);
    call.turn('x');
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    call.giveBack(outer);
    expect(call.state.position.node).toBe('paid');
  });

  test('makes what it learned the output of the catalog node that called it, which is not run again', () => {
    const callFlow = defineNodeType({
      name: 'own.call',
      description: 'Calls.',
      input: z.object({}),
      output: z.object({ outputs: z.record(z.string(), z.unknown()) }),
      run: () => Promise.resolve({ outputs: {} }),
    });
    const caller = graphOf(
      {
        initialNode: 'pay',
        nodes: {
          pay: { type: 'own.call', defaultTransition: 'paid' },
          paid: { say: 'Paid {{ pay.outputs.amount }}.', end: true },
        },
      },
      [],
      [callFlow],
    );
    const call = conversation(caller);
    call.start();
    expect(call.outcome).toEqual(['task own.call']);
    call.call(inner);
    call.resume();
    expect(call.outcome).toEqual(['say: Sorry, I was gone for a moment.', 'say: How much, in EUR?']);
    call.turn('20');
    call.batch([{ name: 'record', arguments: { amount: 20 } }]);
    call.giveBack(caller);
    expect(call.outcome).toEqual(['say: Paid 20.', 'end completed']);
  });

  test('forgets the digressions of the flow that has ended', () => {
    const call = inside();
    call.turn('wait');
    call.batch([{ name: 'aside' }]);
    expect(call.state.position.stack.map(({ kind }) => kind)).toEqual(['subflow', 'digression']);
    call.giveBack(outer);
    expect(call.state).toMatchObject({ position: { node: 'desk', stack: [] } });
  });

  test('may be nested', () => {
    const call = inside();
    call.call(inner);
    expect(call.state.position.stack).toHaveLength(2);
    call.giveBack(inner);
    expect(call.state).toMatchObject({ position: { flow: { id: 'inner' }, node: 'amount' } });
    expect(call.state.position.stack).toHaveLength(1);
  });

  test('a return that nobody called for is ignored', () => {
    const call = conversation(outer);
    call.start();
    const before = call.state;
    call.giveBack(outer);
    expect(call.state).toEqual(before);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'flow:returned', reason: 'stale' }]);
  });

  test('a session that ended in the called flow does not come back to life', () => {
    const call = inside();
    call.end();
    call.giveBack(outer);
    expect(call.state.status).toBe('ended');
    expect(call.outcome).toEqual([]);
  });
});

describe('a flow that another takes the place of', () => {
  const before: ConversationFlow = {
    name: 'shop',
    initialNode: 'desk',
    state: { visits: 1 },
    slots: {
      size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
      who: { type: 'name', ask: 'Who?' },
      day: { type: 'date', ask: 'When?', confirm: 'readback' },
    },
    nodes: {
      desk: {
        taskMessages: task,
        roleMessages: [{ role: 'system', content: 'Old.' }],
        functions: [{ name: 'go', transitionTo: 'form' }],
      },
      form: { collect: ['size', 'day'], defaultTransition: 'bye' },
      bye: end,
    },
  };
  const swapped = (after: Partial<ConversationFlow>, node?: string) => {
    const call = conversation(graphOf(before));
    call.start();
    call.batch([{ name: 'record', arguments: { size: 'large', who: 'Maria Delgado', day: '2027-01-02' } }]);
    call.swap(graphOf({ ...before, ...after }), node);
    return call;
  };

  test('goes on in the node of the same id', () => {
    const call = swapped({ description: 'Changed.' });
    expect(call.state.position.node).toBe('desk');
    expect(call.outcome).toEqual(['reply desk']);
    expect(call.told('flow:swapped')).toHaveLength(1);
  });

  test('or in the node that was named, or else in its first', () => {
    expect(swapped({}, 'form').state.position.node).toBe('form');
    const { desk: _, ...rest } = before.nodes as Record<string, object>;
    const call = swapped({
      initialNode: 'hall',
      nodes: { ...rest, hall: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'form' }] } },
    });
    expect(call.state).toMatchObject({ position: { node: 'hall', persona: null } });
    expect(swapped({}, 'nowhere').state.position.node).toBe('desk');
  });

  test('keeps variables, and slots that are still allowed', () => {
    const call = swapped({
      state: { visits: 0, more: 2 },
      slots: { ...before.slots, size: { type: 'enum', values: ['small'], ask: 'Size?' } },
    });
    expect(call.state.knowledge.variables).toEqual({ visits: 1, more: 2 });
    expect(call.known).toEqual({ who: 'Maria Delgado', day: '2027-01-02' });
  });

  test('does not read back what it does not want confirmed any more', () => {
    const call = swapped({ slots: { ...before.slots, day: { type: 'date', ask: 'When?' } } }, 'form');
    expect(call.state.position.node).toBe('bye');
  });

  test('gives up what was asked and under way', () => {
    const call = conversation(graphOf(before));
    call.start();
    call.batch([{ name: 'record', arguments: { day: '2027-01-02', size: 'small' } }, { name: 'go' }]);
    expect(call.outcome).toEqual(['wait: January 2, 2027, is that right?']);
    call.swap(graphOf(before), 'desk');
    call.turn('yes');
    expect(call.state.knowledge.slots['day']).toMatchObject({ confirmed: false });
  });
});

describe('a version of the flow that a conversation continues with where it is', () => {
  const saving = (name: string): ConversationFlow => ({
    initialNode: 'desk',
    functions: [{ name, handler: 'save', effect: 'write', confirm: 'Shall I save it?', transitionTo: 'bye' }],
    nodes: { desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'bye' }] }, bye: end },
  });
  const asked = (after: string) => {
    const call = conversation(graphOf(saving('save'), ['save']));
    call.start();
    call.batch([{ name: 'save', state: 'waiting' }]);
    expect(call.outcome).toEqual(['wait: Shall I save it?']);
    const next = graphOf(saving(after), ['save']);
    call.swap(next, undefined, true);
    call.turn('yes');
    return call;
  };

  test('keeps the open question', () => {
    expect(asked('save').outcome).toEqual(['tool save']);
  });

  test('voids a question about a call that it does not have', () => {
    expect(asked('keep').outcome).toEqual(['reply desk']);
  });
});

describe('a node that the author’s code asks for', () => {
  const graph = graphOf({
    initialNode: 'desk',
    nodes: { desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'bye' }] }, bye: end },
  });

  test('is entered, and the reply under way is void', () => {
    const call = conversation(graph);
    const reply = call.start()[0]?.key ?? '';
    call.request('bye');
    expect(call.moves).toEqual(['desk -> bye by requested']);
    expect(call.state.effects).not.toHaveProperty(reply);
  });

  test('is ignored where there is no such node', () => {
    const call = conversation(graph);
    call.start();
    call.request('nowhere');
    expect(call.told('signal:ignored')).toEqual([{ signal: 'node:requested', reason: 'unknown-node' }]);
    expect(call.outcome).toEqual([]);
  });
});
