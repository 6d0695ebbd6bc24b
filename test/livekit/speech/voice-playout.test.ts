import { describe, expect, it } from 'vitest';
import { fourNodes, prompt } from '../flows.ts';
import { until } from '../until.ts';
import { impatientClock, preemptiveModes, voiceCall } from './voice-rig.ts';

describe.each(preemptiveModes)('by voice, with preemptive generation %s', (preemptive) => {
  it('four transitions take a greeting and two requests each, with every reply in the new node', async () => {
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

  it('an interrupted reply is kept as far as it was heard, and its node answers', async () => {
    const { caller, model, speaker, heard, path, hasHeard, quiet } = await voiceCall(
      fourNodes,
      {
        a: [{ when: 'go', calls: [{ name: 'to_b' }] }, { text: 'Hello.' }],
        b: [{ when: 'listen', text: 'Yes?' }, { text: 'This is node B with quite a long reply.' }],
      },
      { preemptive },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    speaker.hear(4);
    await until(() => speaker.words.length === 5, 'four words of the reply');
    await caller.says('listen');
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
      'user: listen',
    ]);
    expect(model.requests.map(({ node }) => node).join('')).toBe('aabb');
  });

  it('the last words of a conversation are heard to their end, even if the caller interrupts', async () => {
    const { caller, speaker, heard, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'a',
        nodes: {
          a: { taskMessages: prompt('A.'), functions: [{ name: 'to_b', transitionTo: 'b' }] },
          b: { say: 'You are booked for Tuesday at eleven. Goodbye.', end: 'booked' },
        },
      },
      { a: [{ when: 'go', calls: [{ name: 'to_b' }] }, { text: 'Hello.' }] },
      { preemptive },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    speaker.hear(4);
    await until(() => speaker.words.length === 5, 'four words of the last line');
    await caller.begins();
    await caller.isUnderstood('thank you');
    await caller.stops();
    speaker.run();
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['Hello.', 'You are booked for Tuesday at eleven. Goodbye.']);
  });

  it('the first words interrupt the greeting, and their answer knows its heard part', async () => {
    const { caller, model, speaker, heard, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { a: [{ when: 'listen', text: 'Yes?' }, { text: 'This is node A with quite a long greeting.' }] },
      { preemptive, hold: true },
    );
    speaker.hear(4);
    await until(() => speaker.words.length === 4, 'four words of the greeting');
    await caller.says('listen');
    speaker.run();
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['This is node A', 'Yes?']);
    expect(model.requests.map(({ items }) => items)).toEqual([[], ['assistant: This is node A', 'user: listen']]);
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
    await caller.says('listen');
    speaker.run();
    await until(() => heard.join(' ').includes('Yes.'), 'the answer');
    await quiet();
    expect(heard.join(' ')).toContain('This call is recorded.');
    expect(model.requests.length).toBe(2);
  });

  it('an interruption without words lets the flow continue by itself', async () => {
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

  it('a false interruption resumes the line and does not change the flow', async () => {
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
    // The end of its turn is reported when it was heard.
    const moved = events.slice(before).filter(({ type }) => !/^(response:|turn:completed)/.test(type));
    expect(moved).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it('a noise during silence changes nothing', async () => {
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

  it('a noise without pausing support does not lose an unheard line', async () => {
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

  it('typed words during a call interrupt the speech and are answered once', async () => {
    const { runner, model, speaker, heard, hasHeard, quiet } = await voiceCall(
      fourNodes,
      { a: [{ when: 'listen', text: 'Yes?' }, { text: 'This is node A with a long greeting.' }] },
      { preemptive, hold: true },
    );
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    const answered = runner.send('listen');
    await until(() => model.requests.length === 2, 'the model to be asked');
    speaker.run();
    await answered;
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual(['This is node', 'Yes?']);
    expect(model.requests).toHaveLength(2);
  });
});

it('a waiting line is heard to its end while there is nothing else to say', async () => {
  const { caller, speaker, hasHeard } = await voiceCall(
    {
      initialNode: 'a',
      filler: 'One moment, please.',
      replyTimeoutMs: 100_000,
      nodes: { a: { say: 'Hello.', taskMessages: prompt('A.') } },
    },
    { a: [{ text: 'There it is.', delayMs: 90_000 }] },
    { preemptive: false },
  );
  await hasHeard(1);
  await caller.says('where is it');
  await until(() => speaker.words.at(-1) === 'please.', 'the last word of the line');
});
