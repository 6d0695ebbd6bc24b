import { setTimeout as wait } from 'node:timers/promises';
import { speakSentence } from '../../src/offline/voice/flite.ts';
import { lines } from '../../src/language/english/lines.ts';
import type { Caller } from './caller.ts';

/** How long a person waits for an answer before repeating it, and how often. Long enough for a busy machine. */
const patienceMs = 20_000;
const attempts = 5;

/** The prompts after an unheard turn. */
const askedAgain = lines.stillThere.map((line) => line.replace('{question}', '').trim());

/**
 * Says words until they are answered, and repeats them like a person who was not understood: if the agent asks again,
 * begins an answer that matches `misheard`, or continues without them. If the sound stutters, the words arrive as two
 * turns, and either may be answered.
 */
export async function sayUntil(
  caller: Caller,
  words: string,
  isAnswered: () => boolean,
  misheard: string | null = null,
): Promise<void> {
  // The recogniser understands this voice best.
  const samples = await speakSentence(words, 'rms');
  const again = misheard === null ? askedAgain : [...askedAgain, misheard];
  for (let attempt = 1; !isAnswered(); attempt += 1) {
    const before = caller.heard().length;
    await caller.speak(samples);
    const isAsked = (): boolean => again.some((line) => caller.heard().slice(before).includes(line));
    for (const end = Date.now() + patienceMs; !isAnswered() && !isAsked() && Date.now() < end;) await wait(50);
    if (attempt >= attempts) return await caller.until(isAnswered, 'the answer', patienceMs);
  }
}
