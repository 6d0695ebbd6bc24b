import { behindAnswerIn, isConnecting, saysNothing } from './connecting.ts';
import { readCalleeWords } from '../callee-words.ts';
import { readConsent } from './answers/consent.ts';
import { choosesOffered, grounding } from './grounding.ts';
import { rangesBy } from '../ranges.ts';
import { isOtherLanguage } from '../other-language.ts';
import { isEnglish } from './is-english.ts';
import { asks, isYesNoQuestion, keepsQuestion } from './answers/questions.ts';
import { isNegativeOrEitherOr } from './answers/question-verbs.ts';
import { read } from './reading.ts';
import { keepsIn, requestIn } from './answers/requests.ts';
import { answerMeant } from './answers/sides.ts';
import { sharedWords } from './shared-words.ts';
import { wordsOf } from './words.ts';
import { leaning } from './answers/yes-no.ts';
import type { Reader } from '../../model/ports/reader.ts';
import { englishSpeech } from './speech.ts';
import { spokenValue } from './spoken-value.ts';

/** Reads English. */
export const english: Reader = {
  ...englishSpeech,
  spoken: spokenValue,
  isOwn: isEnglish,
  isOther: (text) => isOtherLanguage(text, 'en'),
  wordCount: (text) => wordsOf(text).filter(({ mark }) => !mark).length,
  consent: readConsent,
  leaning: (text) => leaning(text) ?? null,
  value: read,
  ranges: rangesBy([
    ['from', 'up to|to|until|till|through|thru'],
    ['between', 'and'],
    ['', 'to|until|till|through|thru'],
  ]),
  isConnecting,
  saysNothing,
  behindAnswer: behindAnswerIn,
  request: requestIn,
  callee: readCalleeWords,
  keeps: keepsIn,
  asks,
  keepsQuestion: (text, instead) => keepsQuestion(text, instead),
  isYesNoQuestion,
  isNegativeOrEitherOr,
  answerMeant,
  choosesOffered,
  sharedWords,
  grounding,
};
