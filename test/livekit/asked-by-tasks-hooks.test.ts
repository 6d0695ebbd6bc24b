import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import type { AgentContext, Hooks, ResponseMeta } from '../../src/engine/policy/hooks.ts';
import { live } from './live.ts';

/** A node that asks the caller, and a function whose task asks. */
const clinic: ConversationFlow = {
  initialNode: 'plan',
  nodes: {
    plan: {
      type: 'control.gate',
      input: { prompt: 'Which plan?', choices: ['basic', 'premium'] },
      defaultTransition: 'desk',
    },
    desk: {
      say: 'So it is {{ plan.response.choice }}.',
      taskMessages: [{ role: 'system', content: 'Book it.' }],
      functions: [{ name: 'book', run: 'booking', transitionTo: 'done' }],
    },
    done: { say: 'Done.', end: 'booked' },
  },
};
const booking: TaskFlow = {
  flow: { name: 'booking', description: 'Books the visit.' },
  nodes: [{ id: 'agreed', type: 'control.gate', input: { prompt: 'Shall I?', choices: ['yes', 'no'] } }],
};
const script = { '*': [{ when: 'book', calls: [{ name: 'book' }] }] };

function watched(beforeLLM: NonNullable<Hooks['beforeLLM']>) {
  const asked: string[] = [];
  const told: { reply: string; inbound: string | undefined; meta: ResponseMeta | undefined }[] = [];
  const hooks: Hooks = {
    beforeLLM: async (input, ctx) => {
      asked.push(input.text);
      return await beforeLLM(input, ctx);
    },
    onResponse: async ({ reply }, { inbound }: AgentContext, meta) =>
      void told.push({ reply, inbound: inbound?.text, meta }),
  };
  return { asked, told, hooks };
}

describe('an answer of the caller to a task', () => {
  test('passes the hooks like any other turn, and each turn has its own response', async () => {
    const { asked, told, hooks } = watched(async () => undefined);
    const call = await live(clinic, script, { flows: { booking }, hooks });
    for (const words of ['premium', 'book it', 'yes']) await call.runner.send(words);
    await call.runner.ended;
    expect(asked).toEqual(['premium', 'book it', 'yes']);
    expect(told.map(({ reply, inbound, meta }) => [inbound, reply, meta?.hitlState])).toEqual([
      [undefined, 'Which plan?', 'pending_confirm'],
      ['premium', 'So it is premium.', 'none'],
      ['book it', 'Shall I?', 'pending_confirm'],
      ['yes', 'Done.', 'none'],
    ]);
  });

  test('ends the session if the hook says so', async () => {
    const { hooks } = watched(async ({ text }) =>
      text.includes('idiot') ? { action: 'end', reason: 'abuse' } : undefined,
    );
    const call = await live(clinic, script, { flows: { booking }, hooks });
    await call.runner.send('premium, you idiot');
    expect(await call.runner.ended).toBe('abuse');
    expect(call.path).toEqual([]);
  });

  test('stays open if the hook answers the caller instead', async () => {
    const { hooks } = watched(async ({ text }) =>
      text.includes('price') ? { action: 'skip_llm', draftReply: 'Ten euros.' } : undefined,
    );
    const call = await live(clinic, script, { flows: { booking }, hooks });
    await call.runner.send('what is the price');
    expect(call.heard.at(-1)).toBe('Ten euros.');
    expect(call.runner.currentNode).toBe('plan');
    await call.runner.send('basic');
    expect(call.heard.at(-1)).toBe('So it is basic.');
  });
});
