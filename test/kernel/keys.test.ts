import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readEntry, readMenuKey } from '../../src/engine/words/read-keys.ts';
import type { UserTurn } from '../../src/model/signals/signal.ts';
import { enterKey, noKeys } from '../../src/kernel/keys/key-entry.ts';
import { keyRuleOf } from '../../src/kernel/keys/key-rule.ts';
import { viewOf } from '../../src/kernel/state/view.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const flow: ConversationFlow = {
  initialNode: 'account',
  slots: {
    account: { type: 'text', ask: 'Please enter your account number.', dtmf: { digits: '4..6' } },
    rooms: { type: 'integer', ask: 'How many rooms?', maximum: 12, confirm: 'readback', dtmf: { digits: '1..2' } },
    pin: { type: 'text', ask: 'What is your PIN?', pii: true, dtmf: { digits: 4 } },
  },
  nodes: {
    account: { collect: ['account', 'rooms'], defaultTransition: 'menu' },
    menu: {
      say: 'For sales press 1, for a person press 0.',
      keys: { 1: 'sales', 0: 'person' },
      taskMessages: task,
      functions: [{ name: 'person', description: 'The caller wants a person.', transitionTo: 'desk' }],
    },
    sales: { collect: ['pin'], defaultTransition: 'desk' },
    desk: { say: 'One moment.', end: 'desk' },
  },
};

/** A task asks behind the entry. */
const gated: ConversationFlow = {
  ...flow,
  nodes: {
    ...flow.nodes,
    account: { collect: ['account'], defaultTransition: 'ask' },
    ask: {
      type: 'control.gate',
      input: { prompt: 'Shall I go on?', choices: ['yes', 'no'] },
      defaultTransition: 'menu',
    },
  },
};

function talk(document = flow) {
  const graph = graphOf(document);
  const call = conversation(graph);
  const send = (read: ReturnType<typeof readMenuKey>, more: Partial<UserTurn> = {}): readonly string[] => {
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, via: 'dtmf', ...read, ...more });
    return call.outcome;
  };
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    enters(name: string, digits: string, more: Partial<UserTurn> = {}): readonly string[] {
      const slot = graph.slots.get(name);
      if (slot === undefined) throw new Error(`no slot ${name}`);
      return send(
        readEntry({ graph, civil: noonCivil }, slot, digits, () => 'sealed:1:x'),
        more,
      );
    },
    presses: (key: string) => send(readMenuKey(key)),
    /** The current meaning of keys: a slot, a menu or words. */
    rule(): string {
      const rule = keyRuleOf(graph, call.state);
      return rule?.kind === 'slot' ? rule.slot.name : (rule?.kind ?? 'words');
    },
  });
}

describe('an entry', () => {
  const dtmf = { least: 4, most: 6, end: '#', clear: '*', timeoutMs: 3_000 };
  const enter = (keys: string) => [...keys].reduce((entry, key) => enterKey(entry, key, dtmf), noKeys);

  test('ends with its end key, and with its last possible digit', () => {
    expect(enter('1234')).toEqual({ digits: '1234', endedBy: null });
    expect(enter('1234#')).toEqual({ digits: '1234', endedBy: 'end' });
    expect(enter('123456')).toEqual({ digits: '123456', endedBy: 'length' });
    expect(enter('#')).toEqual({ digits: '', endedBy: 'end' });
  });

  test('is cleared by the other key, and letters mean nothing in it', () => {
    expect(enter('12*3A4')).toEqual({ digits: '34', endedBy: null });
  });
});

describe('keys', () => {
  test('fill the slot that is asked for, without the model', () => {
    const call = talk();
    expect(call.rule()).toBe('account');
    expect(call.enters('account', '1234')).toEqual(['say: How many rooms?']);
    expect(call.state.knowledge.slots['account']).toMatchObject({ value: '1234', grounded: true });
    expect(call.rule()).toBe('rooms');
    expect(call.enters('rooms', '3')).toEqual(['wait: 3, is that right?']);
  });

  test('with the wrong number of digits are a miss, and the question comes again with the reason', () => {
    const call = talk();
    expect(call.enters('account', '12')).toEqual([
      expect.stringMatching(/^say: It must have 4 to 6 digits\. .*account/),
    ]);
    expect(call.state.knowledge.slots['account']).toBeUndefined();
    expect(call.facts).toContainEqual(expect.objectContaining({ type: 'question:missed' }));
  });

  test('outside the bounds are a miss with the bound', () => {
    const call = talk();
    call.enters('account', '1234');
    expect(call.enters('rooms', '40')).toEqual([expect.stringMatching(/^say: It must be at most 12\. /)]);
  });

  test('confirm a value that is read back, or replace it', () => {
    const call = talk();
    call.enters('account', '1234');
    call.enters('rooms', '3');
    expect(call.enters('rooms', '4')).toEqual([expect.stringMatching(/4, is that right\?$/)]);
    expect(call.enters('rooms', '4')).toEqual(['say: For sales press 1, for a person press 0.']);
  });

  test('of a menu lead to a node or along a function', () => {
    const atMenu = () => {
      const call = talk({ ...flow, initialNode: 'menu' });
      expect(call.rule()).toBe('menu');
      return call;
    };
    expect(atMenu().presses('1')).toEqual(['say: What is your PIN?']);
    expect(atMenu().presses('0')).toEqual(['say: One moment.', 'end desk']);
    const call = atMenu();
    expect(call.presses('7')).toEqual([expect.stringMatching(/^say: .*press 1/)]);
    expect(call.facts).toContainEqual(expect.objectContaining({ type: 'question:missed' }));
  });

  test('are words where the flow has no use for them', () => {
    expect(talk({ initialNode: 'a', nodes: { a: { taskMessages: task } } }).rule()).toBe('words');
  });

  test('of an entry that ends at the question of a task fill their slot, and the question is put again', () => {
    const call = talk(gated);
    call.enters('account', '1234');
    const task = call.effects.filter(({ kind }) => kind === 'task');
    expect(task).toHaveLength(1);
    call.send({
      type: 'task:asked',
      ...{ at: noon, key: 's/asked/1', question: 'Shall I go on?', choices: ['yes', 'no'], takesText: true },
    });
    for (const digits of ['4711', '4711', '12']) {
      expect(call.enters('account', digits, { answersTask: true })).toEqual([]);
      expect(call.state.dialogue.taskQuestion).toMatchObject({ answer: null, misses: 0 });
      expect(call.state.knowledge.slots['account']?.value).toBe('4711');
    }
    expect(call.state.dialogue.taskQuestion).toMatchObject({ puts: 4 });
    expect(call.state.position.node).toBe('ask');
  });

  test('of an entry that ends while a task runs do not run it again', () => {
    const call = talk(gated);
    call.enters('account', '1234');
    call.enters('account', '4711');
    expect(call.enters('account', '12')).toEqual([]);
    expect(call.state.position.visit).toBe(2);
    expect(Object.values(call.state.effects).filter(({ kind }) => kind === 'task')).toHaveLength(1);
  });

  test('of a personal slot are sealed, and the model sees neither the digits nor the seal', () => {
    const call = talk({ ...flow, initialNode: 'sales', nodes: { ...flow.nodes, desk: { taskMessages: task } } });
    call.enters('pin', '1234');
    expect(call.state.knowledge.slots['pin']?.value).toBe('sealed:1:x');
    expect(JSON.stringify(call.log)).not.toContain('1234');
    const view = viewOf(call.graph, call.state, noonCivil);
    expect(view.knowledge).toContain('pin: known (entered by keys, not shown)');
    expect(JSON.stringify(view)).not.toMatch(/1234|sealed:/);
  });
});

test('keys that the agent presses are effects: before its words or after them, and with values of slots', () => {
  const press = (keys: string) => ({ type: 'send_keys', keys });
  const call = talk({
    ...flow,
    nodes: {
      ...flow.nodes,
      account: { collect: ['account'], defaultTransition: 'dial' },
      dial: {
        say: 'I am dialling.',
        preActions: [press('w2')],
        postActions: [press('{{ account }}#')],
        end: 'dialled',
      },
    },
  });
  call.enters('account', '4711');
  const sent = call.effects.flatMap((effect) => (effect.kind === 'keys' ? [effect.payload] : []));
  expect(sent).toEqual([
    { keys: 'w2', when: 'pre' },
    { keys: '4711#', when: 'post' },
  ]);
  // A menu does not wait for another process.
  call.resume();
  expect(call.effects.some(({ kind }) => kind === 'keys')).toBe(false);
});
