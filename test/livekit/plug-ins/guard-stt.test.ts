import { AudioFrame } from '@livekit/rtc-node';
import { asLanguageCode, initializeLogger, stt } from '@livekit/agents';
import { expect, it } from 'vitest';
import { guardRecognition } from '../../../src/livekit/plug-ins/guard-stt.ts';

initializeLogger({ pretty: false, level: 'silent' });

const said = new AudioFrame(new Int16Array(160), 16_000, 1, 160);

/** A recogniser that understands when it is told to. */
class SlowStt extends stt.STT {
  override label = 'slow.STT';
  understand = (): void => undefined;

  constructor() {
    super({ streaming: false, interimResults: false });
  }

  override stream(): stt.SpeechStream {
    throw new Error('It hears whole utterances.');
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    return new Promise((resolve) => {
      const alternative = { text: 'yes', language: asLanguageCode('en'), startTime: 0, endTime: 0, confidence: 1 };
      this.understand = () => resolve({ type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [alternative] });
    });
  }
}

it('a recogniser with a limit of its own is waited for, where another one is given up', async () => {
  const [given, waited] = [new SlowStt(), new SlowStt()];
  guardRecognition(given, 5);
  guardRecognition(waited, null);
  const late = waited.recognize(said);
  await expect(given.recognize(said)).rejects.toThrow('The recogniser took too long.');
  waited.understand();
  expect((await late).alternatives?.[0]?.text).toBe('yes');
});
