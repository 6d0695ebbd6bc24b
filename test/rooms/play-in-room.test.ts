import { describe, expect, test } from 'vitest';
import type { TurnTrace } from '../../src/model/events/turn-trace.ts';
import { speakSentence } from '../../src/offline/voice/flite.ts';
import { createOfflineTts } from '../../src/offline/voice/offline-tts.ts';
import { assertSimulation, playInRoom, type Script } from '../../src/testing/index.ts';
import { turnsIn } from '../livekit/traces/turns.ts';
import { desk, deskModel, deskScripts } from '../testing/desk.ts';
import { ScriptedEars } from './scripted-ears.ts';
import { openVenue } from './stage.ts';

const venue = openVenue();
const quickVoice = () => createOfflineTts({ pace: 1.5 });

describe.concurrent('a script of simulateRoom, in a room', () => {
  test.each(Object.entries(deskScripts))(
    '%s',
    async (_what, { script, graceMs }) => {
      assertSimulation(
        await playInRoom(desk, script, { model: deskModel, graceMs, server: venue.server, tts: quickVoice() }),
      );
    },
    120_000,
  );
});

// Not concurrent: all participants live in this process, so the sound would stutter.
test('a script is spoken in a room: a guest speaks, interrupts by voice, and is prompted after a silence', async () => {
  const script: Script = [
    { say: 'Please tell me more.' },
    { interrupt: 'Wait a moment, please.', afterWords: 4 },
    { expect: { said: ['/^The house was built/', 'Sure, I will wait.'], notSaid: 'Breakfast' } },
    { say: 'I am here to check in for two nights.' },
    { expect: { node: 'details', said: 'What is your name?' } },
    { say: 'My name is Maria, yes, Maria.' },
    // The model guesses a name that was not said.
    { expect: { said: 'Maria Delgado, is that right?' } },
    { silence: 10_000 },
    { expect: { said: 'Are you still there? Maria Delgado, is that right?' } },
    { say: 'Yes, that is right.' },
    { expect: { ended: 'done', slots: { name: 'Maria Delgado' } } },
  ];
  let said = '';
  const ears = new ScriptedEars(() => {
    const words = said;
    said = '';
    return words;
  });
  const result = await playInRoom(desk, script, {
    model: deskModel,
    server: venue.server,
    tts: quickVoice(),
    stt: ears,
    async speak(words) {
      const samples = await speakSentence(words, 'rms');
      said = words;
      return samples;
    },
  });
  assertSimulation(result);

  const answered = turnsIn(result.events).filter(({ via, outcome }) => via === 'speech' && outcome === 'answered');
  expect(answered.length).toBeGreaterThan(1);
  expect(answered.map(waterfallFaults)).toEqual(answered.map(() => []));
  expect(answered.some(({ inferences }) => inferences > 0)).toBe(true);
}, 300_000);

/** Returns the missing and misordered parts in the trace of a spoken and answered turn. */
function waterfallFaults({ moments, spans, inferences }: TurnTrace): readonly string[] {
  const ofModel = inferences > 0 ? (['requested', 'firstToken'] as const) : [];
  const inOrder = ['speechEnded', 'taken', ...ofModel, 'firstWords', 'firstAudio', 'heard'] as const;
  const names = new Set<string>(spans.map(({ name }) => name));
  const expected = [
    'flow.listen',
    'flow.step',
    'flow.commit',
    ...(inferences > 0 ? ['chat'] : []),
    'flow.speak',
  ] as const;
  return [
    ...[...inOrder, 'transcript' as const].filter((name) => moments[name] === undefined),
    ...inOrder.filter((name, index) => index > 0 && (moments[name] ?? 0) < (moments[inOrder[index - 1] ?? name] ?? 0)),
    ...expected.filter((name) => !names.has(name)),
  ];
}
