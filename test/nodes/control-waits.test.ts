import { describe, expect, test } from 'vitest';
import type { Question } from '../../src/flow/graph/nodes/node-type.ts';
import { issuesOf } from './evaluate.ts';
import { runNode, startNode } from './run-node.ts';

describe('control.wait', () => {
  test('waits for its time', async () => {
    const run = startNode('control.wait', { ms: 500 });
    await run.clock.advance(499);
    expect(run.ended()).toBeNull();
    await run.clock.advance(1);
    expect(run.ended()).toEqual({ waitedMs: 500 });
  });

  test('waits for an event of a type, and then listens no more', async () => {
    const run = startNode('control.wait', { until: 'session:message' });
    await run.clock.advance(70);
    run.hub.emit('task:start', { taskId: 'other' });
    expect(await run.settled()).toBeNull();
    run.hub.emit('session:message', { content: 'go' });
    expect(await run.settled()).toEqual({ waitedMs: 70 });
    expect(run.clock.pending).toBe(0);
  });

  test('with both ends at whichever comes first', async () => {
    const late = startNode('control.wait', { ms: 100, until: 'agent:*' });
    await late.clock.advance(100);
    expect(late.ended()).toEqual({ waitedMs: 100 });
    const early = startNode('control.wait', { ms: 100, until: 'agent:*' });
    early.hub.emit('agent:text', { delta: '' });
    expect(await early.settled()).toEqual({ waitedMs: 0 });
    expect(early.clock.pending).toBe(0);
  });

  test('that is aborted leaves no timer and no listener behind', async () => {
    const run = startNode('control.wait', { ms: 100, until: 'session:message' });
    run.abort();
    expect(await run.settled()).toContain('aborted: ');
    expect(run.clock.pending).toBe(0);
  });

  test('needs something to wait for', () => {
    expect(issuesOf('control.wait', {})).toEqual([['', 'Give ms, until or both.']]);
    expect(issuesOf('control.wait', { ms: -1 })).toHaveLength(1);
    expect(issuesOf('control.wait', { until: 'message' })).toEqual([
      ['until', expect.stringContaining('session:message')],
    ]);
  });
});

describe('control.gate', () => {
  const choices = ['Approve', 'Send back'];

  /** A person who gives these answers and records the questions. */
  function person(...answers: readonly string[]) {
    const asked: Question[] = [];
    return {
      asked,
      ask: async (question: Question): Promise<string> => Promise.resolve(answers[asked.push(question) - 1] ?? ''),
    };
  }

  test('asks a person, and gives what they said', async () => {
    const { asked, ask } = person('By Friday.');
    expect(await runNode('control.gate', { prompt: 'When?' }, { ask })).toEqual({
      response: { content: 'By Friday.' },
    });
    expect(asked).toEqual([{ prompt: 'When?', choices: [], takesText: true }]);
  });

  test.each([
    ['approve', 'Approve'],
    [' SEND BACK. ', 'Send back'],
    ['2', 'Send back'],
  ])('takes %j for a choice', async (answer, choice) => {
    const { asked, ask } = person(answer);
    expect(await runNode('control.gate', { prompt: 'Well?', choices }, { ask })).toEqual({
      response: { content: answer, choice },
    });
    expect(asked).toEqual([{ prompt: 'Well?', choices, takesText: false }]);
  });

  test('never takes a part of what was said for a choice, but asks again, three times at most', async () => {
    const again = person('I do not approve', '0', 'approve');
    expect(await runNode('control.gate', { prompt: 'Well?', choices }, again)).toMatchObject({
      response: { choice: 'Approve' },
    });
    const never = person('hm', '3', 'what?');
    expect(await runNode('control.gate', { prompt: 'Well?', choices }, never)).toContain('unanswered: ');
    expect(never.asked).toHaveLength(3);
  });

  test('with allow_text takes other words as they are', async () => {
    const { ask } = person('Ask Kim first');
    expect(await runNode('control.gate', { prompt: 'Well?', choices, allow_text: true }, { ask })).toEqual({
      response: { content: 'Ask Kim first' },
    });
  });

  test('takes no choice of a channel that is none of them, and tells one that gives no text', async () => {
    const answering = (given: unknown) => ({ ask: () => Promise.resolve(given as string) }); // A channel of foreign code.
    const wrong = answering({ content: '2', choice: 'Burn it' });
    expect(await runNode('control.gate', { prompt: 'Well?', choices }, wrong)).toEqual({
      response: { content: '2', choice: 'Send back' },
    });
    for (const given of [undefined, null, 5, { choice: 'Approve' }])
      expect(await runNode('control.gate', { prompt: 'Well?', choices }, answering(given))).toContain('no-answer: ');
  });

  test('without a channel fails by a code', async () => {
    expect(await runNode('control.gate', { prompt: 'Well?' })).toContain('no-channel: ');
  });

  test('refuses choices that read alike, and a question that nothing answers', () => {
    expect(issuesOf('control.gate', { prompt: 'Well?', choices: ['Yes', 'yes.'] })).toEqual([
      ['choices', 'Two choices read alike.'],
    ]);
    expect(issuesOf('control.gate', { prompt: 'Well?', allowText: false })).toEqual([
      ['allowText', expect.stringContaining('Give choices')],
    ]);
  });
});
