import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeToolStubs } from '../../src/cli/run/tool-stubs.ts';
import { foreignFolder, imported, importedValue, told, written } from './imported.ts';

const model = (more: object = {}) => ({
  provider: 'openai',
  model: 'gpt-4.1',
  messages: [{ role: 'system', content: 'Be kind.' }],
  ...more,
});

describe('a squad of Vapi', () => {
  test('has a node for each assistant, and a function for each handoff', () => {
    const made = imported(join(foreignFolder, 'vapi-squad.json'));
    const { nodes, initial_node } = written(made);
    expect(initial_node).toBe('front');
    expect(nodes['front']).toMatchObject({
      say: 'Northgate Parcels, how can I help?',
      role_messages: 'Find out the tracking code.',
      functions: [
        { name: 'to_tracing', parameters: { required: ['code'] }, transition_to: 'tracing' },
        { name: 'end_call', transition_to: 'front_end_call' },
      ],
    });
    expect(nodes['front_end_call']).toEqual({ say: 'Goodbye.', end: 'ended' });
    expect(nodes['tracing']).toMatchObject({ context_strategy: 'reset_with_summary' });
    expect(nodes['tracing_transfer_call']).toEqual({
      transfer: { to: '+15550100', say: 'I put you through.' },
      default_transition: 'tracing_transfer_call_failed',
    });
    expect(made.tools).toMatchObject([{ name: 'find_parcel', sets: { parcelState: 'state' } }]);
  });

  test('names members that stand outside of the file', () => {
    const made = importedValue({
      members: [{ assistant: { name: 'front', model: model() } }, { assistantId: 'abcdef12-3456' }],
    });
    expect(told(made, 'lost')).toContainEqual(expect.stringContaining('"abcdef12-3456" is not in the file'));
  });

  test('reads the older way of a handoff', () => {
    const made = importedValue({
      members: [
        {
          assistant: { name: 'A', model: model() },
          assistantDestinations: [
            { type: 'assistant', assistantName: 'B', description: 'They want B.', message: 'One moment.' },
          ],
        },
        { assistant: { name: 'B', model: model() } },
      ],
    });
    expect(written(made).nodes['a']?.functions).toMatchObject([{ description: 'They want B.', transition_to: 'b' }]);
    expect(told(made, 'lost')).toContainEqual(expect.stringContaining('during a handoff'));
  });
});

describe('an assistant of Vapi', () => {
  test('sends the values that a request has in the file', () => {
    const properties = { code: { type: 'string' }, shop: { type: 'string', value: '{{ shop }}' }, kind: { value: 3 } };
    const tool = { type: 'apiRequest', name: 'look', url: 'https://x.example/', body: { type: 'object', properties } };
    const made = importedValue({ model: model({ tools: [tool] }) });
    expect(made.tools[0]).toMatchObject({ http: { body: { shop: '{{ shop }}', kind: 3 } } });
    expect(Object.keys(made.tools[0]?.parameters?.['properties'] ?? {})).toEqual(['code']);
    expect(writeToolStubs(made)).toContain('body: { ...args, "shop": fill("{{ shop }}", args, context), "kind": 3 },');
  });

  test('has hooks on silence of different times told, and its last words where nothing ends the call', () => {
    const hook = (timeoutSeconds: number, exact: string) => ({
      on: 'customer.speech.timeout',
      options: { timeoutSeconds, triggerMaxCount: 1 },
      do: [{ type: 'say', exact }],
    });
    const hooks = [hook(20, 'I hang up now.'), hook(8, 'Are you there?')];
    const made = importedValue({ model: model(), hooks, endCallMessage: 'Thank you for calling.' });
    expect(written(made).ladder).toEqual({
      no_input_ms: 8_000,
      attempts: 3,
      lines: ['Are you there?', 'I hang up now.'],
    });
    expect(told(made, 'changed')).toContainEqual(expect.stringContaining('after 20 seconds of silence'));
    expect(told(made, 'lost')).toContainEqual(expect.stringContaining('endCallMessage'));
  });

  test('says its first message, and has its older prompt and functions read', () => {
    const made = importedValue({
      name: 'Desk',
      firstMessage: 'Hi {{name | default: "there"}}, it is {{"now" | date: "%H:%M"}}.',
      endCallFunctionEnabled: true,
      endCallMessage: 'Bye now.',
      model: {
        provider: 'openai',
        model: 'gpt-4',
        systemPrompt: 'Be kind.',
        functions: [
          {
            name: 'findOrder',
            description: 'Find it.',
            parameters: { type: 'object', properties: { id: { type: 'string' } } },
          },
        ],
      },
    });
    const { nodes, input, role_messages } = written(made);
    expect(role_messages).toBe('Be kind.');
    expect(nodes['desk']).toMatchObject({
      say: 'Hi {{ name }}, it is {{ current_time }}.',
      functions: [{ name: 'findOrder', handler: 'findOrder' }, { name: 'end_call' }],
    });
    expect(nodes['desk_end_call']).toEqual({ say: 'Bye now.', end: 'ended' });
    expect(input).toMatchObject({ name: { optional: true }, current_time: { optional: true } });
  });

  test('waits for the caller, and speaks into silence by its ladder', () => {
    const made = importedValue({
      name: 'Desk',
      firstMessageMode: 'assistant-waits-for-user',
      model: model(),
      hooks: [
        {
          on: 'customer.speech.timeout',
          options: { timeoutSeconds: 9, triggerMaxCount: 2 },
          do: [{ type: 'say', exact: 'Are you there?' }],
        },
      ],
    });
    expect(written(made).nodes['desk']).toMatchObject({ respond_immediately: false });
    expect(written(made).ladder).toEqual({ no_input_ms: 9000, attempts: 3, lines: ['Are you there?'] });
  });
});

describe('a workflow of Vapi', () => {
  test('of the second generation is read with its conditions, failures and global nodes', () => {
    const made = imported(join(foreignFolder, 'vapi-workflow.json'));
    const { nodes, edges, functions, initial_node } = written(made);
    expect(initial_node).toBe('ask');
    expect(nodes['ask']).toMatchObject({ say: 'Northgate Parcels, what is your tracking code?' });
    expect(nodes['ask']?.functions).toMatchObject([
      { parameters: { properties: { code: { type: 'string' } } }, transition_to: 'look' },
    ]);
    expect(nodes['look']).toMatchObject({ call: 'find_parcel', on_error: 'desk' });
    expect(edges).toEqual([
      { from: 'look_next', to: 'tell', when: { equals: { var: 'parcelState', value: 'ready' } } },
    ]);
    expect(functions).toMatchObject([{ description: 'The caller asks for a person', transition_to: 'human' }]);
  });

  test('of the first generation collects what it gathers', () => {
    const made = importedValue({
      name: 'old',
      nodes: [
        { id: 'hi', type: 'Say', exact: 'Welcome.' },
        {
          id: 'get',
          type: 'Gather',
          output: {
            type: 'object',
            properties: { age: { type: 'number' }, plan: { type: 'string', enum: ['Basic', 'Pro'] } },
            required: ['age'],
          },
          confirmContent: true,
        },
        { id: 'bye', type: 'Hangup' },
      ],
      edges: [
        { from: 'hi', to: 'get' },
        { from: 'get', to: 'bye', condition: { type: 'logic', liquid: '{{ age < 18 or plan == "Pro" }}' } },
        { from: 'get', to: 'hi' },
      ],
    });
    const { nodes, slots, edges } = written(made);
    expect(nodes['hi']).toEqual({ say: 'Welcome.', listen: false, default_transition: 'get' });
    expect(nodes['get']).toMatchObject({ collect: ['age', 'plan'] });
    expect(slots).toEqual({
      age: { type: 'number', confirm: 'readback' },
      plan: { type: 'enum', values: ['Basic', 'Pro'], confirm: 'readback', optional: true },
    });
    expect(edges).toEqual([
      {
        from: 'get_next',
        to: 'bye',
        when: { any: [{ less: { var: 'age', value: 18 } }, { equals: { var: 'plan', value: 'Pro' } }] },
      },
    ]);
  });

  test('of the flat shape is read by ids, with conditions that are texts', () => {
    const made = importedValue({
      nodes: [
        {
          id: 'n1',
          type: 'conversation',
          systemPrompt: 'Ask.',
          firstMessage: 'Hello.',
          extractVariables: [{ name: 'city', type: 'string' }],
        },
        { id: 'n2', type: 'endCall' },
      ],
      edges: [{ from: 'n1', to: 'n2', condition: 'They are done' }],
    });
    expect(written(made).nodes['n1']).toMatchObject({
      say: 'Hello.',
      functions: [
        { description: 'They are done', parameters: { properties: { city: { type: 'string' } } }, transition_to: 'n2' },
      ],
    });
  });

  test('binds "and" and "or" from right to left, as Liquid does', () => {
    const made = importedValue({
      nodes: [
        { type: 'tool', name: 't', tool: { type: 'function', function: { name: 'f' } } },
        { type: 'hangup', name: 'bye' },
        { type: 'hangup', name: 'no' },
      ],
      edges: [
        {
          from: 't',
          to: 'bye',
          condition: { type: 'logic', liquid: '{% if a == 1 and b == 2 or c == 3 %} true {% endif %}' },
        },
        { from: 't', to: 'no' },
      ],
    });
    const equal = (name: string, value: number) => ({ equals: { var: name, value } });
    expect(written(made).edges).toEqual([
      { from: 't_next', to: 'bye', when: { all: [equal('a', 1), { any: [equal('b', 2), equal('c', 3)] }] } },
    ]);
  });
});

test('what an end and a transfer say stays, and a tool that the dashboard calls untitled has its own name', () => {
  const untitled = { name: 'untitled_tool', parameters: { type: 'object', required: [], properties: {} } };
  const said = (content: string) => [{ type: 'request-start', content, blocking: true }];
  const flow = importedValue({
    name: 'desk',
    nodes: [
      { name: 'start', type: 'conversation', isStart: true, prompt: 'Ask what they want.' },
      {
        name: 'Book it',
        type: 'tool',
        tool: { type: 'apiRequest', name: 'book', url: 'https://example.com', function: untitled },
      },
      {
        name: 'bye',
        type: 'tool',
        tool: { type: 'endCall', function: untitled, messages: said('Thank you. Have a great day!') },
      },
      { name: 'over', type: 'tool', tool: { type: 'transferCall', destinations: [], messages: said('One moment.') } },
    ],
    edges: [
      { from: 'start', to: 'Book it', condition: { type: 'ai', prompt: 'Wants a table' } },
      { from: 'start', to: 'over', condition: { type: 'ai', prompt: 'Wants a human' } },
      { from: 'Book it', to: 'bye' },
    ],
  });
  const { nodes } = written(flow);
  expect(nodes['bye']).toEqual({ say: 'Thank you. Have a great day!', end: 'ended' });
  expect(nodes['over']).toEqual({ say: 'One moment.', end: 'transferred' });
  expect(flow.tools.map(({ name }) => name)).toEqual(['book']);
});
