import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { AgentContext, BeforeResponseInput, Hooks, ResponseMeta } from '../../src/turn/hooks.ts';
import { flowTool } from '../../src/session/flow-tool.ts';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import { systemClock } from '../../src/session/system.ts';
import { live } from './live.ts';

const order: ConversationFlow = {
  initialNode: 'size',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: { size: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'It is ordered.', end: true } },
};
const flows = { order };
const prompt = 'You are a receptionist.';
const chatty = { '*': [{ text: 'Hello there. How are you?' }] };

function deciding(decide: (input: BeforeResponseInput) => unknown, more: Partial<Hooks> = {}) {
  const seen: BeforeResponseInput[] = [];
  const beforeResponse = async (input: BeforeResponseInput): Promise<undefined> => {
    seen.push(input);
    return decide(input) as undefined; // What JavaScript lets a hook answer.
  };
  return { seen, options: { prompt, flows, hooks: { beforeResponse, ...more } } };
}

describe('beforeResponse', () => {
  test('sees the whole reply before anything of it is heard, and may let it pass', async () => {
    const { seen, options } = deciding(() => undefined);
    const { runner, heard } = await live(null, chatty, options);
    await runner.send('hi');
    expect(heard).toEqual(['Hello there. How are you?']);
    expect(seen).toEqual([
      { reply: 'Hello there. How are you?', structured: null, source: 'classic', flowId: 'classic' },
    ]);
  });

  test('cancel: the caller hears nothing, and the model is not asked again', async () => {
    const { options } = deciding(() => ({ action: 'cancel' }));
    const { runner, heard, model, events } = await live(null, chatty, options);
    await runner.send('hi');
    expect(heard).toEqual([]);
    expect(model.requests).toHaveLength(1);
    expect(events.map(({ type }) => type)).toContain('response:decided');
    await runner.send('hi again');
    expect(model.requests).toHaveLength(2);
  });

  test('replace: the caller hears the other words, and the model is shown those', async () => {
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

  test('sentence by sentence where so configured', async () => {
    const { seen, options } = deciding(({ reply }) => (reply.startsWith('How') ? { action: 'cancel' } : undefined), {
      decideBy: 'sentence',
    });
    const { runner, heard } = await live(null, chatty, options);
    await runner.send('hi');
    expect(seen.map(({ reply }) => reply.trim())).toEqual(['Hello there.', 'How are you?']);
    expect(heard.map((text) => text.trim())).toEqual(['Hello there.']);
  });

  test('decides about lines of a flow as about replies of a model', async () => {
    const { seen, options } = deciding(({ reply }) =>
      reply === 'Which size?' ? { action: 'replace', reply: 'Small or large?' } : undefined,
    );
    const { runner, heard } = await live(order, chatty, options);
    expect(heard).toEqual(['Small or large?']);
    expect(seen[0]).toMatchObject({ source: 'flow', reply: 'Which size?' });
    expect(runner.currentNode).toBe('size');
  });

  test('calls of functions are not held up, and what is said after them is decided about', async () => {
    const { seen, options } = deciding(() => undefined);
    const look = flowTool({ name: 'look', description: 'Look.', execute: () => 'seen' });
    const script = { '*': [{ afterTool: 'look', text: 'I saw it.' }, { calls: [{ name: 'look' }] }] };
    const { runner, heard } = await live(null, script, { ...options, tools: [look] });
    await runner.send('look');
    expect(heard).toEqual(['I saw it.']);
    expect(seen.map(({ reply }) => reply)).toEqual(['I saw it.']);
  });

  test('one that throws or answers nonsense lets the reply pass, and is told by its kind', async () => {
    const { options } = deciding(() => {
      throw new RangeError('Hello there.');
    });
    const { runner, heard, events } = await live(null, chatty, options);
    await runner.send('hi');
    expect(heard).toEqual(['Hello there. How are you?']);
    const data = { source: 'flow', stage: 'beforeResponse', reason: 'RangeError' };
    expect(events).toContainEqual({ type: 'response:failed', data });
  });
});

describe('onResponse', () => {
  interface Told {
    readonly reply: string;
    readonly meta: ResponseMeta | undefined;
    readonly ctx: AgentContext;
  }
  function telling(more: Partial<Hooks> = {}) {
    const told: Told[] = [];
    const onResponse: NonNullable<Hooks['onResponse']> = async ({ reply }, ctx, meta) =>
      void told.push({ reply, ctx, meta });
    return { told, options: { prompt, flows, commands: {}, hooks: { onResponse, ...more } } };
  }

  test('is told once a turn what was heard, by whom and by which flow', async () => {
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

  test('is told what the other hooks have decided', async () => {
    const { told, options } = telling({
      beforeLLM: async () => ({ action: 'continue' }),
      beforeResponse: async () => ({ action: 'replace', reply: 'Yes.', structured: { score: 7 } }),
    });
    const { runner } = await live(null, chatty, options);
    await runner.send('hi');
    await runner.stop();
    expect(told[0]?.meta?.policy).toEqual({ beforeLLMAction: 'continue', beforeResponseAction: 'replace' });
  });

  test('comes after the reply is kept: a store that is read in it has what was heard', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const kept: string[] = [];
    const onResponse: NonNullable<Hooks['onResponse']> = async ({ reply }, ctx) => {
      const log = await store.readLog(ctx.session.id);
      const found = log.some(({ signal }) => signal.type === 'speech:settled' && signal.heard === reply);
      kept.push(`${reply} ${found}`);
    };
    const { runner } = await live(null, chatty, { prompt, store, hooks: { onResponse } });
    await runner.send('hi');
    await runner.stop();
    expect(kept).toEqual(['Hello there. How are you? true']);
  });

  test('one that throws hurts nobody', async () => {
    const { options } = telling({ onResponse: () => Promise.reject(new Error('x')) });
    const { runner, heard, events } = await live(null, chatty, options);
    await runner.send('hi');
    await runner.send('and?');
    await runner.stop();
    expect(heard).toHaveLength(2);
    const data = { source: 'flow', stage: 'onResponse', reason: 'Error' };
    expect(events.filter(({ type }) => type === 'response:failed')).toEqual([
      { type: 'response:failed', data },
      { type: 'response:failed', data },
    ]);
  });
});

describe('events of a response', () => {
  test('prepared, sent, persisted: once a turn, in this order, without any hook', async () => {
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
