import { nameWords } from '../model/ports/name-words.ts';

/**
 * Returns the spoken form of an enum value outside English: its first synonym, because keys are written for programs,
 * often in English.
 */
export function choiceInWords(value: string, synonyms: readonly string[] = []): string {
  return synonyms[0] ?? nameWords(value);
}

/** Returns the spoken form in English: a key that is a word is spoken itself. */
export function choiceInEnglish(value: string, synonyms: readonly string[] = []): string {
  return CODE.test(value) ? choiceInWords(value, synonyms) : nameWords(value);
}

/** "A1", "xl", "SGL": not a word. */
const CODE = /\d|^\p{Lu}{1,4}$|^[a-z]{1,2}$/u;
