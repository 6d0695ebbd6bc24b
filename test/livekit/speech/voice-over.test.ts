import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import type { SpeechSettled, UserTurn } from '../../../src/model/signals/signal.ts';
import { systemClock } from '../../../src/system.ts';
import { fourNodes } from '../flows.ts';
import { until } from '../until.ts';
import { voiceCall, type VoiceOptions } from './voice-rig.ts';

const question = 'Shall I book Friday at ten for you?';

/** A call whose agent asks a question, with its log. */
async function asked(options: Partial<VoiceOptions> = {}) {
  const store = createMemoryStore({ clock: systemClock });
  const call = await voiceCall(
    fourNodes,
    { a: [{ when: 'sure', text: 'Then it is Friday.' }, { text: question }] },
    { preemptive: false, hold: true, store, sessionId: 'call', ...options },
  );
  const log = async () => (await store.steps.list('call')).map(({ signal }) => signal);
  return {
    ...call,
    /** Returns the logged data of the question and then of the turn. */
    async told() {
      await call.quiet();
      await call.runner.stop();
      const signals = await log();
      const at = signals.findIndex(({ type }) => type === 'user:turn');
      const turn = signals[at] as UserTurn;
      return { line: signals.slice(0, at).find((one): one is SpeechSettled => one.type === 'speech:settled'), turn };
    },
  };
}

describe('the words that the caller had heard when they began to speak', () => {
  it('are fewer than were played, for an interrupted line', async () => {
    const { caller, speaker, told, hasHeard } = await asked();
    speaker.hear(5);
    await until(() => speaker.words.length === 5, 'five words');
    await caller.says('sure');
    speaker.run();
    await hasHeard(2);
    const { line, turn } = await told();
    expect(line).toMatchObject({ type: 'speech:settled', heard: 'Shall I book Friday at' });
    expect(turn).toMatchObject({ type: 'user:turn', text: 'sure', heard: [{ key: line?.key, text: 'Shall I book' }] });
  });

  it('are a part of a line that continues while they speak', async () => {
    const { caller, speaker, told, hasHeard } = await asked();
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    await caller.murmurs();
    speaker.run();
    await hasHeard(1);
    await caller.isUnderstood('sure');
    await caller.stops();
    await hasHeard(2);
    const { line, turn } = await told();
    expect(line).toMatchObject({ type: 'speech:settled', state: 'done', heard: question });
    expect(turn).toMatchObject({ type: 'user:turn', heard: [{ key: line?.key, text: 'Shall' }] });
  });

  it('exclude a line that began after them', async () => {
    const { caller, speaker, told, hasHeard } = await asked({ canPause: false });
    await until(() => speaker.isLoaded, 'the question to be synthesised');
    await caller.murmurs();
    speaker.run();
    await hasHeard(1);
    await caller.isUnderstood('sure');
    await caller.stops();
    await hasHeard(2);
    const { turn } = await told();
    expect(turn).toMatchObject({ type: 'user:turn', heard: [{ text: '' }] });
  });

  it('are counted at their first key press', async () => {
    const { runner, speaker, told, hasHeard } = await asked();
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    const pressed = runner.press('1', { pauseMs: 500 });
    speaker.run();
    await hasHeard(1);
    await pressed;
    const { line, turn } = await told();
    expect(line).toMatchObject({ heard: question });
    expect(turn).toMatchObject({ via: 'dtmf', heard: [{ key: line?.key, text: 'Shall' }] });
  });

  it('are all if the line had ended', async () => {
    const { caller, speaker, told, hasHeard } = await asked();
    speaker.run();
    await hasHeard(1);
    await caller.says('sure');
    await hasHeard(2);
    const { line, turn } = await told();
    expect(line).toMatchObject({ type: 'speech:settled', heard: question });
    expect(turn).not.toHaveProperty('heard');
  });

  it('do not depend on an earlier sound without words', async () => {
    let laterMs = 0;
    const clock = { now: () => systemClock.now() + laterMs, schedule: systemClock.schedule };
    const { caller, speaker, told, hasHeard } = await asked({ clock });
    speaker.hear(3);
    await until(() => speaker.words.length === 3, 'three words');
    await caller.murmurs();
    await caller.stops();
    speaker.run();
    await hasHeard(1);
    laterMs = 5_000;
    await caller.says('sure');
    await hasHeard(2);
    const { turn } = await told();
    expect(turn).not.toHaveProperty('heard');
  });
});
