import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, say } from '../../src/flow/document/generator-yields.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { AgentContext, BeforeResponseInput, Hooks, ResponseMeta } from '../../src/engine/policy/hooks.ts';
import { order } from './flows.ts';
import { type Live, live } from './live.ts';

const prompt = 'You are a receptionist.';
const chatty = { '*': [{ text: 'Hello there. How are you?' }] };

interface Told {
  readonly reply: string;
  readonly inbound: string | undefined;
  readonly meta: ResponseMeta | undefined;
}

/** Appends a hook that records its input. */
function watched(hooks: Hooks) {
  const told: Told[] = [];
  const onResponse: NonNullable<Hooks['onResponse']> = async ({ reply }, { inbound }: AgentContext, meta) =>
    void told.push({ reply, inbound: inbound?.text, meta });
  return { told, hooks: { ...hooks, onResponse } };
}

const cancelling =
  (part: string, reason: string) =>
  async ({ reply }: BeforeResponseInput) =>
    reply.includes(part) ? ({ action: 'cancel', reason } as const) : undefined;

describe('a turn without heard speech', () => {
  test('because a hook cancels its reply is reported with the reason, to observers and to onResponse', async () => {
    const { told, hooks } = watched({ beforeResponse: cancelling('Hello', 'small talk') });
    const call = await live(null, chatty, { prompt, hooks });
    await call.runner.send('hi');
    await call.runner.stop();
    expect(call.heard).toEqual([]);
    const data = { source: 'classic', beforeResponseAction: 'cancel', policyReason: 'small talk' };
    const responses = call.events.filter(({ type }) => type.startsWith('response:'));
    expect(responses.map(({ type }) => type)).toEqual(['response:prepared', 'response:decided', 'response:suppressed']);
    expect(responses[1]?.data).toMatchObject({ action: 'cancel', policyReason: 'small talk' });
    expect(responses[2]?.data).toEqual({ ...data, stage: 'beforeResponse' });
    const policy = { beforeResponseAction: 'cancel', reason: 'small talk' };
    expect(told).toMatchObject([{ reply: '', inbound: 'hi', meta: { source: 'classic', flowId: 'classic', policy } }]);
  });

  test('because a hook skips the model without a line', async () => {
    const { told, hooks } = watched({ beforeLLM: async () => ({ action: 'skip_llm', reason: 'takeover' }) });
    const call = await live(null, chatty, { prompt, hooks });
    await call.runner.send('hi');
    await call.runner.stop();
    expect(call.model.requests).toEqual([]);
    const data = { source: 'short_circuit', beforeLLMAction: 'skip_llm', policyReason: 'takeover' };
    expect(call.events).toContainEqual({ type: 'response:suppressed', data: { ...data, stage: 'beforeLLM' } });
    expect(call.events).toContainEqual({
      type: 'turn:decided',
      data: { action: 'hold', by: 'hook', policyReason: 'takeover' },
    });
    const policy = { beforeLLMAction: 'skip_llm', reason: 'takeover' };
    expect(told).toMatchObject([{ reply: '', inbound: 'hi', meta: { source: 'short_circuit', policy } }]);
  });

  test.each([
    ['skips the model with a blank line', { action: 'skip_llm', draftReply: ' ' }],
    ['ends the conversation', { action: 'end', reason: 'abuse' }],
  ] as const)('because a hook %s', async (_what, decision) => {
    const { told, hooks } = watched({ beforeLLM: async () => decision });
    const call = await live(null, chatty, { prompt, hooks });
    await call.runner.send('hi');
    await call.runner.stop();
    const suppressed = call.events.filter(({ type }) => type === 'response:suppressed');
    expect(suppressed).toMatchObject([{ data: { beforeLLMAction: decision.action, stage: 'beforeLLM' } }]);
    expect(told).toMatchObject([{ reply: '', inbound: 'hi', meta: { policy: { beforeLLMAction: decision.action } } }]);
  });

  test('because a command says nothing', async () => {
    const { told, hooks } = watched({});
    const call = await live(null, chatty, { prompt, hooks, commands: { mute: () => undefined } });
    await call.runner.send('/mute');
    await call.runner.stop();
    expect(call.events).toContainEqual({
      type: 'response:suppressed',
      data: { source: 'short_circuit', stage: 'command' },
    });
    expect(told).toMatchObject([{ reply: '', meta: { source: 'short_circuit' } }]);
  });
});

test('the strongest decision counts among sentences', async () => {
  const { told, hooks } = watched({ beforeResponse: cancelling('Hello', 'greeting'), decideBy: 'sentence' });
  const call = await live(null, chatty, { prompt, hooks });
  await call.runner.send('hi');
  await call.runner.stop();
  expect(told).toMatchObject([{ reply: 'How are you?', meta: { policy: { beforeResponseAction: 'cancel' } } }]);
});

test('sentences that are decided separately are joined with one space', async () => {
  const hooks: Hooks = { beforeResponse: cancelling('One', 'count'), decideBy: 'sentence' };
  const call = await live(null, { '*': [{ text: 'One. Two. Three.' }] }, { prompt, hooks });
  await call.runner.send('hi');
  expect(call.heard).toEqual(['Two. Three.']);
});

test('a hook that routes to a flow is reported with its reason', async () => {
  const beforeLLM = async () => ({ action: 'route_flow', flowId: 'order', reason: 'wants food' }) as const;
  const call = await live(null, chatty, { prompt, flows: { order }, hooks: { beforeLLM } });
  await call.runner.send('something to eat');
  expect(call.events).toContainEqual({
    type: 'turn:decided',
    data: { action: 'route', by: 'hook', to: 'order', policyReason: 'wants food' },
  });
});

test('invalid members of a decision are reported by their keys, and the others take effect', async () => {
  const beforeResponse = async () => ({ action: 'cancel', severity: 'high' }) as never; // JavaScript lets it return any value.
  const call = await live(null, chatty, { prompt, hooks: { beforeResponse } });
  await call.runner.send('hi');
  expect(call.heard).toEqual([]);
  expect(call.events).toContainEqual({
    type: 'decision:trimmed',
    data: { stage: 'beforeResponse', action: 'cancel', keys: ['severity'] },
  });
});

test('members of a structured reply that are not JSON are dropped, and the reply is said', async () => {
  const beforeLLM = async () => ({ action: 'skip_llm', structured: { reply: 'Soon.', id: 1n, at: 2 } }) as const;
  const told: unknown[] = [];
  const onResponse = async (structured: unknown) => void told.push(structured);
  const call = await live(null, chatty, { prompt, hooks: { beforeLLM, onResponse } });
  await call.runner.send('hi');
  await call.runner.stop();
  expect(call.heard).toEqual(['Soon.']);
  expect(told).toEqual([{ reply: 'Soon.', at: 2 }]);
  expect(call.events).toContainEqual({
    type: 'decision:trimmed',
    data: { stage: 'beforeLLM', action: 'skip_llm', keys: ['structured.id'] },
  });
});

test('a hook’s route passes any JSON as the input of a generator', async () => {
  const found: unknown[] = [];
  const count = defineFlow(async function* (ctx) {
    found.push(ctx.input);
    yield* ask({ key: 'more', text: 'More?' });
  });
  const beforeLLM = async () => ({ action: 'route_flow', flowId: 'count', input: [1, 2] }) as const;
  const call = await live(null, chatty, { prompt, flows: { count }, hooks: { beforeLLM } });
  await call.runner.send('count');
  expect(found).toEqual([[1, 2]]);
});

test('a guard that fails blocks the reply with one line, also sentence by sentence', async () => {
  const beforeResponse = () => Promise.reject(new Error('down'));
  const hooks: Hooks = { beforeResponse, decideBy: 'sentence', onHookError: 'block', blockedLine: 'Not now.' };
  const call = await live(null, chatty, { prompt, hooks });
  await call.runner.send('hi');
  expect(call.heard.map((line) => line.trim())).toEqual(['Not now.']);
});

describe('a question that a hook has removed cannot be answered', () => {
  const pays: string[] = [];
  const pay = flowTool({
    name: 'pay',
    description: 'Pay.',
    parameters: z.object({}),
    execute: () => void pays.push('paid'),
  });
  const desk: ConversationFlow = {
    initialNode: 'desk',
    nodes: {
      desk: {
        say: 'Hello.',
        taskMessages: [{ role: 'system', content: 'Desk.' }],
        functions: [{ name: 'pay', effect: 'write', confirm: 'Shall I pay?', transitionTo: 'bye' }],
      },
      bye: { say: 'It is paid.', end: true },
    },
  };
  const script = { desk: [{ when: 'pay', calls: [{ name: 'pay' }] }, { text: 'What can I do?' }] };

  test.each<[string, object]>([
    ['cancelled', { action: 'cancel' }],
    ['replaced', { action: 'replace', reply: 'I cannot do that. Anything else?' }],
  ])('%s: a yes runs no write', async (_what, decision) => {
    pays.length = 0;
    const beforeResponse = async ({ reply }: BeforeResponseInput) =>
      (reply.includes('Shall I pay?') ? decision : undefined) as never;
    const call = await live(desk, script, { tools: [pay], hooks: { beforeResponse } });
    await call.runner.send('pay it');
    await call.runner.send('yes');
    expect(pays).toEqual([]);
    expect(call.heard.join(' ')).not.toContain('It is paid.');
  });

  test('the question of a slot too: the rules do not take the words as its value', async () => {
    let isClosed = true;
    const flow: ConversationFlow = {
      initialNode: 'count',
      slots: { count: { type: 'integer', ask: 'How many?' } },
      nodes: { count: { collect: ['count'], defaultTransition: 'bye' }, bye: { say: '{{ count }} it is.', end: true } },
    };
    const beforeResponse = async () => (isClosed ? ({ action: 'cancel' } as const) : undefined);
    const call = await live(flow, { '*': [{ text: 'I see.' }] }, { hooks: { beforeResponse } });
    isClosed = false;
    await call.runner.send('5');
    expect(call.runner.state.knowledge.slots).toEqual({});
    expect(call.heard).toEqual([expect.stringMatching(/How many\?$/)]);
    await call.runner.send('6');
    expect(call.heard.at(-1)).toContain('6 it is.');
  });

  test('the question of a generator too: it is asked again', async () => {
    let isClosed = true;
    const flow = defineFlow(async function* () {
      const name = yield* ask({ key: 'name', text: 'What is your name?' });
      yield* say(`Hello ${name}.`);
      yield* ask({ key: 'more', text: 'And more?' });
    });
    const beforeResponse = async ({ reply }: BeforeResponseInput) =>
      reply.includes('name') && isClosed ? ({ action: 'cancel' } as const) : undefined;
    const call = await live(null, {}, { prompt, flows: { flow }, commands: {}, hooks: { beforeResponse } });
    await call.runner.send('/flow flow');
    isClosed = false;
    await call.runner.send('pizza');
    expect(call.heard).toEqual(['What is your name?']);
    await call.runner.send('Ana');
    expect(call.heard.at(-1)).toBe('Hello Ana. And more?');
  });
});

describe('the last reply of a routed flow', () => {
  test('belongs to that flow: in meta, in the events and in its turn', async () => {
    const { told, hooks } = watched({});
    const flow = defineFlow(async function* () {
      yield* say('Done.');
    });
    const call = await live(null, chatty, { prompt, flows: { flow }, commands: {}, hooks });
    const seen: unknown[] = [];
    call.runner.hub.subscribe('*', ({ type, flowId, turnId, data }) => {
      if (type.startsWith('response:'))
        seen.push([type, flowId, turnId === undefined ? turnId : turnId.split('/')[1], data]);
    });
    await call.runner.send('/flow flow');
    await call.runner.send('hi');
    await call.runner.stop();
    expect(told.map(({ reply, meta }) => [reply, meta?.source, meta?.flowId])).toEqual([
      ['Done.', 'flow', 'flow'],
      ['Hello there. How are you?', 'classic', 'classic'],
    ]);
    const turn = (seen[1] as unknown[])[2];
    expect(seen.slice(1, 3)).toEqual([
      ['response:sent', 'flow', turn, { source: 'flow' }],
      ['response:persisted', 'flow', turn, { source: 'flow' }],
    ]);
  });
});

test.each(['stop', 'leave'] as const)('`runner.%s` in onResponse waits for no hook: neither is late', async (how) => {
  const endings: Promise<void>[] = [];
  const onResponse = async (): Promise<void> => {
    endings.push(call.runner[how]());
    await Promise.all(endings);
  };
  const call: Live = await live(null, chatty, { prompt, hooks: { onResponse, timeoutMs: 600_000 } });
  await call.runner.send('hi');
  await call.runner.ended;
  await Promise.all(endings);
  expect(call.troubles).toEqual([]);
});
