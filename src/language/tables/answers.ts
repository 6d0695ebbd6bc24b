import type { Consent, Reader } from '../../model/ports/reader.ts';
import { behindAnswer } from '../behind-answer.ts';
import { type Fold, lengthAt, type Phrases, phrasesOf, piecesOf, wordsIn } from './folded.ts';
import { consentReader, echoesOf, isEcho } from './consent.ts';
import type { Tables } from './tables.ts';

/** Reads yes, no, requests and empty talk by whole phrases; anything outside the tables is unknown. */
export interface Answers {
  consent(text: string, question?: string): Consent;
  leaning(text: string): 'yes' | 'no' | null;
  isConnecting(text: string, question: string): boolean;
  /**
   * Returns the end of the words at the beginning of a text that retract an earlier value: "no, sorry,"; 0 if there are
   * none.
   */
  endOfTakingBack(text: string): number;
  /** Checks whether words only introduce the following value. */
  isLeading(text: string): boolean;
  behindAnswer: Reader['behindAnswer'];
  saysNothing(text: string): boolean;
  request(text: string): 'repeat' | 'value' | 'patience' | null;
  keeps(text: string): boolean;
}

export function createAnswers(
  tables: Pick<Tables, 'fold' | 'answers' | 'questions' | 'moments' | 'counts' | 'digits'>,
): Answers {
  const { fold: foldText, answers: words } = tables;
  const { or } = tables.questions;
  // "É" and "sí" are a yes, "e" is "and", and "si" is "if" unless it stands alone: recognisers leave accents out.
  const fold: Fold = (text) => foldText(text.normalize('NFC').replaceAll(/(?<!\p{L})(?:é|sí)(?!\p{L})/giu, marked));
  const table = (list: string): Phrases =>
    phrasesOf(fold, `${list}, ${list.replaceAll(/(?<!\p{L})sí(?!\p{L})/gu, 'si')}`);
  const yes = table(words.yes);
  const no = table(words.no);
  const filling = table(words.filling);
  const conditions = table(words.conditions);
  const back = table(words.takingBack);
  const denials = wordsIn(fold, words.not);
  const hesitations = wordsIn(fold, words.hesitations);
  const either = wordsIn(fold, or);
  const adding = wordsIn(fold, words.adding);
  const [greetings, leading, repeat, patience] = [words.greetings, words.leading, words.repeat, words.patience].map(
    table,
  ) as [Phrases, Phrases, Phrases, Phrases];
  const [keeping, repeatValue] = [table(words.keeping), table(words.repeatValue)];

  const spokenPieces = (text: string): readonly string[] => {
    const pieces = piecesOf(fold(text));
    const kept = pieces.filter((piece) => !hesitations.has(piece));
    return kept.length === 0 ? pieces : kept;
  };
  const echoOf = (question: string): readonly string[] => {
    const asked = piecesOf(fold(question));
    return asked.some((piece) => either.has(piece)) ? [] : echoesOf(asked);
  };
  /** Whether phrases of the tables make up a text, with at least one of those that it `needs`. */
  const isMadeOf = (text: string, others: readonly Phrases[], needs?: Phrases): boolean => {
    const pieces = spokenPieces(text).filter((piece) => piece !== '?');
    let isFound = needs === undefined;
    for (let at = 0; at < pieces.length;) {
      const needed = needs === undefined ? 0 : lengthAt(pieces, at, needs);
      const length = Math.max(needed, ...others.map((each) => lengthAt(pieces, at, each)));
      if (length === 0) return false;
      isFound ||= needed === length;
      at += length;
    }
    return isFound;
  };
  const consent = consentReader(tables, fold, { yes, no, filling, conditions });
  return {
    consent,
    leaning(text) {
      const { answer: plain, unheard, deniesObjection } = consent(text);
      if (plain !== undefined) return plain;
      if (unheard === true || deniesObjection === true) return null;
      const pieces = spokenPieces(text);
      if (pieces.includes('?')) return null;
      let at = 0;
      let side: 'yes' | 'no' | null = null;
      while (at < pieces.length) {
        const [saysYes, saysNo, fills, isCondition] = [yes, no, filling, conditions].map((each) =>
          lengthAt(pieces, at, each),
        ) as [number, number, number, number];
        if (isCondition > Math.max(saysYes, saysNo, fills)) return null;
        const here =
          saysYes > Math.max(saysNo, fills - 1) ? 'yes' : saysNo > Math.max(saysYes, fills - 1) ? 'no' : null;
        if (side !== null && here !== null && here !== side) return null;
        // An answer that does not begin with a side has none.
        if (side === null && here === null && fills === 0) return null;
        side ??= here;
        at += Math.max(1, saysYes, saysNo, fills);
      }
      return side;
    },
    isConnecting(text, question) {
      const echo = echoOf(question);
      const pieces = spokenPieces(text);
      for (let at = 0; at < pieces.length;) {
        const length = Math.max(...[yes, no, filling, leading].map((each) => lengthAt(pieces, at, each)));
        if (length === 0 && !isEcho(pieces[at] ?? '', echo)) return false;
        at += Math.max(1, length);
      }
      return true;
    },
    endOfTakingBack(text) {
      const spoken = [...text.matchAll(/[\p{L}\p{M}]+|\d+/gu)];
      const pieces = spoken.map(([word]) => fold(word));
      let end = 0;
      for (let at = 0; at < pieces.length;) {
        const takesBack = Math.max(...[no, back].map((each) => lengthAt(pieces, at, each)));
        const known = Math.max(takesBack, ...[yes, filling].map((each) => lengthAt(pieces, at, each)));
        if (known === 0 && !hesitations.has(pieces[at] ?? '')) break;
        at += Math.max(1, known);
        const last = spoken[at - 1];
        const upTo = last === undefined ? 0 : last.index + last[0].length;
        // "No dos" is "not two" as well: only a pause tells.
        const isDenial = denials.has(pieces[at - 1] ?? '') && !/^\s*\p{P}/u.test(text.slice(upTo));
        if (takesBack === known && takesBack > 0 && !isDenial) end = upTo;
      }
      return end;
    },
    behindAnswer(text) {
      const spoken = [...text.matchAll(/[\p{L}\p{M}]+|\d+|[,.;:!–—]/gu)].filter(
        ([word]) => !hesitations.has(fold(word)),
      );
      const words = spoken.map(([word]) => fold(word));
      const pieces = spoken.map(({ 0: word, index }) => ({
        start: index,
        isBreak: /^\p{P}/u.test(word) || adding.has(fold(word)),
      }));
      return behindAnswer(pieces, (at) => ({ yes: lengthAt(words, at, yes), no: lengthAt(words, at, no) }));
    },
    isLeading: (text) => isMadeOf(text, [filling, leading]),
    saysNothing: (text) => !text.includes('?') && isMadeOf(text, [yes, no, filling, greetings]),
    request(text) {
      if (isMadeOf(text, [filling], repeat)) return 'repeat';
      if (isMadeOf(text, [filling], repeatValue)) return 'value';
      return isMadeOf(text, [filling, yes], patience) ? 'patience' : null;
    },
    keeps: (text) => !text.includes('?') && isMadeOf(text, [filling, yes, no], keeping),
  };
}

function marked(word: string): string {
  const lower = word.toLowerCase();
  return lower === 'é' ? 'ehyes' : lower === 'sí' ? 'siyes' : word;
}
