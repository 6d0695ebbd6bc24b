import { asLanguageCode, stt } from '@livekit/agents';
import { readFileSync, renameSync, rmSync } from 'node:fs';

/**
 * Ears that hear whatever is spoken as the words that `take` gives, once: a machine that makes the sound stutter, so that words
 * are misheard or come in two parts, changes nothing of what the agent hears.
 */
export class ScriptedEars extends stt.STT {
  override label = 'scripted.STT';
  readonly #take: () => string;

  /** `take` gives each text once, and an empty one while there is none. */
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

/** The words of a file, which stand there no more; none where they were taken already. */
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
