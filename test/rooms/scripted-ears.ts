import { asLanguageCode, stt } from '@livekit/agents';
import { readFileSync, renameSync, rmSync } from 'node:fs';

/**
 * A recogniser that returns the words from `take` once for any speech. A machine that makes the sound stutter thus
 * cannot change the recognised words.
 */
export class ScriptedEars extends stt.STT {
  override label = 'scripted.STT';
  readonly #take: () => string;

  /** `take` returns each text once, and an empty text if there is none. */
  constructor(take: () => string) {
    super({ streaming: false, interimResults: false });
    this.#take = take;
  }

  override stream(): stt.SpeechStream {
    throw new Error('These ears hear whole utterances.');
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    const text = this.#take();
    const alternative = { text, language: asLanguageCode('en'), startTime: 0, endTime: 0 };
    return Promise.resolve({
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [{ ...alternative, confidence: text === '' ? 0 : 1 }],
    });
  }
}

/** Reads and removes the words of a file; empty if they were taken already. */
export function takeWords(file: string): string {
  const taken = `${file}.heard`;
  try {
    renameSync(file, taken);
  } catch {
    return '';
  }
  const words = readFileSync(taken, 'utf8');
  rmSync(taken);
  return words;
}
