import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { TaskFlow } from '../../src/flow/task-document.ts';
import { live } from '../session/live.ts';
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
});
