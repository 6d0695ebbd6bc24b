import { describe, expect, it } from 'vitest';
import { gatedTool } from '../gated.ts';
import { booking } from '../flows.ts';
import { until } from '../until.ts';
import { preemptiveModes, settledSoon, voiceCall } from './voice-rig.ts';

describe.each(preemptiveModes)('by voice, with preemptive generation %s', (preemptive) => {
  it.each([
    [0, 'Pardon?'],
    [2, 'So: Shall I really do it?'],
    [99, 'Done.'],
  ])('a question of which %s words were heard, and a yes, is followed by %s', async (words, answer) => {
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
    await until(() => heard.at(-1) === answer, `"${answer}"`);
    await quiet();
    expect(work.runs).toBe(answer === 'Done.' ? 1 : 0);
    expect(runner.currentNode).toBe(answer === 'Done.' ? 'after' : 'book');
    expect(model.requests.map(({ userText }) => userText)).toEqual(words === 0 ? ['go', 'yes'] : ['go']);
  });

  it('a question after a text is not asked during a yes to another question', async () => {
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

  it('a yes in the middle of a read-back does not count: the read-back is repeated in full, without the model', async () => {
    const { caller, speaker, model, runner, heard, hasHeard, quiet } = await voiceCall(
      {
        initialNode: 'ask',
        slots: { name: { type: 'name', ask: 'What is your name?', confirm: 'readback' } },
        nodes: { ask: { collect: ['name'], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'done' } },
      },
      { ask: [{ text: '?' }] },
      { preemptive, onEnd: 'keep' },
    );
    await hasHeard(1);
    speaker.hold();
    await caller.says('Maria Delgado');
    speaker.hear(2);
    await until(() => speaker.words.length === 6, 'two words of the read-back');
    await caller.says('yes');
    speaker.run();
    await hasHeard(3);
    expect(runner.state.knowledge.slots['name']).toMatchObject({ confirmed: false });
    await caller.says('yes');
    expect(await runner.ended).toBe('done');
    await quiet();
    expect(heard).toEqual(['What is your name?', 'Maria Delgado,', 'So: Maria Delgado, is that right?', 'Thank you.']);
    expect(model.requests).toHaveLength(0);
  });

  it('words that do not answer an open question go to the model once, when they are complete, and the question is repeated', async () => {
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
    expect(runner.state.turn.number).toBe(2);
    await caller.stops();
    await hasHeard(3);
    await quiet();
    expect(heard).toEqual(['Hello.', 'Shall I really do it?', 'At nine. So: Shall I really do it?']);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.items).toContain('output: work Not done yet: the caller is being asked to confirm.');
    expect(work.runs).toBe(0);
  });

  it('an unheard question is asked once by a recap', async () => {
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
});
