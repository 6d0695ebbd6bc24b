import { describe, expect, it } from 'vitest';
import { FlowError } from '../../src/model/errors.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { systemClock } from '../../src/system.ts';
import type { FlowToolContext } from '../../src/livekit/tools/flow-tool.ts';
import { calls, desk, prompt, replies, tool } from './desk-functions.ts';
import { live } from './live.ts';

/** A tool that sets the values in order. */
const setting = (values: Parameters<FlowToolContext['set']>[], name = 'save') =>
  tool(name, (_input, context) => {
    for (const [key, value] of values) context.set(key, value);
    return 'saved';
  });

const save = { name: 'save', description: 'Saves it.', handler: 'save' };

describe('a value that a function sets', () => {
  it('is read by the prompt and the conditions of the next node', async () => {
    const { runner, model, path } = await live(
      desk([save], {
        slots: { age: { type: 'integer', optional: true } },
        edges: [{ from: 'desk', to: 'tea', when: { atLeast: { var: 'age', value: 18 } } }],
        roleMessages: prompt('A quote for {{ age }} years, {{ quote.monthly }} a month.'),
      }),
      replies(calls('save'), { text: 'Here.' }),
      {
        tools: [
          setting([
            ['age', 40],
            ['quote', { monthly: 12 }],
          ]),
        ],
      },
    );
    await runner.send('forty');
    expect(path).toEqual(['desk -> tea']);
    expect(model.requests[1]?.instructions).toContain('A quote for 40 years, 12 a month.');
    expect(runner.state.knowledge.slots['age']).toMatchObject({
      value: 40,
      source: { kind: 'function', name: 'save' },
    });
    expect(runner.state.knowledge.variables).toEqual({ quote: { monthly: 12 } });
  });

  it('is validated by the slot, and null clears it', async () => {
    const { runner, events } = await live(
      desk([save, { ...save, name: 'clear', handler: 'clear' }], {
        slots: { age: { type: 'integer', maximum: 120, optional: true }, day: { type: 'date', optional: true } },
      }),
      replies(calls('save'), { text: 'Yes?' }, calls('clear'), { text: 'Yes?' }),
      {
        tools: [
          setting([
            ['age', 400],
            ['day', '2031-05-01'],
          ]),
          setting([['day', null]], 'clear'),
        ],
      },
    );
    await runner.send('save');
    expect(runner.state.knowledge.slots).toMatchObject({ day: { value: '2031-05-01' } });
    expect(events).toContainEqual({ type: 'slot:rejected', data: expect.objectContaining({ slot: 'age' }) as unknown });
    await runner.send('clear');
    expect(runner.state.knowledge.slots).toEqual({});
  });

  it('is visible to the rest of the call, and a failed attempt leaves no value', async () => {
    const seen: unknown[] = [];
    let attempts = 0;
    const trying = tool('save', (_input, context) => {
      attempts += 1;
      seen.push(context.get('tries'), context.get('left'));
      context.set(attempts === 1 ? 'left' : 'tries', attempts);
      seen.push(context.get('tries'));
      if (attempts === 1) throw new Error('no luck');
    });
    const { runner } = await live(
      desk([{ ...save, retry: { maxAttempts: 2 } }], { state: { tries: 0 } }),
      replies(calls('save'), { text: 'Yes?' }),
      { tools: [trying] },
    );
    await runner.send('save');
    expect(seen).toEqual([0, undefined, 0, 0, undefined, 2]);
    expect(runner.state.knowledge.variables).toEqual({ tries: 2 });
  });

  it('survives its process, as part of the log', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const flow = desk([save]);
    const kept = { store, sessionId: 'a', tools: [setting([['customer', { tier: 'gold' }]])] };
    const first = await live(flow, replies(calls('save'), { text: 'Yes?' }), kept);
    await first.runner.send('save');
    await first.runner.leave();
    const second = await live(flow, replies({ text: 'Yes?' }), kept);
    expect(second.runner.state.knowledge.variables).toEqual({ customer: { tier: 'gold' } });
  });

  it('is refused under an input’s name, an invalid name, or above its size limit', async () => {
    const refused: unknown[] = [];
    const careless = tool('save', (_input, { set }) => {
      for (const [name, value] of [
        ['clinic', 1],
        ['a b', 1],
        ['big', 'x'.repeat(70_000)],
      ] as const)
        try {
          set(name, value);
        } catch (error) {
          refused.push(error instanceof FlowError ? error.code : error);
        }
    });
    const { runner } = await live(
      desk([save], { input: { clinic: { type: 'string', default: 'Harbour' } } }),
      replies(calls('save'), { text: 'Yes?' }),
      { tools: [careless] },
    );
    await runner.send('save');
    expect(refused).toEqual(['name-invalid', 'name-invalid', 'value-too-large']);
    expect(runner.state.knowledge.variables).toEqual({});
  });
});

describe('a value that an action’s handler sets', () => {
  it('is read by the prompt of its node', async () => {
    const { runner, model } = await live(
      {
        initialNode: 'hall',
        nodes: {
          hall: { say: 'Hello.', taskMessages: prompt('Help.'), functions: [{ name: 'go', transitionTo: 'room' }] },
          room: {
            taskMessages: prompt('Room {{ number }}.'),
            preActions: [{ type: 'function', handler: 'enter' }],
            functions: [{ name: 'back', transitionTo: 'hall' }],
          },
        },
      },
      replies(calls('go'), { text: 'Here.' }),
      { handlers: { enter: (_data, { set }) => set('number', 7) } },
    );
    await runner.send('go');
    expect(model.requests[1]?.instructions).toContain('Room 7.');
    expect(runner.state.knowledge.variables).toEqual({ number: 7 });
  });
});
