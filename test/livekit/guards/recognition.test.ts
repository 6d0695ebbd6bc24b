import { AudioFrame } from '@livekit/rtc-node';
import { asLanguageCode, initializeLogger, stt } from '@livekit/agents';
import { expect, it, onTestFinished } from 'vitest';
import { guardRecognition, isUtteranceLost, isUtteranceUnclear } from '../../../src/livekit/guards/recognition.ts';
import { createParticipantRecogniser } from '../../../src/livekit/speech/participant-recogniser.ts';
import { ScriptedVad } from '../speech/voice-parts.ts';
import { until } from '../until.ts';

initializeLogger({ pretty: false, level: 'silent' });

const said = new AudioFrame(new Int16Array(160), 16_000, 1, 160);

/** A recogniser that understands when the test says so. */
class SlowStt extends stt.STT {
  override label = 'slow.STT';
  understand: (text?: string, confidence?: number) => void = () => undefined;

  constructor() {
    super({ streaming: false, interimResults: false });
  }

  override stream(): stt.SpeechStream {
    throw new Error('It hears whole utterances.');
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    return new Promise((resolve) => {
      const alternative = { language: asLanguageCode('en'), startTime: 0, endTime: 0 };
      this.understand = (text = 'yes', confidence = 1) =>
        resolve({
          type: stt.SpeechEventType.FINAL_TRANSCRIPT,
          alternatives: [{ ...alternative, text, confidence }],
        });
    });
  }
}

it('a recogniser with its own time limit is awaited; one without it is cancelled', async () => {
  const [given, waited] = [new SlowStt(), new SlowStt()];
  guardRecognition(given, 5);
  guardRecognition(waited, null);
  const late = waited.recognize(said);
  await expect(given.recognize(said)).rejects.toThrow('The recogniser took too long.');
  waited.understand();
  expect((await late).alternatives?.[0]?.text).toBe('yes');
});

/** A recogniser that understands nothing. */
class DeafStt extends SlowStt {
  tries = 0;

  protected override _recognize(): Promise<stt.SpeechEvent> {
    this.tries += 1;
    return Promise.reject(new Error('Nothing was understood.'));
  }
}

it('a recogniser for an operator also tries an utterance twice', async () => {
  const deaf = new DeafStt();
  const vad = new ScriptedVad();
  const find = vad.stream;
  createParticipantRecogniser(deaf, vad);
  deaf.on('error', () => undefined);
  await expect(deaf.recognize(said)).rejects.toThrow('Nothing was understood.');
  expect(deaf.tries).toBe(2);
  expect(vad.stream).not.toBe(find);
});

it('a failed recognition: LiveKit’s own adapter reports nothing; guarded, it is tried twice and reported', async () => {
  const hear = (ears: DeafStt) => {
    const vad = new ScriptedVad();
    const adapter = new stt.StreamAdapter(ears, vad);
    const told: object[] = [];
    adapter.on('error', (event) => void told.push(event));
    const stream = adapter.stream();
    onTestFinished(() => stream.close());
    vad.hearSilence();
    return told;
  };
  const [own, guarded] = [new DeafStt(), new DeafStt()];
  guardRecognition(guarded, 1_000);
  const [toldByOwn, told] = [hear(own), hear(guarded)];
  await until(() => told.length > 0, 'an error event');
  expect(told.every(isUtteranceLost)).toBe(true);
  expect(guarded.tries).toBe(2);
  expect(own.tries).toBe(1);
  expect(toldByOwn, 'LiveKit has mended it: src/livekit/guards/recognition.ts can go').toEqual([]);
});

it.each([
  [0.4, true],
  [0, false],
])('a transcript with confidence %s counts as speech: %s', async (confidence, isTold) => {
  const ears = new SlowStt();
  guardRecognition(ears, null);
  const told: object[] = [];
  ears.on('error', (event) => void told.push(event));
  const hearing = ears.recognize(said);
  ears.understand('', confidence);
  expect((await hearing).alternatives?.[0]?.text).toBe('');
  expect(told.filter(isUtteranceUnclear)).toHaveLength(isTold ? 1 : 0);
});
