import { llm, type voice } from '@livekit/agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { Store } from '../../src/ports/store.ts';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import { flowTool, type FlowToolContext } from '../../src/session/tools/flow-tool.ts';
import { systemClock } from '../../src/session/system.ts';
import { createTextSession } from '../../src/session/text-session.ts';
import { ScriptedModel, type ScriptedReply } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];
const nothing = z.object({});

type Nodes = Extract<ConversationFlow['nodes'], Record<string, unknown>>;
type Functions = NonNullable<Nodes[string]['functions']>;

/** A desk that offers the given functions, and two rooms to go to. */
const desk = (functions: Functions, more: Omit<Partial<ConversationFlow>, 'nodes'> = {}): ConversationFlow => ({
  initialNode: 'desk',
  ...more,
  nodes: {
    desk: { say: 'Hello.', taskMessages: prompt('Help.'), functions },
    tea: { taskMessages: prompt('Tea room.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
    garden: { taskMessages: prompt('Garden.'), functions: [{ name: 'back', transitionTo: 'desk' }] },
  },
});

/** The replies of the model, one after the other. */
const replies = (...list: ScriptedReply[]) => {
  let next = 0;
  return (): ScriptedReply => list[next++] ?? { text: 'Nothing more.' };
};
const calls = (...names: string[]): ScriptedReply => ({ calls: names.map((name) => ({ name })) });

const tool = (name: string, execute: (input: Record<string, unknown>, context: FlowToolContext) => unknown) =>
  flowTool({ name, description: `Does ${name}.`, parameters: z.looseObject({}), execute });

/** What the model was shown of its calls. */
const outputs = (items: readonly string[] = []) => items.filter((item) => item.startsWith('output:'));

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
    expect(runner.state.slots['drink']?.value).toBe('mint');
    expect(runner.state.variables['cups']).toBe(2);
  });
});

describe('a function that says where to go', () => {
  it('by a node id goes there', async () => {
    const { runner, model, heard } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Tea!' }),
      {
        tools: [tool('choose', () => ['poured', 'tea'])],
      },
    );
    await runner.send('tea');
    expect(runner.currentNode).toBe('tea');
    expect(heard).toEqual(['Hello.', 'Tea!']);
    expect(model.requests[1]).toMatchObject({ node: 'tea', items: expect.arrayContaining(['output: choose poured']) });
  });

  it('by null stays, whatever the document says', async () => {
    const { runner, path } = await live(
      desk([{ name: 'choose', transitionTo: 'tea' }]),
      replies(calls('choose'), { text: 'Not today.' }),
      { tools: [tool('choose', () => ['closed', null])] },
    );
    await runner.send('tea');
    expect(path).toEqual([]);
  });

  it('by a node made on the spot enters it, and its functions work', async () => {
    const made = {
      taskMessages: prompt('Offer the cake of the day.'),
      functions: [{ name: 'take', transitionTo: 'garden' }],
    };
    const { runner, model } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Cake?' }, calls('take'), { text: 'Enjoy.' }),
      { tools: [tool('choose', () => ['ok', made])] },
    );
    await runner.send('something sweet');
    expect(model.requests[1]?.instructions).toContain('Offer the cake of the day.');
    expect(model.requests[1]?.tools).toEqual(['take']);
    await runner.send('yes');
    expect(runner.currentNode).toBe('garden');
  });

  it('by a broken node made on the spot fails alone: its siblings are kept and the flow goes on', async () => {
    const { runner, model, heard } = await live(
      desk([{ name: 'choose' }, { name: 'note', saveAs: 'noted' }]),
      replies(calls('choose', 'note'), { text: 'Sorry.' }),
      { tools: [tool('choose', () => ['ok', { functions: 'none' }]), tool('note', () => 'kept')] },
    );
    await runner.send('something sweet');
    expect(runner.currentNode).toBe('desk');
    expect(runner.state.variables['noted']).toBe('kept');
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: choose The node that the handler made is not a valid node.',
      'output: note kept',
    ]);
    expect(heard.at(-1)).toBe('Sorry.');
  });

  it('by a node id that does not exist stays, and the model is told', async () => {
    const { runner, model, events } = await live(
      desk([{ name: 'choose' }]),
      replies(calls('choose'), { text: 'Sorry.' }),
      { tools: [tool('choose', () => ['ok', 'cellar'])] },
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

  it('by a list of other things is a plain value', async () => {
    const { runner, model } = await live(desk([{ name: 'list' }]), replies(calls('list'), { text: 'Two.' }), {
      tools: [tool('list', () => ['tea', 2])],
    });
    await runner.send('what is there');
    expect(outputs(model.requests[1]?.items)).toEqual(['output: list ["tea",2]']);
  });
});

describe('a transition_callback', () => {
  it('is given arguments and result, and names the next node', async () => {
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

  it('takes its default where no case fits', async () => {
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

describe('several calls of one completion', () => {
  const orders = [
    ['a', 'b', 'c'],
    ['a', 'c', 'b'],
    ['b', 'a', 'c'],
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['c', 'b', 'a'],
  ] as const;
  it.each(orders)('finishing in the order %s, %s, %s take the transition of the first called', async (...order) => {
    const gates = new Map(order.map((name) => [name as string, createGate()]));
    const running = new Map(order.map((name) => [name as string, createGate()]));
    const waiting = (name: string, value: unknown) =>
      tool(name, async () => {
        running.get(name)?.open();
        await gates.get(name)?.opened;
        return value;
      });
    const { runner, model, path, events } = await live(
      desk([{ name: 'a' }, { name: 'b', transitionTo: 'garden' }, { name: 'c', transitionTo: 'tea' }]),
      replies(calls('a', 'b', 'c'), { text: 'There.' }),
      { tools: [waiting('a', 'plain'), waiting('b', 'ok'), waiting('c', { done: true })] },
    );
    const answered = runner.send('go');
    await Promise.all([...running.values()].map(({ opened }) => opened));
    for (const name of order) {
      gates.get(name)?.open();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await answered;
    expect(path).toEqual(['desk -> garden']);
    expect(events.filter(({ type }) => type === 'transition:dropped')).toEqual([
      { type: 'transition:dropped', data: { to: 'tea', function: 'c', reason: 'another-won' } },
    ]);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.items.slice(-6)).toEqual([
      'call: a',
      'call: b',
      'call: c',
      'output: a plain',
      'output: b ok',
      'output: c {"done":true}\nIts transition was not taken: another call decided where to go.',
    ]);
  });

  it('of one function are told apart: the second is the one not taken', async () => {
    let count = 0;
    const { runner, model, path } = await live(desk([{ name: 'go' }]), replies(calls('go', 'go', 'go')), {
      tools: [tool('go', () => [`call ${(count += 1)}`, count === 1 ? null : 'tea'])],
    });
    await runner.send('go');
    expect(path).toEqual(['desk -> tea']);
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: go call 1',
      'output: go call 2',
      'output: go call 3\nIts transition was not taken: another call decided where to go.',
    ]);
  });

  it('a failed one does not move, and does not keep the others from moving', async () => {
    const { runner, path, model } = await live(
      desk([
        { name: 'broken', transitionTo: 'garden' },
        { name: 'fine', transitionTo: 'tea' },
      ]),
      replies(calls('broken', 'fine')),
      {
        tools: [
          tool('broken', () => {
            throw new Error('no');
          }),
          tool('fine', () => 'ok'),
        ],
      },
    );
    await runner.send('go');
    expect(path).toEqual(['desk -> tea']);
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: broken An internal error occurred. The function did not succeed.',
      'output: fine ok',
    ]);
  });
});

describe('before and after', () => {
  it('run around execute: before may change the arguments, after hears the value', async () => {
    const trace: string[] = [];
    const pour = flowTool({
      name: 'pour',
      description: 'Pour.',
      parameters: z.object({ cups: z.number() }),
      before: ({ cups }) => {
        trace.push(`before ${cups}`);
        return { cups: cups + 1 };
      },
      execute: ({ cups }) => {
        trace.push(`execute ${cups}`);
        return [`poured ${cups}`, 'tea'];
      },
      after: (value, { cups }) => void trace.push(`after ${String(value)} of ${cups}`),
    });
    const { runner } = await live(
      desk([{ name: 'pour' }]),
      replies({ calls: [{ name: 'pour', arguments: { cups: 1 } }] }),
      { tools: [pour] },
    );
    await runner.send('pour');
    expect(trace).toEqual(['before 1', 'execute 2', 'after poured 2 of 2']);
    expect(runner.currentNode).toBe('tea');
  });

  it('a before that throws refuses the call: nothing runs, and the model reads why', async () => {
    const trace: string[] = [];
    const pour = flowTool({
      name: 'pour',
      description: 'Pour.',
      before: () => {
        throw new llm.ToolError('Not before noon.');
      },
      execute: () => trace.push('execute'),
      after: () => void trace.push('after'),
    });
    const { runner, model } = await live(
      desk([{ name: 'pour', transitionTo: 'tea' }]),
      replies(calls('pour'), { text: 'Later.' }),
      { tools: [pour] },
    );
    await runner.send('pour');
    expect(trace).toEqual([]);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: pour Not before noon.']);
    expect(runner.currentNode).toBe('desk');
  });
});

describe('a function that fails', () => {
  it('is tried again after its back-off, which doubles, under the same key', async () => {
    const clock = createVirtualClock();
    const attempts: { at: number; attempt: number; key: string }[] = [];
    const begun = createGate();
    const flaky = tool('flaky', (_input, { attempt, key }) => {
      attempts.push({ at: clock.now(), attempt, key });
      begun.open();
      if (attempt < 3) throw new Error('not yet');
      return 'at last';
    });
    const { runner, model } = await live(
      desk([{ name: 'flaky', retry: { maxAttempts: 4, backoffMs: 200 }, transitionTo: 'tea' }]),
      replies(calls('flaky'), { text: 'Done.' }),
      { tools: [flaky], clock },
    );
    const answered = runner.send('try');
    await begun.opened;
    await clock.advance(3_000);
    await answered;
    const [first] = attempts;
    expect(attempts.map(({ at, attempt }) => [at - (first?.at ?? 0), attempt])).toEqual([
      [0, 1],
      [200, 2],
      [600, 3],
    ]);
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
    expect(model.requests[1]?.items.at(-1)).toBe('output: flaky at last');
    expect(runner.currentNode).toBe('tea');
  });

  it('is over after its time on each attempt, and its signal aborts', async () => {
    const clock = createVirtualClock();
    const begun = createGate();
    const aborted: number[] = [];
    const hanging = tool('hanging', (_input, { attempt, signal }) => {
      begun.open();
      signal.addEventListener('abort', () => aborted.push(attempt));
      return new Promise(() => undefined);
    });
    const { runner, model } = await live(
      desk([{ name: 'hanging', timeoutMs: 500, retry: { maxAttempts: 2 }, transitionTo: 'tea' }]),
      replies(calls('hanging'), { text: 'Sorry.' }),
      { tools: [hanging], clock },
    );
    const answered = runner.send('try');
    await begun.opened;
    await clock.advance(2_000);
    await answered;
    expect(aborted).toEqual([1, 2]);
    expect(model.requests[1]?.items.at(-1)).toBe('output: hanging The function took longer than 500 ms.');
    expect(runner.currentNode).toBe('desk');
  });
});

it('every call has a key of its own, in one completion and over turns', async () => {
  const keys: string[] = [];
  const { runner } = await live(
    desk([{ name: 'work' }]),
    replies(calls('work', 'work'), { text: 'One.' }, calls('work'), { text: 'Two.' }),
    { tools: [tool('work', (_input, { key }) => keys.push(key))] },
  );
  await runner.send('work');
  await runner.send('more');
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(3);
  expect(keys.every((key) => key.startsWith(`${runner.sessionId}/`))).toBe(true);
});

describe('a LiveKit tool, registered as it is', () => {
  it('runs with the context that LiveKit gives it: session, speech, call id, user data', async () => {
    const seen: { ctx: voice.RunContext<{ plan: string }>; toolCallId: string }[] = [];
    const plain = llm.tool({
      name: 'look_up',
      description: 'Look something up.',
      parameters: z.object({ what: z.string() }),
      execute: async ({ what }, { ctx, toolCallId }) => {
        seen.push({ ctx: ctx as voice.RunContext<{ plan: string }>, toolCallId });
        return `found ${what}`;
      },
    });
    const { runner, session, model } = await live(
      desk([{ name: 'look_up', transitionTo: 'tea' }]),
      replies({ calls: [{ name: 'look_up', arguments: { what: 'mint' } }] }, { text: 'Yes.' }),
      { tools: [plain] },
    );
    session.userData = { plan: 'gold' };
    await runner.send('is there mint');
    expect(seen[0]?.ctx.userData).toEqual({ plan: 'gold' });
    expect(seen[0]?.ctx.session).toBe(session);
    expect(seen[0]?.ctx.functionCall.callId).toBe(seen[0]?.toolCallId);
    expect(seen[0]?.ctx.speechHandle.id).toMatch(/\w/);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: look_up found mint']);
    expect(runner.currentNode).toBe('tea');
  });

  it('tells the model what its ToolError says, and nothing of any other error', async () => {
    const failing = (name: string, error: Error) =>
      llm.tool({ name, description: name, parameters: nothing, execute: () => Promise.reject(error) });
    const { runner, model } = await live(
      desk([{ name: 'told' }, { name: 'hidden' }]),
      replies(calls('told', 'hidden'), { text: 'Oh.' }),
      { tools: [failing('told', new llm.ToolError('No mint today.')), failing('hidden', new Error('password 123'))] },
    );
    await runner.send('mint');
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: told No mint today.',
      'output: hidden An internal error occurred. The function did not succeed.',
    ]);
  });

  it('lends its description and schema to a document that only names it', async () => {
    const plain = llm.tool({
      name: 'look_up',
      description: 'Look something up.',
      parameters: z.object({ what: z.string() }),
      execute: async () => 'found',
    });
    const flow = desk([{ name: 'look_up' }]);
    const shown: unknown[] = [];
    const model = new (class extends ScriptedModel {
      override chat(options: Parameters<ScriptedModel['chat']>[0]): llm.LLMStream {
        const shownTool = llm.toToolContext(options.toolCtx)?.functionTools['look_up'];
        shown.push({ description: shownTool?.description, parameters: shownTool?.parameters });
        return super.chat(options);
      }
    })(replies({ calls: [{ name: 'look_up', arguments: {} }] }, { text: 'Sorry.' }));
    const session = createTextSession(model);
    onTestFinished(() => void session.close());
    const runner = new FlowRunner({ session, flow, tools: [plain] });
    await runner.start();
    await runner.send('look');
    expect(shown[0]).toEqual({
      description: 'Look something up.',
      parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    });
    // Its schema is enforced as a document's own would be.
    expect(outputs(model.requests[1]?.items)[0]).toMatch(/^output: look_up The arguments do not fit: what/);
  });
});

describe('a write that nobody has to agree to', () => {
  /** A memory store that calls `before` before the transaction that intends a write. */
  const storeWith = (before: () => Promise<void>): Store => {
    const memory = createMemoryStore({ clock: systemClock });
    const commit: Store['commit'] = async (step) => {
      if (step.signals.some(({ signal }) => signal.type === 'tool:called')) await before();
      await memory.commit(step);
    };
    return { ...memory, commit };
  };
  const pay = desk([{ name: 'pay', effect: 'write', transitionTo: 'tea' }]);

  it('is committed under its key before it runs', async () => {
    const [committing, goOn] = [createGate(), createGate()];
    const keys: string[] = [];
    const store = storeWith(() => {
      committing.open();
      return goOn.opened;
    });
    const { runner } = await live(pay, replies(calls('pay')), {
      store,
      tools: [tool('pay', (_input, { key }) => keys.push(key))],
    });
    const answered = runner.send('pay');
    await committing.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(keys).toEqual([]);
    goOn.open();
    await answered;
    const effects = await store.loadEffects(runner.sessionId);
    expect(effects.filter(({ kind }) => kind === 'tool').map(({ key }) => key)).toEqual(keys);
    expect(runner.currentNode).toBe('tea');
  });

  it('does not run where it could not be committed', async () => {
    let runs = 0;
    const { runner, path } = await live(pay, replies(calls('pay')), {
      store: storeWith(() => Promise.reject(new Error('disk full'))),
      tools: [tool('pay', () => (runs += 1))],
    });
    await runner.send('pay');
    expect(runs).toBe(0);
    expect(path).toEqual([]);
  });
});

describe('confirm', () => {
  const booking = (confirm: string | true, effect: 'read' | 'write' = 'write') =>
    desk([
      {
        name: 'book',
        description: 'Book a table.',
        parameters: { type: 'object', properties: { hour: { type: 'string' } }, required: ['hour'] },
        effect,
        confirm,
        transitionTo: 'garden',
      },
    ]);
  const bookTool = () => {
    const booked: unknown[] = [];
    return { booked, tools: [tool('book', ({ hour }) => booked.push(hour) && `booked for ${String(hour)}`)] };
  };
  const bookAt = { calls: [{ name: 'book', arguments: { hour: 'six' } }] };

  it.each<[string, string | true, string]>([
    ['as the author wrote it', 'Shall I book {{ args.hour }}?', 'Shall I book six?'],
    ['by description and arguments', true, 'Book a table, hour six. Shall I go ahead?'],
  ])('asks %s; a yes runs it without an inference, and its result is told', async (_how, confirm, question) => {
    const { booked, tools } = bookTool();
    const { runner, model, heard } = await live(booking(confirm), replies(bookAt, { text: 'See you at six.' }), {
      tools,
    });
    await runner.send('a table at six');
    expect(heard.at(-1)).toBe(question);
    expect(booked).toEqual([]);
    expect(model.requests).toHaveLength(1);
    await runner.send('yes');
    expect(booked).toEqual(['six']);
    expect(runner.currentNode).toBe('garden');
    expect(model.requests).toHaveLength(2);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: book booked for six']);
    expect(heard.at(-1)).toBe('See you at six.');
  });

  it('a no cancels it, and the model reads that it was not done', async () => {
    const { booked, tools } = bookTool();
    const { runner, model } = await live(booking(true), replies(bookAt, { text: 'Then not.' }), { tools });
    await runner.send('a table at six');
    await runner.send('no');
    expect(booked).toEqual([]);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: book Not done: the caller has not agreed.']);
    expect(runner.currentNode).toBe('desk');
  });

  it('anything else cancels it and goes to the model, which may call anew', async () => {
    const { booked, tools } = bookTool();
    const { runner, model, heard } = await live(
      booking('At {{ args.hour }}?'),
      replies(bookAt, { calls: [{ name: 'book', arguments: { hour: 'seven' } }] }),
      { tools },
    );
    await runner.send('a table at six');
    await runner.send('make it seven');
    expect(model.requests[1]?.userText).toBe('make it seven');
    expect(outputs(model.requests[1]?.items)).toEqual(['output: book Not done: the caller has not agreed.']);
    expect(heard.at(-1)).toBe('At seven?');
    await runner.send('yes');
    expect(booked).toEqual(['seven']);
  });
});

it('a function of the flow is offered in every node, and a node may have its own of the same name', async () => {
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
