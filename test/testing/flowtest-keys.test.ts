import { expect, it } from 'vitest';
import type { FlowTest } from '../../src/flowtest/document/document.ts';
import { failuresOf, runText } from './flowtests.ts';

const flow = `name: pin
initial_node: menu
slots:
  account: { type: text, ask: "Your account number?", dtmf: { digits: 4..6 } }
  pin: { type: text, ask: "Your PIN?", pii: true, dtmf: { digits: 4 } }
nodes:
  menu:
    say: "For your balance press 1, for a person press 0."
    keys: { 1: identify, 0: person }
    task_messages: [{ role: system, content: "Find out what the caller wants." }]
    functions: [{ name: person, description: The caller wants a person., transition_to: desk }]
  identify: { collect: [account, pin], default_transition: check }
  check:
    call: check_pin
    functions:
      - name: check_pin
        description: Check the PIN.
        parameters: { type: object, properties: { account: { type: string }, pin: { type: string } }, required: [account, pin] }
        transition_to: { field: ok, cases: { "true": done }, default: desk }
  done: { say: "Thank you.", end: identified }
  desk: { say: "One moment, please.", end: desk }
`;

async function play(scenarios: FlowTest['scenarios']): Promise<readonly string[]> {
  const text = JSON.stringify({ flow: 'pin.yaml', scenarios });
  const result = await runText(text, {}, { 'pin.yaml': flow });
  return failuresOf(result.scenarios);
}

const tools = { check_pin: { returns: { ok: true } } };
const isChecked = { tool: { name: 'check_pin', args: { account: '4711', pin: '1234' } }, outcome: 'identified' };

it.concurrent('keys lead through a menu and an entry, and only the tool gets the digits', async () => {
  const failures = await play([
    {
      name: 'by keys',
      tools,
      turns: [
        { keys: '1', expect: { said: 'Your account number?', llmCalls: 0 } },
        // Without its end key, the entry ends by its pause.
        { keys: '4711', expect: { slots: { account: '4711' }, said: 'Your PIN?' } },
        { keys: '1234#', expect: { slots: { pin: '1234' }, ...isChecked } },
      ],
    },
    {
      name: 'all at once',
      tools,
      turns: [{ keys: '14711#1234', expect: isChecked }],
    },
    {
      name: 'a person',
      turns: [{ keys: '0', expect: { edge: 'menu -> desk', outcome: 'desk' } }],
    },
    {
      name: 'spoken',
      turns: [{ user: 'a person', model: { call: 'person' }, expect: { outcome: 'desk' } }],
    },
  ]);
  expect(failures).toEqual([]);
});

it.concurrent('a wrong entry is asked for again with the reason, and a cleared one begins anew', async () => {
  const failures = await play([
    {
      name: 'too short',
      tools,
      turns: [
        { keys: '1' },
        { keys: '47#', expect: { said: ['It must have 4 to 6 digits.', 'account number'], event: 'question:missed' } },
        { keys: '99*4711#', expect: { slots: { account: '4711' } } },
        { keys: '12', expect: { said: 'It must have 4 digits.', slots: { pin: null } } },
        { keys: '1234', expect: isChecked },
      ],
    },
    {
      name: 'no such key',
      turns: [{ keys: '7', expect: { event: 'question:missed', said: 'press 1' } }],
    },
    {
      name: 'crash',
      tools,
      turns: [{ keys: '14711#' }, { crash: true, expect: { said: 'Your PIN?' } }, { keys: '1234', expect: isChecked }],
    },
  ]);
  expect(failures).toEqual([]);
});
