import { setTimeout as wait } from 'node:timers/promises';
import { speakSentence } from '../../src/offline/voice/flite.ts';
import { lines } from '../../src/language/english/lines.ts';
import type { Caller } from './caller.ts';

/** How long a person waits for an answer before saying it again, and how often, whatever the machine is busy with. */
const patienceMs = 20_000;
const attempts = 5;

/** What a caller hears who was not heard. */
const askedAgain = lines.stillThere.map((line) => line.replace('{question}', '').trim());

/**
 * Says words until they are answered, as a person does who was not heard or not understood: again whenever the agent asks
 * for it, begins another answer by `misheard`, or goes on as if nothing had been said. Where the sound stutters, the words
 * arrive as two turns, of which one may be answered.
 */
export async function sayUntil(
  caller: Caller,
  words: string,
  isAnswered: () => boolean,
  misheard: string | null = null,
): Promise<void> {
  // Of the voices, the recogniser is surest of this one.
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
