import type { Language, Reader } from '../ports/reader.ts';
import { englishSpeech } from '../reading/english/speech.ts';

/** Gives a language by its BCP 47 tag. */
export type LanguageOf = (tag: string) => Language;

/**
 * The languages of flows that are only folded: a signal holds what rules have read in it, so English needs no rules, which
 * would double the size of a page. Another language is loaded with its rules, for its lines stand among them.
 */
export async function foldingLanguages(tags: Iterable<string>): Promise<LanguageOf> {
  if ([...tags].every(isEnglish)) return englishToFold;
  const { languageOf } = await import('../reading/language-of.ts');
  return languageOf;
}

function englishToFold(tag: string): Language {
  const known = englishes.get(tag) ?? createEnglish(tag);
  englishes.set(tag, known);
  return known;
}

const englishes = new Map<string, Language>();

/** As `languageOf` makes it, but for the rules. */
function createEnglish(tag: string): Language {
  const languageName = new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  const region = new Intl.Locale(tag).maximize().region ?? englishSpeech.region;
  return { reader: noRules, speech: { ...englishSpeech, language: tag, languageName, region } };
}

function isEnglish(tag: string): boolean {
  return /^en(?:-|$)/i.test(tag);
}

/** Nothing is read while a log is folded. */
const noRules = Object.freeze({ language: 'en', lines: englishSpeech.lines, help: englishSpeech.help }) as Reader; // The fold calls none of its functions.
