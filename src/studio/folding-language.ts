import type { Language, Reader } from '../model/ports/reader.ts';
import { englishSpeech } from '../language/english/speech.ts';

/** Returns a language by its BCP 47 tag. */
export type LanguageOf = (tag: string) => Language;

/**
 * Returns the languages of flows that are only folded. A signal holds the values that rules have read, so English needs
 * no rules, which would double the size of the page. Other languages are loaded with their rules, because their lines
 * are in the same modules.
 */
export async function foldingLanguages(tags: Iterable<string>): Promise<LanguageOf> {
  if ([...tags].every(isEnglish)) return englishToFold;
  const { languageOf } = await import('../language/language-of.ts');
  return languageOf;
}

function englishToFold(tag: string): Language {
  const known = englishes.get(tag) ?? createEnglish(tag);
  englishes.set(tag, known);
  return known;
}

const englishes = new Map<string, Language>();

/** Like `languageOf`, without the rules. */
function createEnglish(tag: string): Language {
  const languageName = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  const region = new Intl.Locale(tag).maximize().region ?? englishSpeech.region;
  return { reader: noRules, speech: { ...englishSpeech, language: tag, languageName, region } };
}

function isEnglish(tag: string): boolean {
  return /^en(?:-|$)/i.test(tag);
}

/** Folding a log reads no text. */
const noRules = Object.freeze({ language: 'en', lines: englishSpeech.lines, help: englishSpeech.help }) as Reader; // The fold calls none of its functions.
