import { longestPhraseAt, phraseTable, wordsOf } from '../../../language/english/words.ts';
import { type Feature, featuresOf } from '../choose/features.ts';

/** A part of a sentence that may contain one value. */
export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly features: readonly Feature[];
}

const CONJUNCTIONS = phraseTable('and, but, then, plus, from, to, until, till, through, as well as');

/** Splits a text at marks and conjunctions, with positions. */
export function segmentsOf(text: string): Segment[] {
  const words = wordsOf(text);
  const segments: Segment[] = [];
  let from = 0;
  const close = (end: number, next: number): void => {
    const part = text.slice(from, end);
    if (/[\p{L}\d]/u.test(part)) segments.push({ text: part, start: from, features: featuresWithEdges(part) });
    from = next;
  };
  for (const [at, word] of words.entries()) {
    if (word.mark && /^[,;.!?]$/.test(word.text) && !(word.glued && words[at + 1]?.glued === true))
      close(word.start, word.end);
    else if (
      longestPhraseAt(words, at, CONJUNCTIONS) > 0 &&
      word.start > from &&
      !isInside(words[at - 1]?.text, word.text, words[at + 1]?.text)
    )
      close(word.start, word.start);
  }
  close(text.length, text.length);
  return segments;
}

/** Checks for conjunctions within a phrase: "quarter to five", "one hundred and four", "going to". */
function isInside(before: string | undefined, word: string, after: string | undefined): boolean {
  if (word === 'and') return before === 'hundred' || before === 'thousand' || after === 'a';
  if (word !== 'to') return false;
  return (
    /^(?:quarter|five|ten|twenty|minutes|going|like|want|need|have|due)$/.test(before ?? '') ||
    !/^(?:the|\d+|\p{L}+day|next|this|january|february|march|april|may|june|july|august|september|october|november|december|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)$/u.test(
      after ?? '',
    )
  );
}

/** Returns the words of a part; "from" and "to" mark the start and the end. */
function featuresWithEdges(part: string): Feature[] {
  const features = countedFeatures(part);
  const edge = /^\W*(?:and |then )*(from|to|until|till|through)\b/i.exec(part)?.[1]?.toLowerCase();
  if (edge === undefined) return features;
  return [
    ...features,
    { stem: '', concepts: [edge === 'from' ? 'start' : 'finish'], polarity: 'said', start: 0, end: 0 },
  ];
}

const PARTY =
  /\b(?:for|we are|we're|it's|there are|there will be)\s+(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)(?=\s*(?:$|[,.;!?]|(?:please|on|at|\p{L}+day|tomorrow|tonight|this|next|today|in|around|and|of us|with)\b))/giu;

/** Returns the words of a text, and the people that a bare "for four" counts. */
export function countedFeatures(text: string): Feature[] {
  const features = featuresOf(text);
  for (const match of text.matchAll(PARTY)) {
    const start = match.index;
    features.push({
      stem: '',
      concepts: ['people'],
      polarity: 'said',
      start,
      end: start + (/^\S+(?: (?:are|will be))*/i.exec(match[0])?.[0].length ?? 0),
    });
  }
  return features;
}
