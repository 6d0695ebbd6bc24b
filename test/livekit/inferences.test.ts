import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { Store } from '../../src/ports/store.ts';
import { systemClock } from '../../src/system.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

describe('a flow asks the model as seldom as it can', () => {
  it('a generated greeting and two transitions with generated replies are five requests', async () => {
    const { runner, model, heard } = await live(
      {
        initialNode: 'a',
        nodes: {
          a: { taskMessages: prompt('Greet.'), functions: [{ name: 'go_b', transitionTo: 'b' }] },
          b: { taskMessages: prompt('Ask.'), functions: [{ name: 'go_c', transitionTo: 'c' }] },
          c: { taskMessages: prompt('Close.'), functions: [{ name: 'go_a', transitionTo: 'a' }] },
        },
      },
      {
        a: [{ when: 'next', calls: [{ name: 'go_b' }] }, { text: 'Hello.' }],
        b: [{ when: 'next', calls: [{ name: 'go_c' }] }, { text: 'And now?' }],
        c: [{ text: 'That is all.' }],
      },
    );
    await runner.send('next');
    await runner.send('next');
    expect(heard).toEqual(['Hello.', 'And now?', 'That is all.']);
    expect(model.requests.map(({ node }) => node)).toEqual(['a', 'a', 'b', 'b', 'c']);
  });

  it('a turn that moves into a node with a line of its own is one request', async () => {
    const { runner, model, heard } = await live(
      {
        initialNode: 'a',
        nodes: {
          a: { say: 'Shall we?', functions: [{ name: 'go', transitionTo: 'b' }] },
          b: { say: 'Here we are.', end: 'done' },
        },
      },
      { a: [{ when: 'yes', calls: [{ name: 'go' }] }] },
    );
    await runner.send('yes');
    expect(heard).toEqual(['Shall we?', 'Here we are.']);
    expect(model.requests).toHaveLength(1);
    expect(await runner.ended).toBe('done');
  });

  it('five hops by function calls in one turn are six requests, without a greeting', async () => {
    const hop = (from: number): ConversationFlow['nodes'] => ({
      [`n${from}`]: {
        taskMessages: prompt(`Node ${from}.`),
        respondImmediately: from > 0,
        functions: [{ name: `to_${from + 1}`, transitionTo: `n${from + 1}` }],
      },
    });
    const { runner, model, heard } = await live(
      {
        initialNode: 'n0',
        nodes: {
          ...hop(0),
          ...hop(1),
          ...hop(2),
          ...hop(3),
          ...hop(4),
          n5: { taskMessages: prompt('The last one.'), functions: [{ name: 'again', transitionTo: 'n0' }] },
        },
      },
      (request) => {
        const next = request.tools.find((name) => name.startsWith('to_'));
        return next === undefined ? { text: 'There.' } : { calls: [{ name: next }] };
      },
    );
    await runner.send('go');
    expect(runner.currentNode).toBe('n5');
    expect(heard).toEqual(['There.']);
    expect(model.requests).toHaveLength(6);
  });

  it('a turn that moves into a node which waits for the caller is one request', async () => {
    const { runner, model, heard } = await live(
      {
        initialNode: 'a',
        nodes: {
          a: { say: 'Ready?', functions: [{ name: 'go', transitionTo: 'b' }] },
          b: {
            taskMessages: prompt('Listen.'),
            respondImmediately: false,
            functions: [{ name: 'back', transitionTo: 'a' }],
          },
        },
      },
      { a: [{ when: 'yes', calls: [{ name: 'go' }] }] },
    );
    await runner.send('yes');
    expect(runner.currentNode).toBe('b');
    expect(heard).toEqual(['Ready?']);
    expect(model.requests).toHaveLength(1);
  });

  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
  const eightSlots: ConversationFlow = {
    initialNode: 'ask',
    slots: Object.fromEntries(names.map((name) => [name, { type: 'text' as const, ask: `What is ${name}?` }])),
    nodes: { ask: { collect: names, defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'done' } },
  };

  it('eight slots with questions of their own, one a turn, are at most nine requests', async () => {
    const { runner, model, heard } = await live(eightSlots, ({ userText }) =>
      userText === ''
        ? { text: '?' }
        : { calls: [{ name: 'record', arguments: { [userText.split(' ')[0] ?? '']: userText } }] },
    );
    for (const name of names) await runner.send(`${name} is known`);
    expect(await runner.ended).toBe('done');
    expect(heard).toEqual([...names.map((name) => `What is ${name}?`), 'Thank you.']);
    expect(model.requests.length).toBeLessThanOrEqual(9);
  });

  it('eight slots told in the first sentence are at most three requests', async () => {
    const { runner, model, heard } = await live(eightSlots, {
      '*': [
        {
          when: 'all',
          calls: [{ name: 'record', arguments: Object.fromEntries(names.map((name) => [name, 'known'])) }],
        },
      ],
    });
    await runner.send('all of them are known');
    expect(heard).toEqual(['What is one?', 'Thank you.']);
    expect(await runner.ended).toBe('done');
    expect(model.requests.length).toBeLessThanOrEqual(3);
  });

  it('an intake with read-back, routing and a confirmed booking is four requests and ten transactions', async () => {
    const bookVisit = flowTool({
      name: 'book_visit',
      description: 'Book the visit.',
      parameters: z.object({ time: z.string() }),
      execute: () => ({ ok: true, time: 'Tuesday 10:00' }),
    });
    const memory = createMemoryStore({ clock: systemClock });
    const transactions: string[] = [];
    const store: Store = {
      ...memory,
      commit: async (commit) => {
        await memory.commit(commit);
        // What was only heard or settled is flushed with the next one, or at the end; it is none by itself.
        const [counted] = commit.signals.map(({ signal }) => signal.type).filter((type) => !type.endsWith(':settled'));
        const batch = commit.signals.some(({ signal }) => signal.type === 'batch:settled');
        if (counted !== undefined || batch) transactions.push(counted ?? 'batch:settled');
      },
    };
    const { runner, model, heard } = await live(
      {
        initialNode: 'greet',
        input: { clinic: { type: 'string', default: 'Harbour Clinic' } },
        slots: {
          full_name: { type: 'name', ask: 'May I have your full name?', confirm: 'readback' },
          birth_date: { type: 'date', ask: 'And your date of birth?', before: 'today' },
          reason: {
            type: 'enum',
            ask: 'What brings you in?',
            values: { checkup: ['routine'], pain: ['hurts', 'ache'] },
          },
        },
        nodes: {
          greet: {
            say: 'Hi, this is {{ clinic }}. Shall we start?',
            functions: [{ name: 'start', transitionTo: 'details' }],
          },
          details: { collect: ['full_name', 'birth_date', 'reason'], defaultTransition: 'triage' },
          triage: {
            type: 'control.switch',
            input: {
              value: '{{ reason }}',
              cases: [{ when: { equals: { var: 'reason', value: 'pain' } }, route: 'urgent' }],
            },
            defaultTransition: 'book',
          },
          book: {
            taskMessages: prompt('Offer a time and book it.'),
            preActions: [{ type: 'tts_say', text: 'One moment.' }],
            functions: [
              {
                name: 'book_visit',
                effect: 'write',
                confirm: 'Shall I book {{ args.time }}?',
                saveAs: 'visit',
                transitionTo: { field: 'ok', cases: { true: 'done' }, default: 'book' },
              },
            ],
          },
          done: { say: 'You are booked for {{ visit.time }}.', end: 'booked' },
        },
      },
      {
        greet: [
          {
            when: /yes/,
            calls: [{ name: 'record', arguments: { full_name: 'Maria Delgado', reason: 'pain' } }, { name: 'start' }],
          },
        ],
        details: [{ when: /1984/, calls: [{ name: 'record', arguments: { birth_date: '1984-03-04' } }] }],
        book: [
          { when: /Tuesday/, calls: [{ name: 'book_visit', arguments: { time: 'Tuesday at ten' } }] },
          { text: 'When would suit you?' },
        ],
      },
      { store, tools: [bookVisit] },
    );
    await runner.send("yes, I'm Maria Delgado and my tooth hurts");
    await runner.send('yes');
    await runner.send('March third, no wait, the fourth, 1984');
    await runner.send('Tuesday at ten');
    await runner.send('yes please');
    expect(await runner.ended).toBe('booked');
    expect(heard).toEqual([
      'Hi, this is Harbour Clinic. Shall we start?',
      'Maria Delgado, is that right?',
      'And your date of birth?',
      'One moment. When would suit you?',
      'Shall I book Tuesday at ten?',
      'You are booked for Tuesday 10:00.',
    ]);
    expect(model.requests).toHaveLength(4);
    // The eleven of the traced call, less the one of its crash and resume.
    expect(transactions).toEqual([
      'session:started',
      'user:turn',
      'batch:settled',
      'user:turn',
      'user:turn',
      'batch:settled',
      'user:turn',
      'batch:settled',
      'user:turn',
      'batch:settled',
    ]);
  });
});
