import { voice } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { FlowError } from '../../../src/model/errors.ts';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import { systemClock } from '../../../src/system.ts';
import { gatedStore, gatedTool } from '../gated.ts';
import { fourNodes, prompt } from '../flows.ts';
import { fastClock } from '../../fast-clock.ts';
import { until } from '../until.ts';
import { preemptiveModes, settledSoon, voiceCall } from './voice-rig.ts';

describe.each(preemptiveModes)('by voice, with preemptive generation %s', (preemptive) => {
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

  it.each<[string, () => Error, string, readonly string[]]>([
    [
      'fails for long, the caller is told, and the conversation is left',
      () => new Error('The disk is full.'),
      'store-failed',
      ['I am sorry, something went wrong here. I have to end this conversation.'],
    ],
    [
      'belongs to another process, nothing more is said, and the conversation is left',
      () => new FlowError('lease-lost', 'It is not ours any more.'),
      'lease-lost',
      [],
    ],
  ])('where the store %s', async (_what, failure, reason, lines) => {
    const memory = createMemoryStore({ clock: systemClock });
    let fails = false;
    const store: Store = {
      ...memory,
      steps: {
        ...memory.steps,
        create: async (commit) => {
          if (fails) throw failure();
          await memory.steps.create(commit);
        },
      },
    };
    const { caller, session, speaker, heard, runner, events, hasHeard } = await voiceCall(
      fourNodes,
      { '*': [{ text: 'Hello.' }] },
      // The runner waits for a store that stays away.
      { preemptive, store, clock: fastClock(8) },
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
    // The session stays at its last stored state.
    expect(runner.state.status).toBe('active');
    const told = events.flatMap(({ type, data }) => (type === 'response:failed' ? [data] : []));
    expect(told).toContainEqual(expect.objectContaining({ stage: 'turn', reason }));
  });

  it('no speech and no write happens before its step is durable', async () => {
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
