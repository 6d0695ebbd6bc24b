import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '../cli/run-cli.ts';
import { failuresOf, runScenarios, runText } from './flowtests.ts';

/** A conversation that waits for people for days, so that nobody has to be on the line. */
const parcelFlow = `name: parcel
initial_node: search
role_messages: [{ role: system, content: You look for parcels. }]
nodes:
  search:
    type: interrupt.escalate
    input: { to: depot, question: "Where is it?", options: [found, lost], say: We look for it. }
    default_transition: bye
  bye: { say: "We have an answer. Goodbye!", end: told }
`;

const parcelTest = (scenarios: string) =>
  runText(`flow: parcel.yaml\nscenarios:\n${scenarios}`, {}, { 'parcel.yaml': parcelFlow });

it('a schedule by the clock on the wall comes at the same hour before and after clocks change', async () => {
  // Clocks in Germany are put forward on March 31, 2030.
  const { scenarios } = await parcelTest(`  - name: every morning at nine
    now: 2030-03-30T08:30:00+01:00
    schedules: { mornings: { cron: "0 9 * * *", zone: Europe/Berlin, say: Tell how it stands., reach: call } }
    turns:
      - expect: { said: We look for it, wait: { to: depot } }
      - hangup: true
      - advance: 29m
        expect: { call_due: false }
      - advance: 1m
        expect: { call_due: true }
      - call_back: true
        model: We still look for it.
        expect: { said: We still look for it, call_due: false }
      - hangup: true
      - note: 23 hours after the last one, and not 24
        advance: 22h
        expect: { call_due: false }
      - advance: 1h
        expect: { call_due: true }
  - name: an interval counts real hours
    now: 2030-03-30T09:00:00+01:00
    schedules: { daily: { every: 24h, say: Tell how it stands., reach: call } }
    turns:
      - hangup: true
      - advance: 23h
        expect: { call_due: false }
      - advance: 1h
        expect: { call_due: true }
  - name: a time that clocks pass over comes at the first moment after it
    now: 2030-03-31T01:30:00+01:00
    schedules: { nights: { cron: "30 2 * * *", zone: Europe/Berlin, say: Tell how it stands., reach: call } }
    turns:
      - hangup: true
      - advance: 29m
        expect: { call_due: false }
      - advance: 1m
        expect: { call_due: true }
`);
  expect(failuresOf(scenarios)).toEqual([]);
});

it('a scheduled turn reaches a caller on the line, and waits for the next call where nobody is', async () => {
  const { scenarios } = await parcelTest(`  - name: on the line
    schedules: { soon: { at: 2030-01-07T09:00:05Z, say: Tell how it stands. } }
    turns:
      - advance: 4s
        expect: { llm_calls: 0 }
      - advance: 1s
        model: It is on its way.
        expect: { said: It is on its way, event: { type: turn:started, data: { via: scheduled } } }
  - name: nobody there
    schedules: { soon: { at: 2030-01-07T09:01, say: Tell how it stands. } }
    turns:
      - hangup: true
      - advance: 2m
        expect: { call_due: false }
      - call_back: true
        model: It is on its way.
        expect: { said: It is on its way }
`);
  expect(failuresOf(scenarios)).toEqual([]);
  expect(scenarios[0]?.lines.map(({ who }) => who)).toEqual(['agent', 'schedule', 'agent']);
});

it('somebody answers in the stead of the caller, and a task waits for it', async () => {
  const results = await runScenarios(
    [
      {
        name: 'a proxy',
        turns: [
          {
            proxy: { say: 'Order 4711, 20 euros, it came broken.', actor: 'ada' },
            model: { record: { order: 4711, amount: 20, reason: 'it came broken' } },
            expect: {
              slots: { order: 4711, amount: 20 },
              wait: { to: 'refunds' },
              event: { type: 'turn:started', data: { via: 'proxy' } },
            },
          },
        ],
      },
    ],
    { flow: join(projectFolder, 'examples/refund-approval/flow.yaml') },
  );
  expect(failuresOf(results)).toEqual([]);
  expect(results[0]?.lines.map(({ who }) => who)).toContain('ada');
});

it('a schedule that never occurs is reported before a scenario runs', async () => {
  const text = `flow: order.yaml
scenarios:
  - name: never
    schedules: { a: { cron: "0 0 31 2 *", say: Hello. }, b: { say: Hello. }, c: { every: 1h, zone: Mars, say: Hello. } }
    turns: [{ advance: 1d }]
`;
  await expect(runText(text)).rejects.toThrow(
    /^4: "0 0 31 2 \*" never occurs.*\n4: has no time.*\n4: "Mars" is not a time zone/s,
  );
});

it('what the agent schedules for itself comes at its time', async () => {
  const flow = `name: desk
initial_node: talk
nodes:
  talk:
    say: What can I do for you?
    task_messages: [{ role: system, content: Help. }]
    functions: [{ name: schedule_followup, description: Come back later. }]
`;
  const config = `export default { flows: { desk: './desk.yaml' }, timeZone: 'UTC', followUps: { reach: 'call' } };\n`;
  const { scenarios } = await runText(
    `flow: desk.yaml
config: agent.config.mjs
scenarios:
  - name: in five seconds
    turns:
      - expect: { said: What can I do for you }
      - user: Please ask me about the parcel in five seconds.
        model:
          - call: schedule_followup
            args: { when: 5s, about: Ask for the parcel. }
          - I will.
        expect: { said: I will }
      - advance: 4s
        expect: { llm_calls: 0 }
      - advance: 1s
        model: Did the parcel come?
        expect: { said: Did the parcel come }
  - name: in two hours, long after a hang-up
    rejoin_within: 5s
    turns:
      - expect: { said: What can I do for you }
      - user: Please ask me about the parcel in two hours.
        model:
          - call: schedule_followup
            args: { when: 2h, about: Ask for the parcel. }
          - I will.
        expect: { said: I will }
      - hangup: true
      - advance: 1h
        expect: { call_due: false, llm_calls: 0 }
      - advance: 1h
        expect: { call_due: true, llm_calls: 0 }
      - call_back: true
        model: Did the parcel come?
        expect: { said: Did the parcel come }
      - hangup: true
      - advance: 1m
    finally: { outcome: caller-left }
`,
    {},
    { 'desk.yaml': flow, 'agent.config.mjs': config },
  );
  expect(failuresOf(scenarios)).toEqual([]);
});
