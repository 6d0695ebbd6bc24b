import { stt, voice } from '@livekit/agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import type { ModelScript } from '../../../src/testing/scripted-model.ts';
import { emitError } from '../../../src/livekit/guards/emit-error.ts';
import { unclearUtterance } from '../../../src/livekit/guards/recognition.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { booking } from '../flows.ts';
import { createGate } from '../gate.ts';
import { gatedTool } from '../gated.ts';
import { live } from '../live.ts';
import { until } from '../until.ts';
import { voiceCall, type VoiceOptions } from './voice-rig.ts';

const order: ConversationFlow = {
  initialNode: 'order',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' } },
  nodes: { order: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'ordered' } },
};

/** A call in which the question has just been heard. */
async function asked(
  flow: ConversationFlow = order,
  options: Partial<VoiceOptions> = {},
  script: ModelScript = { '*': [{ text: 'Small or large?' }] },
) {
  const clock = createVirtualClock(undefined, settleLiveKit);
  const call = await voiceCall(flow, script, { preemptive: false, clock, ...options });
  await call.hasHeard(1);
  const missed = () => call.events.flatMap(({ type, data }) => (type === 'question:missed' ? [data] : []));
  /** Moves the clock, and lets the resulting speech be heard. */
  const passes = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await call.runner.idle();
  };
  return { ...call, clock, missed, passes };
}

describe('a silent caller by voice', () => {
  it('is prompted after eight seconds, then gets the possible answers, then hears that the call ends', async () => {
    const { heard, missed, passes, runner, clock, session } = await asked();
    await passes(7_999);
    expect(heard).toEqual(['Which size?']);
    await passes(1);
    expect(heard.slice(1)).toEqual(['Are you still there? Which size?']);
    await passes(8_000);
    expect(heard.slice(2)).toEqual(['Please say small or large. Which size?']);
    await clock.advance(8_000);
    expect(await runner.ended).toBe('no-input');
    expect(heard.slice(3)).toEqual(['I cannot hear you, so I have to end this conversation here. Goodbye.']);
    expect(missed()).toEqual([1, 2, 3].map((attempt) => ({ cause: 'no-input', attempt, of: 3 })));
    await until(() => clock.pending === 0, 'every timer to be gone');
    expect(session.listenerCount(voice.AgentSessionEventTypes.UserStateChanged)).toBe(0);
  });

  it('goes where on_no_input leads', async () => {
    const { passes, runner, heard } = await asked({
      ...order,
      ladder: { attempts: 1, onNoInput: 'desk' },
      nodes: { ...order.nodes, desk: { say: 'I put you through.', end: 'desk' } },
    });
    await passes(8_000);
    expect(await runner.ended).toBe('desk');
    expect(heard).toEqual(['Which size?', 'I put you through.']);
  });

  it('gets the flow’s time limit, and no limit if it is 0', async () => {
    const slow = await asked({ ...order, ladder: { noInputMs: 20_000 } });
    await slow.passes(19_999);
    expect(slow.heard).toHaveLength(1);
    await slow.passes(1);
    expect(slow.heard).toHaveLength(2);
    const patient = await asked({ ...order, ladder: { noInputMs: 0 } });
    await patient.passes(100_000);
    expect(patient.heard).toHaveLength(1);
  });

  it('is not prompted while the question is being played', async () => {
    const { speaker, clock, heard, passes, hasHeard } = await asked();
    speaker.hold();
    await clock.advance(8_000);
    await clock.advance(60_000);
    expect(heard).toHaveLength(1);
    speaker.run();
    await hasHeard(2);
    await passes(7_999);
    expect(heard).toHaveLength(2);
    await passes(1);
    expect(heard).toHaveLength(3);
  });

  it('is not prompted during a sound, such as music on hold, but after it', async () => {
    const { caller, clock, heard, passes, session } = await asked();
    await clock.advance(7_000);
    await caller.begins();
    await passes(100_000);
    expect(heard).toHaveLength(1);
    await caller.stops();
    // Sound could still become a turn for this long.
    await passes(7_999 + session.sessionOptions.turnHandling.endpointing.maxDelay);
    expect(heard).toHaveLength(1);
    await passes(1);
    expect(heard).toHaveLength(2);
  });

  it('hears that no word was understood, once they are silent', async () => {
    const { caller, heard, passes, missed, session } = await asked();
    const { maxDelay } = session.sessionOptions.turnHandling.endpointing;
    const mumbles = async (): Promise<void> => {
      await caller.begins();
      await caller.stops();
      if (session.stt instanceof stt.STT) emitError(session.stt, unclearUtterance(session.stt));
    };
    await mumbles();
    await passes(maxDelay - 1);
    expect(heard).toHaveLength(1);
    await passes(1);
    expect(heard.slice(1)).toEqual(['Sorry, I did not get that. Which size?']);
    expect(missed()).toEqual([{ cause: 'no-match', attempt: 1, of: 3 }]);
    // A caller who continues to speak is heard first.
    await mumbles();
    await caller.begins();
    await passes(60_000);
    await caller.stops();
    await passes(maxDelay);
    expect(heard).toHaveLength(2);
  });

  it('is not prompted for a murmur during the agent’s words', async () => {
    const { speaker, clock, heard, hasHeard, passes, session } = await asked();
    speaker.hold();
    await clock.advance(8_000);
    speaker.hear(1);
    await until(() => session.agentState === 'speaking', 'the agent to speak');
    if (session.stt instanceof stt.STT) emitError(session.stt, unclearUtterance(session.stt));
    speaker.run();
    await hasHeard(2);
    await passes(7_999);
    expect(heard).toHaveLength(2);
  });

  it('gets a minute after asking for a moment, and eight seconds after that', async () => {
    const { caller, heard, passes, hasHeard, missed } = await asked();
    await caller.says('One moment, please.');
    await hasHeard(2);
    await passes(59_999);
    expect(heard).toHaveLength(2);
    await passes(1);
    expect(heard.slice(2)).toEqual(['Are you still there? Which size?']);
    await passes(8_000);
    expect(heard).toHaveLength(4);
    expect(missed()).toHaveLength(2);
  });

  it('is asked for a yes or no again, and may answer then', async () => {
    const work = gatedTool();
    work.open();
    const { caller, heard, passes, hasHeard, runner } = await asked(
      booking,
      { tools: [work.tool] },
      { '*': [{ when: 'go', calls: [{ name: 'work' }] }, { text: 'Pardon?' }] },
    );
    await caller.says('go');
    await hasHeard(2);
    await passes(8_000);
    expect(heard[2]).toContain(heard[1]);
    expect(work.runs).toBe(0);
    await caller.says('yes');
    await until(() => runner.currentNode === 'after', 'the work');
    expect(work.runs).toBe(1);
  });

  it('is not prompted if their words are on the way when the silence ends', async () => {
    const decided = createGate();
    onTestFinished(() => decided.open());
    const begun = createGate();
    const { caller, clock, heard, missed, hasHeard } = await asked(order, {
      hooks: {
        timeoutMs: 120_000,
        beforeLLM: async () => {
          begun.open();
          await decided.opened;
          return undefined;
        },
      },
    });
    await clock.advance(7_990);
    await caller.begins();
    await caller.isUnderstood('What have you got?');
    await caller.stops();
    await begun.opened;
    // A cough in between.
    await caller.begins();
    await caller.stops();
    await clock.advance(60_000);
    expect(heard).toHaveLength(1);
    decided.open();
    await hasHeard(2);
    expect(heard.slice(1)).toEqual(['Small or large?']);
    expect(missed()).toEqual([]);
  });

  it('is not prompted while they press keys or are away', async () => {
    const { runner, heard, passes, hasHeard } = await asked();
    runner.holdNoInput();
    await passes(100_000);
    expect(heard).toHaveLength(1);
    void runner.recap();
    await hasHeard(2);
    await passes(8_000);
    expect(heard).toHaveLength(3);
  });

  it('is not prompted once their microphone is off, and no timer is left', async () => {
    const { session, clock, heard, passes, runner } = await asked();
    session.input.setAudioEnabled(false);
    await passes(60_000);
    expect(heard).toHaveLength(1);
    await runner.stop();
    await until(() => clock.pending === 0, 'every timer to be gone');
  });
});

it('a caller on the classic path may be silent for as long as they like', async () => {
  const clock = createVirtualClock(undefined, settleLiveKit);
  const options = { preemptive: false, clock, prompt: 'You chat.' } as const;
  const { caller, heard, hasHeard } = await voiceCall(null, { '*': [{ text: 'Hello.' }] }, options);
  await caller.says('Hello?');
  await hasHeard(1);
  await clock.advance(100_000);
  expect(heard).toEqual(['Hello.']);
});

it('a caller who types is not prompted', async () => {
  const clock = createVirtualClock(undefined, settleLiveKit);
  const { heard } = await live(order, { '*': [] }, { clock });
  await clock.advance(100_000);
  expect(heard).toEqual(['Which size?']);
});
