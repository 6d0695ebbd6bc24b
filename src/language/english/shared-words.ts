import { SENTENCE_WORDS } from './names/name-words.ts';
import { wordsOf } from './words.ts';

/**
 * Counts the content words that a question shares with the author's description of a value; null if the question has
 * none.
 */
export function sharedWords(question: string, about: string): number | null {
  const own = meantWords(question);
  const known = new Set(meantWords(about));
  return own.length === 0 ? null : own.filter((word) => known.has(word)).length;
}

/** The stems of the words that tell what a text is about; a measure tells it as well. */
function meantWords(text: string): readonly string[] {
  return wordsOf(text.replaceAll('_', ' ')).flatMap(({ mark, text: word }) => {
    const one = word.replace(/(?<=[^s])s$/, '');
    const isMeant = !mark && (MEASURES.has(one) || !(SENTENCE_WORDS.has(word) || SENTENCE_WORDS.has(one)));
    return isMeant ? [one.slice(0, 5)] : [];
  });
}

const MEASURES = new Set(['day', 'night', 'week', 'month', 'year', 'hour', 'minute', 'time']);
