import { wordsOf } from '../words.ts';

/** The sentences of a text, with their ends. */
export function sentencesOf(text: string): string[] {
  return [...text.matchAll(/[^.?!;]+(?:[.?!;]+(?=\s|$)|[.?!;]|$)+/g)]
    .map((match) => match[0].trim())
    .filter((each) => /[\p{L}\d]/u.test(each));
}

/**
 * Checks whether a text passes the turn to the caller, by a question in its last two sentences or by an invitation to
 * speak. "Great!" and "One moment, please." do not. Outside English, a question mark decides.
 */
export function asks(text: string): boolean {
  const sentences = sentencesOf(text);
  const last = sentences.at(-1) ?? '';
  return sentences.slice(-2).some((sentence) => /[?？؟]/u.test(sentence)) || INVITES.test(last);
}

/**
 * Checks whether a replacement still asks the question of the original: a question with at least half of its words, for
 * example with a masked name.
 */
export function keepsQuestion(text: string, instead: string, isAsking: (text: string) => boolean = asks): boolean {
  if (text === instead) return true;
  const wordsIn = (sentence: string): readonly string[] =>
    wordsOf(sentence).flatMap(({ mark, text: word }) => (mark ? [] : [word]));
  const asked = sentencesOf(text).findLast((sentence) => /[?？؟]/u.test(sentence)) ?? text;
  const last = sentencesOf(instead).at(-1) ?? '';
  if (!isAsking(last)) return false;
  const other = new Set(wordsIn(last));
  const words = wordsIn(asked);
  return words.length > 0 && words.filter((word) => other.has(word)).length * 2 >= words.length;
}

/** Without a question mark, only clear invitations count. */
const INVITES =
  /^(?:(?:so|and|then|now|well|okay|ok|great|thanks|thank you|alright|all right|please|first|next|just)\b[\s,:–-]*)*(?:(?:tell|give) (?:me|us)|let (?:me|us) know|spell|describe|choose|pick|say|repeat|confirm|go ahead|(?:can|could|would|will|may|do|are|is|have) (?:you|i|we))\b/iu;

/** Whether a question is answered by yes or no. */
export function isYesNoQuestion(question: string): boolean {
  const words = wordsOf(question.replace(/^.*[,:–]\s+(?=\p{L}+\s+\p{L}+.*\?)/u, '')).filter((word) => !word.mark);
  const all = wordsOf(question).filter((word) => !word.mark);
  if (/(?:right|correct|okay|ok|fine|agreed|so|good)\?$/i.test(question)) return true;
  if (
    /^(?:how about|how does that sound|what about|what do you think|what do you say|why don't we|ready)\b/i.test(
      question.trim(),
    )
  )
    return true;
  const isAuxiliary = (word: string | undefined): boolean => word !== undefined && AUXILIARY.test(word);
  const starts = (list: typeof words): boolean => {
    const first = list.find(
      (word) => !/^(?:and|so|or|but|then|now|great|thanks|okay|ok|alright|well|also)$/.test(word.text),
    );
    return isAuxiliary(first?.text);
  };
  // "May I have your name?" asks for a name.
  if (
    /\b(?:may|can|could) (?:i|we) (?:have|get|ask|take)\b|\b(?:can|could|would) you (?:please )?(?:tell|give|spell|describe|say|repeat)\b/i.test(
      question,
    )
  )
    return false;
  return starts(words) || starts(all);
}

/** Words that begin a question of yes or no. */
export const AUXILIARY =
  /^(?:is|are|was|were|do|does|did|can|could|may|might|shall|should|will|would|have|has|had|am|isn't|aren't|don't|doesn't|won't|shan't|haven't)$/;
