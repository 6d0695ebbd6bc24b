import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { FunctionDocument } from '../../src/flow/document/function.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../../src/livekit/tools/function-tool.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { live } from './live.ts';
import { pacedSink } from './paced-sink.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

/** A handler that waits until the test opens it. */
function gate(): { wait: Promise<void>; open: () => void; begun: Promise<void>; begin: () => void } {
  let open = (): void => undefined;
  let begin = (): void => undefined;
  const wait = new Promise<void>((resolve) => (open = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return { wait, open, begun, begin };
}

/** The function `work`, which waits, reports whether it was aborted, and returns a result. */
function heldWork(
  result: string,
): ReturnType<typeof gate> & { work: FunctionTool; isAborted: () => boolean; runs: () => number } {
  const running = gate();
  let aborted = false;
  let runs = 0;
  const work = flowTool({
    name: 'work',
    description: 'Work.',
    parameters: z.object({}),
    execute: async (_input, { signal }) => {
      runs += 1;
      signal.addEventListener('abort', () => (aborted = true));
      running.begin();
      await running.wait;
      return result;
    },
  });
  return { ...running, work, isAborted: () => aborted, runs: () => runs };
}

const bookAndConfirm = (effect: 'read' | 'write', more: Partial<FunctionDocument> = {}): ConversationFlow => ({
  initialNode: 'book',
  nodes: {
    book: {
      say: 'Shall I?',
      functions: [{ name: 'work', effect, transitionTo: 'after', ...more }],
      taskMessages: prompt('Work.'),
    },
    after: { taskMessages: prompt('After.'), functions: [{ name: 'again', transitionTo: 'book' }] },
  },
});

describe('an interruption', () => {
  it('in the middle of a line: the context keeps the heard part, and the caller is answered', async () => {
    const sink = pacedSink();
    const { runner, model, heard } = await live(
      {
        initialNode: 'a',
        nodes: {
          a: {
            say: 'This is quite a long line that nobody hears whole.',
            functions: [{ name: 'go', transitionTo: 'a' }],
          },
        },
      },
      { a: [{ text: 'Yes?' }] },
      { sink, waitForGreeting: false },
    );
    await sink.hear(4);
    const answered = runner.send('listen');
    sink.run();
    await answered;
    expect(heard[0]).toMatch(/^This is quite a/);
    expect(heard[0]).not.toMatch(/whole/);
    expect(model.requests.at(-1)?.items).toEqual([`assistant: ${heard[0]}`, 'user: listen']);
    expect(heard.at(-1)).toBe('Yes?');
  });

  it('while a read runs: its move is ignored, it is aborted, and the old node answers once', async () => {
    const running = heldWork('late');
    const { runner, model, heard } = await live(
      bookAndConfirm('read'),
      {
        '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'I am listening.' }],
      },
      { tools: [running.work] },
    );
    const first = runner.send('go');
    await running.begun;
    await runner.send('no wait');
    running.open();
    await first;
    expect(running.isAborted()).toBe(true);
    expect(runner.currentNode).toBe('book');
    expect(heard).toEqual(['Shall I?', 'I am listening. So: Shall I?']);
    expect(model.requests.map(({ node }) => node)).toEqual(['book', 'book']);
    expect(model.requests[1]?.userText).toBe('no wait');
  });

  it('while a write runs: the turn waits for it, its move is taken, and the new node answers once', async () => {
    const running = gate();
    let runs = 0;
    const work = flowTool({
      name: 'work',
      description: 'Work.',
      parameters: z.object({}),
      execute: async () => {
        runs += 1;
        running.begin();
        await running.wait;
        return 'done';
      },
    });
    const { runner, model, heard } = await live(
      bookAndConfirm('write'),
      {
        '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'It is done.' }],
      },
      { tools: [work] },
    );
    const first = runner.send('go');
    await running.begun;
    const second = runner.send('how long does it take');
    running.open();
    await Promise.all([first, second]);
    expect(runs).toBe(1);
    expect(runner.currentNode).toBe('after');
    expect(heard).toEqual(['Shall I?', 'It is done.']);
    expect(model.requests.at(-1)).toMatchObject({ node: 'after', userText: 'how long does it take' });
    expect(model.requests.at(-1)?.items).toContain('output: work done');
  });

  it('while a slow write runs: it is not repeated, and its result is said when it has ended', async () => {
    const clock = createVirtualClock();
    const running = heldWork('done');
    let calls = 0;
    const { runner, model, heard } = await live(
      bookAndConfirm('write'),
      ({ node }) => {
        if (node === 'after') return { text: 'It is booked. Anything else?' };
        calls += 1;
        if (calls === 1) return { calls: [{ name: 'work' }] };
        // The model retries if the caller asks about it.
        return calls === 2 ? { calls: [{ name: 'work' }] } : { text: 'It takes a while.' };
      },
      { tools: [running.work], clock },
    );
    // Opens what is still waiting, so that the call can end.
    onTestFinished(running.open);
    const first = runner.send('go');
    await running.begun;
    const second = runner.send('hello?');
    await clock.advance(10_000);
    await second;
    expect(heard).toEqual(['Shall I?', 'It takes a while. So: Shall I?']);
    expect(running.runs()).toBe(1);
    expect(model.requests[1]?.items).toContainEqual(expect.stringMatching(/^output: work .*not done yet/));
    const told = new Promise((resolve) => void runner.onSpeech(resolve));
    running.open();
    await Promise.all([first, told]);
    expect(heard.slice(2)).toEqual(['It is booked. Anything else?']);
    expect([runner.currentNode, running.runs()]).toEqual(['after', 1]);
    expect(model.requests.at(-1)?.items).toContain('output: work done');
  });

  it('while an uncancellable read runs: the turn waits for it like for a write', async () => {
    const running = heldWork('found');
    const { runner, model, heard } = await live(
      bookAndConfirm('read', { cancelOnInterruption: false }),
      {
        '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'Here it is.' }],
      },
      { tools: [running.work] },
    );
    const first = runner.send('go');
    await running.begun;
    const second = runner.send('how long does it take');
    await new Promise((resolve) => setImmediate(resolve));
    expect(running.isAborted()).toBe(false);
    running.open();
    await Promise.all([first, second]);
    expect(runner.currentNode).toBe('after');
    expect(heard).toEqual(['Shall I?', 'Here it is.']);
    expect(model.requests.at(-1)?.items).toContain('output: work found');
  });

  it('while such a read runs after the caller’s yes: the turn waits for it too', async () => {
    const running = heldWork('found');
    const flow = bookAndConfirm('read', { cancelOnInterruption: false, confirm: 'Really?' });
    const { runner, model, heard } = await live(
      flow,
      {
        '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'Here it is.' }],
      },
      { tools: [running.work] },
    );
    await runner.send('go');
    const first = runner.send('yes');
    await running.begun;
    const second = runner.send('how long does it take');
    await new Promise((resolve) => setImmediate(resolve));
    expect(running.isAborted()).toBe(false);
    running.open();
    await Promise.all([first, second]);
    expect(runner.currentNode).toBe('after');
    expect(heard).toEqual(['Shall I?', 'Really?', 'Here it is.']);
    expect(model.requests.at(-1)?.items).toContain('output: work found');
  });

  it('before a question was asked: a yes does not answer it, and nothing is booked', async () => {
    let runs = 0;
    const work = flowTool({ name: 'work', description: 'Work.', parameters: z.object({}), execute: () => (runs += 1) });
    const sink = pacedSink();
    const { runner, heard } = await live(
      {
        initialNode: 'book',
        nodes: {
          book: {
            respondImmediately: false,
            taskMessages: prompt('Work.'),
            functions: [{ name: 'work', effect: 'write', confirm: 'Shall I really do it?', transitionTo: 'after' }],
          },
          after: { say: 'Done.', end: 'done' },
        },
      },
      {
        '*': [
          { when: 'go', text: 'Let me have a look at that for you.', calls: [{ name: 'work' }] },
          { text: 'Pardon?' },
        ],
      },
      { sink, tools: [work] },
    );
    const first = runner.send('go');
    await sink.hear(3);
    const second = runner.send('yes');
    sink.run();
    await Promise.all([first, second]);
    expect(runs).toBe(0);
    expect(runner.currentNode).toBe('book');
    expect(heard.join(' ')).not.toContain('Shall I really');
    expect(heard.at(-1)).toBe('Pardon?');
  });

  it('by two turns at once: the newer one is answered once, and the older one has no effect', async () => {
    const work = flowTool({ name: 'work', description: 'Work.', parameters: z.object({}), execute: () => undefined });
    const sink = pacedSink();
    const { runner, model, heard } = await live(
      bookAndConfirm('read'),
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'I am listening.' }] },
      { sink, waitForGreeting: false, tools: [work] },
    );
    await sink.hear(1);
    const sent = [runner.send('go'), runner.send('and now?')];
    sink.run();
    await Promise.all(sent);
    expect(model.requests).toMatchObject([{ node: 'book', userText: 'and now?' }]);
    expect(runner.currentNode).toBe('book');
    expect(heard.at(-1)).toBe('I am listening. So: Shall I?');
    // The model permanently sees both as words.
    expect(model.requests[0]?.items.slice(-2)).toEqual(['user: go', 'user: and now?']);
    await runner.send('well?');
    const said = model.requests[1]?.items.filter((item) => item.startsWith('user:'));
    expect(said).toEqual(['user: go', 'user: and now?', 'user: well?']);
  });

  it('without words lets the flow continue by itself', async () => {
    const sink = pacedSink();
    const { runner, heard } = await live(
      {
        initialNode: 'a',
        slots: { name: { type: 'text', ask: 'What is your name?' } },
        nodes: {
          a: { say: 'Welcome to this long greeting of ours.', collect: ['name'], defaultTransition: 'b' },
          b: { say: 'Bye.', end: 'x' },
        },
      },
      { '*': [{ text: '?' }] },
      { sink, waitForGreeting: false },
    );
    await sink.hear(2);
    const hushed = runner.hush();
    sink.run();
    await hushed;
    expect(heard.join(' ')).not.toContain('What is your name?');
    // `idle` also waits for that.
    await runner.idle();
    expect(heard.join(' ')).toContain('What is your name?');
    expect(runner.currentNode).toBe('a');
  });
});

describe('words in quick succession', () => {
  it('are shown to the model in their order, even if a hook is slow for each', async () => {
    const { runner, model } = await live(
      null,
      { '*': [{ text: 'Yes?', delayMs: 20 }] },
      { prompt: 'Answer.', hooks: { beforeLLM: () => new Promise((resolve) => void setTimeout(resolve, 5)) } },
    );
    await Promise.all(['one', 'two', 'three'].map((text) => runner.send(text)));
    await runner.send('four');
    const said = model.requests.map(({ items }) => items.filter((item) => item.startsWith('user: ')).join());
    const whole = 'user: one,user: two,user: three,user: four';
    for (const words of said) expect(whole.startsWith(words)).toBe(true);
    expect(said.at(-1)).toBe(whole);
  });
});
