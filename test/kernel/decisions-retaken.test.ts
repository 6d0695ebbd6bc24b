import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const slots = {
  how: {
    type: 'enum',
    ask: 'Pick it up, or have it delivered?',
    values: { pickup: ['pick it up'], delivery: ['deliver it'] },
  },
  address: { type: 'text', ask: 'To which address?' },
  count: { type: 'integer', ask: 'How many?' },
} satisfies ConversationFlow['slots'];

const write = {
  name: 'order',
  parameters: {
    type: 'object',
    properties: { count: { type: 'integer' }, how: { type: 'string' } },
    required: ['count'],
  },
  effect: 'write' as const,
  confirm: '{{ count }} then. Shall I order?',
  transitionTo: 'done',
};

const delivery = { equals: { var: 'how', value: 'delivery' } };
const end = { say: 'Ordered.', end: 'done' };
const asking = {
  where: { collect: ['address'], defaultTransition: 'count' },
  count: { collect: ['count'], defaultTransition: 'order' },
  order: { call: 'order', functions: [write] },
  done: end,
};

/** The same decision in each notation. */
const flows: Readonly<Record<string, ConversationFlow>> = {
  'control.if': {
    initialNode: 'how',
    slots,
    nodes: {
      how: { collect: ['how'], defaultTransition: 'isDelivery' },
      isDelivery: { type: 'control.if', input: { condition: delivery } },
      ...asking,
    },
    edges: [
      { from: 'isDelivery', to: 'where', when: { equals: { var: 'isDelivery.condition', value: true } } },
      { from: 'isDelivery', to: 'count' },
    ],
  },
  'control.switch': {
    initialNode: 'how',
    slots,
    nodes: {
      how: { collect: ['how'], defaultTransition: 'route' },
      route: {
        type: 'control.switch',
        input: {
          value: '{{ how }}',
          cases: [{ when: { equals: { var: 'value', value: 'delivery' } }, route: 'away' }],
        },
      },
      ...asking,
    },
    edges: [
      { from: 'route', to: 'where', when: { equals: { var: 'route.route', value: 'away' } } },
      { from: 'route', to: 'count' },
    ],
  },
  'an edge by when': {
    initialNode: 'how',
    slots,
    nodes: { how: { collect: ['how'], defaultTransition: 'count' }, ...asking },
    edges: [{ from: 'how', to: 'where', when: delivery }],
  },
  'the condition of a question': {
    initialNode: 'how',
    slots: { ...slots, address: { ...slots.address, askWhen: delivery } },
    nodes: {
      how: { collect: ['how', 'address'], defaultTransition: 'count' },
      count: asking.count,
      order: asking.order,
      done: end,
    },
  },
  'a later decision that reads what a pure node has made': {
    initialNode: 'how',
    slots,
    nodes: {
      how: { collect: ['how'], defaultTransition: 'same' },
      same: { type: 'control.noop', input: { value: '{{ how }}' }, defaultTransition: 'decide' },
      decide: { type: 'control.noop', input: {}, defaultTransition: 'count' },
      ...asking,
    },
    edges: [{ from: 'decide', to: 'where', when: { equals: { var: 'same.value', value: 'delivery' } } }],
  },
};

const said = { grounded: true };

function atConfirm(flow: ConversationFlow, how = 'pickup') {
  const call = conversation(graphOf(flow, ['order', 'hold']));
  const records = (given: JsonObject): void => {
    const readings = Object.fromEntries(Object.keys(given).map((name) => [name, said]));
    call.batch([{ name: 'record', arguments: given, readings }]);
  };
  const waits = (): void => {
    const [key, effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
    if (key === undefined || effect?.kind !== 'tool') throw new Error('Nothing is called.');
    call.batch([{ name: effect.payload.name, key, arguments: effect.payload.arguments, state: 'waiting' }], '', {
      reply: null,
    });
  };
  const says = (text: string): void => {
    const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
  };
  call.start();
  call.turn('I come by');
  records({ how });
  return { call, records, waits, says };
}

describe.each(Object.entries(flows))('a decision by %s', (_kind, flow) => {
  test('is taken again when its slot is corrected at the question about a write: what is missing is asked for', () => {
    const { call, records, waits } = atConfirm(flow);
    expect(call.outcome).toEqual(['say: How many?']);
    call.turn('two');
    records({ count: 2 });
    waits();
    expect(call.outcome).toEqual(['wait: 2 then. Shall I order?']);
    call.turn('Oh, please deliver it instead.');
    records({ how: 'delivery' });
    expect(call.told('decision:retaken')).toHaveLength(1);
    expect(call.outcome).toEqual(['say: To which address?']);
    expect(call.state.effects).not.toHaveProperty('wait');
    call.turn('1 Main Street');
    records({ address: '1 Main Street' });
    // Known values are not asked for again.
    expect(call.outcome).toEqual(['tool order']);
    waits();
    expect(call.outcome[0]).toContain('Shall I order?');
  });

  test('is taken again in the middle of the way, and back', () => {
    const { call, records } = atConfirm(flow);
    call.turn('deliver it, please');
    records({ how: 'delivery' });
    expect(call.outcome).toEqual(['say: To which address?']);
    call.turn('no, I pick it up');
    records({ how: 'pickup' });
    expect(call.outcome).toEqual(['say: How many?']);
  });

  test('stays if it comes to the same', () => {
    const { call, records } = atConfirm(flow, 'delivery');
    call.turn('1 Main Street');
    records({ address: '1 Main Street' });
    call.turn('the address is 2 Main Street');
    records({ address: '2 Main Street' });
    expect(call.told('decision:retaken')).toEqual([]);
    expect(call.state.position.node).toBe('count');
  });
});

test('rules that read the correction for certain retake the decision as well', () => {
  const flow = flows['control.if'] as ConversationFlow;
  const { call, records, waits, says } = atConfirm({
    ...flow,
    nodes: {
      ...flow.nodes,
      order: { call: 'order', functions: [{ ...write, confirm: 'Shall I order {{ count }}, {{ how }}?' }] },
    },
  });
  call.turn('two');
  records({ count: 2 });
  waits();
  says('No, deliver it.');
  call.failReply('empty');
  expect(call.known).toMatchObject({ how: 'delivery' });
  expect(call.outcome).toContain('say: To which address?');
});

test('a decision is not taken again before its slot was read back', () => {
  const flow = flows['an edge by when'] as ConversationFlow;
  const { call, records, waits, says } = atConfirm({
    ...flow,
    slots: { ...slots, how: { ...slots.how, confirm: 'readback' } },
  });
  says('yes');
  call.turn('two');
  records({ count: 2 });
  waits();
  call.turn('Oh, please deliver it instead.');
  records({ how: 'delivery' });
  expect(call.outcome).toEqual(['wait: delivery, is that right?']);
  says('yes');
  expect(call.outcome).toEqual(['say: To which address?']);
});

describe('a caller who agreed to a question about a slot', () => {
  const flow: ConversationFlow = {
    initialNode: 'details',
    slots: { count: { type: 'integer', ask: 'How many?' } },
    nodes: {
      details: { collect: ['count'], defaultTransition: 'sure' },
      sure: {
        type: 'interrupt.confirm',
        input: { question: 'You buy {{ count }}. Are you sure?' },
        defaultTransition: 'left',
      },
      address: { collect: ['address'], defaultTransition: 'order' },
      order: { call: 'order', functions: [{ ...write, confirm: undefined }] },
      done: end,
      left: { say: 'Then not.', end: 'left' },
    },
    edges: [{ from: 'sure', to: 'address', when: { equals: { var: 'sure.decision', value: 'yes' } } }],
  };
  const agreed = () => {
    const call = conversation(graphOf({ ...flow, slots: { ...flow.slots, address: slots.address } }, ['order']));
    const says = (text: string): void => {
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
    };
    call.start();
    call.turn('two');
    call.batch([{ name: 'record', arguments: { count: 2 }, readings: { count: said } }]);
    expect(call.outcome).toEqual(['wait: You buy 2. Are you sure?']);
    says('Yes.');
    expect(call.outcome).toEqual(['say: To which address?']);
    return { call, says };
  };

  test('is asked again if the slot is corrected before the write, and a no counts then', () => {
    const { call, says } = agreed();
    says('No wait, three of them.');
    call.batch([{ name: 'record', arguments: { count: 3 }, readings: { count: said } }]);
    expect(call.outcome).toEqual(['wait: You buy 3. Are you sure?']);
    says('No.');
    expect(call.outcome).toEqual(['say: Then not.', 'end left']);
  });

  test('is asked again once they agree to a value that the caller never gave', () => {
    const { call, says } = agreed();
    says('My dog is barking.');
    call.batch([{ name: 'record', arguments: { count: 9 }, readings: { count: { grounded: false } } }]);
    call.turn('5 High Street');
    call.batch([{ name: 'record', arguments: { address: '5 High Street' }, readings: { address: said } }]);
    expect(call.outcome).toEqual(['wait: Count 9, is that right?']);
    says('Yes.');
    expect(call.outcome).toEqual(['wait: You buy 9. Are you sure?']);
  });

  test('goes on if nothing is corrected', () => {
    const { call } = agreed();
    call.turn('1 Main Street');
    call.batch([{ name: 'record', arguments: { address: '1 Main Street' }, readings: { address: said } }]);
    expect(call.state.position.node).toBe('order');
  });
});

test('a decision is not taken again behind a write that was made', () => {
  const flow = flows['an edge by when'] as ConversationFlow;
  const held: ConversationFlow = {
    ...flow,
    nodes: {
      ...flow.nodes,
      how: { collect: ['how'], defaultTransition: 'hold' },
      hold: { call: 'hold', functions: [{ name: 'hold', effect: 'write', transitionTo: 'count' }] },
    },
  };
  const { call, records } = atConfirm(held);
  const [key] = Object.keys(call.state.effects);
  call.settleTool(key ?? '');
  expect(call.outcome).toEqual(['say: How many?']);
  call.turn('Oh, please deliver it instead.');
  records({ how: 'delivery' });
  expect(call.known).toMatchObject({ how: 'delivery' });
  expect(call.told('decision:retaken')).toEqual([]);
  expect(call.state.position.node).toBe('count');
});

test('a value that a pure node has made of a corrected slot is made anew, and the question about the write says it', () => {
  const flow: ConversationFlow = {
    initialNode: 'count',
    slots,
    nodes: {
      count: { collect: ['count'], defaultTransition: 'total' },
      total: { type: 'control.noop', input: { value: '{{ count }}' }, defaultTransition: 'order' },
      order: {
        call: 'order',
        input: { count: '{{ total.value }}' },
        functions: [{ ...write, confirm: '{{ total.value }} in all. Order?' }],
      },
      done: end,
    },
  };
  const call = conversation(graphOf(flow, ['order']));
  call.start();
  call.turn('two');
  call.batch([{ name: 'record', arguments: { count: 2 }, readings: { count: said } }]);
  const [key] = Object.keys(call.state.effects);
  call.batch([{ name: 'order', key: key ?? '', arguments: { count: 2 }, state: 'waiting' }], '', { reply: null });
  expect(call.outcome).toEqual(['wait: 2 in all. Order?']);
  call.turn('rather three');
  call.batch([{ name: 'record', arguments: { count: 3 }, readings: { count: said } }]);
  expect(call.outcome[0]).toContain('3');
  expect(call.state.knowledge.outputs['total']).toEqual({ value: 3 });
});

/** Looks up an order. If nothing is found, another count is looked up, and not the same one again. */
const lookup: ConversationFlow = {
  initialNode: 'count',
  slots,
  nodes: {
    count: { collect: ['count'], defaultTransition: 'look' },
    look: { type: 'control.noop', input: {}, defaultTransition: 'looked' },
    looked: { type: 'control.noop', input: { value: '{{ count }}' }, defaultTransition: 'missed' },
    missed: { say: 'None. Which other count?', functions: [{ name: 'leave', transitionTo: 'done' }] },
    done: end,
  },
  edges: [{ from: 'missed', to: 'look', when: { not: { equals: { var: 'count', value: { var: 'looked.value' } } } } }],
};

test('what an edge of the node compares a slot with is not made anew before the edge was tried', () => {
  const { call, records } = atConfirm(lookup);
  records({ count: 2 });
  call.turn('two');
  records({ count: 2 });
  expect(call.told('transition:taken')).toEqual([]);
  call.turn('no, three');
  records({ count: 3 });
  expect(call.told('transition:taken')).toMatchObject([{ from: 'missed', to: 'look' }, {}, {}]);
  expect(call.state.knowledge.outputs['looked']).toEqual({ value: 3 });
});

test('a function that takes the new value moves where the author says', () => {
  const flow = flows['an edge by when'] as ConversationFlow;
  const another = {
    name: 'another',
    parameters: { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] },
    transitionTo: 'again',
  };
  const { call, records } = atConfirm({
    ...flow,
    nodes: {
      ...flow.nodes,
      order: { say: 'Anything else?', functions: [another] },
      again: { say: 'Once more.', functions: [{ name: 'leave', transitionTo: 'done' }] },
    },
  });
  call.turn('two');
  records({ count: 2 });
  call.turn('yes, and deliver it');
  call.batch([{ name: 'another', arguments: { how: 'delivery' }, readings: { how: said } }]);
  expect(call.known).toMatchObject({ how: 'delivery' });
  expect(call.told('decision:retaken')).toEqual([]);
  expect(call.state.position.node).toBe('again');
});

test('an edge of the node itself for the corrected value goes before an earlier decision, which stays', () => {
  const flow = flows['an edge by when'] as ConversationFlow;
  const { call, records, waits } = atConfirm({
    ...flow,
    nodes: { ...flow.nodes, late: { say: 'Where to?', collect: ['address'], defaultTransition: 'order' } },
    edges: [
      ...(flow.edges ?? []),
      { from: 'order', to: 'late', when: { all: [delivery, { not: { exists: { var: 'address' } } }] } },
    ],
  });
  call.turn('two');
  records({ count: 2 });
  waits();
  call.turn('Oh, please deliver it instead.');
  records({ how: 'delivery' });
  expect(call.told('transition:taken')).toMatchObject([{ from: 'order', to: 'late' }]);
  call.turn('1 Main Street');
  records({ address: '1 Main Street' });
  expect(call.told('decision:retaken')).toEqual([]);
  expect(call.outcome).toEqual(['tool order']);
});
