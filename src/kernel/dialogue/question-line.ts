import type { Heard } from '../../model/dialogue.ts';

/** The latest line with the open question, and how much of it had played when the caller began to speak. */
export interface QuestionLine {
  /** The effect of the line. */
  readonly key: string;
  readonly text: string;
  /** Identifies the question: its repetitions have the same id. Absent in older sessions. */
  readonly question?: string;
  readonly heard: Heard;
  /** All of it was played. */
  readonly isOver: boolean;
  /** It was repeated because of silence. */
  readonly afterSilence?: true;
  /** An earlier line with the same question was heard, at least in part. */
  readonly wasHeard?: true;
}

/**
 * Checks whether enough of a line was heard for a yes to count. A weak yes also needs the end of the line; after a
 * silence it only shows that the caller listens.
 */
export function isHeardEnough(
  { heard, isOver, afterSilence }: Pick<QuestionLine, 'heard' | 'isOver' | 'afterSilence'>,
  strength: 'plain' | 'weak',
): boolean {
  return strength === 'plain' ? heard === 'heard' : isOver && afterSilence !== true;
}

/** A question with at most this many words left counts as heard, because callers answer once they understand it. */
const mostWordsLeft = 3;

/**
 * Computes how much of a line was heard. `heard` is the played text, which the voice may spell differently; `values`
 * are the values in the line.
 */
export function heardOf(
  text: string,
  heard: string,
  values: () => readonly string[],
): Pick<QuestionLine, 'heard' | 'isOver'> {
  const left = wordsIn(text) - wordsIn(heard);
  if (heard.trim() === '') return { heard: 'unheard', isOver: false };
  if (left <= 0) return { heard: 'heard', isOver: true };
  const isNear = left <= mostWordsLeft && values().every((value) => contains(heard, value));
  return { heard: isNear ? 'heard' : 'partly', isOver: false };
}

function contains(text: string, value: string): boolean {
  return plainWords(text).includes(plainWords(value));
}

/** Returns the words of a text in lower case, without punctuation. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Counts words, or characters in scripts without spaces. */
function wordsIn(text: string): number {
  return (
    text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’]*)/gu)
      ?.length ?? 0
  );
}
