import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { systemClock } from '../../src/system.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { talk } from '../offline/brain/talk.ts';
import { live } from './live.ts';

const parameters = { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] };
const flow = {
  initialNode: 'ask',
  slots: { day: { type: 'date', ask: 'Which day?' } },
  nodes: {
    ask: { collect: ['day'], defaultTransition: 'look' },
    look: {
      say: 'One moment.',
      call: 'find',
      functions: [
        {
          name: 'find',
          parameters,
          effect: 'read',
          saveAs: 'found',
          transitionTo: { field: 'status', cases: { open: 'offer' } },
        },
      ],
    },
    offer: {
      taskMessages: [{ role: 'system', content: 'Offer the times.' }],
      functions: [{ name: 'take', transitionTo: 'book' }],
    },
    book: {
      call: 'book',
      functions: [
        { name: 'book', parameters, effect: 'write', confirm: 'Shall I book {{ args.day }}?', transitionTo: 'done' },
        { name: 'leave_it', transitionTo: 'bye' },
      ],
    },
    done: { say: 'It is booked.', end: 'booked' },
    bye: { say: 'Alright.', end: 'declined' },
  },
} satisfies ConversationFlow;

function shop(find: (day: string) => unknown = () => ({ status: 'open', times: ['ten'] })) {
  const booked: string[] = [];
  const tool = (name: string, run: (day: string, key: string) => unknown) =>
    flowTool({
      name,
      description: name,
      parameters: z.object({ day: z.string() }),
      execute: ({ day }, { key }) => run(day, key),
    });
  const tools = [tool('find', find), tool('book', (day, key) => void booked.push(`${day} under ${key}`))];
  return { booked, tools };
}

const script = {
  ask: [{ when: /first/, calls: [{ name: 'record', arguments: { day: '2030-12-01' } }] }],
  offer: [{ when: /ten/, calls: [{ name: 'take' }] }, { text: 'I have ten. Does that suit you?' }],
  book: [{ when: /no/, calls: [{ name: 'leave_it' }] }],
};

describe('a node that names what it calls', () => {
  it('runs the function without a request to the model, whose context gets the call and its output', async () => {
    const { booked, tools } = shop();
    const { runner, model, heard } = await live(flow, script, { tools });
    await runner.send('on December first 2030');
    expect(heard).toEqual(['Which day?', 'One moment. I have ten. Does that suit you?']);
    // No request for the caller's words, which rules understand completely; one for the reply in the next node.
    expect(model.requests.map(({ node }) => node)).toEqual(['offer']);
    expect(model.requests[0]?.items).toContain('output: find {"status":"open","times":["ten"]}');
    await runner.send('ten is fine');
    expect(heard.at(-1)).toBe('Shall I book December 1, 2030?');
    await runner.send('yes');
    expect(heard.at(-1)).toBe('It is booked.');
    expect(booked).toEqual([expect.stringMatching(/^2030-12-01 under /)]);
    expect(model.requests).toHaveLength(2);
  });

  it('writes nothing after a no', async () => {
    const { booked, tools } = shop();
    const { runner, heard } = await live(flow, script, { tools });
    await runner.send('on December first 2030');
    await runner.send('ten is fine');
    await runner.send('no');
    expect(heard.at(-1)).toBe('Alright.');
    expect(booked).toEqual([]);
    expect(await runner.ended).toBe('declined');
  });

  it('lets the model speak if the call fails', async () => {
    const { tools } = shop(() => {
      throw new Error('down');
    });
    const replies = { ...script, look: [{ text: 'I cannot look right now.' }] };
    const { runner, model, heard } = await live(flow, replies, { tools });
    await runner.send('on December first 2030');
    expect(heard.at(-1)).toBe('One moment. I cannot look right now.');
    expect(model.requests[0]?.items.at(-1)).toContain('output: find An internal error occurred.');
  });

  it('never runs a function with arguments that do not fit', async () => {
    const days: string[] = [];
    const { tools } = shop((day) => days.push(day));
    const look = { ...flow.nodes.look, input: { day: '{{ found }}' } };
    const broken = { ...flow, state: { found: 5 }, nodes: { ...flow.nodes, look } };
    const { runner } = await live(broken, { ...script, look: [{ text: 'Which day again?' }] }, { tools });
    await runner.send('on December first 2030');
    expect(days).toEqual([]);
  });

  it('asks the open question again in a new process, and books under one key', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const before = shop();
    const first = await live(flow, script, { tools: before.tools, store, sessionId: 's1' });
    await first.runner.send('on December first 2030');
    await first.runner.send('ten is fine');
    await first.runner.leave();
    const after = shop();
    const second = await live(flow, script, { tools: after.tools, store, sessionId: 's1' });
    expect(second.heard.at(-1)).toContain('Shall I book December 1, 2030?');
    await second.runner.send('yes');
    expect(before.booked).toEqual([]);
    expect(after.booked).toHaveLength(1);
  });
});

describe('a caller who corrects the basis of a price', () => {
  const string = { type: 'string' };
  const locksmith = {
    initialNode: 'details',
    slots: { lock: { type: 'enum', ask: 'What kind of lock is it?', values: { car: [], safe: [] } } },
    nodes: {
      details: { collect: ['lock'], defaultTransition: 'price' },
      price: {
        call: 'cost',
        functions: [
          {
            name: 'cost',
            parameters: { type: 'object', properties: { lock: string }, required: ['lock'] },
            saveAs: 'quote',
            transitionTo: 'order',
          },
        ],
      },
      order: {
        call: 'send',
        functions: [
          {
            name: 'send',
            parameters: { type: 'object', properties: { lock: string }, required: ['lock'] },
            effect: 'write',
            confirm: 'A {{ lock }} lock costs {{ quote }} dollars. Shall I send somebody?',
            transitionTo: 'done',
          },
        ],
      },
      done: { say: 'Somebody is on the way, for {{ quote }} dollars.', end: 'sent' },
    },
  } satisfies ConversationFlow;

  it('hears the new price before any write', async () => {
    const sent: string[] = [];
    const parameters = z.object({ lock: z.string() });
    const tools = [
      flowTool({ name: 'cost', description: 'Cost.', parameters, execute: ({ lock }) => (lock === 'car' ? 300 : 700) }),
      flowTool({ name: 'send', description: 'Send.', parameters, execute: ({ lock }) => void sent.push(lock) }),
    ];
    const { say } = await talk({ flow: locksmith, tools });
    expect(await say('a car')).toBe('A car lock costs 300 dollars. Shall I send somebody?');
    expect(await say('no, a safe')).toBe('A safe lock costs 700 dollars. Shall I send somebody?');
    expect(await say('yes')).toBe('Somebody is on the way, for 700 dollars.');
    expect(sent).toEqual(['safe']);
  });
});
