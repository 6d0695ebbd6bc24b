import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Event } from '../../src/model/events/event.ts';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { Json } from '../../src/model/json.ts';
import type { Model } from '../../src/model/ports/model.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Channel } from '../../src/model/ports/channel.ts';
import { expectRefusal } from '../durable/refusal.ts';
import { catalog, finished, one, rig } from './task-rig.ts';

describe('what a flow is given', () => {
  const flow = one(
    '{ type: control.noop, input: { value: "{{ flow.input.name }} {{ flow.input.count }}" } }',
    '{ name: greet, input: { name: string, count: { type: integer, default: 2 } } }',
  );

  test('is read as flow.input, with the defaults of what is not given', async () => {
    const { result } = await finished(rig(flow, { input: { name: 'Ann' } }));
    expect(result.outputs).toEqual({ a: { value: 'Ann 2' } });
  });

  test.each<[Record<string, Json>, RegExp]>([
    [{}, /^input-missing: flow "greet" needs the input "name" \(string\)/],
    [{ name: 5 }, /^input-invalid: input "name" of flow "greet" must be of type string/],
    [{ name: 'Ann', cuont: 3 }, /^input-unknown: flow "greet" takes no input "cuont"\. Did you mean "count"\?/],
    [{ name: nested(10_000) }, /^input-invalid: the input of flow "greet" nests deeper than 64 levels/],
  ])('is refused before anything runs where it is not as declared: %#', (input, message) => {
    expect(() => createFlowRunner(flow, catalog, { input })).toThrow(message);
  });

  test('may be large', async () => {
    const name = 'x'.repeat(10_000_000);
    const large = one(
      '{ type: control.noop, input: { value: "{{ flow.input.name }}" } }',
      '{ input: { name: string } }',
    );
    const { result } = await finished(rig(large, { input: { name } }));
    expect(result.outputs).toEqual({ a: { value: name } });
  });
});

describe('a flow that cannot run', () => {
  test('is refused with all that is wrong', () => {
    expect(() => createFlowRunner(one('{ type: acme.look }'), catalog)).toThrow(/unknown-node-type: .*acme\.look/);
  });

  test('runs once only', async () => {
    const { instance } = rig(one('{ type: control.noop }'));
    await instance.run();
    await expect(instance.run()).rejects.toThrow('already-run');
  });
});

describe('a task that fails', () => {
  const failure = async (node: string) => {
    const { result } = await finished(rig(one(node)));
    return result.failures;
  };

  test('tells its id, a code, and what of its input is wrong', async () => {
    const node = '{ type: test.work, input: { ms: "{{ flow.input }}" }, policy: { retry: { max_attempts: 3 } } }';
    expect(await failure(node)).toEqual([
      {
        taskId: 'a',
        code: 'input-invalid',
        message: expect.stringContaining('input.ms: ') as string,
        attempts: 1,
        timedOut: false,
      },
    ]);
  });

  test('is tried again, but not where it fails on purpose', async () => {
    const twice = '{ type: test.work, input: { failures: 9 }, policy: { retry: { max_attempts: 2 } } }';
    expect(await failure(twice)).toMatchObject([{ code: 'test-failed', message: 'attempt 2 failed.', attempts: 2 }]);
    const fail = '{ type: control.fail, input: { message: No. }, policy: { retry: { max_attempts: 2 } } }';
    expect(await failure(fail)).toMatchObject([{ code: 'control-fail', message: 'No.', attempts: 1 }]);
  });

  test('takes no longer than all its attempts may', async () => {
    const node =
      '{ type: test.work, input: { ms: 40, failures: 9 }, policy: { total_timeout_ms: 70, retry: { max_attempts: 9, backoff_ms: 10 } } }';
    const { result, clock } = await finished(rig(one(node)));
    expect(result.failures).toMatchObject([{ code: 'task-timeout', attempts: 2, timedOut: true }]);
    expect(result.durationMs).toBe(70);
    expect(clock.pending).toBe(0);
  });
});

describe('an abort', () => {
  test('before the run skips everything', async () => {
    const one_ = rig(one('{ type: test.work, input: { ms: 10 } }'));
    one_.instance.abort();
    const { result } = await finished(one_);
    expect(result.status).toBe('aborted');
    expect(result.durationMs).toBe(0);
  });

  test('ends what runs at once, but waits for a write', async () => {
    const flow =
      'flow: {}\nnodes:\n  w: { type: test.write, input: { ms: 50 } }\n  r: { type: test.work, input: { ms: 90 } }\n';
    const both = rig(flow);
    both.clock.schedule(20, () => both.instance.abort());
    const { result } = await finished(both);
    expect(result).toMatchObject({ status: 'aborted', durationMs: 50, outputs: { w: { value: null } } });
    expect(both.lines(result.events).filter((line) => line.includes('task:'))).toEqual([
      '0 task:start taskId="w"',
      '0 task:start taskId="r"',
      '20 task:failed taskId="r" code="aborted" attempts=1 continued=false',
      '50 task:complete taskId="w" result={"value":null}',
    ]);
  });

  test.each([
    ['waits for a function that writes, which is not told of it', 'write', 50],
    ['does not wait for a function that reads', 'read', 20],
  ] as const)('of an agent %s', async (_, effect, ms) => {
    let isDone = false;
    const call = { type: 'call', call: { callId: '1', name: 'book', rawArguments: '{}' } } as const;
    const model: Model = {
      label: 'scripted',
      async *generate() {
        yield await Promise.resolve(call);
      },
    };
    const book = flowTool({
      name: 'book',
      description: 'Books it.',
      effect,
      async execute(_input, { signal }) {
        await new Promise<void>((resolve) => agent.clock.schedule(50, resolve));
        isDone = !signal.aborted;
      },
    });
    const agent = rig(one('{ type: agent.run, input: { input: Go., tools: [book] } }'), { model, tools: [book] });
    agent.clock.schedule(20, () => agent.instance.abort());
    const { result } = await finished(agent);
    expect(result).toMatchObject({ status: 'aborted', durationMs: ms });
    expect(isDone).toBe(effect === 'write');
  });
});

test('an agent that is tried again waits for the write that it has begun, and does not begin it anew', async () => {
  const keys: string[] = [];
  const call = { type: 'call', call: { callId: '1', name: 'book', rawArguments: '{}' } } as const;
  const model: Model = {
    label: 'scripted',
    async *generate({ messages }) {
      yield await Promise.resolve(
        messages.at(-1)?.role === 'tool' ? ({ type: 'text', delta: 'Booked.' } as const) : call,
      );
    },
  };
  const book = flowTool({
    name: 'book',
    description: 'Books it.',
    effect: 'write',
    async execute(_input, { key }) {
      keys.push(key);
      await new Promise<void>((resolve) => agent.clock.schedule(30, resolve));
      return 'booked';
    },
  });
  const policy = 'policy: { timeout_ms: 20, retry: { max_attempts: 2 } }';
  const node = `{ type: agent.run, input: { input: Go., tools: [book] }, ${policy} }`;
  const agent = rig(one(node), { model, tools: [book] });
  const { result } = await finished(agent);
  expect(result).toMatchObject({ status: 'complete', durationMs: 30 });
  expect(keys).toHaveLength(1);
});

test('an agent reads that its write names a value twice, and no more of a result than a conversation shows', async () => {
  const outputs: string[] = [];
  const calls = ['{"day":1,"day":2}', '{"day":3}'];
  const model: Model = {
    label: 'scripted',
    async *generate({ messages }) {
      const [last] = await Promise.resolve(messages.slice(-1));
      if (last?.role === 'tool') outputs.push(last.content);
      const rawArguments = calls.shift();
      yield rawArguments === undefined
        ? ({ type: 'text', delta: 'Booked.' } as const)
        : ({ type: 'call', call: { callId: rawArguments, name: 'book', rawArguments } } as const);
    },
  };
  const days: unknown[] = [];
  const book = flowTool({
    name: 'book',
    description: 'Books it.',
    parameters: z.object({ day: z.number() }),
    effect: 'write',
    execute({ day }) {
      days.push(day);
      return 'x'.repeat(5_000_000);
    },
  });
  const { result } = await finished(
    rig(one('{ type: agent.run, input: { input: Go., tools: [book] } }'), { model, tools: [book] }),
  );
  expect(result.status).toBe('complete');
  expect(days).toEqual([3]);
  expect(outputs[0]).toMatch(/"day" twice/);
  expect(outputs[1]?.length).toBeLessThan(66_000);
  expect(outputs[1]).toContain('was too long (5000002 bytes) and was cut');
});

describe('a run of an agent that fails ends by one event of its own, before its task has failed', () => {
  const hanging: Model = {
    label: 'scripted',
    async *generate() {
      yield { type: 'text', delta: 'Well' } as const;
      await new Promise<void>((resolve) => run.clock.schedule(50, resolve));
    },
  };
  const failing: Model = {
    label: 'scripted',
    // oxlint-disable-next-line require-yield -- it ends before its first yield
    async *generate() {
      await Promise.reject(new Error('down'));
    },
  };
  let run: ReturnType<typeof rig>;
  const node = '{ type: agent.run, input: { input: Go. }, policy: { timeout_ms: 20 } }';
  const ends = (events: readonly Event[]) =>
    events.flatMap(({ type, data, runId }) =>
      type === 'agent:error' || type === 'agent:complete' || type === 'task:failed'
        ? [[type, (data as { code?: string }).code, runId]]
        : [],
    );

  test.each([
    ['its model breaks off', failing, 'model-failed'],
    ['its time is over', hanging, 'task-timeout'],
  ])('where %s', async (_, model, code) => {
    run = rig(one(node), { model });
    const { result } = await finished(run);
    expect(ends(result.events)).toEqual([
      ['agent:error', code, 'run-1'],
      ['task:failed', code, undefined],
    ]);
  });

  test('where the run is aborted', async () => {
    run = rig(one(node), { model: hanging });
    run.clock.schedule(10, () => run.instance.abort());
    const { result } = await finished(run);
    expect(ends(result.events)).toEqual([
      ['agent:error', 'aborted', 'run-1'],
      ['task:failed', 'aborted', undefined],
    ]);
  });
});

describe('a flow that runs another', () => {
  const inner = one('{ type: test.work, input: { ms: 5, value: "{{ flow.input.n }}" } }', '{ input: { n: integer } }');
  const outer = (name: string): string => one(`{ type: control.subflow, input: { name: ${name}, input: { n: 7 } } }`);

  test('has its outputs, and its tasks stand under the id of the one that runs it', async () => {
    const { result } = await finished(rig(outer('inner'), { flows: { inner } }));
    expect(result.outputs).toEqual({ a: { outputs: { a: { value: 7 } } } });
    expect(result.events.filter(({ type }) => type === 'task:start').map(({ nodeId }) => nodeId)).toEqual(['a', 'a.a']);
  });

  test('fails where there is none of this name, or flows run each other without end', async () => {
    const unknown = await finished(rig(outer('iner'), { flows: { inner } }));
    expect(unknown.result.failures).toMatchObject([
      { code: 'flow-unknown', message: 'no task flow is called "iner". Did you mean "inner"?' },
    ]);
    const endless = one('{ type: control.subflow, input: { name: endless } }');
    const { result } = await finished(rig(endless, { flows: { endless } }));
    expect(result.failures).toMatchObject([{ taskId: 'a', code: 'flow-too-deep' }]);
  });
});

describe('channels', () => {
  const channel = (name: string, said: string[], more: Partial<Channel> = {}): Channel => ({
    name,
    onStart: () => Promise.resolve(void said.push(`${name} starts`)),
    onComplete: () => Promise.resolve(void said.push(`${name} completes`)),
    onEvent: ({ type }) => void (type.startsWith('harness:') && said.push(`${name} ${type}`)),
    ...more,
  });

  test('start in order before the run and complete in reverse after it', async () => {
    const said: string[] = [];
    const attached = rig(one('{ type: control.noop }'), { channels: [channel('one', said)] });
    await finished({ ...attached, instance: attached.instance.attach(channel('two', said)).startSession() });
    expect(said).toEqual([
      'one starts',
      'two starts',
      'one harness:start',
      'two harness:start',
      'one harness:complete',
      'two harness:complete',
      'two completes',
      'one completes',
    ]);
  });

  test('that throw or hang are told of, and never stop the flow', async () => {
    const bad: Channel = {
      name: 'bad',
      onStart: () => Promise.reject(new Error('no')),
      onComplete: () => new Promise(() => undefined),
      onEvent: () => {
        throw new Error('no');
      },
    };
    const { result, clock } = await finished(rig(one('{ type: control.noop }'), { channels: [bad] }));
    expect(result.status).toBe('complete');
    const errors = result.events.filter(({ type }) => type === 'channel:error').map(({ data }) => data);
    expect(errors).toEqual(['start', 'event', 'complete'].map((stage) => ({ channel: 'bad', stage })));
    expect(clock.pending).toBe(0);
  });

  test('ask a person, and are told where nobody waits for the answer any more', async () => {
    const asked: string[] = [];
    let isTakenBack = false;
    const person = channel('person', [], {
      ask(question, choices, signal) {
        asked.push(`${question} ${choices.join('/')}`);
        signal.addEventListener('abort', () => (isTakenBack = true));
        return asked.length === 1 ? Promise.resolve('Yes.') : new Promise(() => undefined);
      },
    });
    const gate = '{ type: control.gate, input: { prompt: Go on?, choices: [yes, no] }, policy: { timeout_ms: 500 } }';
    const answered = await finished(rig(one(gate), { channels: [person] }));
    expect(answered.result.outputs).toEqual({ a: { response: { content: 'Yes.', choice: 'yes' } } });
    const silent = await finished(rig(one(gate), { channels: [person] }));
    expect(silent.result.failures).toMatchObject([{ code: 'task-timeout' }]);
    expect(asked).toEqual(['Go on? yes/no', 'Go on? yes/no']);
    expect(isTakenBack).toBe(true);
  });
});

describe('a question that nobody can be asked', () => {
  const gate = '{ type: control.gate, input: { prompt: Go on? } }';
  const before = 'nodes:\n  b: { type: control.noop }\n';
  const sub = (name: string): string => `{ type: control.subflow, input: { name: ${name} } }`;
  const flows = {
    inner: `flow: {}\n${before}  ask: ${gate}\nedges: [{ from: b, to: ask }]`,
    self: `flow: {}\nnodes:\n  again: ${sub('self')}\n  ask: ${gate}`,
    quiet: `flow: {}\n${before}`,
    twice: `flow: {}\nnodes:\n  first: ${sub('quiet')}\n  next: ${sub('inner')}`,
  };

  test.each([
    ['a', one(gate)],
    ['a', `flow: {}\n${before}  a: ${gate}\nedges: [{ from: b, to: a }]`],
    ['a.ask', one(sub('inner'))],
    ['a.ask', one(sub('self'))],
    ['b.next.ask', `flow: {}\nnodes:\n  a: ${sub('quiet')}\n  b: ${sub('twice')}\nedges: [{ from: a, to: b }]`],
  ])('but is sure to be asked, in node %s, refuses the run before any node has run', async (node, flow) => {
    const deaf: Channel = { name: 'deaf' };
    const { instance } = rig(flow, { flows, channels: [deaf] });
    const told: string[] = [];
    instance.subscribe('task:*', ({ type }) => void told.push(type));
    const message = await expectRefusal('no-channel', instance.run());
    expect(message).toMatch(new RegExp(`^no-channel: node "${node}" asks a person, .* Attach one before the run;`));
    expect([told, instance.status]).toEqual([[], 'idle']);
    // Another caller that attaches a channel may run it.
    const person: Channel = { name: 'person', ask: () => Promise.resolve('yes') };
    if (!flow.includes('self')) expect((await instance.attach(person).run()).status).toBe('complete');
  });

  test.each([
    [
      'behind a condition',
      `flow: {}\n${before}  a: ${gate}\nedges: [{ from: b, to: a, when: { exists: { var: b.value } } }]`,
    ],
    ['whose node continues on errors', one(gate.replace(' }', ' }, policy: { continue_on_error: true }'))],
    [
      'in a body that is not repeated',
      one(`{ type: control.foreach, input: { list: [] }, body: { nodes: { b: ${gate} } } }`),
    ],
    [
      'behind what always fails',
      `flow: {}\nnodes:\n  b: { type: control.fail, input: { message: no } }\n  a: ${gate}\nedges: [{ from: b, to: a }]`,
    ],
  ])('%s does not keep the run from beginning', async (_, flow) => {
    const { result } = await finished(rig(flow));
    expect(result.failures.map(({ code }) => code)).not.toContain('no-channel');
  });
});

/** A value nested to a depth. */
function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

test('a list whose members run at once, however many, warns of no leak', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const list = `[${Array.from({ length: 20 }, (_, index) => index).join(', ')}]`;
  const body = 'body: { nodes: { w: { type: test.work, input: { ms: 5 } } } }';
  const { result } = await finished(
    rig(one(`{ type: control.foreach, input: { list: ${list}, concurrency: 20 }, ${body} }`)),
  );
  expect(result.status).toBe('complete');
  // Warnings are emitted in the next round.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
