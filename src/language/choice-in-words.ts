import { nameWords } from '../model/ports/name-words.ts';

/** A value of an enum as it is said outside English: its first synonym, because authors write keys for programs, often in English. */
export function choiceInWords(value: string, synonyms: readonly string[] = []): string {
  return synonyms[0] ?? nameWords(value);
}

/** The same in English: a key that is a word is said as it is. */
export function choiceInEnglish(value: string, synonyms: readonly string[] = []): string {
  return CODE.test(value) ? choiceInWords(value, synonyms) : nameWords(value);
}

/** "A1", "xl", "SGL": not a word. */
const CODE = /\d|^\p{Lu}{1,4}$|^[a-z]{1,2}$/u;
