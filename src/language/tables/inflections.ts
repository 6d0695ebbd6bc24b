/** Checks whether two folded words are forms of one word. */
export type AreForms = (word: string, other: string) => boolean;

/** A shorter stem says little: "so", "son", "sosa". */
const shortestStem = 3;

/**
 * Builds the check from sets of endings that the forms of a word take in turn, such as "- e s es" for "petit, petite,
 * petits, petites". Commas separate the sets; a dash is no ending.
 */
export function formsBy(endings: string): AreForms {
  const sets = endings.split(',').map((set) =>
    set
      .trim()
      .split(/\s+/)
      .map((ending) => (ending === '-' ? '' : ending)),
  );
  return (word, other) => {
    if (word === other) return true;
    if (!other.startsWith(word.slice(0, shortestStem))) return false;
    return sets.some((set) => set.some((ending) => isFormOf(word, other, ending, set)));
  };
}

/** Checks whether another ending of the set in place of this one makes the other word. */
function isFormOf(word: string, other: string, ending: string, set: readonly string[]): boolean {
  if (!word.endsWith(ending)) return false;
  const stem = word.slice(0, word.length - ending.length);
  if (stem.length < shortestStem || !other.startsWith(stem)) return false;
  return set.includes(other.slice(stem.length));
}
