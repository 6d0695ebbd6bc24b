import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeToolStubs } from '../../src/cli/run/tool-stubs.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { importFlow } from '../../src/flow/load/import-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { foreignFolder, imported, importedValue, told, written } from './imported.ts';
import { configFlows, staticFlows } from './read-fixture.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const editorFile = join(foreignFolder, 'pipecat-editor.json');

describe('a flow of Pipecat', () => {
  test.each([...staticFlows, ...configFlows])('is written in our spelling and says nothing else: %s', (name) => {
    const made = imported(join(fixtures, name));
    expect([made.product, made.check.filter(({ severity }) => severity === 'error')]).toEqual(['pipecat', []]);
    const text = JSON.stringify(made.document);
    for (const theirs of ['__function__', 'role_message"', 'input_schema', 'function_declarations'])
      expect(text).not.toContain(theirs);
    const options = { catalog: builtinCatalog };
    const nodes = (graph: ReturnType<typeof checkFlow>['graph']): readonly string[] => [...(graph?.nodes.keys() ?? [])];
    expect(nodes(checkFlow(made.document, options).graph)).toEqual(
      nodes(checkFlow(join(fixtures, name), options).graph),
    );
  });

  test('has its messages, functions and handlers where we write them, each told with its place', () => {
    const made = imported(join(fixtures, 'restaurant-reservation.openai.json'));
    expect(written(made).nodes['get_time']).toEqual({
      task_messages: 'Ask for the time. We serve from 5 PM to 10 PM.',
      functions: [
        {
          name: 'record_time',
          handler: 'record_time',
          description: 'Record the requested time.',
          parameters: expect.objectContaining({ required: ['time'] }),
          transition_callback: 'check_availability',
        },
      ],
    });
    expect(made.tools.map(({ name }) => name)).toEqual(['record_party_size', 'record_time', 'check_availability']);
    expect(told(made, 'changed')).toContain('functions in the shape of OpenAI are written plainly');
    expect(made.notes.find(({ text }) => text.startsWith('node get_time'))).toMatchObject({ line: 30, kind: 'taken' });
  });

  test('of the oldest form, or with keys in camelCase and nodes in a list, is one as well', () => {
    const made = importedValue({
      initialNode: 'a',
      nodes: [
        { id: 'a', messages: [{ role: 'system', content: 'Greet {{ caller }}.' }], functions: [toB], tts_speed: 2 },
        { id: 'b', taskMessages: 'Say goodbye.', postActions: [{ type: 'end_conversation' }], colour: 'red' },
      ],
    });
    expect(made.document).toEqual({
      initial_node: 'a',
      nodes: {
        a: {
          task_messages: 'Greet {{ caller }}.',
          functions: [{ name: 'go', description: 'Go.', transition_to: 'b' }],
        },
        b: { task_messages: 'Say goodbye.', post_actions: [{ type: 'end_conversation' }] },
      },
      input: { caller: { type: 'string', optional: true } },
    });
    expect(told(made, 'changed')).toContain('messages is task_messages');
    expect(told(made, 'lost')).toEqual([expect.stringContaining('tts_speed'), expect.stringContaining('colour')]);
  });

  test('that nothing tells from ours is refused, unless it is said to be one', () => {
    const flow = { initial_node: 'a', nodes: { a: { say: 'Hello.', end: true } } };
    expect(() => importedValue(flow)).toThrow('this is a flow of ours, which needs no import.');
    expect(importedValue(flow, 'pipecat').document).toEqual(flow);
  });
});

const toB = { type: 'function', function: { name: 'go', description: 'Go.', transition_to: 'b' } };

describe('an export of the Pipecat Flows editor', () => {
  test('has its decisions as functions to write, and branches on what they answer', () => {
    const made = imported(editorFile);
    expect(written(made)).toMatchObject({
      initial_node: 'ask',
      functions: [{ name: 'ask_person', description: 'The caller asks for a person.' }],
      nodes: {
        ask: {
          functions: [
            {
              name: 'give_code',
              handler: 'give_code',
              transition_to: { field: 'result', cases: { ready: 'tell', lost: 'late', void: 'late' }, default: 'late' },
            },
          ],
        },
        tell: { context_strategy: { strategy: 'reset' }, functions: [{ name: 'done', transition_to: 'late' }] },
      },
    });
    expect(writeToolStubs(made)).toContain('// In Pipecat: result = await find_parcel(code)');
    expect(told(made, 'lost')).toEqual([]);
    expect(made.check.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('has other comparisons as conditions on edges, and tells of those that are code', () => {
    const made = importedValue(
      withConditions([
        { operator: '>=', value: '3', next_node_id: 'tell' },
        { operator: 'not in', value: "['a', 'b']", next_node_id: 'late' },
        { operator: 'not', value: '', next_node_id: 'late' },
        { operator: '==', value: 'limit()', next_node_id: 'tell' },
      ]),
    );
    const { nodes, edges, state } = written(made);
    const result = 'give_code_result';
    expect(state).toEqual({ [result]: null });
    expect(nodes['ask_give_code_decides']).toEqual({ type: 'control.noop', default_transition: 'late' });
    const unset = { not: { exists: { var: result } } };
    expect(edges?.map(({ to, when }) => [to, when])).toEqual([
      ['tell', { at_least: { var: result, value: 3 } }],
      ['late', { any: [{ not: { in: { var: result, values: ['a', 'b'] } } }, unset] }],
      ['late', { any: [unset, { equals: { var: result, value: false } }] }],
    ]);
    expect(told(made, 'lost')).toEqual([expect.stringContaining('result == limit()')]);
    const stubs = writeToolStubs(made);
    expect(stubs).toContain('context.set("give_code_result", at(answer, "result") ?? null);');
    expect(stubs).toContain('function at(');
  });

  test('tells of two beginnings, of a second node of one name, and of an edge without a function', () => {
    const value = editor();
    const { nodes } = value;
    const first = nodes[0];
    const changed = { ...value, nodes: [...nodes, first], edges: [{ source: 'late', target: 'ask' }], extra: { a: 1 } };
    expect(told(importedValue(changed), 'lost')).toEqual([
      'a second node ask: nothing leads to it',
      'node ask_2 is of type initial too: the first one begins',
      '"extra" has no counterpart',
      'an edge from late to ask: no function of late leads there',
    ]);
  });

  test('is told by a check what imports it', () => {
    expect(checkFlow(editorFile, { catalog: builtinCatalog }).diagnostics[0]?.hint).toContain('roomflow import FILE');
    expect(importFlow(editorFile, { catalog: builtinCatalog, from: 'retell' }).flow).toBeNull();
  });
});

interface Editor {
  readonly nodes: { data: { functions?: { decision?: { conditions: unknown } }[] } }[];
}

function editor(): Editor {
  return JSON.parse(readFileSync(editorFile, 'utf8')) as Editor;
}

function withConditions(conditions: unknown): Editor {
  const value = editor();
  const decision = value.nodes[0]?.data.functions?.[0]?.decision;
  if (decision !== undefined) decision.conditions = conditions;
  return value;
}
