import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { ModelScript } from '../../src/testing/scripted-model.ts';
import { live } from './live.ts';
import { pacedSink } from './paced-sink.ts';

const farewell = 'You are booked for Tuesday at eleven. Goodbye.';

const visit: ConversationFlow = {
  initialNode: 'desk',
  functions: [{ name: 'undo', description: 'Cancels the booking.', transitionTo: 'undone' }],
  nodes: {
    desk: {
      say: 'What can I do?',
      taskMessages: [{ role: 'system', content: 'Book it.' }],
      functions: [{ name: 'finish', transitionTo: 'bye' }],
    },
    bye: { say: farewell, end: 'booked' },
    undone: { say: 'It is cancelled. Goodbye.', end: 'cancelled' },
  },
};

/** A call in the middle of its last line, of which this many words were heard. */
async function ending(words: number, script: ModelScript) {
  const sink = pacedSink();
  const call = await live(visit, script, { sink, waitForGreeting: false });
  await sink.hear(4);
  await call.runner.idle();
  const finished = call.runner.send('that is all');
  await sink.hear(words);
  return { ...call, sink, finished };
}

const finish = { when: 'that is all', calls: [{ name: 'finish' }] };

describe('words during the last line', () => {
  it('are answered, and then the line is completed and the conversation ends', async () => {
    const { runner, sink, heard, finished } = await ending(2, {
      desk: [finish],
      bye: [{ when: 'how much', text: 'It is ten euros.' }],
    });
    const answered = runner.send('how much is it');
    sink.run();
    expect(await answered).toBe('taken');
    await finished;
    expect(heard.slice(1)).toEqual([expect.stringMatching(/^You are/), `It is ten euros. ${farewell}`]);
    expect(await runner.ended).toBe('booked');
  });

  it('may call a function of the flow', async () => {
    const { runner, sink, heard } = await ending(2, {
      desk: [finish],
      bye: [{ when: 'cancel', calls: [{ name: 'undo' }] }],
    });
    const answered = runner.send('No wait, cancel it!');
    sink.run();
    await answered;
    expect(heard.at(-1)).toBe('It is cancelled. Goodbye.');
    expect(await runner.ended).toBe('cancelled');
  });

  it('that lead to a question by the model delay the end', async () => {
    const { runner, sink, heard } = await ending(2, {
      desk: [finish],
      bye: [
        { when: 'cancel', text: 'Shall I cancel the visit on Tuesday?' },
        { when: 'no', text: 'It stays as it is.' },
      ],
    });
    const answered = runner.send('No wait, cancel it!');
    sink.run();
    await answered;
    expect(heard.at(-1)).toBe('Shall I cancel the visit on Tuesday?');
    await runner.send('no');
    expect(heard.at(-1)).toBe(`It stays as it is. ${farewell}`);
    expect(await runner.ended).toBe('booked');
  });

  it('that are thanks need no answer: the line is completed', async () => {
    const { runner, sink, heard, model } = await ending(2, { desk: [finish] });
    const answered = runner.send('Thank you.');
    sink.run();
    await answered;
    expect(heard.slice(1)).toEqual([expect.stringMatching(/^You are/), farewell]);
    expect(model.requests).toHaveLength(1);
    expect(await runner.ended).toBe('booked');
  });
});

/** A function whose handler waits for the test. */
function heldWrite(name: string) {
  let open = (): void => undefined;
  let begin = (): void => undefined;
  const wait = new Promise<void>((resolve) => (open = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let runs = 0;
  const tool = flowTool({
    name,
    description: 'Works.',
    parameters: z.object({}),
    execute: async () => {
      runs += 1;
      begin();
      await wait;
      return 'done';
    },
  });
  return { tool, open, begun, runs: () => runs };
}

it('words during a write that leads to an end are answered before the end', async () => {
  const write = heldWrite('book');
  const flow: ConversationFlow = {
    initialNode: 'desk',
    nodes: {
      desk: {
        say: 'Shall I?',
        taskMessages: [{ role: 'system', content: 'Book it.' }],
        functions: [{ name: 'book', effect: 'write', transitionTo: 'bye' }],
      },
      bye: { say: farewell, end: 'booked' },
    },
  };
  const script: ModelScript = {
    desk: [{ when: 'go', calls: [{ name: 'book' }] }],
    bye: [{ when: 'how long', text: 'It takes an hour.' }],
  };
  const { runner, heard } = await live(flow, script, { tools: [write.tool] });
  const first = runner.send('go');
  await write.begun;
  const second = runner.send('how long does it take');
  write.open();
  await Promise.all([first, second]);
  expect(heard.slice(1).join(' ')).toBe(`It takes an hour. ${farewell}`);
  expect(write.runs()).toBe(1);
  expect(await runner.ended).toBe('booked');
});

it('a write that needs a yes outlives an end that the same reply chose', async () => {
  const write = heldWrite('book');
  write.open();
  const flow: ConversationFlow = {
    initialNode: 'desk',
    nodes: {
      desk: {
        say: 'What can I do?',
        taskMessages: [{ role: 'system', content: 'Book it.' }],
        functions: [
          { name: 'book', effect: 'write', confirm: 'Shall I book it?' },
          { name: 'finish', transitionTo: 'bye' },
        ],
      },
      bye: { say: 'Goodbye.', end: 'over' },
    },
  };
  const script: ModelScript = {
    desk: [{ when: 'and goodbye', calls: [{ name: 'finish' }, { name: 'book' }] }, { calls: [{ name: 'finish' }] }],
  };
  const { runner, heard, events } = await live(flow, script, { tools: [write.tool] });
  await runner.send('book it and goodbye');
  expect(heard.at(-1)).toBe('Shall I book it?');
  expect(write.runs()).toBe(0);
  await runner.send('yes');
  expect(write.runs()).toBe(1);
  expect(heard.at(-1)).toContain('Goodbye.');
  expect(await runner.ended).toBe('over');
  const dropped = events.find(({ type }) => type === 'transition:dropped');
  expect(dropped?.data).toMatchObject({ function: 'finish', reason: 'unconfirmed' });
});
