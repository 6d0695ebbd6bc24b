import type { WordsReading } from '../events/signal.ts';
import { readConsent } from '../language/consent.ts';
import { wordsOf } from '../language/words.ts';
import { openOfKind } from '../kernel/draft.ts';
import type { SessionState } from '../kernel/state.ts';

/** Reads a caller's words where the session stands, before the step that takes them. */
export function readWords(state: SessionState, text: string): WordsReading {
  const question = openOfKind(state, 'wait')?.payload.say ?? '';
  const { answer, isHedged } = readConsent(text, question);
  return {
    ...(answer === undefined ? {} : { answer }),
    ...(isHedged ? { isHedged } : {}),
    ...(wordsOf(text).some(({ mark }) => !mark) ? {} : { isBlank: true }),
  };
}
