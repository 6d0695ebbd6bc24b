import { asLanguageCode, stt } from '@livekit/agents';
import { readFileSync, renameSync, rmSync } from 'node:fs';

/**
 * Ears that hear whatever is spoken as the words of a file, once: a machine that makes the sound stutter, so that words are
 * misheard or come in two parts, changes nothing of what the agent hears.
 */
export class ScriptedEars extends stt.STT {
  override label = 'scripted.STT';
  readonly #file: string;

  constructor(file: string) {
    super({ streaming: false, interimResults: false });
    this.#file = file;
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

  /** The words, which stand there no more; none where they were heard already. */
  #take(): string {
    const taken = `${this.#file}.heard`;
    try {
      renameSync(this.#file, taken);
    } catch {
      return '';
    }
    const words = readFileSync(taken, 'utf8');
    rmSync(taken);
    return words;
  }
}
