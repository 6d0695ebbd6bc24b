import type { Lookup } from '../consent.ts';
import { type Fold, lengthAt, phrasesOf, piecesOf, wordsIn } from './folded.ts';
import type { QuestionWords } from './tables.ts';

export interface QuestionVerbs {
  /** The number of pieces of a form of one of them at a place of an answer. */
  readonly verb: Lookup;
  /** Words that part from them: "ab" of "absagen". */
  readonly particles: ReadonlySet<string>;
}

/** Finds the verbs of what a question offers to do, and their forms in an answer. */
export function questionVerbs(
  fold: Fold,
  { verbs, or }: Pick<QuestionWords, 'verbs' | 'or'>,
): (question: string) => QuestionVerbs {
  const introducing = phrasesOf(fold, verbs.introducing);
  const [between, either, objects] = [wordsIn(fold, verbs.between), wordsIn(fold, or), wordsIn(fold, verbs.objects)];
  const verbsIn = (clause: readonly string[]): readonly string[] => {
    const starts = clause.flatMap((_, at) => {
      const length = lengthAt(clause, at, introducing);
      return length === 0 ? [] : [at + length];
    });
    const from = starts[0] ?? 0;
    if (verbs.place === 'last') return starts.length > 0 || verbs.bare.test(clause.join(' ')) ? lastVerbs(clause) : [];
    let at = from;
    while (between.has(clause[at] ?? '') && at < clause.length - 1) at += 1;
    const verb = clause[at] ?? '';
    return starts.length > 0 || verbs.bare.test(verb) ? [verb] : [];
  };
  return (question) => {
    const pieces = piecesOf(fold(lastSentence(question)));
    if (pieces.some((piece) => either.has(piece))) return { verb: () => 0, particles: new Set() };
    const clauses = fold(lastSentence(question))
      .split(/[,:;–]/)
      .map((clause) => piecesOf(clause).filter((piece) => piece !== '?'));
    const forms = clauses.flatMap(verbsIn).flatMap((verb) => verbs.forms(verb));
    const particles = new Set(forms.flatMap(({ particle }) => (particle === undefined ? [] : [particle])));
    const verb: Lookup = (answer, at) => {
      const place = answer[at];
      const word = verbs.regular(place?.text ?? '');
      const isForm = forms.some(({ stem, particle }) => {
        if (stem.length < 3 || !word.startsWith(stem) || word.length > stem.length + MOST_ENDING) return false;
        return (
          particle === undefined || answer.some(({ text, clause }) => text === particle && clause === place?.clause)
        );
      });
      if (!isForm) return 0;
      let end = at + 1;
      while (objects.has(answer[end]?.text ?? '')) end += 1;
      return end - at;
    };
    return { verb, particles };
  };
}

/** How many letters a form of a verb has behind its stem: "cancel-ándosela". */
const MOST_ENDING = 7;

/** German puts what is to be done at the end: "Soll ich den Termin absagen und neu buchen?". */
function lastVerbs(clause: readonly string[]): readonly string[] {
  return clause.filter((piece, at) => at === clause.length - 1 || (clause[at + 1] === 'und' && piece.endsWith('en')));
}

/** The last sentence of a text that has a question mark; the last sentence if there is none. */
export function lastSentence(text: string): string {
  const sentences = text.match(/[^.?!]+(?:[.?!]+(?=\s|$)|[.?!]|$)+/g) ?? [];
  return sentences.findLast((sentence) => sentence.includes('?')) ?? sentences.at(-1) ?? '';
}
