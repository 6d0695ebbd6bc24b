import { voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FlowError } from '../../src/errors.ts';
import { createMemoryStore } from '../../src/durable/memory-store.ts';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { Clock } from '../../src/ports/time.ts';
import type { Store } from '../../src/ports/store.ts';
import { flowTool } from '../../src/session/flow-tool.ts';
import type { FunctionTool } from '../../src/session/function-tool.ts';
import { systemClock } from '../../src/session/system.ts';
import { until, voiceCall } from './voice-rig.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

/** Long waits are short here; what takes long for the flow's own sake is not what these tests are about. */
const impatientClock: Clock = {
  now: systemClock.now,
  schedule: (delayMs, task) => systemClock.schedule(delayMs < 1_000 ? delayMs : delayMs / 10, task),
};

/** A function that begins when it is called and ends when the test says so. */
function gatedTool(): {
  tool: FunctionTool;
  begun: Promise<void>;
  readonly open: () => void;
  runs: number;
  aborted: boolean;
} {
  let open = (): void => undefined;
  let begin = (): void => undefined;
  const wait = new Promise<void>((resolve) => (open = resolve));
  const gated = {
    open: () => open(),
    begun: new Promise<void>((resolve) => (begin = resolve)),
    runs: 0,
    aborted: false,
    tool: flowTool({
      name: 'work',
      description: 'Work.',
      parameters: z.object({}),
      execute: async (_input, { signal }) => {
        gated.runs += 1;
        signal.addEventListener('abort', () => (gated.aborted = !isDone));
        let isDone = false;
        begin();
        await wait;
        isDone = true;
        return 'worked';
      },
    }),
  };
  return gated;
}

/** A store that takes one step each time the test lets it, and logs the last signal of each. */
function gatedStore(log: string[]): { store: Store; openOne: () => void } {
  const memory = createMemoryStore({ clock: systemClock });
  const waiting: (() => void)[] = [];
  let opened = 0;
  const store: Store = {
    ...memory,
    commit: async (commit) => {
      if (opened > 0) opened -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      await memory.commit(commit);
      log.push(commit.signals.at(-1)?.signal.type ?? '');
    },
  };
  const openOne = (): void => {
    const next = waiting.shift();
    if (next === undefined) opened += 1;
    else next();
  };
  return { store, openOne };
}

/** Long enough for whatever would happen at once. */
const settledSoon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

async function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  return await Promise.race([promise.then(() => true), settledSoon().then(() => false)]);
}

describe.each([false, true])('by voice, with preemptive generation %s', (preemptive) => {
  const fourNodes: ConversationFlow = {
    initialNode: 'a',
    nodes: {
      a: { taskMessages: prompt('Node A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
      b: { taskMessages: prompt('Node B.'), functions: [{ name: 'to_c', transitionTo: 'c' }] },
      c: { taskMessages: prompt('Node C.'), functions: [{ name: 'to_d', transitionTo: 'd' }] },
      d: { taskMessages: prompt('Node D.'), functions: [{ name: 'to_a', transitionTo: 'a' }] },
    },
  };

  it('four transitions are a greeting and two requests each, every reply under the new node', async () => {
    const { caller, model, heard, path, hasHeard, quiet } = await voiceCall(
      fourNodes,
      ({ userText, tools }) => (userText === '' ? { text: `Now ${tools[0]}.` } : { calls: [{ name: tools[0] ?? '' }] }),
      { preemptive },
    );
    await hasHeard(1);
    for (const turn of [1, 2, 3, 4]) {
      await caller.says('go on');
      await hasHeard(turn + 1);
    }
    await quiet();
    expect(heard).toEqual(['Now to_b.', 'Now to_c.', 'Now to_d.', 'Now to_a.', 'Now to_b.']);
    expect(path).toEqual(['a -> b', 'b -> c', 'c -> d', 'd -> a']);
    expect(model.requests.map(({ node }) => node).join('')).toBe('aabbccdda');
    expect(model.requests.map(({ tools }) => tools.join()).join(' ')).toBe(
      'to_b to_b to_c to_c to_d to_d to_a to_a to_b',
    );
  });

  it('an interrupted reply is kept as far as it was heard, and the node that spoke it answers', async () => {
    const { caller, model, speaker, heard, path, hasHeard, quiet } = await voiceCall(
      fourNodes,
      {
        a: [{ when: 'go', calls: [{ name: 'to_b' }] }, { text: 'Hello.' }],
        b: [{ when: 'wait', text: 'Yes?' }, { text: 'This is node B with quite a long reply.' }],
      },
      { preemptive },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    speaker.hear(4);
    await until(() => speaker.words.length === 5, 'four words of the reply');
    await caller.says('wait');
    speaker.run();
    await hasHeard(3);
    await quiet();
    expect(heard).toEqual(['Hello.', 'This is node B', 'Yes?']);
    expect(path).toEqual(['a -> b']);
    expect(model.requests.at(-1)?.items).toEqual([
      'assistant: Hello.',
      'user: go',
      'call: to_b',
      'output: to_b ok',
      'assistant: This is node B',
      'user: wait',
    ]);
    expect(model.requests.map(({ node }) => node).join('')).toBe('aabb');
  });

  it('the very first words cut off the greeting, and are answered knowing what was heard of it', async () => {
    const { caller, model, speaker, heard, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { a: [{ when: 'wait', text: 'Yes?' }, { text: 'This is node A with quite a long greeting.' }] },
      { preemptive, hold: true },
    );
    speaker.hear(4);
    await until(() => speaker.words.length === 4, 'four words of the greeting');
    await caller.says('wait');
    speaker.run();
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['This is node A', 'Yes?']);
    expect(model.requests.map(({ items }) => items)).toEqual([[], ['assistant: This is node A', 'user: wait']]);
  });

  describe.each(['read', 'write'] as const)('an interruption of a %s', (effect) => {
    describe.each(['', 'Let me see to that for you now.'])('after the text "%s"', (text) => {
      const flow = (say: string | undefined): ConversationFlow => ({
        initialNode: 'book',
        nodes: {
          book: {
            say: 'Shall I?',
            taskMessages: prompt('Work.'),
            functions: [{ name: 'work', effect, transitionTo: 'after' }],
          },
          after: {
            ...(say === undefined ? {} : { say }),
            taskMessages: prompt('After.'),
            functions: [{ name: 'again', transitionTo: 'book' }],
          },
        },
      });
      const start = async (say?: string) => {
        const work = gatedTool();
        const call = await voiceCall(
          flow(say),
          { '*': [{ when: 'go', text, calls: [{ name: 'work' }] }, { text: 'Here I am.' }] },
          { preemptive, tools: [work.tool], clock: impatientClock },
        );
        await call.hasHeard(1);
        call.speaker.hold();
        await call.caller.says('go');
        await work.begun;
        call.speaker.hear(3);
        if (text !== '') await until(() => call.speaker.words.length === 5, 'three words of the text');
        return { ...call, work };
      };

      it('in the middle of it', async () => {
        const { caller, speaker, work, model, runner, heard, hasHeard, quiet } = await start();
        const turn = caller.says('how long does it take');
        // Well after the turn was complete.
        if (effect === 'write') setTimeout(work.open, 150);
        await turn;
        work.open();
        speaker.run();
        const lines = text === '' ? 2 : 3;
        await hasHeard(lines);
        await quiet();
        expect(heard).toEqual(text === '' ? ['Shall I?', 'Here I am.'] : ['Shall I?', 'Let me see', 'Here I am.']);
        const last = model.requests.at(-1);
        expect(last?.userText).toBe('how long does it take');
        expect(work.runs).toBe(1);
        expect(model.requests).toHaveLength(2);
        if (effect === 'read') {
          expect(work.aborted).toBe(true);
          expect(runner.currentNode).toBe('book');
          expect(last?.items).toContain('output: work The caller said something else.');
        } else {
          expect(work.aborted).toBe(false);
          expect(runner.currentNode).toBe('after');
          expect(last?.items).toContain('output: work worked');
        }
      });

      it('without words', async () => {
        const { session, speaker, work, runner, heard, hasHeard, quiet } = await start('It is done.');
        const interrupted = session.interrupt().await;
        await new Promise((resolve) => setTimeout(resolve, 30));
        work.open();
        await interrupted;
        speaker.run();
        await hasHeard(text === '' ? 2 : 3);
        await quiet();
        expect(heard).toEqual(['Shall I?', ...(text === '' ? [] : ['Let me see']), 'It is done.']);
        expect(work.runs).toBe(1);
        expect(runner.currentNode).toBe('after');
      });
    });
  });

  it('a turn that completes before the new node was heard is answered by the new node', async () => {
    const { caller, model, speaker, heard, path, hasHeard, quiet } = await voiceCall(
      fourNodes,
      {
        a: [{ when: 'go', calls: [{ name: 'to_b' }] }, { text: 'Hello.' }],
        b: [{ when: 'and', text: 'B answers.' }, { text: 'This is node B.' }],
      },
      { preemptive },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    await until(() => model.requests.length === 3, 'the reply of the new node');
    await caller.says('and what about it');
    speaker.run();
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['Hello.', 'B answers.']);
    expect(path).toEqual(['a -> b']);
    expect(model.requests.map(({ node }) => node).join('')).toBe('aabb');
  });

  it('the line of a node that was not heard yet is not lost', async () => {
    const { caller, speaker, model, heard, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'a',
        nodes: {
          a: { say: 'Hello.', taskMessages: prompt('A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
          b: {
            say: 'This call is recorded.',
            taskMessages: prompt('B.'),
            functions: [{ name: 'x', transitionTo: 'a' }],
          },
        },
      },
      { a: [{ when: 'go', text: 'Very well, let us begin then.', calls: [{ name: 'to_b' }] }], b: [{ text: 'Yes.' }] },
      { preemptive },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    speaker.hear(3);
    await until(() => speaker.words.length === 4, 'three words');
    await caller.says('hold on');
    speaker.run();
    await until(() => heard.join(' ').includes('Yes.'), 'the answer');
    await quiet();
    expect(heard.join(' ')).toContain('This call is recorded.');
    expect(model.requests.length).toBe(2);
  });

  const booking: ConversationFlow = {
    initialNode: 'book',
    nodes: {
      book: {
        say: 'Hello.',
        taskMessages: prompt('Book.'),
        functions: [{ name: 'work', effect: 'write', confirm: 'Shall I really do it?', transitionTo: 'after' }],
      },
      after: { say: 'Done.', taskMessages: prompt('After.'), functions: [{ name: 'x', transitionTo: 'book' }] },
    },
  };

  it.each([
    [0, false],
    [2, true],
    [99, true],
  ])('a question of which %s words were heard takes a yes: %s', async (words, isTaken) => {
    const work = gatedTool();
    work.open();
    const { caller, speaker, model, runner, heard, hasHeard, quiet } = await voiceCall(
      booking,
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'Pardon?' }] },
      { preemptive, tools: [work.tool] },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    await until(
      () => runner.hub !== undefined && Object.values(runner.state.effects).some(({ kind }) => kind === 'wait'),
      'the question',
    );
    speaker.hear(words);
    await until(() => speaker.words.length === 1 + Math.min(words, 5), 'the question to be heard');
    if (words === 99) await hasHeard(2);
    await caller.says('yes');
    speaker.run();
    const answer = isTaken ? 'Done.' : 'Pardon?';
    await until(() => heard.at(-1) === answer, `"${answer}"`);
    await quiet();
    expect(work.runs).toBe(isTaken ? 1 : 0);
    expect(runner.currentNode).toBe(isTaken ? 'after' : 'book');
    expect(model.requests.map(({ userText }) => userText)).toEqual(isTaken ? ['go'] : ['go', 'yes']);
  });

  it('a question that follows a text is not asked into a yes to something else', async () => {
    const work = gatedTool();
    work.open();
    const { caller, speaker, runner, heard, hasHeard, quiet } = await voiceCall(
      booking,
      { '*': [{ when: 'go', text: 'Let me have a look at that.', calls: [{ name: 'work' }] }, { text: 'Pardon?' }] },
      { preemptive, tools: [work.tool] },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    speaker.hear(3);
    await until(() => speaker.words.length === 4, 'three words');
    await caller.says('yes');
    speaker.run();
    await until(() => heard.at(-1) === 'Pardon?', 'the answer');
    await quiet();
    expect(work.runs).toBe(0);
    expect(runner.currentNode).toBe('book');
    expect(heard).toEqual(['Hello.', 'Let me have', 'Pardon?']);
  });

  it('a read-back is confirmed by a yes in the middle of it, and nothing is asked of the model meanwhile', async () => {
    const { caller, speaker, model, runner, heard, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'ask',
        slots: { name: { type: 'name', ask: 'What is your name?', confirm: 'readback' } },
        nodes: { ask: { collect: ['name'], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'done' } },
      },
      { ask: [{ when: 'Maria', calls: [{ name: 'record', arguments: { name: 'Maria Delgado' } }] }, { text: '?' }] },
      { preemptive, onEnd: 'keep' },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('Maria Delgado');
    speaker.hear(2);
    await until(() => speaker.words.length === 6, 'two words of the read-back');
    await caller.says('yes');
    speaker.run();
    expect(await runner.ended).toBe('done');
    await quiet();
    expect(heard).toEqual(['What is your name?', 'Maria Delgado,', 'Thank you.']);
    expect(model.requests).toHaveLength(1);
  });

  it('an interruption without words lets the flow go on by itself', async () => {
    const { session, speaker, model, heard, hasHeard, runner } = await voiceCall(
      {
        initialNode: 'a',
        slots: { name: { type: 'text', ask: 'What is your name?' } },
        nodes: {
          a: { say: 'Welcome to this long greeting of ours.', collect: ['name'], defaultTransition: 'b' },
          b: { say: 'Bye.', end: 'x' },
        },
      },
      {},
      { preemptive, hold: true, clock: impatientClock },
    );
    speaker.hear(2);
    await until(() => speaker.words.length === 2, 'two words');
    await session.interrupt().await;
    speaker.run();
    await hasHeard(2);
    expect(heard).toEqual(['Welcome to', 'What is your name?']);
    expect(runner.currentNode).toBe('a');
    expect(model.requests).toHaveLength(0);
  });

  it('a false interruption resumes the line and leaves the flow as it was', async () => {
    const { caller, speaker, model, heard, events, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { '*': [{ text: 'This is node A with a long greeting.' }] },
      { preemptive, hold: true },
    );
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    await caller.begins();
    await until(() => speaker.isPaused, 'the pause');
    const before = events.length;
    await caller.stops();
    speaker.run();
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual(['This is node A with a long greeting.']);
    expect(events.slice(before).map(({ type }) => type)).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it('words that are no answer to an open question go to the model once, when they are complete', async () => {
    const work = gatedTool();
    const { caller, model, runner, heard, hasHeard, quiet } = await voiceCall(
      booking,
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'At nine.' }] },
      { preemptive, tools: [work.tool] },
    );
    await hasHeard(1);
    await caller.says('go');
    await hasHeard(2);
    await caller.begins();
    await caller.isUnderstood('when would that be');
    await settledSoon();
    expect(model.requests).toHaveLength(1);
    expect(runner.state.turn).toBe(2);
    await caller.stops();
    await hasHeard(3);
    await quiet();
    expect(heard).toEqual(['Hello.', 'Shall I really do it?', 'At nine.']);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.items).toContain('output: work Not done: the caller has not agreed.');
    expect(work.runs).toBe(0);
  });

  it('a node that the caller leaves by speaking is not asked about, before or after', async () => {
    const { caller, model, path, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'a',
        nodes: {
          a: { say: 'How are you?', defaultTransition: 'b' },
          b: { taskMessages: prompt('B.'), functions: [{ name: 'x', transitionTo: 'a' }] },
        },
      },
      { '*': [{ text: 'Good.' }] },
      { preemptive },
    );
    await hasHeard(1);
    await caller.begins();
    await caller.isUnderstood('fine');
    await settledSoon();
    expect(model.requests).toHaveLength(0);
    expect(path).toEqual([]);
    await caller.stops();
    await hasHeard(2);
    await quiet();
    expect(model.requests.map(({ node, userText }) => [node, userText])).toEqual([['b', 'fine']]);
  });

  it('a turn in two parts is one turn, answered as a whole', async () => {
    const { caller, model, heard, events, hasHeard, quiet } = await voiceCall(
      fourNodes,
      {
        a: [
          { when: 'book a table', calls: [{ name: 'to_b' }] },
          { when: 'book', text: 'Book what?' },
          { text: 'Hello.' },
        ],
        b: [{ text: 'A table.' }],
      },
      { preemptive },
    );
    await hasHeard(1);
    await caller.begins();
    await caller.isUnderstood('book');
    await settledSoon();
    expect(model.requests).toHaveLength(preemptive ? 2 : 1);
    await caller.isUnderstood('a table');
    await caller.stops();
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['Hello.', 'A table.']);
    expect(events.filter(({ type }) => type === 'turn:started')).toHaveLength(1);
    expect(model.requests.map(({ userText }) => userText)).toEqual([
      '',
      ...(preemptive ? ['book'] : []),
      'book a table',
      '',
    ]);
  });

  it('a noise while nobody speaks changes nothing', async () => {
    const { caller, model, heard, events, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { '*': [{ text: 'Hello.' }] },
      { preemptive },
    );
    await hasHeard(1);
    const before = events.length;
    await caller.begins();
    await caller.stops();
    await quiet();
    expect(events).toHaveLength(before);
    expect(model.requests).toHaveLength(1);
    expect(heard).toEqual(['Hello.']);
  });

  it('a turn that completes while the model thinks is answered with it, once', async () => {
    const { caller, model, heard, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { a: [{ when: 'first', text: 'First.', delayMs: 400 }, { when: 'second', text: 'Second.' }, { text: 'Hello.' }] },
      { preemptive },
    );
    await hasHeard(1);
    await caller.says('first');
    await until(() => model.requests.length === 2, 'the model to be asked');
    await caller.says('second');
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['Hello.', 'Second.']);
    expect(model.requests.at(-1)?.items).toEqual(['assistant: Hello.', 'user: first', 'user: second']);
    expect(model.requests).toHaveLength(3);
  });

  it('an interruption without words while the model thinks does not lose the reply', async () => {
    const { session, caller, model, heard, runner, hasHeard, quiet } = await voiceCall(
      fourNodes,
      {
        a: [
          { when: 'first', text: 'First.', delayMs: 200, times: 1 },
          { when: 'first', text: 'First.' },
          { text: 'Hello.' },
        ],
      },
      { preemptive, clock: impatientClock },
    );
    await hasHeard(1);
    await caller.says('first');
    await until(() => model.requests.length === 2, 'the model to be asked');
    await settledSoon();
    await session.interrupt().await;
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['Hello.', 'First.']);
    expect(runner.currentNode).toBe('a');
  });

  it('a noise that a loudspeaker cannot pause for costs no line that was not heard', async () => {
    const { caller, speaker, heard, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'a',
        slots: { name: { type: 'text', ask: 'What is your name?' } },
        nodes: { a: { say: 'Welcome.', collect: ['name'], defaultTransition: 'b' }, b: { say: 'Bye.', end: 'x' } },
      },
      {},
      { preemptive, hold: true, canPause: false, clock: impatientClock },
    );
    await until(() => speaker.isLoaded, 'the line');
    await caller.begins();
    await caller.stops();
    speaker.run();
    await hasHeard(1);
    await quiet();
    expect(heard.join(' ')).toBe('Welcome. What is your name?');
  });

  it('a write that runs after a yes is waited for by the next turn, which the new node answers once', async () => {
    const work = gatedTool();
    const { caller, model, runner, heard, hasHeard, quiet } = await voiceCall(
      booking,
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'Not long.' }] },
      { preemptive, tools: [work.tool] },
    );
    await hasHeard(1);
    await caller.says('go');
    await hasHeard(2);
    await caller.says('yes');
    await work.begun;
    const turn = caller.says('how long does it take');
    setTimeout(work.open, 150);
    await turn;
    await hasHeard(3);
    await quiet();
    expect(work.runs).toBe(1);
    expect(runner.currentNode).toBe('after');
    expect(heard.join(' ')).toBe('Hello. Shall I really do it? Done. Not long.');
    expect(model.requests.map(({ node }) => node)).toEqual(['book', 'after']);
    expect(model.requests.at(-1)?.items).toContain('output: work worked');
  });

  describe.each([
    ['hanging up', false],
    ['hanging up', true],
    ['stopping', false],
    ['stopping', true],
  ])('%s in the middle of a write, confirmed by a yes: %s', (how, confirmed) => {
    it('keeps it once, and nothing hangs', async () => {
      const work = gatedTool();
      const store = createMemoryStore({ clock: systemClock });
      const flow: ConversationFlow = confirmed
        ? booking
        : {
            ...booking,
            nodes: {
              ...booking.nodes,
              book: {
                say: 'Hello.',
                taskMessages: prompt('Book.'),
                functions: [{ name: 'work', effect: 'write', transitionTo: 'after' }],
              },
            },
          }; // The nodes are a map in both.
      const { session, caller, runner, hasHeard } = await voiceCall(
        flow,
        { '*': [{ when: 'go', calls: [{ name: 'work' }] }] },
        { preemptive, tools: [work.tool], store },
      );
      await hasHeard(1);
      await caller.says('go');
      if (confirmed) {
        await hasHeard(2);
        await caller.says('yes');
      }
      await work.begun;
      const over = how === 'stopping' ? runner.stop() : session.close();
      expect(await settlesSoon(runner.ended)).toBe(false);
      // LiveKit waits for a tool of its own before it closes; of a call after a yes it knows nothing.
      if (how === 'hanging up' && confirmed) await over;
      work.open();
      await over;
      expect(await runner.ended).toBe(how === 'stopping' ? 'stopped' : 'session-closed');
      const log = await store.readLog(runner.sessionId);
      const calls = log.flatMap(({ signal }) => (signal.type === 'batch:settled' ? signal.calls : []));
      expect(calls.filter(({ state }) => state === 'done').map(({ name }) => name)).toEqual(['work']);
      expect(work.runs).toBe(1);
      expect(work.aborted).toBe(false);
      const effects = await store.loadEffects(runner.sessionId);
      expect(effects.filter(({ kind }) => kind === 'tool').map(({ state }) => state)).toEqual(['done']);
      expect(await store.acquireLease(runner.sessionId, 'another', 1_000)).not.toBeNull();
    });
  });

  it('the last words are heard before the session closes', async () => {
    const { session, caller, speaker, heard, runner, hasHeard } = await voiceCall(
      {
        initialNode: 'a',
        nodes: {
          a: { say: 'Hello.', taskMessages: prompt('A.'), functions: [{ name: 'go', transitionTo: 'b' }] },
          b: { say: 'Goodbye and thank you.', end: 'done' },
        },
      },
      { a: [{ when: 'go', calls: [{ name: 'go' }] }] },
      { preemptive },
    );
    let isClosed = false;
    session.on(voice.AgentSessionEventTypes.Close, () => (isClosed = true));
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    speaker.hear(3);
    await until(() => speaker.words.length === 4, 'three of the last words');
    await settledSoon();
    expect(isClosed).toBe(false);
    speaker.hear(1);
    expect(await runner.ended).toBe('done');
    await until(() => isClosed, 'the session to close');
    expect(heard).toEqual(['Hello.', 'Goodbye and thank you.']);
  });

  it('a question that nobody heard is asked once by a recap', async () => {
    const work = gatedTool();
    const { caller, speaker, runner, heard, quiet } = await voiceCall(
      booking,
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }] },
      { preemptive, tools: [work.tool] },
    );
    await until(() => heard.length === 1, 'the greeting');
    speaker.hold();
    await caller.says('go');
    await until(() => speaker.isLoaded, 'the question');
    const recapped = runner.recap();
    await until(() => !speaker.isLoaded, 'the question to be cut off');
    speaker.run();
    await recapped;
    await quiet();
    expect(heard.join(' ')).toBe('Hello. Sorry, I was gone for a moment. Shall I really do it?');
  });

  it.each<[string, () => Error, string, readonly string[]]>([
    [
      'fails, the caller is told, and the conversation ends',
      () => new Error('The disk is full.'),
      'store-failed',
      ['I am sorry, something went wrong here. I have to end this conversation.'],
    ],
    [
      'belongs to another process, nothing more is said, and the conversation ends',
      () => new FlowError('lease-lost', 'It is not ours any more.'),
      'lease-lost',
      [],
    ],
  ])('where the store %s', async (_what, failure, reason, lines) => {
    const memory = createMemoryStore({ clock: systemClock });
    let fails = false;
    const store: Store = {
      ...memory,
      commit: async (commit) => {
        if (fails) throw failure();
        await memory.commit(commit);
      },
    };
    const { caller, session, speaker, heard, runner, events, hasHeard } = await voiceCall(
      fourNodes,
      { '*': [{ text: 'Hello.' }] },
      { preemptive, store },
    );
    await hasHeard(1);
    fails = true;
    let isClosed = false;
    session.on(voice.AgentSessionEventTypes.Close, () => (isClosed = true));
    await caller.says('one');
    expect(await runner.ended).toBe(reason);
    await until(() => isClosed, 'the session to close');
    expect(heard).toEqual(['Hello.', ...lines]);
    expect(speaker.words.join(' ')).toBe(['Hello.', ...lines].join(' '));
    expect(runner.state.status).toBe('ended');
    const told = events.flatMap(({ type, data }) =>
      type === 'response:failed' || type === 'flow:ended' ? [data] : [],
    );
    expect(told).toEqual([expect.objectContaining({ reason }), { reason }]);
  });

  it('what is typed into a call cuts off the speech and is answered once', async () => {
    const { runner, model, speaker, heard, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { a: [{ when: 'wait', text: 'Yes?' }, { text: 'This is node A with a long greeting.' }] },
      { preemptive, hold: true },
    );
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    const answered = runner.send('wait');
    await until(() => model.requests.length === 2, 'the model to be asked');
    speaker.run();
    await answered;
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['This is node', 'Yes?']);
    expect(model.requests).toHaveLength(2);
  });

  it('nothing is heard, and nothing written, before the step that intends it is durable', async () => {
    const log: string[] = [];
    const { store, openOne } = gatedStore(log);
    const work = gatedTool();
    work.open();
    void work.begun.then(() => log.push('work'));
    const { caller, speaker, hasHeard } = await voiceCall(
      {
        initialNode: 'a',
        nodes: {
          a: {
            say: 'Hello.',
            taskMessages: prompt('A.'),
            functions: [{ name: 'work', effect: 'write', transitionTo: 'b' }],
          },
          b: { taskMessages: prompt('B.'), functions: [{ name: 'x', transitionTo: 'a' }] },
        },
      },
      { a: [{ when: 'go', calls: [{ name: 'work' }] }], b: [{ text: 'Done.' }] },
      { preemptive, store, tools: [work.tool] },
    );
    speaker.onFrame = (word) => void log.push(word.trim());
    const stepBy = async (expected: readonly string[]): Promise<void> => {
      await settledSoon();
      expect(log).toEqual(expected.slice(0, -2));
      openOne();
      await until(() => log.length === expected.length, `${expected.join(' | ')}; it was ${log.join(' | ')}`);
      expect(log).toEqual(expected);
    };
    const greeted = ['session:started', 'Hello.'];
    await stepBy(greeted);
    await hasHeard(1);
    await caller.says('go');
    await settledSoon();
    expect(log).toEqual(greeted);
    openOne();
    await until(() => log.length === 3, 'the turn to be durable');
    await stepBy([...greeted, 'user:turn', 'tool:called', 'work']);
    await stepBy([...greeted, 'user:turn', 'tool:called', 'work', 'batch:settled', 'Done.']);
    openOne();
    openOne();
  });
});
