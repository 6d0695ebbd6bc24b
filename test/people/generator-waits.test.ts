import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { FlowYield, GeneratorFlow } from '../../src/flow/document/generator.ts';
import { end, interrupt, say, tool } from '../../src/flow/document/generator-yields.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Hooks } from '../../src/engine/policy/hooks.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { until } from '../livekit/until.ts';
import { clerkOf, decideFirst } from './clerk-of.ts';

const refund = defineFlow(async function* () {
  const { decision } = yield* interrupt.escalate({
    ...{ key: 'approval', to: 'refunds', question: 'Refund 12 euros?', facts: { amount: 12 } },
    ...{ say: 'One moment, please.', meanwhile: { every: '20s', say: ['Still checking.', 'Not much longer.'] } },
    // oxlint-disable-next-line unicorn/no-thenable -- a key of flows, which are not promises
    deadline: { after: '3m', then: 'answer', answer: 'late' },
  });
  const paid = decision === 'approve' ? yield* tool({ name: 'pay' }) : null;
  yield* say(paid === null ? `It is ${decision}.` : 'It is paid.');
  yield* end(decision);
});

/** A call of a generator with its events. */
async function desk(flow: GeneratorFlow) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const paid: string[] = [];
  const pay = flowTool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({}),
    execute: (_given, { key }) => {
      paid.push(key);
      return { ok: true };
    },
  });
  const heard: string[] = [];
  const states: (string | undefined)[] = [];
  const call = async () => {
    const session = createTextSession(new ScriptedModel(() => ({ text: 'It takes a minute.' })));
    const hooks: Hooks = {
      onResponse: (_structured, _context, meta) => Promise.resolve(void states.push(meta?.hitlState)),
    };
    const runner = createRunner({
      session,
      flow,
      tools: [pay],
      store,
      sessionId: 's',
      clock,
      timeZone: 'UTC',
      hooks,
    });
    runner.onSpeech((text) => heard.push(text));
    await runner.start();
    await runner.idle();
    return runner;
  };
  const clerk = clerkOf({ config: { tools: [pay] }, flow, store, clock });
  const decide = (decision: string) => decideFirst(store, clock, decision);
  return { clock, store, paid, heard, states, call, clerk, decide };
}

test('a generator waits for a decision, keeps the caller company, and continues with the decision', async () => {
  const { heard, states, call, decide, paid, store } = await desk(refund);
  const runner = await call();
  expect(heard).toEqual(['One moment, please.']);
  expect(await store.effects.listOpen({ kind: 'message', limit: 9 })).toHaveLength(1);
  await runner.send('How long will it take?');
  expect(heard.slice(1)).toEqual(['It takes a minute.']);
  expect(states.at(-1)).toBe('pending_admin_resolution');
  expect(await decide('maybe')).toBe('invalid');
  expect(await decide('approve')).toBe('posted');
  await until(() => paid.length > 0, 'the payment');
  expect(await runner.ended).toBe('approve');
  expect(heard.at(-1)).toBe('It is paid.');
});

test('its deadline resolves with the configured answer', async () => {
  const { clock, heard, call } = await desk(refund);
  const runner = await call();
  for (let second = 0; second < 181; second += 1) await clock.advance(1_000);
  expect(await runner.ended).toBe('late');
  expect(heard.at(-1)).toBe('It is late.');
});

test('after a hang-up the wait stays open, a clerk carries out the decision, and the next call reports it', async () => {
  const { clock, heard, call, clerk, decide, paid } = await desk(refund);
  await (await call()).leave();
  await clerk.start();
  await decide('approve');
  for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
  await clerk.stop();
  expect(paid).toHaveLength(1);
  heard.length = 0;
  const runner = await call();
  expect(await runner.ended).toBe('approve');
  expect(heard.join(' ')).toContain('It is paid.');
  expect(paid).toHaveLength(1);
});

test('a process that resumes it continues to wait, and replays the generator up to its position', async () => {
  const { heard, call, decide, paid } = await desk(refund);
  await (await call()).leave();
  heard.length = 0;
  const runner = await call();
  expect(heard.at(-1)).toContain('Still checking.');
  expect(await decide('reject')).toBe('posted');
  expect(await runner.ended).toBe('reject');
  expect([heard.at(-1), paid]).toEqual(['It is reject.', []]);
});

test('a time, an event, a person’s words and a named person’s yes have their own yields to wait for', async () => {
  const got: unknown[] = [];
  const flow = defineFlow(async function* () {
    got.push(yield* interrupt.wait({ key: 'pause', for: '5s' }));
    got.push(yield* interrupt.confirm({ key: 'sure', of: 'desk', question: 'Sure?' }));
    got.push(yield* interrupt.wait({ key: 'words', proxy: 'desk', question: 'What shall I say?' }));
    yield* end('done');
  });
  const { clock, store, call, decide } = await desk(flow);
  const runner = await call();
  const isOpen = async (wait: string) => {
    const open = await store.effects.listOpen({ kind: 'wait', limit: 9 });
    return open.some(({ effect }) => effect.kind === 'wait' && effect.payload.wait === wait);
  };
  for (let second = 0; second < 6; second += 1) await clock.advance(1_000);
  expect(await isOpen('confirm')).toBe(true);
  await decide('yes');
  for (let rounds = 0; rounds < 50 && !(await isOpen('proxy_input')); rounds += 1) await clock.advance(10);
  const signal = { type: 'user:turn', eventId: 'p-1', text: 'Say yes.', via: 'proxy' } as const;
  const rest = { reach: 'wait', correlation: {}, actor: { id: 'ada' } } as const;
  await store.inbox.post([{ key: 'proxy-1', sessionId: 's', dueAt: clock.now(), signal, ...rest }]);
  expect(await runner.ended).toBe('done');
  expect(got).toEqual([{}, { decision: 'yes' }, { text: 'Say yes.' }]);
});

// oxlint-disable-next-line unicorn/no-thenable -- a key of flows, which are not promises
const toNode = { after: '1m', then: 'go_to', node: 'x' };

test.each<[string, FlowYield]>([
  ['no addressee', { type: 'interrupt.escalate', key: 'k', input: { question: 'Well?' } }],
  [
    'a deadline that goes to a node',
    { type: 'interrupt.confirm', key: 'k', input: { of: 'a', question: 'b', deadline: toNode } },
  ],
])('a wait with %s ends the flow, and the caller is told', async (_what, wrong) => {
  const flow = defineFlow(async function* () {
    yield wrong;
  });
  const { call, store } = await desk(flow);
  const runner = await call();
  expect(await runner.ended).toBe('failed');
  const failures = (await store.steps.listEvents('s')).filter(({ type }) => type === 'flow:failed');
  expect(failures).toMatchObject([{ data: { reason: 'yield-invalid' } }, { data: { reason: 'yield-invalid' } }]);
});
