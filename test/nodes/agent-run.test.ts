import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FlowError } from '../../src/model/errors.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType, type NodeTool } from '../../src/flow/graph/nodes/node-type.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { ModelChunk, ModelRequest } from '../../src/model/ports/model.ts';
import type { FlowRun } from '../../src/runner/flow-run.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { catalog, finished, one, rig } from '../tasks/task-rig.ts';
import { call, type Given, type ModelScriptStep, runNode, scriptedModel, startNode } from './run-node.ts';

const agents = ['run', 'plan', 'classify', 'coder', 'reviewer', 'summarize'].map((name) => `agent.${name}`);

/** A registered function that gives these results in turn, and remembers the keys and arguments of its calls. */
function toolOf(name: string, execute: (raw: string) => ReturnType<NodeTool['execute']>, writes = false) {
  const calls: [key: string, raw: string][] = [];
  const tool: NodeTool = {
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object' },
    writes,
    execute(key, raw) {
      calls.push([key, raw]);
      return execute(raw);
    },
  };
  return { calls, tool: (asked: string) => (asked === name ? tool : null) };
}

const found = async (result: string) => Promise.resolve({ ok: true as const, result });

describe('every agent', () => {
  test.each(agents)('%s is an agent of several turns that streams, and takes the config of agents', (name) => {
    const type = builtinCatalog.get(name);
    expect(type?.capabilities).toEqual({ isAgent: true, supportsMultiTurn: true, isStreaming: true });
    expect(
      type?.config?.safeParse({
        model: 'small',
        temperature: 0.2,
        maxTokens: 100,
        topP: 1,
        tools: ['look_up'],
        toolChoice: { name: 'look_up' },
        maxTurns: 3,
        turnTimeoutMs: 0,
        metadata: { team: 'a' },
      }).success,
    ).toBe(true);
    const issues = (config: unknown) => type?.config?.safeParse(config).error?.issues.map(({ message }) => message);
    expect(issues({ tempature: 1 })).toEqual([expect.stringContaining('tempature')]);
    expect(issues({ temperature: 3 })).toHaveLength(1);
    expect(issues({ toolChoice: 'always' })).toHaveLength(1);
  });
});

describe('the events of an agent', () => {
  test('are its start, its words as they stream in, and at the end all of them joined', async () => {
    const run = startNode('agent.run', { input: 'Hi.' }, { model: () => scriptedModel('Good day to you.') });
    expect(await run.settled()).toEqual({ result: 'Good day to you.' });
    expect(run.told).toEqual([
      ['agent:start', 'run-1', { input: 'Hi.' }],
      ['agent:text', 'run-1', { delta: 'Good ' }],
      ['agent:text', 'run-1', { delta: 'day ' }],
      ['agent:text', 'run-1', { delta: 'to ' }],
      ['agent:text', 'run-1', { delta: 'you.' }],
      ['agent:complete', 'run-1', { text: 'Good day to you.' }],
    ]);
  });

  test('tell its calls of functions where they happen, and those running at once as they end', async () => {
    const clock = createVirtualClock();
    const { tool } = toolOf('look_up', async (raw) => {
      const { ms } = JSON.parse(raw) as { ms: number };
      await new Promise<void>((resolve) => void clock.schedule(ms, resolve));
      return ms === 20 ? { ok: false, error: 'Not there.', cancelled: false } : found('gold');
    });
    const model = scriptedModel(
      [{ type: 'text', delta: 'Wait. ' }, call('look_up', { ms: 90 }, 'slow'), call('look_up', { ms: 20 }, 'quick')],
      'Gold it is.',
    );
    const run = startNode('agent.run', { input: 'Plan?', tools: ['look_up'] }, { clock, tool, model: () => model });
    await clock.advance(100);
    expect(run.ended()).toEqual({ result: 'Gold it is.' });
    expect(run.told.map(([type, , data]) => [type, data]).slice(1, 6)).toEqual([
      ['agent:text', { delta: 'Wait. ' }],
      ['agent:tool:start', { tool: 'look_up', callId: 'slow' }],
      ['agent:tool:start', { tool: 'look_up', callId: 'quick' }],
      ['agent:tool:error', { tool: 'look_up', callId: 'quick', message: 'Not there.' }],
      ['agent:tool:complete', { tool: 'look_up', callId: 'slow' }],
    ]);
    expect(run.told.at(-1)).toEqual(['agent:complete', 'run-1', { text: 'Wait. Gold it is.' }]);
  });

  test('end with its failure: nothing of the run comes after, not even what the model still says', async () => {
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    const model = scriptedModel([{ type: 'text', delta: 'One ' }, pause, { type: 'text', delta: 'two' }]);
    const run = startNode('agent.run', { input: 'Count.' }, { model: () => model });
    await run.settled();
    run.abort();
    goOn();
    expect(await run.settled()).toContain('aborted: ');
    expect(run.told.map(([type]) => type)).toEqual(['agent:start', 'agent:text']);
  });

  test('end with an abort also where a word comes at the same moment', async () => {
    let give: (chunk: IteratorResult<ModelChunk>) => void = () => undefined;
    const next = () => new Promise<IteratorResult<ModelChunk>>((resolve) => (give = resolve));
    const model = { label: 'one word', generate: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) };
    const run = startNode('agent.run', { input: 'Hi.' }, { model: () => model });
    await run.settled();
    give({ done: false, value: { type: 'text', delta: 'late' } });
    run.abort();
    expect(await run.settled()).toContain('aborted: ');
    expect(run.told.map(([type]) => type)).toEqual(['agent:start']);
  });
});

describe('what the model of an agent is asked', () => {
  test('is the prompt file, then the system text, then the input; all else is its settings', async () => {
    const model = scriptedModel('Yes.');
    await runNode(
      'agent.run',
      { input: { id: 7 }, system: 'Be brief.' },
      {
        model: () => model,
        prompt: 'You check members.',
        config: { temperature: 0, maxTokens: 5, topP: 0.5, toolChoice: 'none', metadata: { team: 'a' }, maxTurns: 1 },
      },
    );
    expect(model.requests).toMatchObject([
      {
        messages: [
          { role: 'system', content: 'You check members.\n\nBe brief.' },
          { role: 'user', content: '{"id":7}' },
        ],
        tools: [],
        settings: { temperature: 0, maxTokens: 5, topP: 0.5, toolChoice: 'none', metadata: { team: 'a' } },
      },
    ]);
  });

  test('goes to the model that the input names, else the config, else to the usual one', async () => {
    const asked: (string | undefined)[] = [];
    const model = (name?: string) => {
      asked.push(name);
      return scriptedModel('Yes.');
    };
    await runNode('agent.run', { input: '', model: 'large' }, { model, config: { model: 'small' } });
    await runNode('agent.run', { input: '' }, { model, config: { model: 'small' } });
    await runNode('agent.run', { input: '' }, { model });
    expect(asked).toEqual(['large', 'small', undefined]);
  });

  test('holds each call with its result, so that it can go on from there', async () => {
    const { tool, calls } = toolOf('look_up', () => found('gold'));
    const model = scriptedModel([call('look_up', { id: 7 })], 'Gold.');
    await runNode('agent.run', { input: 'Plan?' }, { tool, model: () => model, config: { tools: ['look_up'] } });
    expect(model.requests[0]?.tools).toEqual([
      { name: 'look_up', description: 'Does look_up.', parameters: { type: 'object' } },
    ]);
    expect(model.requests[1]?.messages).toEqual([
      { role: 'user', content: 'Plan?' },
      {
        role: 'assistant',
        content: '',
        calls: [{ callId: 'call-look_up', name: 'look_up', rawArguments: '{"id":7}' }],
      },
      { role: 'tool', callId: 'call-look_up', content: 'gold' },
    ]);
    expect(calls.map(([, raw]) => raw)).toEqual(['{"id":7}']);
  });

  test.each([['required'], [{ name: 'look_up' }]] as const)(
    'holds it to calling a function (%j) until it has, in each turn, so that it can answer then',
    async (toolChoice) => {
      const { tool } = toolOf('look_up', () => found('gold'));
      const model = scriptedModel([call('look_up', {})], 'Gold.', [call('look_up', {})], 'Still gold.');
      const config = { tools: ['look_up'], toolChoice, maxTurns: 2, turnTimeoutMs: 1_000 };
      const run = startNode('agent.run', { input: 'Plan?' }, { tool, model: () => model, config });
      run.hub.emit('session:message', { content: 'Sure?', runId: 'run-1' });
      expect(await run.settled()).toEqual({ result: 'Still gold.' });
      const choices = model.requests.map(({ settings }) => settings?.['toolChoice']);
      expect(choices).toEqual([toolChoice, 'auto', toolChoice, 'auto']);
    },
  );

  test('is told of a function that it has made up', async () => {
    const model = scriptedModel([call('make_up', {})], 'Sorry.');
    expect(await runNode('agent.run', { input: 'Go.' }, { model: () => model })).toEqual({ result: 'Sorry.' });
    expect(model.requests[1]?.messages.at(-1)?.content).toBe('There is no function make_up.');
  });
});

describe('the key of a call', () => {
  const keysOf = async (...calls: readonly ReturnType<typeof call>[]): Promise<readonly string[]> => {
    const tool = toolOf('book', () => found('ok'));
    const given = { tool: tool.tool, model: () => scriptedModel(calls, 'Done.'), config: { tools: ['book'] } };
    await runNode('agent.run', { input: 'Go.' }, given);
    return tool.calls.map(([key]) => key);
  };

  test('is the same where the same call is made again in another attempt, whatever was called before it', async () => {
    const [first] = await keysOf(call('book', { time: '9:00' }, 'a'));
    const [, second] = await keysOf(call('book', { time: '8:00' }, 'a'), call('book', { time: '9:00' }, 'b'));
    expect(second).toBe(first);
    expect(first).toMatch(/^session\/1\//);
  });

  test('is the same however a model writes the same arguments', async () => {
    const other = { type: 'call', call: { callId: 'a', name: 'book', rawArguments: '{ "to": 2, "at": 1 }' } } as const;
    expect(await keysOf(other)).toEqual(await keysOf(call('book', { at: 1, to: 2 })));
  });

  test('tells two calls of one run apart, also where they are alike', async () => {
    const keys = await keysOf(
      call('book', { time: '9:00' }, 'a'),
      call('book', { time: '9:00' }, 'b'),
      call('book', { time: '8:00' }, 'c'),
    );
    expect(new Set(keys).size).toBe(3);
  });
});

describe('what a model slips into', () => {
  const run = async (tool: ReturnType<typeof toolOf>, ...steps: readonly ModelScriptStep[]) => {
    const model = scriptedModel(...steps);
    await runNode('agent.run', { input: 'Go.', tools: ['book'] }, { tool: tool.tool, model: () => model });
    return model.requests;
  };
  const read = ({ messages }: ModelRequest): readonly string[] =>
    messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

  test('a write of equal arguments is done once for one message, however it is written and in whichever round', async () => {
    const tool = toolOf('book', () => found('booked'), true);
    const again = { type: 'call', call: { callId: 'b', name: 'book', rawArguments: '{ "day":1, "at":"9" }' } } as const;
    const steps = [[call('book', { at: '9', day: 1 }, 'a'), again], [call('book', { at: '9', day: 1 }, 'c')], 'Done.'];
    const requests = await run(tool, ...steps);
    expect(tool.calls).toHaveLength(1);
    expect(read(requests[2] as ModelRequest)).toEqual(['booked', 'booked', 'booked']);
  });

  test('calls of one id, or none, are told apart in what it is shown of them', async () => {
    const tool = toolOf('book', (raw) => found(raw));
    const same = (at: string, id: string) => call('book', { at }, id);
    const requests = await run(tool, [same('8', 'x'), same('9', 'x'), same('10', '')], [same('11', 'x')], 'Done.');
    const shown = (requests[2] as ModelRequest).messages;
    const made = shown.flatMap(({ calls = [] }) => calls.map(({ callId }) => callId));
    expect(new Set(made).size).toBe(4);
    expect(made[0]).toBe('x');
    const told = new Map(shown.flatMap(({ role, callId, content }) => (role === 'tool' ? [[callId, content]] : [])));
    expect(made.map((id) => told.get(id))).toEqual(['8', '9', '10', '11'].map((at) => JSON.stringify({ at })));
  });

  test('a write that has failed may be tried again', async () => {
    const outcomes = [Promise.resolve({ ok: false as const, error: 'Busy.', cancelled: false }), found('booked')];
    const tool = toolOf('book', () => outcomes.shift() ?? found('twice'), true);
    const requests = await run(tool, [call('book', { at: '9' }, 'a')], [call('book', { at: '9' }, 'b')], 'Done.');
    expect(read(requests[2] as ModelRequest)).toEqual(['Busy.', 'booked']);
  });

  test('at most eight functions are called at once; the model reads that the others were not', async () => {
    const tool = toolOf('book', () => found('booked'), true);
    const calls = Array.from({ length: 1_000 }, (_, at) => call('book', { at }, `call-${at}`));
    const requests = await run(tool, calls, 'Done.');
    expect(tool.calls).toHaveLength(8);
    const outputs = read(requests[1] as ModelRequest);
    expect(outputs).toHaveLength(1_000);
    expect(outputs[7]).toBe('booked');
    expect(outputs[8]).toMatch(/^At most 8 functions .* not made/);
  });
});

describe('an agent fails by a code', () => {
  const failure = (input: object, given: Given) =>
    runNode('agent.run', { input: 'Go', ...input }, { model: () => scriptedModel('Yes.'), ...given });

  test.each<[string, string, object, Given]>([
    [
      'without a model',
      'model-missing: ',
      {},
      {
        model: () => {
          throw new FlowError('model-missing', 'None.');
        },
      },
    ],
    ['with a config that it does not take', 'config-invalid: ', {}, { config: { tempature: 1 } }],
    ['with a function that is not registered', 'unknown-tool: ', { tools: ['look_pu'] }, {}],
    ['where the model breaks off', 'model-failed: ', {}, { model: () => scriptedModel([new Error('secret')]) }],
    [
      'where the provider withholds the reply',
      'model-filtered: ',
      {},
      { model: () => scriptedModel([{ type: 'end', finish: 'filtered' }]) },
    ],
  ])('%s', async (_when, code, input, given) => {
    const told = await failure(input, given);
    expect(told).toContain(code);
    expect(told).not.toContain('secret');
  });

  test('where the model calls functions without end', async () => {
    const { tool, calls } = toolOf('look_up', () => found('more'));
    const steps = Array.from({ length: 100 }, () => [call('look_up', {})]);
    const given = { tool, model: () => scriptedModel(...steps), config: { tools: ['look_up'] } };
    expect(await failure({}, given)).toContain('agent-loop: ');
    expect(calls).toHaveLength(32);
  });

  test('where its input nests too deep to be written', async () => {
    let input: unknown = 1;
    for (let level = 0; level < 10_000; level += 1) input = [input];
    expect(await failure({ input }, {})).toContain('json-too-large: ');
  });
});

describe('an agent of a node pack', () => {
  const echo = defineNodeType({
    name: 'acme.echo',
    description: 'Collects its messages.',
    input: z.object({}),
    output: z.object({ said: z.array(z.string()) }),
    config: z.object({ maxTurns: z.int().optional(), turnTimeoutMs: z.int().optional() }),
    capabilities: { isAgent: true, supportsMultiTurn: true },
    async run(_input, { hub, runId, nextMessage }) {
      const said: string[] = [];
      hub.emit('agent:start', { input: null }, { runId });
      for (let next = await nextMessage(); next !== null; next = await nextMessage()) said.push(next);
      hub.emit('agent:complete', { text: '' }, { runId });
      return { said };
    },
  });
  const types = createCatalog([...catalog.values(), echo]);
  const played = async (config: string, says: (instance: FlowRun, runId: string) => void) => {
    const run = rig(one(`{ type: acme.echo, input: {}, config: ${config} }`), {}, types);
    run.instance.subscribe('agent:start', ({ runId = '' }) => says(run.instance, runId));
    const began = run.clock.now();
    const { result, clock } = await finished(run);
    return { outputs: result.outputs['a'], ms: clock.now() - began };
  };

  test('gets the messages to its run, as many as it has turns, and no other messages', async () => {
    const { outputs } = await played('{ max_turns: 3 }', (instance, runId) => {
      for (const text of ['One.', 'Two.', 'Three.']) instance.sendToRun(runId, text);
    });
    expect(outputs).toEqual({ said: ['One.', 'Two.'] });
  });

  test.each([
    ['its time without a message is over', '{ max_turns: 3, turn_timeout_ms: 500 }', 500],
    ['it has one turn', '{}', 0],
    ['it has turns and no time in its config', '{ max_turns: 2 }', 30_000],
  ])('ends when %s', async (_, config, ms) => {
    expect(await played(config, () => undefined)).toEqual({ outputs: { said: [] }, ms });
  });

  test('ends when its run is closed', async () => {
    const closed = await played('{ max_turns: 3 }', (instance, runId) => void instance.closeRun(runId));
    expect(closed).toEqual({ outputs: { said: [] }, ms: 0 });
  });
});
