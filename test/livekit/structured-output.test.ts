import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { FlowRunner } from '../../src/runner/flow-runner.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { systemClock } from '../../src/system.ts';
import type { BeforeResponseInput, Hooks, StructuredReply } from '../../src/engine/policy/hooks.ts';
import { fastClock } from '../fast-clock.ts';
import { createGate } from './gate.ts';
import { order } from './flows.ts';
import { type Live, live } from './live.ts';
import { until } from './until.ts';
import { settledSoon } from './speech/voice-rig.ts';

const output = z.object({ reply: z.string(), intent: z.string().optional() });
const base = { prompt: 'You are a receptionist.', flows: { order }, output };
const failures = (events: readonly { type: string; data: unknown }[]) =>
  events.flatMap(({ type, data }) => (type === 'response:failed' ? [(data as { reason: string }).reason] : []));

describe('structured output on the classic path', () => {
  test('the model is asked for JSON of the schema, and the caller hears only its reply', async () => {
    const script = { '*': [{ text: '{"reply": "We open at nine.", "intent": "none"}' }] };
    const { runner, heard, model, events } = await live(null, script, base);
    await runner.send('When do you open?');
    expect(heard).toEqual(['We open at nine.']);
    expect(model.requests[0]?.instructions).toContain('"required":["reply"]');
    expect(failures(events)).toEqual([]);
  });

  test('the reply is heard while the rest is still being written', async () => {
    const wordMs = 40;
    const script = { '*': [{ text: '{"reply": "We open.", "intent": "none one two three four five"}', wordMs }] };
    let heardAt = Infinity;
    const write = async (): Promise<void> => void (heardAt = Math.min(heardAt, Date.now()));
    const { runner } = await live(null, script, { ...base, sink: { write, end: () => undefined } });
    await runner.send('hi');
    // A busy machine makes it more.
    expect(Date.now() - heardAt).toBeGreaterThan(4 * wordMs);
  });

  test('hooks receive the other members', async () => {
    const before: BeforeResponseInput[] = [];
    const after: StructuredReply[] = [];
    const hooks = {
      beforeResponse: async (input: BeforeResponseInput) => void before.push(input),
      onResponse: async (reply: StructuredReply) => void after.push(reply),
    };
    const script = { '*': [{ text: '{"reply": "Hello.", "intent": "none"}' }] };
    const { runner, heard } = await live(null, script, { ...base, hooks });
    await runner.send('hi');
    await runner.stop();
    expect(heard).toEqual(['Hello.']);
    expect(before[0]).toMatchObject({ reply: 'Hello.', source: 'classic', structured: { intent: 'none' } });
    expect(after).toEqual([{ reply: 'Hello.', intent: 'none' }]);
  });

  test('plain words are said and reported', async () => {
    const { runner, heard, model, events } = await live(null, { '*': [{ text: 'We open at nine.' }] }, base);
    await runner.send('hi');
    expect(heard).toEqual(['We open at nine.']);
    expect(model.requests).toHaveLength(1);
    expect(failures(events)).toEqual(['output-plain']);
  });

  test('broken JSON is requested once more, with the reason', async () => {
    const script = { '*': [{ text: '{"intent": ', times: 1 }, { text: '{"reply": "Hello."}' }] };
    const { runner, heard, model, events } = await live(null, script, base);
    await runner.send('hi');
    expect(heard).toEqual(['Hello.']);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.instructions).toContain('Your last answer was no such JSON.');
    expect(failures(events)).toEqual(['output-broken']);
  });

  test('after two broken replies the caller hears the fallback instead of JSON', async () => {
    const { runner, heard, model, events } = await live(null, { '*': [{ text: '{"intent": "x"}' }] }, base);
    await runner.send('hi');
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toContain('{');
    expect(model.requests).toHaveLength(2);
    expect(failures(events).filter((reason) => reason === 'output-mismatch')).toHaveLength(2);
  });

  test('functions are called as usual, with or without words before them', async () => {
    const look = flowTool({ name: 'look', description: 'Look.', execute: () => 'seen' });
    const script = { '*': [{ afterTool: 'look', text: '{"reply": "I saw it."}' }, { calls: [{ name: 'look' }] }] };
    const { runner, heard, events } = await live(null, script, { ...base, tools: [look] });
    await runner.send('look');
    expect(heard).toEqual(['I saw it.']);
    expect(failures(events)).toEqual([]);
  });

  test('an output without a required reply is refused before anything is said', async () => {
    const without = z.object({ reply: z.string().optional() });
    await expect(live(null, {}, { ...base, output: without })).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

describe('schema_intent', () => {
  const router = { mode: 'schema_intent', field: 'intent' } as const;
  const routes = (events: readonly { type: string; data: unknown }[]) =>
    events.filter(({ type }) => type.startsWith('route:'));

  test('schema-intent route success: the reply is said, then the flow begins in the same turn', async () => {
    const script = { '*': [{ text: '{"reply": "With pleasure.", "intent": "order"}' }] };
    const { runner, heard, model, events } = await live(null, script, { ...base, router });
    await runner.send('I want one');
    expect(heard.join(' ').replace(/\s+/g, ' ')).toBe('With pleasure. Which size?');
    expect(runner.state.position.flow.id).toBe('order');
    expect(model.requests).toHaveLength(1);
    expect(routes(events)).toEqual([{ type: 'route:selected', data: { mode: 'schema_intent', to: 'order' } }]);
  });

  test('a hook that replaces the answer decides where it leads', async () => {
    const script = { '*': [{ text: '{"reply": "With pleasure.", "intent": "order"}' }] };
    const hooks: Hooks = {
      beforeResponse: async ({ reply }) =>
        reply === 'With pleasure.'
          ? { action: 'replace', reply: 'Not today.', structured: { intent: 'classic' } }
          : undefined,
    };
    const { runner, heard, events } = await live(null, script, { ...base, router, hooks });
    await runner.send('I want one');
    expect(heard).toEqual(['Not today.']);
    expect(routes(events)).toEqual([{ type: 'route:selected', data: { mode: 'schema_intent', to: 'classic' } }]);
  });

  const wanting = {
    classic: [{ text: '{"reply": "With pleasure.", "intent": "order"}' }],
    size: [{ calls: [{ name: 'record', arguments: { size: 'large' } }] }],
  };

  test('the flow begins even if the caller speaks before it: the words go to the flow', async () => {
    const memory = createMemoryStore({ clock: systemClock });
    const saving = createGate();
    let isSaving = false;
    const saveGraph: typeof memory.graphs.save = async (hash, document) => {
      isSaving = runner !== null && runner.state.turn.number > 1;
      if (isSaving) await saving.opened;
      await memory.graphs.save(hash, document);
    };
    let runner: FlowRunner | null = null;
    const call = await live(null, wanting, {
      ...base,
      router,
      store: { ...memory, graphs: { ...memory.graphs, save: saveGraph } },
    });
    ({ runner } = call);
    const first = runner.send('I want one');
    await until(() => isSaving, 'the flow to begin');
    const second = runner.send('a large one');
    await settledSoon();
    saving.open();
    await Promise.all([first, second]);
    expect(runner.state).toMatchObject({ position: { flow: { id: 'classic' } }, knowledge: { slots: {} } });
    expect(call.events.filter(({ type }) => type === 'flow:called' || type === 'flow:returned')).toHaveLength(2);
    expect(call.heard.at(-1)).toBe('It is ordered.');
    expect(call.model.requests.map(({ node }) => node)).toEqual(['classic', 'size']);
  });

  test('the flow begins in the next process if this one dies between the reply and the flow', async () => {
    const memory = createMemoryStore({ clock: systemClock });
    const saveGraph: typeof memory.graphs.save = async (hash, document) => {
      if (first !== null) throw new Error('It dies here.');
      await memory.graphs.save(hash, document);
    };
    let first: FlowRunner | null = null;
    const options = { ...base, router, sessionId: 'call-9' };
    // The runner waits for a store that stays away.
    const clock = fastClock(40);
    const before = await live(null, wanting, {
      ...options,
      clock,
      store: { ...memory, graphs: { ...memory.graphs, save: saveGraph } },
    });
    first = before.runner;
    await first.send('I want one');
    expect(before.heard.join(' ').trim()).toBe('With pleasure.');
    await first.leave();
    const { runner, heard, model } = await live(null, wanting, { ...options, store: memory });
    expect(heard.join(' ')).toContain('Which size?');
    await runner.send('a large one');
    expect(heard.at(-1)).toBe('It is ordered.');
    expect(model.requests.map(({ node }) => node)).toEqual(['size']);
  });

  test('an unavailable flow does not move the caller, and is reported', async () => {
    const broken: ConversationFlow = { initialNode: 'nowhere', nodes: {} };
    const script = { '*': [{ text: '{"reply": "With pleasure.", "intent": "broken"}' }] };
    const { runner, heard, events } = await live(null, script, { ...base, flows: { broken }, router });
    await runner.send('I want one');
    await runner.send('hello?');
    expect(heard).toEqual(['With pleasure.', 'With pleasure.']);
    expect(runner.state).toMatchObject({ status: 'active', position: { node: 'classic' }, effects: {} });
    expect(routes(events)).toContainEqual({
      type: 'route:fallback',
      data: { mode: 'schema_intent', reason: 'flow-invalid' },
    });
  });

  test.each([
    ['{"reply": "Hm."}', 'missing'],
    ['{"reply": "Hm.", "intent": "toString"}', 'unknown-flow'],
  ])('%s stays where it is, and is told: %s', async (text, reason) => {
    const { runner, heard, events } = await live(null, { '*': [{ text }] }, { ...base, router });
    await runner.send('hm');
    expect(heard).toEqual(['Hm.']);
    expect(runner.currentNode).toBe('classic');
    expect(routes(events)).toEqual([
      { type: 'route:fallback', data: { mode: 'schema_intent', reason } },
      { type: 'route:selected', data: { mode: 'schema_intent', to: 'classic' } },
    ]);
  });
});

describe('a router by a field of the reply', () => {
  const router = { mode: 'schema_intent', field: 'intent' } as const;
  const routes = ({ events }: Live) => events.filter(({ type }) => type.startsWith('route:'));

  test.each([
    ['', {}],
    [', with a hook', { hooks: { beforeResponse: async () => undefined } }],
  ])('a reply that says nothing leads to the flow, which speaks without an apology before it%s', async (_how, more) => {
    const text = JSON.stringify({ reply: '', intent: 'order' });
    const call = await live(null, { '*': [{ when: 'food', text }] }, { ...base, router, ...more });
    await call.runner.send('food');
    expect(call.heard.join()).toMatch(/Which size\?$/);
    expect(call.heard.join()).not.toMatch(/sorry|say it again/i);
    expect(routes(call)).toEqual([{ type: 'route:selected', data: { mode: 'schema_intent', to: 'order' } }]);
  });

  test.each([
    ['plain words', 'At nine.'],
    ['broken', '{"reply":"At nine.","intent":"or'],
    ['no such', '{"reply":"At nine.","intent":7}'],
  ])('takes its fallback where the answer is %s', async (_what, text) => {
    const call = await live(
      null,
      { '*': [{ when: 'open', text }] },
      { ...base, router: { ...router, fallback: 'order' } },
    );
    await call.runner.send('When do you open?');
    expect(call.heard.join()).toContain('At nine. ');
    expect(routes(call)[0]).toEqual({ type: 'route:fallback', data: { mode: 'schema_intent', reason: 'parse-error' } });
    expect(call.runner.state.position.flow.id).toBe('order');
  });
});
