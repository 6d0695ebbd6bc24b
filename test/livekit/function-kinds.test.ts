import { llm, type voice } from '@livekit/agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { fastClock } from '../fast-clock.ts';
import { calls, desk, nothing, outputs, replies, tool } from './desk-functions.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

describe('a LiveKit tool, registered as it is', () => {
  it('runs with LiveKit’s context: session, speech, call id, user data', async () => {
    const seen: { ctx: voice.RunContext<{ plan: string }>; toolCallId: string }[] = [];
    const plain = llm.tool({
      name: 'look_up',
      description: 'Look something up.',
      parameters: z.object({ what: z.string() }),
      execute: async ({ what }, { ctx, toolCallId }) => {
        seen.push({ ctx: ctx as voice.RunContext<{ plan: string }>, toolCallId });
        return `found ${what}`;
      },
    });
    const { runner, session, model } = await live(
      desk([{ name: 'look_up', transitionTo: 'tea' }]),
      replies({ calls: [{ name: 'look_up', arguments: { what: 'mint' } }] }, { text: 'Yes.' }),
      { tools: [plain] },
    );
    session.userData = { plan: 'gold' };
    await runner.send('is there mint');
    expect(seen[0]?.ctx.userData).toEqual({ plan: 'gold' });
    expect(seen[0]?.ctx.session).toBe(session);
    expect(seen[0]?.ctx.functionCall.callId).toBe(seen[0]?.toolCallId);
    expect(seen[0]?.ctx.speechHandle.id).toMatch(/\w/);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: look_up found mint']);
    expect(runner.currentNode).toBe('tea');
  });

  it('shows the model the text of a ToolError, and of no other error', async () => {
    const failing = (name: string, error: Error) =>
      llm.tool({ name, description: name, parameters: nothing, execute: () => Promise.reject(error) });
    const { runner, model } = await live(
      desk([{ name: 'told' }, { name: 'hidden' }]),
      replies(calls('told', 'hidden'), { text: 'Oh.' }),
      { tools: [failing('told', new llm.ToolError('No mint today.')), failing('hidden', new Error('password 123'))] },
    );
    await runner.send('mint');
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: told No mint today.',
      'output: hidden An internal error occurred. The function did not succeed.',
    ]);
  });

  it('lends its description and schema to a document that only names it', async () => {
    const plain = llm.tool({
      name: 'look_up',
      description: 'Look something up.',
      parameters: z.object({ what: z.string() }),
      execute: async () => 'found',
    });
    const flow = desk([{ name: 'look_up' }]);
    const shown: unknown[] = [];
    const model = new (class extends ScriptedModel {
      override chat(options: Parameters<ScriptedModel['chat']>[0]): llm.LLMStream {
        const shownTool = llm.toToolContext(options.toolCtx)?.functionTools['look_up'];
        shown.push({ description: shownTool?.description, parameters: shownTool?.parameters });
        return super.chat(options);
      }
    })(replies({ calls: [{ name: 'look_up', arguments: {} }] }, { text: 'Sorry.' }));
    const session = createTextSession(model);
    onTestFinished(() => void session.close());
    const runner = createRunner({ session, flow, tools: [plain] });
    await runner.start();
    await runner.send('look');
    expect(shown[0]).toEqual({
      description: 'Look something up.',
      parameters: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    });
    // Its schema is enforced like a schema in a document.
    expect(outputs(model.requests[1]?.items)[0]).toMatch(/^output: look_up The arguments do not fit: what/);
  });

  it('receives the arguments as parsed by its zod schema, and is not called if they break it', async () => {
    const given: unknown[] = [];
    const plain = llm.tool({
      name: 'book',
      description: 'Book seats.',
      parameters: z
        .object({ from: z.number(), to: z.number(), area: z.string().default('inside') })
        .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after from' }),
      execute: async (input) => given.push(input),
    });
    const book = (to: number) => ({ calls: [{ name: 'book', arguments: { from: 2, to } }] });
    const { runner, model } = await live(
      desk([{ name: 'book', effect: 'write' }]),
      replies(book(1), book(3), { text: 'Done.' }),
      { tools: [plain] },
    );
    await runner.send('book');
    expect(outputs(model.requests[1]?.items)[0]).toMatch(
      /^output: book The arguments do not fit: to: must be after from/,
    );
    expect(given).toEqual([{ from: 2, to: 3, area: 'inside' }]);
  });
});

describe('a write without confirmation', () => {
  /** A memory store that calls `before` before the transaction that intends a write. */
  const storeWith = (before: () => Promise<void>): Store => {
    const memory = createMemoryStore({ clock: systemClock });
    const commit: Store['steps']['create'] = async (step) => {
      if (step.signals.some(({ signal }) => signal.type === 'tool:called')) await before();
      await memory.steps.create(step);
    };
    return { ...memory, steps: { ...memory.steps, create: commit } };
  };
  const pay = desk([{ name: 'pay', effect: 'write', transitionTo: 'tea' }]);

  it('is committed under its key before it runs', async () => {
    const [committing, goOn] = [createGate(), createGate()];
    const keys: string[] = [];
    const store = storeWith(() => {
      committing.open();
      return goOn.opened;
    });
    const { runner } = await live(pay, replies(calls('pay')), {
      store,
      tools: [tool('pay', (_input, { key }) => keys.push(key))],
    });
    const answered = runner.send('pay');
    await committing.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(keys).toEqual([]);
    goOn.open();
    await answered;
    const effects = await store.effects.list(runner.sessionId);
    expect(effects.filter(({ kind }) => kind === 'tool').map(({ key }) => key)).toEqual(keys);
    expect(runner.currentNode).toBe('tea');
  });

  it('S1: does not run if it could not be committed', async () => {
    let runs = 0;
    const { runner, path } = await live(pay, replies(calls('pay')), {
      store: storeWith(() => Promise.reject(new Error('disk full'))),
      // The runner waits for a store that stays away.
      clock: fastClock(40),
      tools: [tool('pay', () => (runs += 1))],
    });
    await runner.send('pay');
    expect(runs).toBe(0);
    expect(path).toEqual([]);
  });
});

describe('confirm', () => {
  const booking = (confirm: string | true, effect: 'read' | 'write' = 'write') =>
    desk([
      {
        name: 'book',
        description: 'Book a table.',
        parameters: { type: 'object', properties: { hour: { type: 'string' } }, required: ['hour'] },
        effect,
        confirm,
        transitionTo: 'garden',
      },
    ]);
  const bookTool = () => {
    const booked: unknown[] = [];
    return { booked, tools: [tool('book', ({ hour }) => booked.push(hour) && `booked for ${String(hour)}`)] };
  };
  const bookAt = { calls: [{ name: 'book', arguments: { hour: 'six' } }] };

  it.each<[string, string | true, string]>([
    ['as the author wrote it', 'Shall I book {{ args.hour }}?', 'Shall I book six?'],
    ['by name and arguments', true, 'Shall I book, hour six?'],
  ])('asks %s; a yes runs it without an inference, and its result is told', async (_how, confirm, question) => {
    const { booked, tools } = bookTool();
    const { runner, model, heard } = await live(booking(confirm), replies(bookAt, { text: 'See you at six.' }), {
      tools,
    });
    await runner.send('a table at six');
    expect(heard.at(-1)).toBe(question);
    expect(booked).toEqual([]);
    expect(model.requests).toHaveLength(1);
    await runner.send('yes');
    expect(booked).toEqual(['six']);
    expect(runner.currentNode).toBe('garden');
    expect(model.requests).toHaveLength(2);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: book booked for six']);
    expect(heard.at(-1)).toBe('See you at six.');
  });

  it('a no cancels it and leads to a question, and the model learns with the next words that it was not done', async () => {
    const { booked, tools } = bookTool();
    const { runner, model, heard } = await live(booking(true), replies(bookAt, { text: 'Then not.' }), { tools });
    await runner.send('a table at six');
    await runner.send('no');
    expect(booked).toEqual([]);
    expect(heard.at(-1)).toBe('What would you like to change?');
    expect(model.requests).toHaveLength(1);
    await runner.send('nothing at all');
    expect(booked).toEqual([]);
    expect(outputs(model.requests[1]?.items)).toEqual(['output: book Not done: the caller has not agreed.']);
    expect(runner.currentNode).toBe('desk');
  });

  it('other words go to the model while the question is open, and another call asks again', async () => {
    const { booked, tools } = bookTool();
    const { runner, model, heard } = await live(
      booking('At {{ args.hour }}?'),
      replies(bookAt, { calls: [{ name: 'book', arguments: { hour: 'seven' } }] }),
      { tools },
    );
    await runner.send('a table at six');
    await runner.send('make it seven');
    expect(model.requests[1]?.userText).toBe('make it seven');
    expect(outputs(model.requests[1]?.items)).toEqual([
      'output: book Not done yet: the caller is being asked to confirm.',
    ]);
    expect(heard.at(-1)).toBe('At seven?');
    await runner.send('yes');
    expect(booked).toEqual(['seven']);
  });
});
