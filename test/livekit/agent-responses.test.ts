import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { AgentContext, BeforeResponseInput, Hooks, ResponseMeta } from '../../src/engine/policy/hooks.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, handoff, interrupt, say } from '../../src/flow/document/generator-yields.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { FlowRunner } from '../../src/runner/flow-runner.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { systemClock } from '../../src/system.ts';
import { order } from './flows.ts';
import { live } from './live.ts';
import { until } from './until.ts';
import { settledSoon } from './speech/voice-rig.ts';

const flows = { order };
const prompt = 'You are a receptionist.';
const chatty = { '*': [{ text: 'Hello there. How are you?' }] };

/** Lets a person take over from the agent. */
async function takeOver(runner: FlowRunner, store: Store): Promise<void> {
  const rest = { sessionId: runner.sessionId, dueAt: 0, reach: 'call', correlation: {}, actor: null } as const;
  await store.inbox.post([{ ...rest, key: 'over', signal: { type: 'takeover:started' } }]);
  await store.inbox.post([{ ...rest, key: 'said', signal: { type: 'takeover:said', text: 'This is Ann.' } }]);
}

function deciding(decide: (input: BeforeResponseInput) => unknown, more: Partial<Hooks> = {}) {
  const seen: BeforeResponseInput[] = [];
  const beforeResponse = async (input: BeforeResponseInput): Promise<undefined> => {
    seen.push(input);
    return decide(input) as undefined; // JavaScript lets a hook return any value.
  };
  return { seen, options: { prompt, flows, hooks: { beforeResponse, ...more } } };
}

describe('beforeResponse', () => {
  test('receives the whole reply before its first word is heard, and may let it pass', async () => {
    const { seen, options } = deciding(() => undefined);
    const { runner, heard } = await live(null, chatty, options);
    await runner.send('hi');
    expect(heard).toEqual(['Hello there. How are you?']);
    expect(seen).toEqual([
      { reply: 'Hello there. How are you?', structured: null, source: 'classic', flowId: 'classic' },
    ]);
  });

  test('`beforeResponse.cancel` suppresses send: the caller hears nothing, and the model is not asked again', async () => {
    const { options } = deciding(() => ({ action: 'cancel' }));
    const { runner, heard, model, events } = await live(null, chatty, options);
    await runner.send('hi');
    expect(heard).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect(events.map(({ type }) => type)).toContain('response:decided');
    await runner.send('hi again');
    expect(model.requests).toHaveLength(2);
  });

  test('`beforeResponse.replace` overrides outbound payload: the caller hears the other words, and the model is shown those', async () => {
    const { options } = deciding(({ reply }) =>
      reply.startsWith('Hello') ? { action: 'replace', reply: 'Good day.' } : undefined,
    );
    const { runner, heard, model } = await live(null, chatty, options);
    await runner.send('hi');
    await runner.send('and?');
    expect(heard).toEqual(['Good day.', 'Good day.']);
    expect(model.requests[1]?.items).toContain('assistant: Good day.');
    expect(model.requests[1]?.items).not.toContain('assistant: Hello there. How are you?');
  });

  test('decides sentence by sentence if so configured', async () => {
    const { seen, options } = deciding(({ reply }) => (reply.startsWith('How') ? { action: 'cancel' } : undefined), {
      decideBy: 'sentence',
    });
    const { runner, heard } = await live(null, chatty, options);
    await runner.send('hi');
    expect(seen.map(({ reply }) => reply.trim())).toEqual(['Hello there.', 'How are you?']);
    expect(heard.map((text) => text.trim())).toEqual(['Hello there.']);
  });

  test('policy hooks apply to classic and flow outputs: a reply of the prompt, a line of a graph and one of a generator', async () => {
    const { seen, options } = deciding(({ source }) => ({ action: 'replace', reply: `From ${source}.` }));
    const asker = defineFlow(async function* () {
      yield* ask({ key: 'name', text: 'What is your name?' });
    });
    const { runner, heard } = await live(null, chatty, { ...options, flows: { order, asker }, commands: {} });
    await runner.send('hi');
    await runner.send('/flow order');
    await runner.send('/flow asker');
    expect(heard).toEqual(['From classic.', 'From flow.', 'From flow.']);
    expect(seen.map(({ reply, flowId }) => [flowId, reply])).toEqual([
      ['classic', 'Hello there. How are you?'],
      ['order', 'Which size?'],
      ['asker', 'What is your name?'],
    ]);
  });

  test('decisions about a flow’s lines do not move it', async () => {
    const { seen, options } = deciding(({ reply }) =>
      reply === 'Which size?' ? { action: 'replace', reply: 'Small or large?' } : undefined,
    );
    const { runner, heard } = await live(order, chatty, options);
    expect(heard).toEqual(['Small or large?']);
    expect(seen[0]).toMatchObject({ source: 'flow', reply: 'Which size?' });
    expect(runner.currentNode).toBe('size');
  });

  test('function calls are not delayed, and the words after them are decided', async () => {
    const { seen, options } = deciding(() => undefined);
    const look = flowTool({ name: 'look', description: 'Look.', execute: () => 'seen' });
    const script = { '*': [{ afterTool: 'look', text: 'I saw it.' }, { calls: [{ name: 'look' }] }] };
    const { runner, heard } = await live(null, script, { ...options, tools: [look] });
    await runner.send('look');
    expect(heard).toEqual(['I saw it.']);
    expect(seen.map(({ reply }) => reply)).toEqual(['I saw it.']);
  });

  test('hook errors produce deterministic fallback + telemetry: beforeResponse that throws lets the reply pass', async () => {
    const { options } = deciding(() => {
      throw new RangeError('Hello there.');
    });
    const { runner, heard, events } = await live(null, chatty, options);
    await runner.send('hi');
    expect(heard).toEqual(['Hello there. How are you?']);
    const data = { source: 'classic', stage: 'beforeResponse', reason: 'RangeError' };
    expect(events).toContainEqual({ type: 'response:failed', data });
  });
});

describe('onResponse', () => {
  interface Told {
    readonly reply: string;
    readonly structured: Readonly<Record<string, unknown>>;
    readonly meta: ResponseMeta | undefined;
    readonly ctx: AgentContext;
  }
  function telling(more: Partial<Hooks> = {}) {
    const told: Told[] = [];
    const onResponse: NonNullable<Hooks['onResponse']> = async (structured, ctx, meta) =>
      void told.push({ reply: structured.reply, structured, ctx, meta });
    return { told, options: { prompt, flows, commands: {}, hooks: { onResponse, ...more } } };
  }

  test('existing `onResponse` still called once; telemetry marks `source=flow|classic`', async () => {
    const { told, options } = telling();
    const { runner } = await live(null, chatty, options);
    await runner.send('hi', { eventId: 'e1' });
    await runner.send('hi', { eventId: 'e1' });
    await runner.send('/flow order');
    await runner.send('/flow status');
    await runner.stop();
    expect(told.map(({ reply, meta }) => [reply, meta?.source, meta?.flowId])).toEqual([
      ['Hello there. How are you?', 'classic', 'classic'],
      ['Which size?', 'flow', 'order'],
      ['Flow "order" is active.', 'short_circuit', 'order'],
    ]);
    expect(told[0]?.ctx.inbound).toEqual({ eventId: 'e1', text: 'hi', via: 'text' });
  });

  test('`onResponse.meta` reflects policy/flow/hitl state: what the other hooks have decided', async () => {
    const { told, options } = telling({
      beforeLLM: async () => ({ action: 'continue' }),
      beforeResponse: async () => ({ action: 'replace', reply: 'Yes.', structured: { score: 7 } }),
    });
    const { runner } = await live(null, chatty, options);
    await runner.send('hi');
    await runner.stop();
    expect(told[0]?.meta?.policy).toEqual({ beforeLLMAction: 'continue', beforeResponseAction: 'replace' });
  });

  test('`onResponse.meta` reflects policy/flow/hitl state: a question that waits for a yes, until it is answered', async () => {
    const { told, options } = telling();
    const pay = flowTool({ name: 'pay', description: 'Pay.', execute: () => 'paid' });
    const desk: ConversationFlow = {
      initialNode: 'desk',
      nodes: {
        desk: {
          say: 'Hello.',
          taskMessages: [{ role: 'system', content: 'Desk.' }],
          functions: [{ name: 'pay', effect: 'write', confirm: 'Shall I pay?', transitionTo: 'bye' }],
        },
        bye: { say: 'It is paid.', taskMessages: [{ role: 'system', content: 'Bye.' }], end: true },
      },
    };
    const script = { desk: [{ calls: [{ name: 'pay' }] }] };
    const { runner, events } = await live(desk, script, { ...options, tools: [pay] });
    await runner.send('pay it');
    await runner.send('yes');
    await runner.ended;
    expect(told.map(({ reply, meta }) => [reply, meta?.hitlState])).toEqual([
      ['Hello.', 'none'],
      ['Shall I pay?', 'pending_confirm'],
      ['It is paid.', 'none'],
    ]);
    const sent = events.filter(({ type }) => type === 'response:sent').map(({ data }) => data);
    expect(sent).toEqual([{ source: 'flow' }, { source: 'flow', hitlState: 'pending_confirm' }, { source: 'flow' }]);
  });

  const skips: Hooks['beforeLLM'] = async () => ({
    action: 'skip_llm',
    draftReply: 'At nine.',
    structured: { topic: 'hours' },
  });
  const places: ConversationFlow = {
    initialNode: 'a',
    nodes: {
      a: { say: 'You are at A.', taskMessages: [{ role: 'system', content: 'A.' }] },
      b: { say: 'You are at B.', taskMessages: [{ role: 'system', content: 'B.' }] },
    },
  };
  test.each<[string, (runner: FlowRunner, store: Store) => Promise<unknown>]>([
    ['`enter()`', (runner) => runner.enter('b')],
    ['`swapFlow()`', (runner) => runner.swapFlow({ ...places, name: 'other' }, { node: 'b' })],
    ['`recap()`', (runner) => runner.recap()],
    ['a person who has taken over', (runner, store) => takeOver(runner, store)],
  ])('a reply that %s has begun has no policy, structure or words of the turn before', async (_name, begin) => {
    const { told, options } = telling({ beforeLLM: skips });
    const store = createMemoryStore({ clock: systemClock });
    const { runner, events } = await live(places, {}, { hooks: options.hooks, store });
    await runner.send('When do you open?');
    await begin(runner, store);
    await until(() => told.length === 3, 'the last reply');
    expect(told[1]?.meta).toMatchObject({ source: 'short_circuit', policy: { beforeLLMAction: 'skip_llm' } });
    expect(told[2]).toMatchObject({ structured: {}, ctx: { inbound: null }, meta: { source: 'flow', policy: {} } });
    expect(told[2]?.structured).not.toHaveProperty('topic');
    const sent = events.filter(({ type }) => type === 'response:sent').map(({ data }) => data);
    expect(sent[2]).toMatchObject({ source: 'flow' });
    expect(sent[2]).not.toHaveProperty('beforeLLMAction');
  });

  test('a line after a deadline is not cancelled with the reply before it', async () => {
    const slow = defineFlow(async function* () {
      yield* ask({ key: 'name', text: 'What is your name?' });
      yield* say('Thank you.');
      yield* interrupt.wait({ key: 'pause', for: '1s' });
      yield* say('The second is over.');
    });
    const cancels: Hooks['beforeResponse'] = async ({ reply }) =>
      reply.startsWith('Thank') ? { action: 'cancel' } : { action: 'continue' };
    const { told, options } = telling({ beforeResponse: cancels });
    const { runner, events } = await live(slow, {}, { hooks: options.hooks });
    await runner.send('Ann');
    await until(() => told.at(-1)?.reply === 'The second is over.', 'the deadline');
    expect(told.at(-1)).toMatchObject({
      ctx: { inbound: null },
      meta: { policy: { beforeResponseAction: 'continue' } },
    });
    const sent = events.filter(({ type }) => type === 'response:sent').map(({ data }) => data);
    expect(sent.at(-1)).toMatchObject({ beforeResponseAction: 'continue' });
  });

  test.each([
    ['without a hook', undefined],
    ['with a hook that decides', async () => ({ action: 'continue' }) as const],
  ])('what a flow says before it hands off to the classic path is the flow’s, %s', async (_name, beforeResponse) => {
    const asked: BeforeResponseInput[] = [];
    const hook = beforeResponse && ((input: BeforeResponseInput) => (asked.push(input), beforeResponse()));
    const leaving = defineFlow(async function* () {
      yield* say('Goodbye from here.');
      yield* handoff('classic');
    });
    const { told, options } = telling(hook === undefined ? {} : { beforeResponse: hook });
    const { runner, events } = await live(null, chatty, { ...options, flows: { leaving } });
    await runner.send('/flow leaving');
    await runner.stop();
    expect(told.map(({ reply, meta }) => [reply, meta?.source, meta?.flowId])).toEqual([
      ['Goodbye from here.', 'flow', 'leaving'],
    ]);
    for (const { source, flowId } of asked) expect([source, flowId]).toEqual(['flow', 'leaving']);
    for (const type of ['response:prepared', 'response:sent', 'response:persisted'])
      expect(events).toContainEqual({ type, data: expect.objectContaining({ source: 'flow' }) as object });
  });

  test('`onResponse.meta` reflects policy/flow/hitl state: a generator that asks the caller for a yes, until it is answered', async () => {
    const asks = defineFlow(async function* () {
      const { decision } = yield* interrupt.confirm({ key: 'pay', question: 'Shall I pay?' });
      yield* ask({ key: 'more', text: decision === 'yes' ? 'It is paid. What else?' : 'What else?' });
    });
    const { told, options } = telling();
    const { runner } = await live(asks, {}, { hooks: options.hooks });
    await runner.send('yes');
    await runner.stop();
    expect(told.map(({ reply, meta }) => [reply, meta?.hitlState])).toEqual([
      ['Shall I pay?', 'pending_confirm'],
      ['It is paid. What else?', 'none'],
    ]);
  });

  test('existing two-arg `onResponse` still works', async () => {
    const told: [string, string][] = [];
    async function onResponse(structured: { reply: string }, ctx: AgentContext): Promise<void> {
      told.push([structured.reply, ctx.session.id]);
    }
    const { runner } = await live(null, chatty, { prompt, sessionId: 'call-8', hooks: { onResponse } });
    await runner.send('hi');
    await runner.stop();
    expect(told).toEqual([['Hello there. How are you?', 'call-8']]);
  });

  test('`onResponse.meta` reflects policy/flow/hitl state: a handoff is an event, and meta names where it came from', async () => {
    const { told, options } = telling();
    const first = defineFlow(async function* () {
      const name = yield* ask({ key: 'name', text: 'What is your name?' });
      yield* handoff('second', { name });
    });
    const second = defineFlow(async function* () {
      yield* ask({ key: 'task', text: 'What is to be done?' });
    });
    const { runner, events } = await live(null, chatty, { ...options, flows: { first, second } });
    await runner.send('/flow first');
    await runner.send('Ann');
    await runner.stop();
    expect(told.map(({ reply, meta }) => [reply, meta?.source, meta?.flowId, meta?.handoffFrom])).toEqual([
      ['What is your name?', 'flow', 'first', undefined],
      ['What is to be done?', 'flow', 'second', 'first'],
    ]);
    expect(events).toContainEqual({ type: 'flow:handoff', data: { from: 'first', to: 'second' } });
  });

  test('duplicate inbound ids do not reapply policy side effects: a second runner on the same store asks no hook', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const asked: string[] = [];
    const hooks: Hooks = {
      beforeLLM: async () => void asked.push('beforeLLM'),
      beforeResponse: async () => void asked.push('beforeResponse'),
      onResponse: async () => void asked.push('onResponse'),
    };
    const options = { prompt, store, sessionId: 'call-9', hooks };
    const one = await live(null, chatty, options);
    await one.runner.send('hi', { eventId: 'e1' });
    await expect(live(null, chatty, options)).rejects.toMatchObject({ code: 'session-taken' });
    await one.runner.leave();
    expect(asked).toEqual(['beforeLLM', 'beforeResponse', 'onResponse']);
    // The first words of a resumed session are a separate response.
    const other = await live(null, chatty, options);
    await until(() => asked.filter((hook) => hook === 'onResponse').length === 2, 'what it says first');
    await settledSoon();
    const before = { asked: [...asked], heard: [...other.heard], requests: other.model.requests.length };
    expect(await other.runner.send('hi', { eventId: 'e1' })).toBe('duplicate');
    await other.runner.idle();
    await settledSoon();
    expect({ asked, heard: other.heard, requests: other.model.requests.length }).toEqual(before);
    expect(asked.filter((hook) => hook === 'beforeLLM')).toHaveLength(1);
  });

  test('runs after the reply is stored: the store contains what was heard', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const kept: string[] = [];
    const onResponse: NonNullable<Hooks['onResponse']> = async ({ reply }, ctx) => {
      const log = await store.steps.list(ctx.session.id);
      const found = log.some(({ signal }) => signal.type === 'speech:settled' && signal.heard === reply);
      kept.push(`${reply} ${found}`);
    };
    const { runner } = await live(null, chatty, { prompt, store, hooks: { onResponse } });
    await runner.send('hi');
    await runner.stop();
    expect(kept).toEqual(['Hello there. How are you? true']);
  });

  test('hook errors produce deterministic fallback + telemetry: onResponse that throws changes nothing', async () => {
    const { options } = telling({ onResponse: () => Promise.reject(new Error('x')) });
    const { runner, heard, events } = await live(null, chatty, options);
    await runner.send('hi');
    await runner.send('and?');
    await runner.stop();
    expect(heard).toHaveLength(2);
    const data = {
      source: 'classic',
      stage: 'onResponse',
      reason: expect.stringMatching(/^Error at agent-responses\.test\.ts:\d+$/) as string,
    };
    expect(events.filter(({ type }) => type === 'response:failed')).toEqual([
      { type: 'response:failed', data },
      { type: 'response:failed', data },
    ]);
  });
});

describe('events of a response', () => {
  test('lifecycle events emitted with correlation metadata', async () => {
    const { runner } = await live(null, chatty, { prompt, flows, commands: {}, sessionId: 'call-7' });
    const seen: { type: string; ids: unknown[] }[] = [];
    const requests: string[] = [];
    runner.hub.subscribe('*', ({ type, sessionId, requestId, turnId, flowId }) => {
      if (type === 'turn:started') requests.push(requestId);
      if (type.startsWith('response:')) seen.push({ type, ids: [sessionId, turnId, flowId, requestId] });
    });
    await runner.send('hi');
    await runner.send('/flow order');
    await runner.stop();
    const ofTurn = (turn: string, flow: string, requestId: string | undefined) =>
      ['response:prepared', 'response:sent', 'response:persisted'].map((type) => ({
        type,
        ids: ['call-7', turn, flow, requestId],
      }));
    expect(seen).toEqual([...ofTurn('call-7/2', 'classic', requests[0]), ...ofTurn('call-7/4', 'order', requests[1])]);
  });

  test('no-hook agents unchanged: hooks without decisions change no request, speech or stored state', async () => {
    const talkWith = async (hooks: Hooks | null) => {
      const store = createMemoryStore({ clock: systemClock });
      const options = { prompt, flows, commands: {}, store, sessionId: 'call-6', ...(hooks === null ? {} : { hooks }) };
      const { runner, heard, model } = await live(null, chatty, options);
      for (const words of ['hi', '/flow order', 'what sizes are there?']) await runner.send(words, { eventId: words });
      await runner.stop();
      const kept = (await store.steps.list('call-6')).map(({ signal }) => ({ ...signal, at: 0 }));
      return { heard, requests: model.requests, kept };
    };
    const nothing = async (): Promise<void> => undefined;
    const without = await talkWith(null);
    expect(without.heard).toHaveLength(3);
    expect(await talkWith({ beforeLLM: nothing, beforeResponse: nothing, onResponse: nothing })).toEqual(without);
  });

  test('prepared, sent, persisted: once a turn and in this order', async () => {
    const { runner, events } = await live(null, chatty, { prompt });
    await runner.send('hi');
    await runner.stop();
    expect(events.filter(({ type }) => type.startsWith('response:'))).toEqual([
      { type: 'response:prepared', data: { source: 'classic' } },
      { type: 'response:sent', data: { source: 'classic' } },
      { type: 'response:persisted', data: { source: 'classic' } },
    ]);
  });
});
