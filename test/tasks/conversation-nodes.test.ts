import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import type { FlowRunner } from '../../src/runner/flow-runner.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createGate } from '../livekit/gate.ts';
import { live } from '../livekit/live.ts';
import { until } from '../livekit/until.ts';
import { catalog } from './task-rig.ts';

const others = { b: { say: 'B.', defaultTransition: 'c' }, c: { say: 'C.', end: true } };

describe('a catalog node that takes time', () => {
  it('runs inside of a conversation, which then follows its edges', async () => {
    const { heard } = await live(
      {
        initialNode: 'wait',
        nodes: {
          wait: { type: 'test.work', input: { ms: 1, value: '{{ caller }}' }, defaultTransition: 'done' },
          done: { say: 'It is {{ wait.value }}.', end: true },
        },
        state: { caller: '{{ Ann }}' },
      },
      {},
      { catalog },
    );
    expect(heard).toEqual(['It is {{ Ann }}.']);
  });

  it.each([
    ['a task', 'work', {}],
    ['a function that a node calls', 'look', {}],
    ['and in the language of the conversation', 'look', { language: 'de' }],
  ])('that works long is told to the caller once: %s', async (_what, initialNode, given) => {
    const clock = createVirtualClock();
    const begun = createGate();
    const finish = createGate();
    const look = flowTool({
      name: 'look',
      description: 'Look.',
      parameters: z.object({}),
      async execute() {
        begun.open();
        await finish.opened;
      },
    });
    const { runner, heard } = await live(
      {
        ...given,
        initialNode,
        nodes: {
          work: { type: 'test.work', input: { ms: 30_000 }, defaultTransition: 'done' },
          look: {
            call: 'look',
            functions: [{ name: 'look', description: 'Look.', timeoutMs: 60_000, transitionTo: 'done' }],
          },
          done: { say: '42.', end: true },
        },
      },
      {},
      { catalog, clock, tools: [look], waitForGreeting: false },
    );
    if (initialNode === 'look') await begun.opened;
    await clock.runUntil(() => clock.pending > 0, 10);
    await clock.advance(3_900);
    expect(heard).toEqual([]);
    await clock.advance(16_000);
    finish.open();
    await clock.advance(11_000);
    await runner.ended;
    const moment = 'language' in given ? 'Einen Moment, bitte.' : 'One moment, please.';
    expect(heard.join(' ')).toBe(`${moment} 42.`);
  });

  it('that fails leads where the node says', async () => {
    const { heard } = await live(
      {
        initialNode: 'wait',
        nodes: {
          wait: { type: 'test.work', input: { failures: 1 }, defaultTransition: 'done', onError: 'sorry' },
          done: { say: 'Done.', end: true },
          sorry: { say: 'Sorry.', end: true },
        },
      },
      {},
      { catalog },
    );
    expect(heard).toEqual(['Sorry.']);
  });

  it('is tried again by its policy, and each further attempt is told', async () => {
    const { heard, events } = await live(
      {
        initialNode: 'wait',
        nodes: {
          wait: {
            type: 'test.work',
            input: { failures: 2, value: 3 },
            policy: { retry: { maxAttempts: 3 } },
            defaultTransition: 'done',
          },
          done: { say: 'It took {{ wait.value }}.', end: true },
        },
      },
      {},
      { catalog },
    );
    expect(heard).toEqual(['It took 3.']);
    const told = events.flatMap(({ type, data }) => (type.startsWith('task:') ? [[type, data]] : []));
    expect(told).toEqual([
      ['task:retry', { taskId: 'wait', attempt: 2, delayMs: 0 }],
      ['task:retry', { taskId: 'wait', attempt: 3, delayMs: 0 }],
    ]);
  });

  it.each([
    ['took too long', { type: 'test.work', input: { ms: 60_000 } }, { timeoutMs: 20 }, 'task-timeout true'],
    ['failed at once', { type: 'data.json.parse', input: { text: '{{ words }}' } }, {}, 'not-json false'],
    [
      'was given what it does not take',
      { type: 'data.map', input: { list: '{{ words }}' } },
      {},
      'input-invalid false',
    ],
  ])('that %s and may, gives an output that says so, and the edges ask for it', async (_, node, policy, error) => {
    const { heard } = await live(
      {
        initialNode: 'look',
        state: { words: 'no JSON' },
        nodes: {
          look: { ...node, policy: { ...policy, continueOnError: true }, defaultTransition: 'done' },
          done: { say: 'Done.', end: true },
          excuse: { say: '{{ look.error.code }} {{ look.error.timedOut }}', end: true },
        },
        edges: [{ from: 'look', to: 'excuse', when: { equals: { var: 'look.failed', value: true } } }],
      },
      {},
      { catalog },
    );
    expect(heard).toEqual([error]);
  });

  it('repeats its body, which knows what the conversation knows', async () => {
    const { heard, events } = await live(
      {
        initialNode: 'each',
        state: { greeting: 'Hello', names: ['Ann', 'Bo'] },
        nodes: {
          each: {
            type: 'control.foreach',
            input: { list: '{{ names }}', as: 'name' },
            body: {
              nodes: [
                { id: 'work', type: 'test.work', input: { value: '{{ name }}' } },
                { id: 'greet', type: 'data.template', input: { template: '{{ greeting }} {{ work.value }}' } },
              ],
              edges: [{ from: 'work', to: 'greet' }],
            },
            defaultTransition: 'say',
          },
          say: { say: '{{ each.iterations.1.outputs.greet.text }}, {{ each.count }}.', end: true },
        },
      },
      {},
      { catalog },
    );
    expect(heard).toEqual(['Hello Bo, 2.']);
    const done = events.flatMap(({ type, data }) =>
      type === 'task:complete' ? [(data as { taskId: string }).taskId] : [],
    );
    expect(new Set(done)).toEqual(new Set(['each.0.greet', 'each.0.work', 'each.1.greet', 'each.1.work']));
  });

  it.each([
    ['a move from outside', (runner: FlowRunner) => runner.enter('b')],
    ['another flow', (runner: FlowRunner) => runner.swapFlow({ initialNode: 'b', nodes: others }, { node: 'b' })],
  ])('that asks is aborted where %s leaves it, and its write under way is waited for', async (_, leave) => {
    const told: string[] = [];
    let written = (): void => undefined;
    const io = { input: z.object({}), output: z.object({}) };
    const asks = defineNodeType({
      ...{ name: 'my.asks', description: 'Asks, and minds no answer.', ...io, capabilities: { asksPerson: true } },
      async run(_, { ask, signal }) {
        await ask?.({ prompt: 'Well?', choices: [] }).catch(() => told.push('taken back'));
        return await new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve((told.push('aborted'), {})));
        });
      },
    });
    const writes = defineNodeType({
      ...{ name: 'my.writes', description: 'Writes.', ...io, capabilities: { writes: true } },
      async run(_, { signal }) {
        await new Promise<void>((resolve) => (written = resolve));
        told.push(signal.aborted ? 'cut off' : 'written');
        return {};
      },
    });
    const nodes = { asks: { type: 'my.asks' }, writes: { type: 'my.writes' } };
    const { runner, hasHeard, events } = await live(
      {
        initialNode: 'a',
        nodes: {
          a: { type: 'control.foreach', input: { list: [1] }, body: { nodes }, defaultTransition: 'b' },
          ...others,
        },
      },
      {},
      { catalog: createCatalog([...catalog.values(), asks, writes]), waitForGreeting: false },
    );
    await hasHeard(1);
    await leave(runner);
    await until(() => told.includes('aborted'), 'the abort');
    expect(told).toEqual(['taken back', 'aborted']);
    written();
    await until(() => events.some(({ data }) => (data as { taskId?: string }).taskId === 'a.0.writes'), 'its end');
    expect(told.at(-1)).toBe('written');
    expect(runner.currentNode).toBe('b');
  });

  it('that is an agent is told its prompt, filled in by what the conversation knows', async () => {
    const { heard, model } = await live(
      {
        initialNode: 'sort',
        state: { shop: 'a bicycle shop' },
        nodes: {
          sort: {
            type: 'agent.classify',
            prompt: 'You sort the mail of {{ shop }}.',
            input: { input: 'My tyre is flat.', labels: ['repair', 'order'] },
            defaultTransition: 'done',
          },
          done: { say: 'A {{ sort.result }}.', end: true },
        },
      },
      { sort: [{ text: 'repair' }] },
    );
    expect(heard).toEqual(['A repair.']);
    expect(JSON.stringify(model.requests)).toContain('You sort the mail of a bicycle shop.');
  });

  it('reads the variables of the conversation as its state, and sets them, in a flow of its own as well', async () => {
    const remember: TaskFlow = {
      flow: { input: { city: 'string' } },
      nodes: {
        set: { type: 'system.state.set', input: { key: 'city', value: '{{ flow.input.city }}' } },
        own: { type: 'system.state.set', input: { key: 'hidden', value: 'kept' } },
        before: { type: 'control.subflow', input: { name: 'visits' } },
      },
    };
    const visits: TaskFlow = {
      flow: {},
      nodes: { get: { type: 'system.state.get', input: { key: 'visits' } } },
    };
    const { heard, runner } = await live(
      {
        initialNode: 'ask',
        state: { city: 'Oslo', visits: 1 },
        nodes: {
          ask: {
            say: 'Where to?',
            taskMessages: [{ role: 'system', content: 'Ask.' }],
            functions: [{ name: 'go', run: 'remember', saveAs: 'found', transitionTo: 'look' }],
          },
          look: { type: 'system.state.get', input: { key: 'city' }, defaultTransition: 'count' },
          count: { type: 'system.state.set', input: { key: 'visits', value: 2 }, defaultTransition: 'own' },
          own: { type: 'system.state.get', input: { key: 'hidden' }, defaultTransition: 'done' },
          done: {
            say: '{{ look.value }}, {{ city }}, {{ found.before.outputs.get.value }}, {{ visits }}, {{ own.value }}.',
            end: true,
          },
        },
      },
      { ask: [{ calls: [{ name: 'go', arguments: { city: 'Rome' } }] }] },
      { flows: { remember, visits } },
    );
    await runner.send('To Rome.');
    expect(heard).toEqual(['Where to?', 'Rome, Rome, 1, 2, kept.']);
    expect(runner.state.knowledge.variables).toMatchObject({ city: 'Rome', visits: 2 });
    expect(runner.state.knowledge.variables).not.toHaveProperty('hidden');
  });

  it.each([
    ['is broken off', 'test.reads', 'aborted'],
    ['is waited for where it writes', 'test.writes', 'let go of'],
  ])('that runs as the conversation ends %s', async (_, type, ended) => {
    let letGo = (): void => undefined;
    let begin = (): void => undefined;
    let end: (reason: string) => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const over = new Promise<string>((resolve) => (end = resolve));
    const slow = defineNodeType({
      name: type,
      description: 'Takes until it is let go of.',
      input: z.strictObject({}),
      output: z.strictObject({}),
      capabilities: { writes: type === 'test.writes' },
      async run(_input, { signal }) {
        const reason = new Promise<string>((resolve) => {
          letGo = () => resolve('let go of');
          signal.addEventListener('abort', () => resolve('aborted'));
        });
        begin();
        end(await reason);
        return {};
      },
    });
    const { runner } = await live(
      { initialNode: 'a', nodes: { a: { type, defaultTransition: 'b' }, b: { say: 'Bye.', end: true } } },
      {},
      { catalog: createCatalog([slow]), waitForGreeting: false },
    );
    await begun;
    const stopped = runner.stop();
    // An abort takes effect at once.
    await new Promise(setImmediate);
    letGo();
    expect(await over).toBe(ended);
    await stopped;
  });
});
