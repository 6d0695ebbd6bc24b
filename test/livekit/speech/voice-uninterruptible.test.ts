import { describe, expect, it } from 'vitest';
import { gatedTool } from '../gated.ts';
import { fourNodes, prompt } from '../flows.ts';
import { until } from '../until.ts';
import { preemptiveModes, settledSoon, settlesSoon, voiceCall } from './voice-rig.ts';

describe.each(preemptiveModes)('uninterruptible speech, with preemptive generation %s', (preemptive) => {
  const greeting = 'This call is recorded for training.';
  const script = { a: [{ when: 'go', calls: [{ name: 'to_b' }] }, { text: greeting }], b: [{ text: 'Node B.' }] };

  it('is heard whole, even if the caller speaks during it, and their next words are answered', async () => {
    const { caller, speaker, model, heard, path, hasHeard, quiet } = await voiceCall(fourNodes, script, {
      preemptive,
      hold: true,
      interruptible: false,
    });
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    await caller.begins();
    await caller.isUnderstood('go');
    await caller.stops();
    await settledSoon();
    speaker.run();
    await hasHeard(1);
    await quiet();
    expect(heard).toEqual([greeting]);
    // LiveKit drops words that may not interrupt.
    expect(path).toEqual([]);
    expect(model.requests).toHaveLength(1);
    await caller.says('go');
    await hasHeard(2);
    await quiet();
    expect(heard).toEqual([greeting, 'Node B.']);
    expect(path).toEqual(['a -> b']);
  });

  it.each([
    ['words that are typed', (runner) => runner.send('go')],
    ['a move by code', (runner) => runner.enter('b')],
    ['a recap', (runner) => runner.recap()],
    ['another version of the flow', (runner) => runner.swapFlow({ ...fourNodes, name: 'later' }, { node: 'b' })],
  ] satisfies [string, (runner: Awaited<ReturnType<typeof voiceCall>>['runner']) => Promise<unknown>][])(
    'is heard whole before %s',
    async (_what, act) => {
      const { runner, speaker, heard, hasHeard, quiet } = await voiceCall(fourNodes, script, {
        preemptive,
        hold: true,
        interruptible: false,
      });
      speaker.hear(3);
      await until(() => speaker.words.length === 3, 'three words');
      const acted = act(runner);
      expect(await settlesSoon(acted)).toBe(false);
      speaker.run();
      await acted;
      await hasHeard(2);
      await quiet();
      expect(heard[0]).toBe(greeting);
      expect(heard).toHaveLength(2);
    },
  );

  it('of the author’s code is heard whole, and the flow continues after it', async () => {
    const { session, runner, caller, speaker, heard, hasHeard, quiet } = await voiceCall(fourNodes, script, {
      preemptive,
    });
    await hasHeard(1);
    speaker.hold();
    const said = session.say('One legal notice of ours.', { allowInterruptions: false });
    speaker.hear(2);
    await until(() => speaker.words.length === 8, 'two words of the notice');
    await caller.begins();
    await caller.isUnderstood('wait');
    await caller.stops();
    const typed = runner.send('go');
    expect(await settlesSoon(typed)).toBe(false);
    speaker.run();
    await said.waitForPlayout();
    expect(await typed).toBe('taken');
    await hasHeard(3);
    await quiet();
    expect(heard).toEqual([greeting, 'One legal notice of ours.', 'Node B.']);
  });

  it('does not delay a write: its move is taken, and the new node speaks once', async () => {
    const work = gatedTool();
    const { runner, caller, speaker, model, heard, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'book',
        nodes: {
          book: {
            say: 'Hello.',
            taskMessages: prompt('Book.'),
            functions: [{ name: 'work', effect: 'write', transitionTo: 'after' }],
          },
          after: {
            say: 'Done.',
            taskMessages: prompt('After.'),
            functions: [{ name: 'again', transitionTo: 'book' }],
          },
        },
      },
      { '*': [{ when: 'go', text: 'Let me do that.', calls: [{ name: 'work' }] }] },
      { preemptive, interruptible: false, tools: [work.tool] },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('go');
    await work.begun;
    speaker.hear(2);
    await until(() => speaker.words.length === 3, 'two words');
    await caller.begins();
    await caller.isUnderstood('how long does it take');
    await caller.stops();
    await settledSoon();
    work.open();
    speaker.run();
    await hasHeard(3);
    await quiet();
    expect(heard).toEqual(['Hello.', 'Let me do that.', 'Done.']);
    expect(runner.currentNode).toBe('after');
    expect(work.runs).toBe(1);
    expect(model.requests.map(({ node }) => node)).toEqual(['book']);
  });
});
