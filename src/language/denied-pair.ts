/**
 * Checks whether one description denies the other: "does not want the suite" beside "wants the suite". A word that the
 * negation replaces may stand in its place: "has no dog" beside "has a dog".
 */
function denies(denial: readonly string[], other: readonly string[], isNegation: (word: string) => boolean): boolean {
  const at = denial.findIndex(isNegation);
  if (at < 0 || other.some(isNegation)) return false;
  const kept = denial.filter((word) => !isNegation(word)).join(' ');
  return kept === other.join(' ') || kept === other.toSpliced(at, 1).join(' ');
}

/** Returns the answer of a description by one among the others that denies it, or that it denies; null without one. */
export function answerByDenial(
  description: string,
  others: readonly string[],
  { words, isNegation }: { words: (text: string) => readonly string[]; isNegation: (word: string) => boolean },
): 'yes' | 'no' | null {
  const own = words(description);
  if (others.some((other) => denies(own, words(other), isNegation))) return 'no';
  return others.some((other) => denies(words(other), own, isNegation)) ? 'yes' : null;
}
