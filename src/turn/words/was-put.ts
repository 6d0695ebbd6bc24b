/** A question counts as put when at most so many of its words were left, and none that it is about. */
const mostWordsLeft = 3;

/** Whether a caller had heard what is asked: the numbers and choices that the question names, and most of its words. */
export function wasPut(question: string, heard: string | null, choices: readonly string[]): boolean {
  if (heard === null) return false;
  const named = [...(question.match(/\p{N}+/gu) ?? []), ...choices.filter((choice) => isIn(question, choice))];
  return wordsIn(question) - wordsIn(heard) <= mostWordsLeft && named.every((part) => isIn(heard, part));
}

function isIn(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function wordsIn(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
