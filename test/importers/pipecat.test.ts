import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DocumentPath, PathSegment } from '../../src/flow/document/problems/diagnostic.ts';
import { checkFlow } from '../../src/index.ts';
import { fromPipecat } from '../../src/importers/pipecat/pipecat.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { configFlows, readFixture, staticFlows } from './read-fixture.ts';

/** Follows a path that may begin with `nodes.NAME`. */
function at(value: unknown, ...path: readonly PathSegment[]): unknown {
  let part = value;
  for (const segment of path) part = (part as Record<PathSegment, unknown> | undefined)?.[segment];
  return part;
}

function isIn(value: unknown, path: DocumentPath): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) && isIn(at(value, key), rest);
}

function pathsOf(value: unknown): readonly DocumentPath[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const keys = Array.isArray(value) ? [...value.keys()].filter((index) => index in value) : Object.keys(value);
  return [[], ...keys.flatMap((key) => pathsOf(at(value, key)).map((rest) => [key, ...rest]))];
}

function convert(raw: unknown): unknown {
  return fromPipecat(raw).value;
}

function flowWith(node: Record<string, unknown>): Record<string, unknown> {
  return { initial_node: 'greet', nodes: { greet: node } };
}

function functionsOf(functions: unknown): unknown {
  return at(convert(flowWith({ functions })), 'nodes', 'greet', 'functions');
}

const plainPick = {
  name: 'pick',
  description: 'Pick one.',
  parameters: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] },
  transition_to: 'done',
};

describe('a flow in our own format', () => {
  const native = {
    initial_node: 'greet',
    slots: { voice: { type: 'text' }, tts_voice: { type: 'text' } },
    role_messages: [{ role: 'system', content: 'Be kind.' }],
    functions: [{ name: 'help', transition_to: 'greet' }],
    nodes: {
      greet: {
        say: 'Hello.',
        functions: [plainPick],
        context_strategy: { strategy: 'reset', summary_prompt: 'Short.' },
        pre_actions: [{ type: 'function', handler: 'log' }],
      },
      voice_menu: { end: true },
    },
  };

  test('comes back as the same object', () => {
    const imported = fromPipecat(native);
    expect(imported.value).toBe(native);
    expect(imported.format).toBe('roomflow');
    expect(imported.problems).toEqual([]);
    expect(imported.origin(['nodes', 'greet', 'say'])).toEqual(['nodes', 'greet', 'say']);
  });

  test('shares with the input what did not change', () => {
    const raw = { ...native, nodes: { ...native.nodes, bye: { role_message: 'Be brief.' } } };
    const value = convert(raw);
    expect(at(value, 'nodes', 'greet')).toBe(native.nodes.greet);
    expect(at(value, 'slots')).toBe(native.slots);
    expect(at(value, 'nodes', 'bye')).toEqual({ role_messages: [{ role: 'system', content: 'Be brief.' }] });
    expect(raw.nodes.bye).toEqual({ role_message: 'Be brief.' });
  });

  test('of 10,000 nodes is passed through in less than half a second of the processor', () => {
    const nodes: Record<string, unknown> = {};
    for (let index = 0; index < 10_000; index += 1)
      nodes[`node_${index}`] = { ...native.nodes.greet, task_messages: [{ role: 'system', content: 'Ask.' }] };
    const large = { ...native, nodes };
    expect(fromPipecat(large).value).toBe(large);
    expect(cpuSecondsOf(() => fromPipecat(large))).toBeLessThan(0.5);
  });

  test('may give messages as a text, as one message or as texts', () => {
    const one = { role: 'developer', content: 'Ask the name.' };
    const value = convert({
      initialNode: 'greet',
      roleMessage: 'Be kind.',
      nodes: [
        { id: 'greet', task_message: 'Greet.' },
        { id: 'ask', task_messages: one },
        { id: 'bye', roleMessages: ['Be brief.', one] },
      ],
    });
    expect(value).toEqual({
      initialNode: 'greet',
      roleMessages: [{ role: 'system', content: 'Be kind.' }],
      nodes: [
        { id: 'greet', task_messages: [{ role: 'system', content: 'Greet.' }] },
        { id: 'ask', task_messages: [one] },
        { id: 'bye', roleMessages: [{ role: 'system', content: 'Be brief.' }, one] },
      ],
    });
  });

  test('that gives a field by both of its names is told to keep one', () => {
    const both = { task_message: 'Be kind.', task_messages: [{ role: 'system', content: 'Be brief.' }] };
    const imported = fromPipecat(flowWith(both));
    expect(at(imported.value, 'nodes', 'greet')).toEqual({ task_messages: both.task_messages });
    expect(imported.problems).toEqual([
      expect.objectContaining({
        code: 'conflicting-keys',
        severity: 'error',
        path: ['nodes', 'greet', 'task_message'],
        atKey: true,
      }),
    ]);
    expect(imported.origin(['nodes', 'greet', 'task_messages', 0])).toEqual(['nodes', 'greet', 'task_messages', 0]);
    const codes = (node: Record<string, unknown>): unknown =>
      fromPipecat(flowWith(node)).problems.map(({ code }) => code);
    expect(codes({ messages: [], task_message: 'Greet.' })).toEqual(['conflicting-keys']);
    expect(codes({ functions: [{ name: 'a', parameters: {}, properties: {} }] })).toEqual(['conflicting-keys']);
  });

  test.each([
    ['before', { role_message: 'Be kind.', role_messages: [{ role: 'system', content: 'Be brief.' }] }],
    ['after', { role_messages: [{ role: 'system', content: 'Be brief.' }], role_message: 'Be kind.' }],
  ])('has the role message %s the older list: the text counts, as in Pipecat, and that is told', (_, node) => {
    const imported = fromPipecat(flowWith(node));
    expect(at(imported.value, 'nodes', 'greet')).toEqual({ role_messages: [{ role: 'system', content: 'Be kind.' }] });
    expect(imported.problems).toMatchObject([
      { code: 'conflicting-keys', severity: 'warning', path: ['nodes', 'greet', 'role_message'] },
    ]);
    const content = ['nodes', 'greet', 'role_messages', 0, 'content'];
    expect(imported.origin(content)).toEqual(['nodes', 'greet', 'role_message']);
  });

  test('that is a task flow is left alone', () => {
    const task = { flow: { name: 'check' }, voice: 'x', nodes: [{ id: 'a', type: 'data.set', input: {}, data: {} }] };
    expect(fromPipecat(task).value).toBe(task);
    expect(fromPipecat(task).problems).toEqual([]);
  });

  test('that names both kinds, or has data in a node, is converted all the same', () => {
    const both = { flow: {}, initial_node: 'a', nodes: [{ id: 'a', role_message: 'Hi.', data: {} }] };
    const imported = fromPipecat(both);
    expect(imported.problems).toEqual([]);
    expect(at(imported.value, 'nodes', 0, 'role_messages', 0, 'content')).toBe('Hi.');
  });
});

describe('functions', () => {
  test('of OpenAI are unwrapped', () => {
    expect(functionsOf([{ type: 'function', function: plainPick }])).toEqual([plainPick]);
    expect(functionsOf([{ type: 'function', ...plainPick }])).toEqual([plainPick]);
    const { transition_to, ...inner } = plainPick;
    expect(functionsOf([{ type: 'function', function: inner, transition_to }])).toEqual([plainPick]);
    expect(functionsOf([{ type: 'function', function: plainPick, transition_to: 'no' }])).toEqual([plainPick]);
  });

  test('of Anthropic give their input schema as parameters', () => {
    const { parameters, ...rest } = plainPick;
    expect(functionsOf([{ ...rest, input_schema: parameters }])).toEqual([plainPick]);
  });

  test('of Gemini are taken out of their declarations, several of one item in order', () => {
    const help = { name: 'help', transition_to: 'help' };
    const last = { name: 'last' };
    expect(functionsOf([{ function_declarations: [plainPick, help] }, last])).toEqual([plainPick, help, last]);
    expect(functionsOf([{ functionDeclarations: [] }])).toEqual([]);
  });

  test('with flat properties get parameters', () => {
    const { parameters, ...rest } = plainPick;
    const { properties, required } = parameters;
    expect(functionsOf([{ ...rest, properties, required }])).toEqual([plainPick]);
    expect(functionsOf([{ name: 'any', properties: {} }])).toEqual([
      { name: 'any', parameters: { type: 'object', properties: {} } },
    ]);
  });

  test('name their handlers without the prefix, and no target where it is null', () => {
    const raw = {
      name: 'pick',
      handler: '__function__:pick_one',
      transition_callback: '__function__:next',
      transition_to: null,
    };
    expect(functionsOf([raw])).toEqual([{ name: 'pick', handler: 'pick_one', transition_callback: 'next' }]);
    expect(functionsOf([{ name: 'pick', handler: null }])).toEqual([{ name: 'pick' }]);
    const branch = { field: 'ok', cases: { true: 'done' }, default: null };
    expect(functionsOf([{ name: 'pick', transition_to: branch }])).toEqual([
      { name: 'pick', transition_to: { field: 'ok', cases: { true: 'done' } } },
    ]);
  });

  test('lose settings of one provider with a note', () => {
    const { value, problems } = fromPipecat(
      flowWith({ functions: [{ type: 'function', strict: true, function: plainPick }] }),
    );
    expect(at(value, 'nodes', 'greet', 'functions')).toEqual([plainPick]);
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'ignored-field',
        severity: 'note',
        path: ['nodes', 'greet', 'functions', 0, 'strict'],
      }),
    ]);
  });
});

test('functions of the first static flows lead to the nodes of their names', () => {
  const wrapped = (name: string, more: object = {}): object => ({
    type: 'function',
    function: { name, description: 'x', parameters: { type: 'object', properties: {} }, ...more },
  });
  const functions = [wrapped('sushi'), wrapped('other'), wrapped('pizza', { transition_to: 'end' })];
  const { value } = fromPipecat({
    initial_node: 'start',
    nodes: { start: { task_messages: [], functions }, pizza: {}, sushi: {}, end: {} },
  });
  expect(value).toMatchObject({
    nodes: { start: { functions: [{ name: 'sushi', transition_to: 'sushi' }, {}, { transition_to: 'end' }] } },
  });
  const { functions: read } = (value as { nodes: { start: { functions: object[] } } }).nodes.start;
  expect(read[1]).not.toHaveProperty('transition_to');
  const flat = { initial_node: 'a', nodes: { a: { functions: [{ name: 'b', description: 'x' }] }, b: {} } };
  expect(fromPipecat(flat).value).toBe(flat);
});

describe('nodes', () => {
  test('may name their context strategy in capitals', () => {
    const strategy = (context_strategy: unknown): unknown =>
      at(convert(flowWith({ context_strategy })), 'nodes', 'greet', 'context_strategy');
    expect(strategy('APPEND')).toBe('append');
    expect(strategy({ strategy: 'RESET_WITH_SUMMARY', summary_prompt: 'Short.' })).toEqual({
      strategy: 'reset_with_summary',
      summary_prompt: 'Short.',
    });
    expect(strategy({ strategy: 'RESET', summary_prompt: null })).toEqual({ strategy: 'reset' });
    expect(strategy('FORGET')).toBe('FORGET');
    expect(strategy(null)).toBeUndefined();
  });

  test('keep what their actions carry, and name handlers without the prefix', () => {
    const say = { type: 'tts_say', text: 'Hi.', append_text_to_context: false, voice: 'amber' };
    const node = { pre_actions: [say, { type: 'function', handler: '__function__:log' }] };
    expect(at(convert(flowWith(node)), 'nodes', 'greet', 'pre_actions')).toEqual([
      say,
      { type: 'function', handler: 'log' },
    ]);
  });

  test('of the oldest flows give their messages as the task', () => {
    const messages = [{ role: 'system', content: 'Greet.' }];
    const imported = fromPipecat(flowWith({ messages }));
    expect(at(imported.value, 'nodes', 'greet')).toEqual({ task_messages: messages });
    expect(imported.format).toBe('pipecat-static');
  });
});

describe('fields of voice and audio', () => {
  test('are left out of flow, nodes and functions, each with a note at its key', () => {
    const { value, problems } = fromPipecat({
      initial_node: 'greet',
      voiceId: 'amber',
      sample_rate: 16_000,
      nodes: {
        greet: {
          tts: { speed: 1.2 },
          interruption_sensitivity: 0.5,
          functions: [{ name: 'go', voice_speed: 2, transition_to: 'greet' }],
        },
      },
    });
    expect(value).toEqual({
      initial_node: 'greet',
      nodes: { greet: { functions: [{ name: 'go', transition_to: 'greet' }] } },
    });
    expect(problems.map(({ path }) => path.join('.'))).toEqual([
      'voiceId',
      'sample_rate',
      'nodes.greet.tts',
      'nodes.greet.interruption_sensitivity',
      'nodes.greet.functions.0.voice_speed',
    ]);
    for (const problem of problems)
      expect(problem).toMatchObject({ code: 'ignored-field', severity: 'note', atKey: true });
  });

  test('are not mistaken for names of nodes, and a typo is left to the schema', () => {
    const flow = { initial_node: 'voice', nodes: { voice: { sayy: 'Hi.', audit: 1, voices_of: 2, tts_say: 'Hi.' } } };
    expect(convert(flow)).toBe(flow);
  });
});

describe('the place of a problem', () => {
  const raw = {
    initial_node: 'greet',
    global_functions: [{ name: 'help' }],
    nodes: {
      greet: {
        role_message: 'Be {{ kind }}.',
        task_messages: ['Ask.', { role: 'system', content: 'Now.' }],
        functions: [
          { type: 'function', function: { name: 'a' }, transition_to: 'x' },
          { function_declarations: [{ name: 'b' }, { name: 'c', input_schema: { type: 'object' } }] },
          { name: 'd', properties: { size: {} }, required: ['size'] },
        ],
      },
      bye: { task_messages: { role: 'system', content: 'Bye.' } },
    },
  };
  const functions = ['nodes', 'greet', 'functions'];

  test.each<[string, DocumentPath, DocumentPath]>([
    ['a global function', ['functions', 0, 'name'], ['global_functions', 0, 'name']],
    ['the list of global functions', ['functions'], ['global_functions']],
    ['a single role message', ['nodes', 'greet', 'role_messages', 0, 'content'], ['nodes', 'greet', 'role_message']],
    [
      'a message that is a text',
      ['nodes', 'greet', 'task_messages', 0, 'role'],
      ['nodes', 'greet', 'task_messages', 0],
    ],
    [
      'the message after it',
      ['nodes', 'greet', 'task_messages', 1, 'role'],
      ['nodes', 'greet', 'task_messages', 1, 'role'],
    ],
    [
      'a message without a list',
      ['nodes', 'bye', 'task_messages', 0, 'content'],
      ['nodes', 'bye', 'task_messages', 'content'],
    ],
    ['a wrapped function', [...functions, 0, 'name'], [...functions, 0, 'function', 'name']],
    ['what stands beside the wrapping', [...functions, 0, 'transition_to'], [...functions, 0, 'transition_to']],
    ['a declared function', [...functions, 2, 'name'], [...functions, 1, 'function_declarations', 1, 'name']],
    [
      'its schema',
      [...functions, 2, 'parameters', 'type'],
      [...functions, 1, 'function_declarations', 1, 'input_schema', 'type'],
    ],
    ['a function that moved down', [...functions, 3, 'name'], [...functions, 2, 'name']],
    ['a flat property', [...functions, 3, 'parameters', 'properties', 'size'], [...functions, 2, 'properties', 'size']],
    ['flat required names', [...functions, 3, 'parameters', 'required', 0], [...functions, 2, 'required', 0]],
    ['parameters that nobody wrote', [...functions, 3, 'parameters', 'type'], [...functions, 2, 'properties']],
    ['what never moved', ['nodes', 'bye', 'say'], ['nodes', 'bye', 'say']],
  ])('of %s is the author’s', (_, output, input) => {
    expect(fromPipecat(raw).origin(output)).toEqual(input);
  });
});

describe('a Pipecat flow', () => {
  test.each(staticFlows)('%s is told from others by its form', (name) => {
    const { format, problems } = fromPipecat(readFixture(name));
    expect(format).toBe('pipecat-static');
    expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });

  const config = (functions: unknown, more: object = {}): Record<string, unknown> => ({
    initial_node: 'ask',
    nodes: { ask: { role_message: 'Be kind.', task_messages: [], functions, ...more } },
  });
  const fromConfig = (functions: unknown, more?: object): unknown =>
    at(convert(config(functions, more)), 'nodes', 'ask', 'functions');

  test('names the code of every function that is no mere move', () => {
    const move = { name: 'leave', description: 'Leaves.', transition_only: true, transition_to: 'ask' };
    const save = { name: 'save', transition_to: 'ask' };
    expect(fromConfig([save, move])).toEqual([{ ...save, handler: 'save' }, move]);
    const diagnostics = checkFlow(config([save, move]), { functions: new Set(['other']) }).diagnostics;
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'unknown-function', path: ['nodes', 'ask', 'functions', 0, 'name'] },
    ]);
  });

  test('is no document with a key of ours, where an unregistered function only moves', () => {
    const save = { name: 'save', transition_to: 'ask' };
    for (const own of [{ say: 'Hello.' }, { collect: [] }, { default_transition: 'ask' }])
      expect(fromConfig([save], own)).toEqual([save]);
    expect(functionsOf([save])).toEqual([save]);
  });

  test.each(configFlows)('%s is told from others by its form', (name) => {
    expect(fromPipecat(readFixture(name))).toMatchObject({ format: 'pipecat-config', problems: [] });
  });

  test('of the static kind keeps the limits of its arguments', () => {
    const reservation = convert(readFixture('restaurant-reservation.openai.json'));
    expect(at(reservation, 'nodes', 'greeting', 'functions', 0, 'parameters', 'properties', 'size')).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 12,
    });
    expect(at(reservation, 'nodes', 'get_time', 'functions', 0)).toMatchObject({
      name: 'record_time',
      handler: 'record_time',
      parameters: { properties: { time: { pattern: '^(17|18|19|20|21|22):([0-5][0-9])$' } } },
      transition_callback: 'check_availability',
    });
  });
});

test('what pydantic writes as null where it is absent is absent', () => {
  const dumped = {
    initial_node: 'a',
    name: null,
    description: null,
    nodes: {
      a: {
        id: null,
        name: null,
        description: null,
        role_message: null,
        respond_immediately: null,
        default_transition: null,
        context_strategy: null,
        pre_actions: null,
        task_messages: [{ role: 'system', content: 'Help.' }],
        functions: [
          {
            name: 'go',
            description: null,
            handler: null,
            parameters: null,
            transition_only: null,
            transition_to: 'a',
            cancel_on_interruption: null,
          },
        ],
      },
    },
  };
  const { diagnostics } = checkFlow(dumped);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('of a task flow as well, and a text that an author left empty is told', () => {
  const node = { id: null, description: null, type: 'system.log', input: { level: 'info', message: 'Hi.' } };
  const repeated = { body: { nodes: [{ ...node, id: 'c' }], edges: [] } };
  const loop = { type: 'control.foreach', input: { list: [1] }, ...repeated };
  const dumped = { flow: { name: null, description: null }, nodes: { a: node, b: { ...loop, description: null } } };
  expect(checkFlow(dumped).diagnostics).toEqual([]);
  expect(checkFlow({ ...dumped, nodes: { a: { ...node, prompt: null } } }).diagnostics).toMatchObject([
    { severity: 'error', path: ['nodes', 'a', 'prompt'] },
  ]);
});

describe('any value', () => {
  const keys = fc.constantFrom(
    ...'role_message task_message messages functions global_functions function function_declarations'.split(' '),
    ...'name handler properties required input_schema parameters transition_to default voice strict'.split(' '),
    ...'nodes data pre_actions context_strategy __proto__ constructor toString hasOwnProperty'.split(' '),
  );
  const near = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      fc.oneof(fc.string(), fc.constant(null), fc.constant('__function__:x'), fc.integer(), fc.boolean()),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(keys, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;

  test('is taken without a throw, and all that comes out and all that is wrong has a place in it', () => {
    const flow = fc.record({ initial_node: fc.string(), nodes: fc.dictionary(keys, near) });
    const message = fc.oneof(near, fc.array(fc.dictionary(keys, near), { maxLength: 4 }));
    const node = fc.record({ functions: message, role_message: message, pre_actions: message }, { requiredKeys: [] });
    const nodes = fc.record({ initial_node: fc.string(), nodes: fc.dictionary(keys, node), global_functions: message });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), near, flow, nodes), (raw) => {
        const { value, problems, origin } = fromPipecat(raw);
        const places = [...[...pathsOf(value)].map((path) => origin(path)), ...problems.map(({ path }) => path)];
        expect(places.filter((place) => !isIn(raw, place))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps members with special names as plain members', () => {
    const raw: unknown = JSON.parse(
      '{"initial_node":"__proto__","voice":1,"nodes":{"__proto__":{"role_message":"Hi.","__proto__":{"polluted":true}}}}',
    );
    const value = convert(raw) as { nodes: Record<string, unknown> };
    expect(Object.getPrototypeOf(value.nodes)).toBe(Object.prototype);
    expect(Object.keys(value.nodes)).toEqual(['__proto__']);
    const [node] = Object.values(value.nodes);
    expect(Object.keys(node as object)).toEqual(['role_messages', '__proto__']);
    expect('polluted' in (node as object)).toBe(false);
  });
});
