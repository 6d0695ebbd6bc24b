import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foreignFolder, imported, importedValue, told, written } from './imported.ts';

const talk = (id: string, edges: readonly unknown[] = [], more: object = {}) => ({
  id,
  type: 'conversation',
  instruction: { type: 'prompt', text: `Talk about ${id}.` },
  edges,
  ...more,
});
const end = { id: 'bye', type: 'end', instruction: { type: 'static_text', text: 'Goodbye.' } };
const words = (to: string, prompt: string) => ({
  id: `${to}-edge`,
  destination_node_id: to,
  transition_condition: { type: 'prompt', prompt },
});
const equation = (to: string, left: string, operator: string, right?: string) => ({
  id: `${to}-edge`,
  destination_node_id: to,
  transition_condition: { type: 'equation', operator: '||', equations: [{ left, operator, right }] },
});
const flow = (nodes: readonly unknown[], more: object = {}) => ({
  start_node_id: 'a',
  start_speaker: 'agent',
  nodes,
  ...more,
});

describe('a conversation flow of Retell', () => {
  test('becomes a flow that passes a check, with every part told', () => {
    const made = imported(join(foreignFolder, 'retell-flow.json'));
    expect(made.check.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { nodes, edges, functions, input, state, role_messages } = written(made);
    expect(role_messages).toBe('You answer for {{ shop }}, a parcel desk. Be brief.');
    expect(input).toEqual({ shop: { type: 'string', default: 'Northgate Parcels' } });
    expect(state).toEqual({ code: null, parcel_state: null });
    expect(nodes['hello']).toMatchObject({
      say: '{{ shop }}, do you have a tracking code?',
      functions: [{ description: 'Caller gave a tracking code', transition_to: 'take' }],
    });
    expect(functions).toMatchObject([{ description: 'Caller asks for a person', transition_to: 'desk' }]);
    expect(edges).toContainEqual({ from: 'take_next', to: 'look', when: { exists: { var: 'code' } } });
    expect(nodes['look']).toMatchObject({ say: 'One moment.', call: 'find_parcel' });
    expect(made.tools.map(({ name, sets }) => [name, sets])).toEqual([['find_parcel', { parcel_state: 'state' }]]);
    expect(nodes['desk']).toHaveProperty('transfer');
    expect(told(made, 'lost')).toEqual([expect.stringContaining('cool_down'), expect.stringContaining('model_choice')]);
    for (const { line } of made.notes) expect(line).toBeGreaterThan(0);
  });

  test('that is read as that of another product is told for whose it looks', () => {
    const made = importedValue(flow([talk('a', [words('bye', 'They agree.')]), end]), 'vapi');
    expect(told(made, 'lost')).toContain('it looks like a conversation flow of Retell: --from retell reads it as one');
    expect(told(importedValue(flow([talk('a'), end]), 'retell'), 'lost').join(' ')).not.toContain('looks like');
  });

  test('tries conditions in symbols before those in words, and only once the caller has answered', () => {
    const made = importedValue(
      flow([talk('a', [words('b', 'They agree.'), equation('bye', '{{age}}', '<', '18')]), talk('b'), end]),
    );
    const { nodes, edges } = written(made);
    expect(nodes['a']).toMatchObject({ listen: true, default_transition: 'a_decide' });
    expect(edges).toContainEqual({ from: 'a_decide', to: 'bye', when: { less: { var: 'age', value: 18 } } });
    expect(nodes['a_decide']).toEqual({ type: 'control.noop', default_transition: 'a_answer' });
    expect(nodes['a_answer']?.functions).toMatchObject([{ description: 'They agree.', transition_to: 'b' }]);
  });

  test.each([
    ['==', 'yes', { equals: { var: 'x', value: 'yes' } }],
    ['==', '18', { equals: { var: 'x', value: '18' } }],
    ['==', '{{other}}', { equals: { var: 'x', value: { var: 'other' } } }],
    ['!=', 'yes', { any: [{ not_equals: { var: 'x', value: 'yes' } }, { not: { exists: { var: 'x' } } }] }],
    ['>=', '18', { at_least: { var: 'x', value: 18 } }],
    ['contains', 'abc', { contains: { var: 'x', value: 'abc' } }],
    ['exists', undefined, { exists: { var: 'x' } }],
    ['not_exist', undefined, { not: { exists: { var: 'x' } } }],
  ])('reads the equation x %s %s', (operator, right, when) => {
    const branch = {
      id: 'a',
      type: 'branch',
      edges: [equation('bye', '{{x}}', operator, right)],
      else_edge: words('b', 'Else'),
    };
    const { edges, nodes } = written(importedValue(flow([branch, talk('b'), end])));
    expect(edges).toEqual([{ from: 'a', to: 'bye', when }]);
    expect(nodes['a']).toMatchObject({ type: 'control.noop', default_transition: 'b' });
  });

  test('asks a list that is on the left which of its words the variable is', () => {
    const branch = {
      id: 'a',
      type: 'branch',
      edges: [equation('bye', 'red, green', 'contains', '{{colour}}')],
      else_edge: words('b', 'Else'),
    };
    const { edges } = written(importedValue(flow([branch, talk('b'), end])));
    expect(edges).toEqual([{ from: 'a', to: 'bye', when: { in: { var: 'colour', values: ['red', 'green'] } } }]);
  });

  test('has the model decide a branch by words, and go on where none holds', () => {
    const branch = {
      id: 'a',
      type: 'logic_split',
      edges: [words('bye', 'They are done')],
      else_edge: words('b', 'Else'),
    };
    const { nodes } = written(importedValue(flow([branch, talk('b'), end])));
    expect(nodes['a']?.functions).toMatchObject([
      { description: 'They are done', transition_to: 'bye' },
      { name: 'none_of_these', transition_to: 'b' },
    ]);
    expect(nodes['a']).toMatchObject({ default_transition: 'b' });
  });

  test('goes on without the caller where it skips the response', () => {
    const skip = { skip_response_edge: words('bye', 'Skip response') };
    const fixed = { id: 'a', type: 'conversation', instruction: { type: 'static_text', text: 'One moment.' }, ...skip };
    expect(written(importedValue(flow([fixed, end]))).nodes['a']).toEqual({
      say: 'One moment.',
      listen: false,
      default_transition: 'bye',
    });
    expect(written(importedValue(flow([talk('a', [], skip), end]))).nodes['a']).toMatchObject({
      functions: [{ name: 'go_on', transition_to: 'bye' }],
      default_transition: 'bye',
    });
  });

  test('takes an edge whose words are "Always" whatever happens, and the other one where code fails', () => {
    const code = {
      id: 'a',
      type: 'code',
      name: 'Compute age',
      code: 'return { age: 3 }',
      edges: [words('b', 'Always')],
      else_edge: words('bye', 'Else'),
    };
    const made = importedValue(flow([code, talk('b'), end]));
    expect(written(made).nodes['a']).toMatchObject({ call: 'compute_age', on_error: 'bye', default_transition: 'b' });
    expect(made.tools[0]?.notes.join('\n')).toContain('return { age: 3 }');
  });

  test('goes on where a transfer has failed', () => {
    const transfer = {
      id: 'a',
      type: 'transfer_call',
      transfer_destination: { type: 'predefined', number: '+15550100' },
      edge: words('b', 'Transfer failed'),
    };
    const { nodes } = written(importedValue(flow([transfer, talk('b'), end])));
    expect(nodes['a']).toEqual({ transfer: { to: '+15550100' }, default_transition: 'b' });
  });

  test('comes back from a node that was reached from everywhere', () => {
    const global = talk('faq', [], {
      global_node_setting: { condition: 'They ask about prices', go_back_conditions: [words('', 'It is answered')] },
    });
    const { functions, nodes } = written(importedValue(flow([talk('a', [words('bye', 'Done')]), global, end])));
    expect(functions).toMatchObject([{ description: 'They ask about prices', digression: true, transition_to: 'faq' }]);
    expect(nodes['faq']?.functions).toMatchObject([{ description: 'It is answered', transition_to: '$return' }]);
  });

  test('has a way back told where the caller is not heard, and goes on', () => {
    const global_node_setting = {
      condition: 'They ask about prices',
      go_back_conditions: [words('', 'It is answered')],
    };
    const said = { instruction: { type: 'static_text', text: 'Ten a day.' }, skip_response_edge: words('bye', 'Skip') };
    const made = importedValue(
      flow([talk('a'), { id: 'faq', type: 'conversation', ...said, global_node_setting }, end]),
    );
    expect(written(made).nodes['faq']).toEqual({ say: 'Ten a day.', listen: false, default_transition: 'bye' });
    expect(told(made, 'lost')).toEqual(['a way back beside "skip response": the caller is not heard there']);
  });

  test('has what a check refuses told with its reason and its place', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } };
    const tools = [{ type: 'custom', tool_id: 't', name: 'book', url: 'https://x.example', parameters }];
    const step = { id: 'a', type: 'function', tool_id: 't', tool_type: 'local', edges: [words('bye', 'Booked')] };
    const made = importedValue(flow([step, end], { tools }));
    expect(told(made, 'lost')).toEqual([expect.stringMatching(/^left out, since it cannot stand in a flow: /)]);
    expect(made.notes.find(({ kind }) => kind === 'lost')?.path).toEqual(['nodes', 0]);
  });

  test('has the nodes of a component stand in the flow, once for each node that runs it', () => {
    const component = {
      conversation_flow_component_id: 'c1',
      name: 'Ask name',
      start_node_id: 'x',
      nodes: [talk('x', [{ id: 'e', transition_condition: { type: 'prompt', prompt: 'They said it' } }])],
    };
    const run = (id: string, to: string) => ({
      id,
      type: 'component',
      component_id: 'c1',
      component_type: 'local',
      else_edge: words(to, 'Else'),
    });
    const { nodes } = written(importedValue(flow([run('a', 'b'), run('b', 'bye'), end], { components: [component] })));
    expect(nodes['a']).toMatchObject({ default_transition: 'a_x' });
    expect(nodes['a_x']?.functions).toMatchObject([{ transition_to: 'b' }]);
    expect(nodes['b_x']?.functions).toMatchObject([{ transition_to: 'bye' }]);
  });

  test('lets the caller speak first', () => {
    const { initial_node, nodes } = written(
      importedValue(flow([talk('a', [words('bye', 'Done')]), end], { start_speaker: 'user' })),
    );
    expect(nodes[initial_node]).toEqual({ respond_immediately: false, listen: true, default_transition: 'a' });
  });

  test('gives nodes words for ids, and leaves the secrets of its tools out', () => {
    const tool = {
      type: 'custom',
      tool_id: 't',
      name: 'look up',
      url: 'https://x.example',
      headers: { Authorization: 'Bearer 123456789' },
    };
    const node = {
      id: 'node-1733333333333',
      name: 'Look order up',
      type: 'function',
      tool_id: 't',
      edges: [],
      else_edge: words('bye', 'Else'),
    };
    const made = importedValue(flow([node, end], { tools: [tool], start_node_id: 'node-1733333333333' }));
    expect(written(made).initial_node).toBe('look_order_up');
    expect(JSON.stringify(made)).not.toContain('123456789');
    expect(told(made, 'changed')).toContainEqual(expect.stringContaining('Authorization'));
  });

  test('tells of edges to nowhere, unknown nodes and settings that a flow has not', () => {
    const odd = { id: 'a', type: 'hologram', edges: [words('gone', 'x')], interruption_sensitivity: 0.4 };
    const made = importedValue(flow([odd, end]));
    expect(told(made, 'lost')).toEqual(
      expect.arrayContaining([
        expect.stringContaining('"gone", which is not in the file'),
        expect.stringContaining('type "hologram" is not known'),
        expect.stringContaining('"interruption_sensitivity" has no counterpart'),
      ]),
    );
    expect(told(made, 'taken').join()).not.toContain('hologram');
  });
});

describe('an LLM of Retell', () => {
  test('has a node for each state, and functions of the names that prompts may call', () => {
    const made = imported(join(foreignFolder, 'retell-llm.json'));
    const { nodes, functions, initial_node } = written(made);
    expect(nodes[initial_node]).toMatchObject({ say: 'Northgate Parcels, how can I help?', default_transition: 'ask' });
    expect(nodes['ask']?.functions).toMatchObject([
      { name: 'transition_to_trace', parameters: { required: ['code'] }, transition_to: 'trace' },
    ]);
    expect(nodes['trace']?.functions).toMatchObject([
      { name: 'find_parcel', effect: 'read' },
      { transition_to: 'ask' },
    ]);
    expect(functions).toMatchObject([{ name: 'end_call' }, { name: 'to_desk' }]);
  });

  test('with one prompt is one node, whose model speaks first', () => {
    const { nodes, initial_node, role_messages } = written(
      importedValue({ general_prompt: 'You sell tea.', begin_message: null }),
    );
    expect(role_messages).toBe('You sell tea.');
    expect(initial_node).toBe('main');
    expect(nodes['main']?.say).toBeUndefined();
  });

  test('waits for the caller where its first message is empty', () => {
    const { nodes, initial_node } = written(importedValue({ general_prompt: 'You sell tea.', begin_message: '' }));
    expect(nodes[initial_node]).toMatchObject({ respond_immediately: false, default_transition: 'main' });
  });

  test('has a first message told that nobody hears, for the caller speaks first', () => {
    const made = importedValue({ general_prompt: 'You sell tea.', begin_message: 'Hello.', start_speaker: 'user' });
    expect(told(made, 'lost')).toEqual(['the first message is not said, for the caller speaks first']);
  });

  test('is read inside its agent, with what that says of silence and language', () => {
    const agent = {
      agent_name: 'Tea',
      language: 'de-DE',
      reminder_trigger_ms: 7000,
      reminder_max_count: 2,
      voice_id: '11labs',
      retellLlmData: { general_prompt: 'Du verkaufst Tee.' },
    };
    const made = importedValue(agent);
    expect(made.document).toMatchObject({ name: 'Tea', language: 'de-DE', ladder: { no_input_ms: 7000, attempts: 3 } });
    expect(told(made, 'lost')).toEqual([expect.stringContaining('"voice_id" has no counterpart: voices and models')]);
  });
});
