import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { replay } from '../../src/store/replay.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { systemClock } from '../../src/system.ts';
import { simulateRoom } from '../../src/testing/index.ts';
import { live } from '../livekit/live.ts';
import { until } from '../livekit/until.ts';
import { readOldSignal } from '../../src/runner/read-old-signal.ts';
import { catalog } from './task-rig.ts';

const eligibility: TaskFlow = {
  flow: {
    name: 'eligibility',
    description: 'Looks a member up.',
    input: { member: 'string', country: { type: 'string', default: 'NL' } },
  },
  nodes: [
    { id: 'look', type: 'control.noop', input: { value: '{{ flow.input.member }} {{ flow.input.country }}' } },
    { id: 'verdict', type: 'control.if', input: { condition: { contains: { var: 'look.value', value: 'M-1' } } } },
  ],
  edges: [{ from: 'look', to: 'verdict' }],
};

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        {
          name: 'check',
          run: 'eligibility',
          saveAs: 'found',
          transitionTo: { field: 'verdict.condition', cases: { true: 'yes' }, default: 'no' },
        },
      ],
    },
    yes: { say: 'You are insured, {{ found.look.value }}.', end: true },
    no: { say: 'You are not insured.', end: true },
  },
};

describe('a task flow as the body of a function', () => {
  it('takes its input as arguments, and its outputs are the result that decides where the conversation goes', async () => {
    const { runner, heard, model, events } = await live(
      desk,
      { desk: [{ calls: [{ name: 'check', arguments: { member: 'M-1' } }] }] },
      {
        flows: { eligibility },
      },
    );
    await runner.send('Am I insured?');
    expect(heard).toEqual(['Hello.', 'You are insured, M-1 NL.']);
    expect(model.requests[0]?.tools).toEqual(['check']);
    const tasks = events.flatMap(({ type, data }) => (type.startsWith('task:') ? [[type, data]] : []));
    expect(tasks.map(([type, data]) => `${String(type)} ${(data as { taskId: string }).taskId}`)).toEqual([
      'task:start eligibility.look',
      'task:complete eligibility.look',
      'task:start eligibility.verdict',
      'task:complete eligibility.verdict',
    ]);
  });

  it('that does not exist is told before anything is said', async () => {
    await expect(live(desk, {}, { flows: {} })).rejects.toThrow(/unknown-flow: flow "eligibility" is not registered/);
  });
});

test('a function whose task flow runs another that asks gives the caller the time to answer', async () => {
  const inner: TaskFlow = {
    flow: {},
    nodes: { ask: { type: 'control.gate', input: { prompt: 'Shall I book it?', choices: ['yes', 'no'] } } },
  };
  const outer: TaskFlow = {
    flow: { name: 'booking' },
    nodes: { inner: { type: 'control.subflow', input: { name: 'inner' } } },
  };
  const talk: ConversationFlow = {
    initialNode: 'desk',
    ladder: { noInputMs: 0 },
    nodes: {
      desk: {
        say: 'Hello.',
        taskMessages: [{ role: 'system', content: 'Help.' }],
        functions: [{ name: 'book', run: 'booking', saveAs: 'booked', transitionTo: 'done' }],
      },
      done: { say: 'You said {{ booked.inner.outputs.ask.response.choice }}.', end: true },
    },
  };
  const { transcript } = await simulateRoom(talk, [{ say: 'Book it.' }, { silence: 60_000 }, { say: 'Yes.' }], {
    model: { '*': [{ calls: [{ name: 'book' }] }] },
    flows: { booking: outer, inner },
  });
  const lines = ['Hello.', 'Book it.', 'Shall I book it?', 'Yes.', 'You said yes.'];
  expect(transcript.map(({ text }) => text)).toEqual(lines);
});

describe('a task flow in the middle of which the process dies', () => {
  const checking: TaskFlow = {
    flow: { name: 'checking', input: { member: 'string' } },
    nodes: {
      look: { type: 'test.step', input: { name: 'look' } },
      book: { type: 'test.step', input: { name: 'book' } },
      hold: { type: 'test.step', input: { name: 'hold' } },
    },
    edges: [
      { from: 'look', to: 'book' },
      { from: 'book', to: 'hold' },
    ],
  };
  it.each(['read', 'write'] as const)(
    'goes on where it stood once the conversation does, in a function that is a %s',
    async (effect) => {
      const ran: { readonly name: string; readonly key: string }[] = [];
      let bury = (): void => undefined;
      const dead = new Promise<void>((resolve) => (bury = resolve));
      const steps = defineNodeType({
        name: 'test.step',
        description: 'One of the steps.',
        input: z.strictObject({ name: z.string() }),
        output: z.strictObject({ name: z.string() }),
        capabilities: { writes: true },
        async run({ name }, { key }) {
          ran.push({ name, key });
          // The first process stops here.
          if (ran.length === 3) await dead;
          return { name };
        },
      });
      const talk: ConversationFlow = {
        initialNode: 'desk',
        nodes: {
          desk: {
            say: 'Hello.',
            taskMessages: [{ role: 'system', content: 'Help.' }],
            functions: [{ name: 'check', run: 'checking', effect, transitionTo: 'done' }],
          },
          done: { say: 'It is done.', end: true },
        },
      };
      let laterMs = 0;
      const store = createMemoryStore({ clock: { ...systemClock, now: () => systemClock.now() + laterMs } });
      const script = { desk: [{ calls: [{ name: 'check', arguments: { member: 'M-1' } }] }] };
      const options = {
        flows: { checking },
        catalog: createCatalog([...catalog.values(), steps]),
        ...{ store, sessionId: 'call' },
      };
      const first = await live(talk, script, options);
      void first.runner.send('Am I insured?');
      await until(() => ran.length === 3, 'the last step');
      // Longer than a lease.
      laterMs = 60_000;
      const second = await live(talk, script, options);
      await second.runner.ended;
      bury();
      expect(second.heard.at(-1)).toContain('It is done.');
      expect(ran.map(({ name }) => name)).toEqual(['look', 'book', 'hold', 'hold']);
      expect(ran[3]?.key).toBe(ran[2]?.key);
      // An event that is repeated for subscribers is not stored again.
      const told = second.events.flatMap(({ type, data }) => ('recovered' in (data as object) ? type : []));
      expect(told).toContain('task:complete');
      const kept = (await store.steps.listEvents('call')).flatMap(({ type, data }) =>
        type === 'task:complete' && 'taskId' in data ? data.taskId : [],
      );
      expect(kept).toEqual(['checking.look', 'checking.book', 'checking.hold']);
      const again = await replay(store, 'call', {
        compile: (document) =>
          Promise.resolve(checkFlow(document as object, { catalog, flows: new Set(['checking']) }).graph as Graph),
        read: readOldSignal,
      });
      expect(again.isKept).toBe(true);
    },
  );
});
