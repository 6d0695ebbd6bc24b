import type { Reader } from '../../src/model/ports/reader.ts';
import { english } from '../../src/language/english/reader.ts';
import { frenchReader } from '../../src/language/french/reader.ts';
import { germanReader } from '../../src/language/german/reader.ts';
import { portugueseReader } from '../../src/language/portuguese/reader.ts';
import { spanishReader } from '../../src/language/spanish/reader.ts';
import { unknownReader } from '../../src/language/unknown/reader.ts';
import type { Examples } from './examples.ts';
import { english as englishExamples } from './examples/english.ts';
import { french } from './examples/french.ts';
import { german } from './examples/german.ts';
import { portuguese } from './examples/portuguese.ts';
import { spanish } from './examples/spanish.ts';

/** Every reader with rules, and examples of speech in its language. */
export const languages: readonly (readonly [string, Reader, Examples])[] = [
  ['English', english, englishExamples],
  ['Spanish', spanishReader(), spanish],
  ['German', germanReader(), german],
  ['French', frenchReader(), french],
  ['Portuguese', portugueseReader(), portuguese],
];

/** The reader of a language without rules, and sentences in this language and in others. */
export const unknown: { readonly reader: Reader; readonly sentences: readonly string[] } = {
  reader: unknownReader('ja'),
  sentences: [
    ...languages.flatMap(([, , { agreements, refusals }]) => [...agreements, ...refusals]),
    ...['はい', 'いいえ', '明日の三時', 'نعم', 'لا'],
  ],
};
