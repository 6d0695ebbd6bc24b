import { llm, voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { calls, desk, outputs, prompt, replies, tool, type Nodes } from './desk-functions.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { next } from '../../src/livekit/tools/next.ts';
import { z } from 'zod';
import { live } from './live.ts';

describe('an edge function', () => {
  it('moves, and its arguments become slots of the same name, else variables', async () => {
    const { runner, path } = await live(
      desk(
        [
          {
            name: 'go',
            parameters: { type: 'object', properties: { drink: { type: 'string' }, cups: { type: 'integer' } } },
            transitionTo: 'tea',
          },
        ],
        { slots: { drink: { type: 'text' } } },
      ),
      replies({ calls: [{ name: 'go', arguments: { drink: 'mint', cups: 2 } }] }),
    );
    await runner.send('mint tea, two cups');
    expect(path).toEqual(['desk -> tea']);
    expect(runner.state.knowledge.slots['drink']?.value).toBe('mint');
    expect(runner.state.knowledge.variables['cups']).toBe(2);
  });
});

describe('a function that chooses the next node', () => {
  it('by a node id goes there', async () => {
    const { runner, model, heard } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Tea!' }),
      {
        tools: [tool('choose', () => next('poured', 'tea'))],
      },
    );
    await runner.send('tea');
    expect(runner.currentNode).toBe('tea');
    expect(heard).toEqual(['Hello.', 'Tea!']);
    expect(model.requests[1]).toMatchObject({ node: 'tea', items: expect.arrayContaining(['output: choose poured']) });
  });

  it('by null stays, regardless of the document', async () => {
    const { runner, path } = await live(
      desk([{ name: 'choose', transitionTo: 'tea' }]),
      replies(calls('choose'), { text: 'Not today.' }),
      { tools: [tool('choose', () => next('closed', null))] },
    );
    await runner.send('tea');
    expect(path).toEqual([]);
  });

  it('by a new node enters it, and its functions work', async () => {
    const made = {
      taskMessages: prompt('Offer the cake of the day.'),
      functions: [{ name: 'take', transitionTo: 'garden' }],
    };
    const { runner, model } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Cake?' }, calls('take'), { text: 'Enjoy.' }),
      { tools: [tool('choose', () => next('ok', made))] },
    );
    await runner.send('something sweet');
    expect(model.requests[1]?.instructions).toContain('Offer the cake of the day.');
    expect(model.requests[1]?.tools).toEqual(['take']);
    await runner.send('yes');
    expect(runner.currentNode).toBe('garden');
  });

  it('by a node in document spelling uses the id in it', async () => {
    const made = {
      id: 'upsell',
      task_messages: prompt('Offer cake.'),
      functions: [{ name: 'take', transition_to: 'garden' }],
    };
    const { runner, path } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Cake?' }, calls('take'), { text: 'Enjoy.' }),
      { tools: [tool('choose', () => next('ok', made))] },
    );
    await runner.send('something sweet');
    expect(runner.currentNode).toBe('upsell');
    await runner.send('yes');
    expect(path).toEqual(['desk -> upsell', 'upsell -> garden']);
  });

  it.each([
    ['nulls for what is absent', { id: 'upsell', description: null, context_strategy: null, default_transition: null }],
    ['capitals', { id: 'upsell', context_strategy: 'RESET' }],
    ['Pipecat’s NodeConfig', { name: 'upsell', role_message: 'You sell cake.' }],
  ])('by a node in any form that a document may have: %s', async (_what, form) => {
    const take = { type: 'function', function: { name: 'take', description: null, transition_to: 'garden' } };
    const made = { ...form, task_messages: 'Offer cake.', functions: [take] };
    const { runner, path } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Cake?' }, calls('take'), { text: 'Enjoy.' }),
      { tools: [tool('choose', () => next('ok', made as never))] },
    );
    await runner.send('something sweet');
    await runner.send('yes');
    expect(path).toEqual(['desk -> upsell', 'upsell -> garden']);
  });

  it.each([
    [
      'nothing in it',
      {},
      'a node made on the spot',
      'it says nothing, asks nothing and leads nowhere. Give it task_messages, say or end.',
    ],
    [
      'a key of the wrong kind',
      { functions: 'none' },
      'a node made on the spot',
      '"functions" must be a list, but it is text. It is: The functions that the node offers to the model.',
    ],
    [
      'a target that does not exist',
      { id: 'upsell', task_messages: prompt('Offer cake.'), functions: [{ name: 'take', transition_to: 'gardn' }] },
      'upsell',
      'functions.0.transition_to: it leads to "gardn", which does not exist. Did you mean "garden"?',
    ],
    [
      'the id of a node of the flow',
      { id: 'tea', task_messages: prompt('Another tea room.') },
      'tea',
      'id: the flow has a node "tea" already. Give this one another id, or name that one as the next node.',
    ],
  ])(
    'by a node with %s stays; what it did is kept, model and watchers are told why',
    async (_what, made, to, problem) => {
      const { runner, model, heard, events } = await live(
        desk([{ name: 'choose' }, { name: 'note', saveAs: 'noted' }]),
        replies(calls('choose', 'note'), { text: 'Sorry.' }),
        { tools: [tool('choose', () => next('ok', made)), tool('note', () => 'kept')] },
      );
      await runner.send('something sweet');
      expect(runner.currentNode).toBe('desk');
      expect(runner.state.knowledge.variables['noted']).toBe('kept');
      expect(outputs(model.requests[1]?.items)).toEqual([
        `output: choose ok\nIts transition was not taken: the node made on the spot is not valid: ${problem}`,
        'output: note kept',
      ]);
      expect(events).toContainEqual({
        type: 'transition:dropped',
        data: { to, function: 'choose', reason: 'invalid-node', problem },
      });
      expect(heard.at(-1)).toBe('Sorry.');
    },
  );

  it('by an unknown node id stays, and the model gets an error', async () => {
    const { runner, model, events } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Sorry.' }),
      { tools: [tool('choose', () => next('ok', 'cellar'))] },
    );
    await runner.send('the cellar');
    expect(runner.currentNode).toBe('desk');
    expect(events).toContainEqual({
      type: 'transition:dropped',
      data: { to: 'cellar', function: 'choose', reason: 'unknown-node' },
    });
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: choose ok\nIts transition was not taken: there is no such node.',
    ]);
  });

  it.each([
    ['texts, as of times', ['10:00', '11:00']],
    ['rows', [{ id: 0 }, { id: 1 }]],
    ['a node and nothing', ['tea', null]],
    ['nothing', [null, null]],
  ])('is taken at its word: a list of two %s is a list', async (_what, listed) => {
    const { runner, model, path } = await live(
      desk([{ name: 'list', saveAs: 'times', transitionTo: 'garden' }]),
      replies(calls('list'), { text: 'Two.' }),
      { tools: [tool('list', () => listed)] },
    );
    await runner.send('what is there');
    expect(outputs(model.requests[1]?.items)).toEqual([`output: list ${JSON.stringify(listed)}`]);
    expect(runner.state.knowledge.variables['times']).toEqual(listed);
    expect(path).toEqual(['desk -> garden']);
  });

  const pairs = (returned: unknown) =>
    flowTool({
      name: 'choose',
      description: 'Chooses.',
      parameters: z.looseObject({}),
      returns: 'pair',
      execute: () => returned,
    });

  it('may declare that it returns pairs of a value and the next node', async () => {
    const { runner, model } = await live(desk([{ name: 'choose' }]), replies(calls('choose'), { text: 'Tea.' }), {
      tools: [pairs(['poured', 'tea'])],
    });
    await runner.send('tea');
    expect(runner.currentNode).toBe('tea');
    expect(outputs(model.requests[1]?.items)).toEqual(['output: choose poured']);
  });

  it('that declares it and returns something else fails, and the failure is reported', async () => {
    const thrown: unknown[] = [];
    const { runner, events } = await live(desk([{ name: 'choose' }]), replies(calls('choose'), { text: 'Hm.' }), {
      tools: [pairs('poured')],
      onFlowError: (error) => void thrown.push(error),
    });
    await runner.send('tea');
    expect(events).toContainEqual({
      type: 'tool:failed',
      data: { function: 'choose', attempt: 1, reason: 'result-not-pair' },
    });
    expect(String(thrown[0])).toContain('tool "choose" says that it returns pairs');
  });

  it('may be any LiveKit tool', async () => {
    const choose = llm.tool({
      name: 'choose',
      description: 'Chooses.',
      parameters: z.object({}),
      execute: async () => next('poured', 'tea'),
    });
    const { runner, model } = await live(desk([{ name: 'choose' }]), replies(calls('choose'), { text: 'Tea.' }), {
      tools: [choose],
    });
    await runner.send('tea');
    expect(runner.currentNode).toBe('tea');
    expect(outputs(model.requests[1]?.items)).toEqual(['output: choose poured']);
  });

  it('cannot be a handoff to another LiveKit agent, and the error names the alternative', async () => {
    const thrown: unknown[] = [];
    const choose = llm.tool({
      name: 'choose',
      description: 'Chooses.',
      parameters: z.object({}),
      execute: async () => llm.handoff({ agent: new voice.Agent({ instructions: 'Another.' }) }),
    });
    const { runner, events } = await live(desk([{ name: 'choose' }]), replies(calls('choose'), { text: 'Hm.' }), {
      tools: [choose],
      onFlowError: (error) => void thrown.push(error),
    });
    await runner.send('somebody else');
    expect(events).toContainEqual({
      type: 'tool:failed',
      data: { function: 'choose', attempt: 1, reason: 'handoff-invalid' },
    });
    expect(String(thrown[0])).toContain('Return next(value, node) to move');
  });
});

describe('a transition_callback', () => {
  it('receives arguments and result, and names the next node', async () => {
    const given: unknown[] = [];
    const { runner, path } = await live(
      desk([{ name: 'ask', transitionCallback: 'decide' }]),
      replies({ calls: [{ name: 'ask', arguments: { warm: true } }] }),
      {
        tools: [tool('ask', () => ({ free: 2 }))],
        handlers: {
          decide: (input) => {
            given.push(input);
            return 'garden';
          },
        },
      },
    );
    await runner.send('is it warm');
    expect(given).toEqual([{ warm: true, result: { free: 2 } }]);
    expect(path).toEqual(['desk -> garden']);
  });

  it('of an edge function decides alone; a throw fails the call and moves nothing', async () => {
    const { runner, path, model } = await live(
      desk([{ name: 'ask', transitionCallback: 'decide' }]),
      replies(calls('ask'), { text: 'Hm.' }),
      {
        handlers: {
          decide: () => {
            throw new llm.ToolError('The garden is closed.');
          },
        },
      },
    );
    await runner.send('the garden');
    expect(path).toEqual([]);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: ask The garden is closed.']);
  });
});

describe('a branch on the result', () => {
  const branching = desk([
    { name: 'look', transitionTo: { field: 'table.free', cases: { true: 'tea', '3': 'garden' } } },
  ]);
  it.each<[string, unknown, string]>([
    ['a truth value', { table: { free: true } }, 'tea'],
    ['a number', { table: { free: 3 } }, 'garden'],
    ['a value without a case', { table: { free: 'maybe' } }, 'desk'],
    ['a missing field', { table: null }, 'desk'],
    ['no object at all', 'nothing', 'desk'],
  ])('of %s leads where its case says, else stays', async (_what, result, node) => {
    const { runner } = await live(branching, replies(calls('look'), { text: 'So.' }), {
      tools: [tool('look', () => result)],
    });
    await runner.send('is there a table');
    expect(runner.currentNode).toBe(node);
  });

  it('takes its default if no case matches', async () => {
    const { runner } = await live(
      desk([{ name: 'look', transitionTo: { field: 'free', cases: { true: 'tea' }, default: 'garden' } }]),
      replies(calls('look')),
      { tools: [tool('look', () => ({}))] },
    );
    await runner.send('is there a table');
    expect(runner.currentNode).toBe('garden');
  });
});

it('save_as keeps the result as a variable for templates', async () => {
  const flow = desk([{ name: 'look', saveAs: 'table', transitionTo: 'sign' }]);
  const { runner, heard } = await live(
    { ...flow, nodes: { ...(flow.nodes as Nodes), sign: { say: 'Table {{ table.number }}.', end: 'seated' } } },
    replies(calls('look')),
    { tools: [tool('look', () => ({ number: 7 }))] },
  );
  await runner.send('a table');
  expect(heard.at(-1)).toBe('Table 7.');
});

it('a global function is offered in every node, and a node may override it', async () => {
  const flow = desk([{ name: 'help', transitionTo: 'garden' }], {
    functions: [
      { name: 'help', transitionTo: 'desk' },
      { name: 'home', transitionTo: 'desk' },
    ],
  });
  const { runner, model, path } = await live(
    flow,
    replies(calls('help'), { text: 'Garden.' }, calls('home'), { text: 'unused' }),
  );
  await runner.send('help');
  await runner.send('home');
  expect(model.requests.map(({ tools }) => tools)).toEqual([
    ['help', 'home'],
    ['back', 'help', 'home'],
    ['back', 'help', 'home'],
  ]);
  expect(path).toEqual(['desk -> garden', 'garden -> desk']);
});
