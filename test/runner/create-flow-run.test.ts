import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createFlowRun, createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { modelPort } from '../../src/livekit/model/model-port.ts';
import type { ModelScript } from '../../src/testing/scripted-model.ts';
import { silenceLivekit } from '../livekit/call-record.ts';
import { until } from '../livekit/until.ts';
import { conversation, desk, isStarted, person, premium } from './person.ts';

silenceLivekit();

describe('a conversation with a channel attached', () => {
  test('takes what the channel sends as turns, gives it what the agent says, and ends with what it came to', async () => {
    const caller = person();
    const instance = conversation(premium).attach(caller);
    expect(instance.status).toBe('idle');
    const running = instance.run();
    await until(() => caller.heard.length === 1, 'the greeting');
    expect(instance.status).toBe('running');
    expect(await caller.run().send('Good morning')).toBe('taken');
    expect(await caller.run().send('Premium please')).toBe('taken');
    const { outputs, status, failures, events, durationMs } = await running;
    expect(caller.heard).toEqual(['Hello.', 'Which plan?', 'You take premium.']);
    expect({ status, failures }).toEqual({ status: 'complete', failures: [] });
    expect(outputs).toEqual({ reason: 'chosen', slots: { plan: 'premium' }, variables: { greeting: 'Hello.' } });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const types = events.map(({ type }) => type);
    expect(types.slice(0, types.indexOf('harness:start'))).toEqual(['channel:start']);
    expect(types.slice(types.indexOf('harness:complete') + 1)).toEqual(['channel:complete']);
    expect(await caller.run().send('Anybody?')).toBe('over');
  });

  test('is told as phases and tasks as well: each flow and each visit of a node, all within the run', async () => {
    const caller = person();
    const instance = conversation(premium).attach(caller);
    const running = instance.run();
    await until(() => caller.heard.length === 1, 'the greeting');
    await caller.run().send('Good morning');
    await caller.run().send('premium');
    const { events } = await running;
    const told = events.flatMap(({ type, data }) => {
      if ('taskId' in data) return `${type} ${data.taskId}`;
      return /^(harness|phase|channel):/.test(type) ? `${type} ${'name' in data ? data.name : ''}`.trim() : [];
    });
    expect(told).toEqual([
      'channel:start',
      'harness:start desk',
      'phase:start desk',
      'task:start hello',
      'task:complete hello',
      'task:start plan',
      'task:complete plan',
      'task:start bye',
      'task:complete bye',
      'phase:complete desk',
      'harness:complete',
      'channel:complete',
    ]);
    const started = events.find(({ type }) => type === 'task:start');
    expect(started).toMatchObject({ nodeId: 'hello', flowId: 'desk', sessionId: 'session', visit: 1 });
  });

  test('begins a phase for each flow that has it, also one that a caller is routed to and comes back from', async () => {
    const caller = person();
    const help: ConversationFlow = { initialNode: 'how', nodes: { how: { say: 'Press one.', end: 'helped' } } };
    const options = { flows: { help }, channels: [caller], commands: {} };
    const running = conversation(premium, options).run();
    await until(() => caller.heard.length === 1, 'the greeting');
    await caller.run().send('/flow help');
    caller.run().abort();
    const { events } = await running;
    const phases = events.flatMap(({ type, data }) =>
      type.startsWith('phase:') && 'name' in data ? `${type} ${data.name}` : [],
    );
    expect(phases).toEqual([
      ...['phase:start desk', 'phase:complete desk', 'phase:start help', 'phase:complete help'],
      ...['phase:start desk', 'phase:complete desk'],
    ]);
  });

  test('ends where it is aborted, before or while it runs, and where the caller hangs up', async () => {
    const early = conversation(premium).attach(person());
    early.abort();
    expect(await early.run()).toMatchObject({ status: 'aborted', outputs: { reason: 'aborted' } });
    const caller = person();
    const running = conversation(premium).attach(caller).run();
    await until(() => caller.heard.length === 1, 'the greeting');
    caller.run().abort();
    expect(await running).toMatchObject({ status: 'aborted', outputs: { reason: 'aborted', slots: {} }, failures: [] });
  });

  test('runs once, and what a channel sends before it has begun waits for that', async () => {
    const caller = person();
    const instance = conversation(premium).attach(caller).startSession();
    await until(() => isStarted(caller), 'the channel to start');
    const sent = caller.run().send('Good morning');
    const running = instance.run();
    expect(await sent).toBe('taken');
    expect(await caller.run().send('premium')).toBe('taken');
    expect(await running).toMatchObject({ status: 'complete' });
    await expect(instance.run()).rejects.toThrow('already-run');
  });

  test('takes the same turn once, and its options as FlowRunner does', async () => {
    const caller = person();
    const flow: ConversationFlow = {
      initialNode: 'desk',
      input: { who: { type: 'string' } },
      nodes: {
        desk: {
          say: 'Hello {{ who }}.',
          taskMessages: [{ role: 'system', content: 'Help.' }],
          functions: [{ name: 'look', run: 'look', saveAs: 'found', transitionTo: 'bye' }],
        },
        bye: { say: 'It is {{ found.a.value }}.', end: 'done' },
      },
    };
    const look = 'flow: { name: look }\nnodes: { a: { type: control.noop, input: { value: here } } }\n';
    expect(() => conversation({}, {}, flow)).toThrow(/unknown-flow/);
    expect(() => conversation({}, { flows: { look } }, flow)).toThrow('input-missing');
    const script = { '*': [{ when: 'look', calls: [{ name: 'look' }] }] };
    const running = conversation(script, { flows: { look }, input: { who: 'Ann' }, channels: [caller] }, flow).run();
    await until(() => caller.heard.length === 1, 'the greeting');
    expect(await caller.run().send('Hm', { eventId: 'one' })).toBe('taken');
    expect(await caller.run().send('Hm', { eventId: 'one' })).toBe('duplicate');
    await caller.run().send('look');
    expect((await running).outputs).toMatchObject({ variables: { found: { a: { value: 'here' } } } });
    expect(caller.heard).toEqual(['Hello Ann.', 'I see.', 'It is here.']);
  });

  test('that cannot begin fails with a code, and its channels are ended', async () => {
    let isComplete = false;
    const caller = { ...person(), onComplete: () => Promise.resolve(void (isComplete = true)) };
    const { status, failures } = await createFlowRun(desk, { channels: [caller] }).run();
    const message = expect.stringMatching(/^a conversation needs a model/) as string;
    expect({ status, failures }).toMatchObject({ status: 'failed', failures: [{ code: 'model-missing', message }] });
    expect(isComplete).toBe(true);
  });

  test('says something to the run of an agent in one of its nodes', async () => {
    const caller = person();
    const flow: ConversationFlow = {
      initialNode: 'helper',
      nodes: {
        helper: {
          type: 'agent.run',
          input: { input: 'Begin.' },
          config: { maxTurns: 2, turnTimeoutMs: 20_000 },
          defaultTransition: 'bye',
        },
        bye: { say: '{{ helper.result }}', end: 'done' },
      },
    };
    const script: ModelScript = {
      '*': [
        { when: 'Begin', text: 'First.' },
        { when: 'Go on', text: 'Second.' },
      ],
    };
    const instance = conversation(script, {}, flow).attach(caller);
    const texts: string[] = [];
    instance.subscribe('agent:text', ({ data }) => void ('delta' in data && texts.push(data.delta)));
    expect(instance.sendTo('helper', 'Go on')).toMatchObject({ ok: false, code: 'run-over' });
    const running = instance.run();
    await until(() => texts.join('').includes('First.'), 'the first answer');
    expect(instance.sendTo('helper', 'Go on')).toMatchObject({ ok: true });
    expect(await running).toMatchObject({ status: 'complete' });
    expect(caller.heard).toEqual(['Second.']);
    expect(instance.sendTo('helper', 'Go on')).toMatchObject({ ok: false, code: 'run-over' });
  });
});

describe('a model by name', () => {
  const agent = 'flow: {}\nnodes: { a: { type: agent.run, input: { input: Hello. } } }\n';

  test('is opened when it is asked, for agents as for conversations', async () => {
    const model = modelPort('offline');
    expect(await createFlowRun(agent, { model }).run()).toMatchObject({ status: 'complete' });
    const caller = person();
    const bye: ConversationFlow = { initialNode: 'a', nodes: { a: { say: 'Bye.', end: 'done' } } };
    expect(await createFlowRun(bye, { model, channels: [caller] }).run()).toMatchObject({
      status: 'complete',
    });
    expect(caller.heard).toEqual(['Bye.']);
  });

  test('that needs a key which is not there fails whoever asks it', async () => {
    vi.stubEnv('OPENAI_API_KEY', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { failures } = await createFlowRun(agent, { model: modelPort('openai') }).run();
    expect(failures).toMatchObject([{ taskId: 'a', code: 'key-missing' }]);
  });
});

test('tells that options were given in the place of the catalog', () => {
  const misplaced = { store: 'memory' } as never; // Possible in JavaScript.
  expect(() => createFlowRunner({ flow: {}, nodes: { a: { type: 'control.noop' } } }, misplaced)).toThrow(
    /catalog-invalid: .*Pass options as the third/,
  );
});

test('takes the node types of its flow among the options, or in second place under the name of the specification', async () => {
  const answer = defineNodeType({
    name: 'test.answer',
    description: '',
    input: z.strictObject({}),
    output: z.strictObject({ value: z.number() }),
    evaluate: () => ({ ok: true, output: { value: 42 } }),
  });
  const flow = { flow: {}, nodes: { a: { type: 'test.answer' } } };
  const catalog = createCatalog([answer]);
  const brought = { status: 'complete', outputs: { a: { value: 42 } } };
  expect(await createFlowRun(flow, { catalog }).run()).toMatchObject(brought);
  expect(await createFlowRunner(flow, catalog).run()).toMatchObject(brought);
});
