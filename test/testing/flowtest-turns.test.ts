import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../cli/run-cli.ts';
import { failuresOf, runScenarios, runText } from './flowtests.ts';

const refund = join(projectFolder, 'examples/refund-approval/flow.yaml');
const order = { record: { flowers: 'tulips', count: 12 } };
const asked = { user: 'twelve tulips', model: order };

it.concurrent('a caller who speaks over the agent is heard, and what was heard until then is known', async () => {
  const results = await runScenarios([
    {
      name: 'cut in',
      turns: [
        { expect: {} },
        {
          interrupt: { say: 'goodbye', afterWords: 2 },
          model: { call: 'goodbye' },
          expect: { interrupted: { heard: 'Roses or' }, outcome: 'goodbye' },
        },
      ],
    },
  ]);
  expect(failuresOf(results)).toEqual([]);
});

it.concurrent('silence, keys, another participant and words that were misheard reach the flow as in a call', async () => {
  const results = await runScenarios([
    {
      name: 'all of them',
      turns: [
        { silence: '20s', expect: { event: 'question:missed', said: 'Roses or tulips' } },
        { other: { name: 'Ben', say: 'goodbye' }, expect: { llmCalls: 0, noEdge: true } },
        { dtmf: '12#', model: 'I see.', expect: { event: { type: 'turn:started', data: { via: 'dtmf' } } } },
        { user: { say: 'tulips', hear: 'two lips' }, model: 'Pardon?', expect: { slots: { flowers: null } } },
      ],
    },
  ]);
  expect(failuresOf(results)).toEqual([]);
  expect(results[0]?.lines.some(({ text }) => text === 'tulips (heard as: two lips)')).toBe(true);
});

it.concurrent('a tool fails, hangs past its limit and works in the end: it takes effect once', async () => {
  const results = await runScenarios([
    {
      name: 'fails, then works',
      tools: { place_order: { sequence: [{ throws: { code: 'ECONNRESET' } }, { returns: { status: 'placed' } }] } },
      turns: [
        asked,
        { user: 'yes', expect: { tool: { name: 'place_order', times: 2, effective: 1 }, outcome: 'ordered' } },
      ],
    },
    {
      name: 'hangs',
      tools: { place_order: { hangs: true } },
      turns: [asked, { user: 'yes', expect: { outcome: 'sold_out', tool: { name: 'place_order', effective: 0 } } }],
    },
  ]);
  expect(failuresOf(results)).toEqual([]);
});

it.concurrent('a request without an answer fails its turn, and so does an answer without a request, and an unknown tool', async () => {
  const [one, two, three] = await runScenarios([
    { name: 'unanswered', turns: [{ user: 'some tulips, if you have them' }] },
    { name: 'too many', turns: [{ user: 'tulips', model: [{ record: { flowers: 'tulips' } }, 'And?'] }] },
    { name: 'no tool', turns: [asked, { user: 'yes' }] },
  ]);
  expect(one?.failures[0]?.message).toContain('the model was asked in node details, and the test has no answer');
  expect(two?.failures[0]?.message).toBe('the model was not asked for all answers of this turn');
  expect(three?.failures[0]?.message).toContain('tool place_order ran, and nothing stands in for it');
});

it.concurrent('what must never be is found in the turn in which it was', async () => {
  const [result] = await runScenarios([
    {
      name: 'never',
      turns: [{ user: 'forty', model: { record: { count: 40 } } }],
      never: [{ edge: 'details -> wholesale' }],
    },
  ]);
  expect(result?.failures).toMatchObject([{ turn: 1, message: 'the transition was taken', expected: 'never' }]);
});

it.concurrent('a scenario is run once for each row, with its values', async () => {
  const results = await runScenarios([
    {
      name: '<count> <flowers>',
      each: [
        { flowers: 'roses', count: 3 },
        { flowers: 'tulips', count: 30 },
      ],
      turns: [
        {
          user: '<count> <flowers>',
          model: { record: { flowers: '<flowers>', count: '<count>' as unknown as number } },
          expect: { said: '<count> <flowers>. Shall I' },
        },
      ],
    },
  ]);
  expect(failuresOf(results)).toEqual([]);
  expect(results.map(({ name }) => name)).toEqual(['3 roses', '30 tulips']);
});

it.concurrent('a process that dies between two turns is followed by one that goes on', async () => {
  const results = await runScenarios([
    {
      name: 'dies',
      tools: { place_order: { returns: { status: 'placed' } } },
      turns: [
        { user: 'tulips', model: { record: { flowers: 'tulips' } } },
        { crash: true, expect: { said: 'How many', slots: { flowers: 'tulips' } } },
        { user: 'twelve', model: { record: { count: 12 } } },
        { user: 'yes', expect: { outcome: 'ordered' } },
      ],
    },
  ]);
  expect(failuresOf(results)).toEqual([]);
});

const asksForIt = {
  user: 'Order 4711, 20 euros, the lamp came broken.',
  model: { record: { order: 4711, amount: 20, reason: 'the lamp came broken' } },
};
const refundTool = { refund_order: { returns: { paid: true } } };

it.concurrent('a person decides while the caller waits: the first decision counts', async () => {
  const results = await runScenarios(
    [
      {
        name: 'approved',
        tools: refundTool,
        turns: [
          {
            ...asksForIt,
            expect: {
              wait: { to: 'refunds', question: '20 euros', options: ['approve', 'reject'], facts: { order: 4711 } },
            },
          },
          { user: 'How long will it take?', model: 'A few minutes.', expect: { node: 'approve' } },
          { decide: { decision: 'maybe' }, expect: { decided: 'invalid', wait: true } },
          {
            decide: 'approve',
            expect: { decided: 'posted', outcome: 'refunded', tool: { name: 'refund_order', effective: 1 } },
          },
          { decide: { decision: 'reject', again: true }, expect: { decided: 'over' } },
        ],
        finally: { openWaits: 0 },
      },
      {
        name: 'too late',
        turns: [asksForIt, { advance: '4m', expect: { outcome: 'call-back' } }],
      },
      {
        name: 'an operator takes over, and gives the call back',
        turns: [
          asksForIt,
          { takeover: 'start' },
          { takeover: { say: 'This is Ada, I look into it.' }, expect: { said: 'This is Ada' } },
          { takeover: { end: { node: 'refused' } }, expect: { outcome: 'refused' } },
        ],
      },
    ],
    { flow: refund },
  );
  expect(failuresOf(results)).toEqual([]);
});

it.concurrent('a caller who hangs up while somebody is asked hears the decision when they call again', async () => {
  const results = await runScenarios(
    [
      {
        name: 'calls again',
        tools: refundTool,
        turns: [
          asksForIt,
          { hangup: true },
          { advance: '1m', expect: { wait: true, outcome: false } },
          {
            decide: 'approve',
            expect: { decided: 'posted', callDue: true, tool: { name: 'refund_order', effective: 1 } },
          },
          { callBack: true, expect: { outcome: 'refunded', said: 'It is approved' } },
        ],
      },
      {
        name: 'comes back at once',
        turns: [asksForIt, { hangup: true }, { advance: '5s' }, { callBack: true, expect: { node: 'approve' } }],
      },
    ],
    { flow: refund },
  );
  expect(failuresOf(results)).toEqual([]);
});

const pharmacyFlow = `name: pharmacy
initial_node: menu
role_messages: [{ role: system, content: You answer for a pharmacy. }]
nodes:
  menu:
    say: "Shall I put you through to the pharmacist?"
    functions:
      - { name: pharmacist, description: The caller wants the pharmacist., transition_to: pharmacist }
      - name: front_desk
        description: The caller wants the front desk.
        transfer: { to: "+4930100", say: "One moment." }
  pharmacist:
    transfer:
      to: "+4930200"
      mode: warm
      say: I am putting you through.
      brief: "A caller asks for the pharmacist."
      ring_ms: 20000
      on: { answered: again, busy: later, no_answer: later }
    default_transition: sorry
  again: { say: "Is there anything else?", functions: [{ name: bye, description: The caller says no., transition_to: bye }] }
  later: { say: "They will call you back.", end: later }
  sorry: { say: "Nobody is there.", end: sorry }
  bye: { say: Goodbye., end: bye }
`;

it.concurrent('a transfer ends as the test says, at the latest when its time is over, whenever a process dies', async () => {
  const ask = { user: 'the pharmacist please', model: { call: 'pharmacist' } };
  const scenarios = [
    {
      name: 'busy',
      crash: 'sweep',
      turns: [
        {
          ...ask,
          expect: {
            said: 'I am putting you through.',
            transfer: { to: '+4930200', mode: 'warm', brief: 'asks for the pharmacist', ring_ms: 20_000 },
          },
        },
        { transfer: 'busy', expect: { said: 'They will call you back.', outcome: 'later' } },
      ],
    },
    { name: 'rings', turns: [ask, { advance: '2m', expect: { outcome: 'later' } }] },
    {
      name: 'talks',
      turns: [
        ask,
        { transfer: { outcome: 'answered', talks: true }, expect: { node: 'pharmacist', outcome: false } },
        { user: 'Can I take two?', expect: { llm_calls: 0, no_edge: true } },
        { takeover: 'end', expect: { said: 'Is there anything else?', edge: 'pharmacist -> again' } },
      ],
    },
    {
      name: 'returns',
      turns: [
        {
          user: 'the front desk',
          model: { call: 'front_desk' },
          expect: { transfer: { to: '+4930100', mode: 'cold' } },
        },
        {
          transfer: 'refused',
          expect: { said: 'I could not reach anybody there. Shall I put you through', node: 'menu' },
        },
        { user: 'the front desk again', model: { call: 'front_desk' } },
        { transfer: 'answered', expect: { outcome: 'transferred' } },
      ],
    },
    { name: 'nothing open', turns: [{ transfer: 'busy' }] },
  ];
  const { scenarios: results } = await runText(
    JSON.stringify({ flow: 'pharmacy.yaml', scenarios }),
    {},
    {
      'pharmacy.yaml': pharmacyFlow,
    },
  );
  expect(failuresOf(results)).toEqual([expect.stringContaining('the caller is not being put through') as unknown]);
});
