import type { Reader } from '../model/ports/reader.ts';

/** A word of a text, or a mark. A break is a mark or a conjunction: "but". */
interface AnswerPiece {
  readonly start: number;
  readonly isBreak: boolean;
}

/** The lengths in pieces of the longest yes and no at a place; 0 for none. */
interface SidesAt {
  readonly yes: number;
  readonly no: number;
}

/** Returns the yes or no at the beginning of a text and where the words behind it start; null without such words. */
export function behindAnswer(
  pieces: readonly AnswerPiece[],
  sidesAt: (at: number) => SidesAt,
): ReturnType<Reader['behindAnswer']> {
  let answer: 'yes' | 'no' | null = null;
  let isPaused = false;
  for (let at = 0; at < pieces.length;) {
    const { start = 0, isBreak = false } = pieces[at] ?? {};
    const { yes, no } = sidesAt(at);
    const side = yes > no ? 'yes' : no > 0 ? 'no' : null;
    if (side !== null && answer !== null && answer !== side) return null;
    // "No" without a pause may deny the next word.
    if (side === null && !isBreak) return answer === null || (answer === 'no' && !isPaused) ? null : { answer, start };
    isPaused = isBreak;
    answer = side ?? answer;
    at += Math.max(1, yes, no);
  }
  return null;
}
