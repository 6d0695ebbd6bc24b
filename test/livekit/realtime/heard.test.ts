import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import type { UserTurn } from '../../../src/model/signals/signal.ts';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { systemClock } from '../../../src/system.ts';
import { silenceLivekit } from '../call-record.ts';
import { Loudspeaker } from '../speech/voice-parts.ts';
import { until } from '../until.ts';
import type { RealtimeScript } from './fake-model.ts';
import { realtimeCall } from './rig.ts';

const order: ConversationFlow = {
  initialNode: 'order',
  slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size shall it be, small or large?' } },
  nodes: { order: { collect: ['size'], defaultTransition: 'bye' }, bye: { say: 'Thank you.', end: 'ordered' } },
};

/** Says a line in the model's own words. */
const inOwnWords: RealtimeScript = ({ extra = '' }) => ({
  text: extra.includes('Which size') ? 'Sure. Now tell me the size please, small or large?' : 'Well.',
});

async function asked(script: RealtimeScript = inOwnWords) {
  silenceLivekit();
  const speaker = new Loudspeaker(false);
  speaker.hold();
  const store = createMemoryStore({ clock: systemClock });
  const call = await realtimeCall(
    order,
    script,
    { audioOutput: true, manualFunctionCalls: false },
    { hasMicrophone: true, speaker, store, sessionId: 'call' },
  );
  const turn = async (): Promise<UserTurn | undefined> => {
    await until(() => call.events.some(({ type }) => type === 'turn:started'), 'the turn');
    speaker.run();
    await call.runner.idle();
    await call.runner.stop();
    const log = (await store.steps.list('call')).map(({ signal }) => signal);
    return log.find((one): one is UserTurn => one.type === 'user:turn');
  };
  return { ...call, speaker, turn };
}

test('for a line in a realtime model’s own words, the played words count', async () => {
  const { model, speaker, turn } = await asked();
  await until(() => speaker.isLoaded, 'the line to be said');
  speaker.hear(7);
  await until(() => speaker.words.length === 7, 'seven words');
  model.last.callerSays('small');
  expect((await turn())?.heard).toEqual([{ key: expect.any(String), text: 'Sure. Now tell me the' }]);
});

test('a completed line of a realtime model counts as heard whole', async () => {
  const { model, speaker, turn, hasHeard } = await asked();
  speaker.run();
  await hasHeard(1);
  model.last.callerSays('small');
  expect(await turn()).not.toHaveProperty('heard');
});
