import { voice } from '@livekit/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { GeneratorFlow } from '../../src/flow/document/generator.ts';
import { ask, end, say } from '../../src/flow/document/generator-yields.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { systemClock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { type ModelScript, ScriptedModel, type ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { FakeRealtimeModel } from '../livekit/realtime/fake-model.ts';
import { mortal } from './crash/mortal.ts';
import { gapMs } from './crash/sweep.ts';

type Flow = ConversationFlow | GeneratorFlow;
interface World {
  readonly script: ModelScript;
  /** The script of a realtime model, if the call has one. */
  readonly realtime?: ConstructorParameters<typeof FakeRealtimeModel>[0];
  readonly options?: Partial<RunnerOptions>;
}

/** When the first process dies: in a function, in the inference that answers words, or before any answer. */
type Death = { readonly inTool: string } | { readonly inAnswerTo: string } | { readonly afterTurn: string };

/**
 * A call whose process dies, and the resumed call. The functions record their writes by key, like the systems around an
 * agent.
 */
async function callOf(flow: Flow, { script, realtime, options = {} }: World, death: Death, words: readonly string[]) {
  let now = Date.UTC(2026, 10, 22, 12);
  const clock: Clock = { now: () => now, schedule: (delayMs, task) => systemClock.schedule(delayMs, task) };
  const store = createMemoryStore({ clock });
  const done: { readonly key: string; readonly what: string }[] = [];
  const died = new AbortController();
  const { store: lasting, die } = mortal(store, null, () => died.abort());
  const dying: Store = {
    ...lasting,
    steps: {
      ...lasting.steps,
      async create(commit) {
        await lasting.steps.create(commit);
        const said = commit.signals.map(({ signal }) => (signal.type === 'user:turn' ? signal.text : null));
        if ('afterTurn' in death && said.includes(death.afterTurn)) await die();
      },
    },
  };
  const tools = (isFirst: boolean) =>
    ['book', 'pay'].map((name) =>
      flowTool({
        name,
        description: name,
        parameters: z.looseObject({}),
        execute: async (args, { key }) => {
          const what = `${name} ${JSON.stringify(args)}`;
          if (!done.some((one) => one.key === key)) done.push({ key, what });
          if (isFirst && 'inTool' in death && death.inTool === name) return await die();
          return { id: 7 };
        },
      }),
    );
  const process = (isFirst: boolean) => {
    const dies = ({ userText }: ScriptedRequest): boolean =>
      isFirst && 'inAnswerTo' in death && userText === death.inAnswerTo;
    const model = new ScriptedModel((request, count) => {
      if (dies(request)) {
        void die();
        return { delayMs: 3_600_000 };
      }
      return typeof script === 'function' ? script(request, count) : {};
    });
    const session =
      realtime === undefined
        ? createTextSession(model)
        : new voice.AgentSession({
            llm: new FakeRealtimeModel((request) => {
              if (!isFirst || !('inAnswerTo' in death) || request.items.at(-1) !== `user:${death.inAnswerTo}`)
                return realtime(request);
              void die();
              return { text: 'Well.' };
            }),
            vad: null,
            turnHandling: { turnDetection: null },
            userAwayTimeout: null,
          });
    const runner = createRunner({
      session,
      flow,
      sessionId: 's',
      timeZone: 'UTC',
      store: isFirst ? dying : store,
      clock,
      tools: tools(isFirst),
      ...options,
    });
    const heard: string[] = [];
    runner.onSpeech((text) => heard.push(text));
    return { runner, heard, model };
  };
  const first = process(true);
  const talk = async (): Promise<void> => {
    await first.runner.start();
    await first.runner.idle();
    for (const said of words) await first.runner.send(said, { eventId: said });
  };
  await Promise.race([talk(), new Promise((resolve) => died.signal.addEventListener('abort', resolve))]);
  expect(died.signal.aborted).toBe(true);
  now += gapMs;
  const second = process(false);
  await second.runner.start();
  await second.runner.idle();
  return { ...second, done, store };
}

/** A model that follows its instructions and knows only its context. */
const obedient: ModelScript = ({ items, tools }) => {
  const last = items.at(-1) ?? '';
  const orders = [...last.matchAll(/(book|pay) (\d+)/g)];
  if (last.startsWith('user: ') && orders.length > 0)
    return { calls: orders.map(([, name = '', n]) => ({ name, arguments: { n: Number(n) } })) };
  if (last.startsWith('user: I am ') && tools.includes('record'))
    return { calls: [{ name: 'record', arguments: { who: last.slice('user: I am '.length) } }] };
  return { text: last.startsWith('output') ? 'It is done.' : 'Gladly. What else?' };
};

const functions = (...names: readonly string[]) =>
  names.map((name) => ({
    name,
    effect: 'write' as const,
    parameters: { type: 'object', properties: { n: { type: 'integer' } } } as const,
  }));
const task = (content: string) => [{ role: 'system' as const, content }];

describe('after a crash in a write, the first request to the model contains the call and its result', () => {
  const desk = (transitionTo?: string): ConversationFlow => ({
    initialNode: 'desk',
    nodes: {
      desk: {
        taskMessages: task('Book what the caller asks for.'),
        functions: functions('book').map((one) => ({
          ...one,
          ...(transitionTo === undefined ? {} : { transitionTo }),
        })),
      },
      more: { taskMessages: task('Book more.'), functions: functions('book') },
    },
  });
  for (const [name, to] of [
    ['a function without a transition', undefined],
    ['a transition to its own node', 'desk'],
    ['a transition to another node', 'more'],
  ] as const)
    test(name, async () => {
      const { done, model, heard, runner } = await callOf(desk(to), { script: obedient }, { inTool: 'book' }, [
        'book 7',
      ]);
      expect(done.map(({ what }) => what)).toEqual(['book {"n":7}']);
      expect(model.requests[0]?.items.slice(-3)).toEqual(['user: book 7', 'call: book', 'output: book {"id":7}']);
      expect(heard.join(' ')).toMatch(/It is done\./);
      await runner.stop();
    });

  test('two writes of one completion', async () => {
    const flow: ConversationFlow = {
      initialNode: 'desk',
      nodes: { desk: { taskMessages: task('Book and pay.'), functions: functions('book', 'pay') } },
    };
    const { done, model, runner } = await callOf(flow, { script: obedient }, { inTool: 'pay' }, ['book 7 and pay 3']);
    expect(done.map(({ what }) => what).toSorted()).toEqual(['book {"n":7}', 'pay {"n":3}']);
    expect(model.requests.every(({ items }) => items.filter((item) => item.startsWith('output')).length === 2)).toBe(
      true,
    );
    await runner.stop();
  });

  test('and a different call in the same reply gets a new key', async () => {
    let booked = 0;
    const script: ModelScript = () =>
      booked < 2 ? { calls: [{ name: 'book', arguments: { n: (booked += 1) } }] } : { text: 'It is done.' };
    const { done, runner } = await callOf(desk('more'), { script, options: { resume: 'exact' } }, { inTool: 'book' }, [
      'book one',
    ]);
    expect(done.map(({ what }) => what)).toEqual(['book {"n":1}', 'book {"n":2}']);
    expect(new Set(done.map(({ key }) => key)).size).toBe(2);
    await runner.stop();
  });

  test('with a context strategy that hides earlier turns', async () => {
    const flow: ConversationFlow = {
      initialNode: 'desk',
      nodes: {
        desk: {
          taskMessages: task('Book what the caller asks for.'),
          functions: functions('book').map((one) => ({ ...one, transitionTo: 'more' })),
        },
        more: { taskMessages: task('Book more.'), contextStrategy: 'reset', functions: functions('book') },
      },
    };
    const { done, runner } = await callOf(flow, { script: obedient }, { inTool: 'book' }, ['book 7']);
    expect(done).toHaveLength(1);
    await runner.send('book 8');
    expect(done.map(({ what }) => what)).toEqual(['book {"n":7}', 'book {"n":8}']);
    await runner.stop();
  });

  test('on a realtime model', async () => {
    const { done, runner } = await callOf(
      desk(),
      {
        script: {},
        realtime: ({ items }) =>
          items.at(-1)?.startsWith('user:book') === true
            ? { calls: [{ name: 'book', args: { n: 7 } }] }
            : { text: 'Gladly.' },
      },
      { inTool: 'book' },
      ['book 7'],
    );
    expect(done.map(({ what }) => what)).toEqual(['book {"n":7}']);
    await runner.stop();
  });
});

describe('words that a process took without answering are answered by the next process', () => {
  const asking: ConversationFlow = {
    initialNode: 'guest',
    slots: {
      who: { type: 'text', ask: 'Who is calling?' },
      size: { type: 'text', ask: 'Which size?' },
    },
    nodes: { guest: { collect: ['who', 'size'], defaultTransition: 'bye' }, bye: { say: 'Goodbye.', end: 'done' } },
  };

  test('in a node that collects', async () => {
    const { runner, heard } = await callOf(asking, { script: obedient }, { inAnswerTo: 'I am Ana' }, ['I am Ana']);
    expect(runner.state.knowledge.slots).toMatchObject({ who: { value: 'Ana' } });
    expect(heard.join(' ')).toMatch(/gone for a moment.*Which size\?/);
    expect(heard.join(' ')).not.toMatch(/Who is calling/);
    expect(await runner.send('I am Ana', { eventId: 'I am Ana' })).toBe('duplicate');
    await runner.stop();
  });

  test('in a node whose line may not have been heard', async () => {
    const flow: ConversationFlow = {
      initialNode: 'desk',
      nodes: { desk: { say: 'What shall I book?', functions: functions('book') } },
    };
    const { runner, heard, done } = await callOf(flow, { script: obedient }, { inAnswerTo: 'book 7' }, ['book 7']);
    expect(done.map(({ what }) => what)).toEqual(['book {"n":7}']);
    // The answer comes first. Because these words ask nothing, the next question follows.
    expect(heard.join(' ')).toMatch(/It is done\./);
    expect(heard.join(' ')).not.toMatch(/What shall I book.*It is done/);
    await runner.stop();
  });

  test('to a generator that lets the model read the answer', async () => {
    const flow = defineFlow(async function* sizes() {
      const size = yield* ask({ key: 'size', text: 'Which size?', type: 'integer' });
      yield* say(`Size ${size}.`);
      yield* end('done');
    });
    const script: ModelScript = ({ items }) =>
      items.at(-1) === 'user: like last time'
        ? { calls: [{ name: 'answer', arguments: { value: 42 } }] }
        : { text: '?' };
    const { runner, heard } = await callOf(flow, { script }, { inAnswerTo: 'like last time' }, ['like last time']);
    expect(await runner.ended).toBe('done');
    expect(heard.join(' ')).toMatch(/Size 42\./);
  });

  test('on a realtime model', async () => {
    const { runner } = await callOf(
      asking,
      {
        script: {},
        realtime: ({ items }) =>
          items.at(-1) === 'user:I am Ana'
            ? { calls: [{ name: 'record', args: { who: 'Ana' } }] }
            : { text: 'Gladly.' },
      },
      { inAnswerTo: 'I am Ana' },
      ['I am Ana'],
    );
    expect(runner.state.knowledge.slots).toMatchObject({ who: { value: 'Ana' } });
    await runner.stop();
  });

  test('by a hook, whose line may not have been heard', async () => {
    const flow: ConversationFlow = {
      initialNode: 'desk',
      nodes: { desk: { say: 'What shall I book?', functions: functions('book') } },
    };
    const options: Partial<RunnerOptions> = {
      hooks: {
        beforeLLM: async ({ text }) =>
          text === 'hours' ? { action: 'skip_llm', draftReply: 'From nine to five.' } : { action: 'continue' },
      },
    };
    const { runner, heard } = await callOf(flow, { script: obedient, options }, { afterTurn: 'hours' }, ['hours']);
    expect(heard.join(' ')).toMatch(/gone for a moment.*From nine to five\./);
    await runner.stop();
  });
});

test('a runner that resumes in the LiveKit session of another runner shows its model the logged calls', async () => {
  const flow: ConversationFlow = {
    initialNode: 'desk',
    nodes: { desk: { taskMessages: task('Book what the caller asks for.'), functions: functions('book') } },
  };
  const model = new ScriptedModel(obedient);
  const session = createTextSession(model);
  const store = createMemoryStore({ clock: systemClock });
  const book = flowTool({
    name: 'book',
    description: 'book',
    parameters: z.looseObject({}),
    execute: () => ({ id: 7 }),
  });
  const runner = () => createRunner({ session, flow, sessionId: 's', store, tools: [book], onEnd: 'keep' });
  const first = runner();
  await first.start();
  await first.idle();
  await first.send('book 7');
  await first.leave();
  const second = runner();
  await second.start();
  await second.idle();
  expect(model.requests.at(-1)?.items).toEqual(expect.arrayContaining(['call: book', 'output: book {"id":7}']));
  expect(model.requests.at(-1)?.items.filter((item) => item === 'user: book 7')).toHaveLength(1);
  await second.stop();
});

test('a process of the same name resumes at once, and the previous one stops speaking and writing', async () => {
  const flow: ConversationFlow = {
    initialNode: 'desk',
    nodes: { desk: { say: 'What shall I book?', functions: functions('book') } },
  };
  const store = createMemoryStore({ clock: systemClock });
  const done: string[] = [];
  const book = flowTool({
    name: 'book',
    description: 'book',
    parameters: z.looseObject({}),
    execute: (_args, { key }) => done.push(key),
  });
  const runner = () =>
    createRunner({
      session: createTextSession(new ScriptedModel(obedient)),
      flow,
      sessionId: 's',
      owner: 'host-1',
      store,
      tools: [book],
    });
  const first = runner();
  await first.start();
  await first.send('book 1');
  const second = runner();
  await second.start();
  await second.idle();
  await second.send('book 2');
  await first.send('book 3');
  expect(await first.ended).toBe('lease-lost');
  await second.send('book 4');
  expect(second.state.status).toBe('active');
  expect(new Set(done).size).toBe(3);
  await second.stop();
});
