import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { Script, SimulationOptions, SimulationResult } from '../../src/testing/index.ts';
import { simulateRoom } from '../../src/testing/index.ts';
import { foreignFolder, imported } from './imported.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const projects = join(import.meta.dirname, 'projects');

type Play = Pick<SimulationOptions, 'model' | 'functions' | 'handlers'>;

/** Plays an imported flow unchanged. Stand-ins replace the functions that are still to be written. */
async function play(file: string, script: Script, options: Play): Promise<SimulationResult> {
  const { document, tools } = imported(file);
  const flow = document as unknown as ConversationFlow; // It has passed a check.
  const unwritten = Object.fromEntries(tools.map(({ name }) => [name, (): unknown => ({})]));
  const functions = { ...unwritten, ...options.functions };
  const result = await simulateRoom(flow, script, { catalog: builtinCatalog, ...options, functions });
  expect(result.failures).toEqual([]);
  return result;
}

const said = ({ transcript }: SimulationResult): readonly string[] =>
  transcript.map(({ who, text }) => `${who}: ${text}`);

describe('a flow that was imported is played to its end', () => {
  test('a conversation flow of Retell', async () => {
    const asked: unknown[] = [];
    const result = await play(
      join(foreignFolder, 'retell-flow.json'),
      [{ join: true }, { say: 'It is ABCD1234.' }, { expect: { ended: 'ended', variables: { code: 'ABCD1234' } } }],
      {
        model: {
          hello: [{ when: 'ABCD1234', calls: [{ name: 'to_take' }] }],
          take: [{ afterTool: 'to_take', calls: [{ name: 'keep_values', arguments: { code: 'ABCD1234' } }] }],
          tell: [{ afterTool: 'find_parcel', text: 'Parcel ABCD1234 is ready.', calls: [{ name: 'go_on' }] }],
        },
        functions: {
          find_parcel: (args, context) => {
            asked.push(args);
            context.set('parcel_state', 'ready');
            return { state: 'ready' };
          },
        },
      },
    );
    expect(asked).toHaveLength(1);
    expect(said(result)).toEqual([
      'agent: Northgate Parcels, do you have a tracking code?',
      'caller: It is ABCD1234.',
      'agent: One moment. Parcel ABCD1234 is ready.',
      'agent: Goodbye.',
    ]);
  });

  test('a conversation flow of Retell by what is true on its way elsewhere', async () => {
    const { path } = await play(
      join(foreignFolder, 'retell-flow.json'),
      [{ join: true }, { say: 'It is ABCD1234.' }, { expect: { ended: 'transferred' } }],
      {
        model: {
          hello: [{ when: 'ABCD1234', calls: [{ name: 'to_take' }] }],
          take: [{ afterTool: 'to_take', calls: [{ name: 'keep_values', arguments: { code: 'ABCD1234' } }] }],
        },
        functions: { find_parcel: () => ({}) },
      },
    );
    expect(path).toEqual(['hello', 'take', 'take_next', 'look', 'look_next', 'desk']);
  });

  test('an LLM of Retell', async () => {
    const result = await play(
      join(foreignFolder, 'retell-llm.json'),
      [
        { join: true },
        { say: 'Where is my parcel?' },
        { expect: { node: 'ask', said: 'code' } },
        { say: 'ABCD1234' },
        { expect: { node: 'trace', said: 'It is ready.' } },
        { say: 'That is all.' },
        { expect: { ended: 'ended' } },
      ],
      {
        model: {
          ask: [
            { when: 'ABCD1234', calls: [{ name: 'transition_to_trace', arguments: { code: 'ABCD1234' } }] },
            { text: 'Your tracking code?' },
          ],
          trace: [
            { when: 'all', calls: [{ name: 'end_call' }] },
            { afterTool: 'find_parcel', text: 'It is ready.' },
            { afterTool: 'transition_to_trace', calls: [{ name: 'find_parcel' }] },
          ],
        },
        functions: { find_parcel: () => ({ state: 'ready' }) },
      },
    );
    expect(result.path).toEqual(['begin', 'ask', 'trace', 'any_end_call']);
  });

  test('a squad of Vapi', async () => {
    const result = await play(
      join(foreignFolder, 'vapi-squad.json'),
      [{ join: true }, { say: 'ABCD1234' }, { say: 'A person, please.' }, { expect: { ended: 'transferred' } }],
      {
        model: {
          front: [{ calls: [{ name: 'to_tracing', arguments: { code: 'ABCD1234' } }] }],
          // Its context begins with a summary, which is requested from the model first.
          tracing: [
            { when: 'person', calls: [{ name: 'transfer_call' }] },
            { afterTool: 'find_parcel', text: 'It is ready.' },
            { text: 'The caller gave the code ABCD1234.', times: 1 },
            { calls: [{ name: 'find_parcel' }] },
          ],
        },
        functions: { find_parcel: () => ({ state: 'ready' }) },
      },
    );
    expect(said(result).slice(-3)).toEqual([
      'agent: It is ready.',
      'caller: A person, please.',
      'agent: I put you through.',
    ]);
  });

  test('an assistant of Vapi', async () => {
    const result = await play(
      join(foreignFolder, 'vapi-assistant.json'),
      [{ join: true }, { say: 'Nothing, bye.' }, { expect: { ended: 'ended' } }],
      { model: { front: [{ calls: [{ name: 'end_call' }] }] } },
    );
    expect(said(result).at(-1)).toBe('agent: Goodbye.');
  });

  test('a workflow of Vapi', async () => {
    const result = await play(
      join(foreignFolder, 'vapi-workflow.json'),
      [{ join: true }, { say: 'ABCD1234' }, { say: 'Thanks.' }, { expect: { ended: 'ended' } }],
      {
        model: {
          ask: [{ calls: [{ name: 'to_look', arguments: { code: 'ABCD1234' } }] }],
          tell: [{ when: 'Thanks', calls: [{ name: 'to_bye' }] }, { text: 'It is ready.' }],
        },
        functions: {
          find_parcel: (_args, context) => {
            context.set('parcelState', 'ready');
            return {};
          },
        },
      },
    );
    expect(result.path).toEqual(['ask', 'look', 'look_next', 'tell', 'bye']);
  });

  test('a workflow of Vapi that no condition leads on', async () => {
    const result = await play(
      join(foreignFolder, 'vapi-workflow.json'),
      [{ join: true }, { say: 'ABCD1234' }, { expect: { ended: 'no-way-on', said: 'Goodbye.' } }],
      {
        model: {
          ask: [{ calls: [{ name: 'to_look', arguments: { code: 'ABCD1234' } }] }],
          look_next_no_way_on: [{ text: 'I cannot find it. Goodbye.' }],
        },
      },
    );
    expect(result.path).toEqual(['ask', 'look', 'look_next', 'look_next_no_way_on']);
  });

  test('flows of Rasa', async () => {
    const result = await play(
      join(projects, 'rasa'),
      [
        { join: true },
        { say: 'Where is my parcel?' },
        { expect: { said: 'tracking code' } },
        { say: 'ABCD1234' },
        { expect: { said: 'Shall we send you a message' } },
        { say: 'Yes.' },
        { expect: { said: ['We will.', 'anything else'] } },
        { say: 'No.' },
        { expect: { ended: 'completed' } },
      ],
      {
        model: {
          menu: [{ when: 'parcel', calls: [{ name: 'trace_parcel' }] }],
          trace_parcel: [{ when: 'ABCD', calls: [{ name: 'record', arguments: { tracking_code: 'ABCD1234' } }] }],
          trace_parcel_wants_notice: [{ when: 'Yes', calls: [{ name: 'record', arguments: { wants_notice: true } }] }],
          anything_else: [{ when: 'No', calls: [{ name: 'nothing_more' }] }],
        },
        functions: {
          action_find_parcel: (_args, context) => {
            context.set('parcel_state', 'on its way');
            return {};
          },
        },
      },
    );
    expect(result.path.at(-1)).toBe('bye');
  });

  test('an agent of Dialogflow CX', async () => {
    const result = await play(
      join(projects, 'dialogflow'),
      [
        { join: true },
        { say: 'Where is my small parcel?' },
        { expect: { said: 'What is your tracking code?', variables: { tries: 0 } } },
        { say: 'ABCD1234' },
        // The size was said in a question, so it is read back.
        { expect: { said: 'small, is that right?' } },
        { say: 'Yes.' },
        { expect: { ended: 'ended', slots: { code: 'ABCD1234', size: 'small' } } },
      ],
      {
        model: {
          start: [{ when: 'parcel', calls: [{ name: 'trace_parcel', arguments: { size: 'small' } }] }],
          ask_code_form: [{ when: 'ABCD', calls: [{ name: 'record', arguments: { code: 'ABCD1234' } }] }],
        },
        functions: {
          parcels__find: (_args, context) => {
            context.set('state', 'ready');
            return {};
          },
        },
      },
    );
    expect(said(result).at(-1)).toBe('agent: ABCD1234 is ready.');
  });

  test('a static flow of Pipecat', async () => {
    const logged: string[] = [];
    const result = await play(
      join(fixtures, 'insurance-quote.anthropic.json'),
      [
        { join: true },
        { say: 'I am 40.' },
        { say: 'Married.' },
        { say: 'That suits me.' },
        { expect: { ended: true, said: 'Goodbye.' } },
      ],
      {
        model: {
          initial: [
            { when: '40', calls: [{ name: 'collect_age', arguments: { age: 40 } }] },
            { text: 'How old are you?' },
          ],
          marital_status: [
            { when: 'Married', calls: [{ name: 'collect_marital_status', arguments: { marital_status: 'married' } }] },
            { text: 'Single or married?' },
          ],
          quote: [{ when: 'That suits', calls: [{ name: 'end_quote' }] }, { text: 'It is 100 a month.' }],
          end: [{ text: 'Goodbye.' }],
        },
        functions: { collect_age: () => ({}), collect_marital_status: () => ({}) },
        handlers: { log_quote: () => void logged.push('quote') },
      },
    );
    expect([logged, result.path]).toEqual([['quote'], ['initial', 'marital_status', 'quote', 'end']]);
  });

  test('an export of the Pipecat Flows editor', async () => {
    const model = {
      ask: [{ when: 'ABCD', calls: [{ name: 'give_code', arguments: { code: 'ABCD1234' } }] }, { text: 'Your code?' }],
      tell: [{ when: 'Thanks', calls: [{ name: 'done' }] }, { text: 'It is ready.' }],
    };
    const script: Script = [{ join: true }, { say: 'ABCD1234' }];
    const file = join(foreignFolder, 'pipecat-editor.json');
    const ready = await play(file, [...script, { expect: { said: 'It is ready.' } }, { say: 'Thanks.' }], {
      model,
      functions: { give_code: () => ({ result: 'ready' }) },
    });
    const lost = await play(file, script, { model, functions: { give_code: () => ({ result: 'lost' }) } });
    expect([ready.path, lost.path]).toEqual([
      ['ask', 'tell', 'late'],
      ['ask', 'late'],
    ]);
    expect([ready.ended, lost.ended]).toEqual([expect.any(String), expect.any(String)]);
    expect(said(ready)[0]).toBe('agent: Northgate Parcels. Your code?');
  });
});
