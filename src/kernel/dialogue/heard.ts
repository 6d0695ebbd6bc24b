import type { Heard } from '../../events/dialogue.ts';

/** The line that put the open question last, and how much of it had been played when the caller began to speak. */
export interface PutLine {
  /** The effect that says it. */
  readonly key: string;
  readonly text: string;
  readonly heard: Heard;
  /** No word of it was left. */
  readonly isOver: boolean;
  /** It was put because of a silence. */
  readonly afterSilence?: true;
}

/**
 * Whether so much of a line was heard that a yes to it counts. A weak yes also needs the end of the line; after a silence it
 * only shows that the caller listens.
 */
export function isHeardFor(
  { heard, isOver, afterSilence }: Pick<PutLine, 'heard' | 'isOver' | 'afterSilence'>,
  strength: 'plain' | 'weak',
): boolean {
  return strength === 'plain' ? heard === 'heard' : isOver && afterSilence !== true;
}

/** A question counts as heard if no more of its words were left. Callers answer as soon as they know what is asked. */
const mostWordsLeft = 3;

/**
 * How much of a line was heard. `heard` is what was played of it, which a voice may have spelled otherwise; `values` are
 * the values that the line names.
 */
export function heardOf(
  text: string,
  heard: string,
  values: () => readonly string[],
): Pick<PutLine, 'heard' | 'isOver'> {
  const left = wordsIn(text) - wordsIn(heard);
  if (heard.trim() === '') return { heard: 'unheard', isOver: false };
  if (left <= 0) return { heard: 'heard', isOver: true };
  const isNear = left <= mostWordsLeft && values().every((value) => contains(heard, value));
  return { heard: isNear ? 'heard' : 'partly', isOver: false };
}

function contains(text: string, value: string): boolean {
  return plainWords(text).includes(plainWords(value));
}

/** The words of a text in lower case, without marks. */
export function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

/** Words, and the characters of scripts that write none between them. */
function wordsIn(text: string): number {
  return (
    text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’]*)/gu)
      ?.length ?? 0
  );
}
