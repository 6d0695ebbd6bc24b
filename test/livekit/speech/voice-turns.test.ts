import { describe, expect, it } from 'vitest';
import { fourNodes, prompt } from '../flows.ts';
import { until } from '../until.ts';
import { impatientClock, preemptiveModes, settledSoon, voiceCall } from './voice-rig.ts';

describe.each(preemptiveModes)('by voice, with preemptive generation %s', (preemptive) => {
  it('a node that the caller leaves by speaking leads to no request, before or after', async () => {
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
    const asked = preemptive ? 2 : 1;
    await until(() => model.requests.length === asked, 'the model to be asked');
    await settledSoon();
    expect(model.requests).toHaveLength(asked);
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

  it('a turn that completes while the model thinks is answered once, with the earlier one', async () => {
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
});
