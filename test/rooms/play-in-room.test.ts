import { describe, expect, test, vi } from 'vitest';
import type { TurnTrace } from '../../src/model/events/turn-trace.ts';
import { speakSentence } from '../../src/offline/voice/flite.ts';
import { createOfflineTts } from '../../src/offline/voice/offline-tts.ts';
import {
  assertSimulation,
  type Caller,
  joinRoom,
  type ModelScript,
  playInRoom,
  type Script,
} from '../../src/testing/index.ts';
import { turnsIn } from '../livekit/traces/turns.ts';
import { desk, deskModel, deskScripts, story } from '../testing/desk.ts';
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

// Alone on the server, so that its only room is that of the play.
test('sound that is not the reply does not begin the time to an interruption', async () => {
  const script: Script = [
    { say: 'tell me more' },
    { interrupt: 'bye', afterMs: 1_000 },
    { expect: { ended: 'done', said: ['/^The house was built/', 'Goodbye.'], notSaid: 'Breakfast' } },
  ];
  const hold = new Int16Array(40 * 16_000).map((_, at) => 3_000 * Math.sin(at / 5));
  let music: Caller | null = null;
  const thinking: ModelScript = {
    hello: [{ when: 'tell', text: story, delayMs: 2_500 }, { calls: [{ name: 'leave' }] }],
  };
  const played = playInRoom(desk, script, { model: thinking, server: venue.server, tts: quickVoice() });
  try {
    const [room] = await vi.waitUntil(async () => {
      const open = await venue.rooms.listRooms();
      return open.length === 1 && open;
    }, 60_000);
    music = await joinRoom(venue.server, room?.name ?? '', 'agent-music');
    void music.speak(hold);
    assertSimulation(await played);
  } finally {
    await Promise.allSettled([played, music?.leave()]);
  }
}, 120_000);

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
