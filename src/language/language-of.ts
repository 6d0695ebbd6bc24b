import type { Consent, Language, Reader, Speech, SpokenHelp } from '../model/ports/reader.ts';
import { english } from './english/reader.ts';
import { englishSpeech } from './english/speech.ts';
import { frenchReader } from './french/reader.ts';
import { germanReader } from './german/reader.ts';
import { otherLanguageIn } from './other-language.ts';
import { portugueseReader } from './portuguese/reader.ts';
import { spanishReader } from './spanish/reader.ts';
import { unknownReader } from './unknown/reader.ts';

/** The default language of a flow. */
export const defaultLanguage = 'en';

const readers: Readonly<Record<string, (language: string) => Reader>> = {
  en: (language) => (language === 'en' ? english : { ...english, language }),
  es: spanishReader,
  de: germanReader,
  fr: frenchReader,
  pt: portugueseReader,
};

/** Returns the reader for a BCP 47 tag, whatever its region; a reader without rules if the language has none. */
function readerOf(language: string): Reader {
  const primary = language.split('-', 1)[0]?.toLowerCase() ?? '';
  return Object.hasOwn(readers, primary) ? (readers[primary] ?? unknownReader)(language) : unknownReader(language);
}

/** Empty help for languages without built-in texts. */
const noHelp: SpokenHelp = {
  sayable: blank(englishSpeech.help.sayable),
  reasons: blank(englishSpeech.help.reasons),
  words: {},
};

/** Returns the reader and the speech of a language, with English lines if the language has none. */
export function languageOf(tag: string): Language {
  const known = languages.get(tag);
  if (known !== undefined) return known;
  const language = createLanguage(tag);
  // Tags come from flows; the limit prevents unbounded growth by hostile input.
  if (languages.size < 200) languages.set(tag, language);
  return language;
}

const languages = new Map<string, Language>();

function createLanguage(tag: string): Language {
  const reader: Reader = { ...readerOf(tag), consentOfOther: (text) => consentOfOther(tag, text) };
  const { lines, help } = reader;
  const { languageName, region } = placeOf(reader.language);
  const own = { languageName, region, lines: lines ?? englishSpeech.lines, help: help ?? noHelp };
  const plurals = new Intl.PluralRules(reader.language);
  return { reader, speech: { ...reader, ...own, pluralForm: (number) => plurals.select(number) } };
}

/** Reads a yes or a no by the rules of the language that the words are in, if that is not the flow's. */
function consentOfOther(tag: string, text: string): Consent | null {
  const other = otherLanguageIn(text, tag);
  return other !== null && Object.hasOwn(readers, other) ? readerOf(other).consent(text) : null;
}

function placeOf(language: string): Pick<Speech, 'languageName' | 'region'> {
  const languageName = new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language;
  return { languageName, region: new Intl.Locale(language).maximize().region ?? englishSpeech.region };
}

function blank<Name extends string>(texts: Readonly<Record<Name, string>>): Readonly<Record<Name, string>> {
  return Object.fromEntries(Object.keys(texts).map((name) => [name, ''])) as Record<Name, string>; // The keys are the same.
}
