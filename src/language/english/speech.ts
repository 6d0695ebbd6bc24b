import { choiceInEnglish } from '../choice-in-words.ts';
import { allOf, anyOf, help, lines } from './lines.ts';
import { proposal } from './answers/proposal.ts';
import { spokenForm } from './spoken-form.ts';
import type { Speech } from '../../model/ports/reader.ts';

const plurals = new Intl.PluralRules('en');

/** The built-in English speech, without rules for reading. */
export const englishSpeech: Speech = {
  language: 'en',
  languageName: 'English',
  region: 'US',
  lines,
  help,
  spoken: spokenForm,
  decimalMark: '.',
  pluralForm: (number) => plurals.select(number),
  choiceName: choiceInEnglish,
  proposal,
  anyOf,
  allOf,
};
