import type { Grounding, Reading, Said, ValueKind } from '../model/ports/reader.ts';

/** The words that cast doubt on a value in their clause. All patterns match flat text: lower case, without accents. */
export interface DoubtWords {
  /** Harmless phrases that contain such words: "no problem", "if possible". */
  readonly harmless: RegExp;
  readonly negation: RegExp;
  /** Another value, an exception, an alternative or a guess. */
  readonly other: RegExp;
  /** A condition invalidates its whole sentence. */
  readonly condition: RegExp;
  /** At the beginning of a clause: invalidates the previous clause. */
  readonly restriction: RegExp;
  /** Words between clauses, besides punctuation. */
  readonly conjunction: RegExp;
  /** At the beginning of a clause: continues the previous one. */
  readonly joining: RegExp;
  /** A clause after "and" with one of these makes its own statement; otherwise it shares that of the previous clause. */
  readonly statement: RegExp;
  /** Refers to another person's data: "her number". */
  readonly person: RegExp;
  /** In an author's description: the value belongs to a person other than the caller. */
  readonly aboutPerson: RegExp;
  /** Refers to an outdated value: "my old number". */
  readonly past: RegExp;
  readonly question: QuestionForms;
}

/** The forms of a caller's own question: "is it open on Friday?" names a day and does not choose it. */
export interface QuestionForms {
  /** At the beginning of a clause, also without a question mark. */
  readonly opening: RegExp;
  /** In a sentence with a question mark. A fragment ("on Friday?") has none of these. */
  readonly within: RegExp;
  /** A question that asks for the value itself: "can I have Friday?", "how about four?". */
  readonly request: RegExp;
}

/**
 * Removes the clauses that retract or doubt a value from a text. Clauses about other persons are removed unless the
 * author's description, `about`, names another person.
 */
function undoubted(words: DoubtWords, text: string, kind: ValueKind, about?: string): string {
  const isOthers = about !== undefined && !words.aboutPerson.test(flat(about));
  return text
    .split(SENTENCE_END)
    .map((sentence) => {
      const plain = plainOf(words, sentence);
      if (words.condition.test(plain)) return '';
      const clauses = clausesOf(words, sentence);
      const plainClauses = clauses.map((clause) => plainOf(words, clause));
      const asked = askingClauses(words, sentence, plain, plainClauses);
      const doubts: boolean[] = [];
      for (const [index, own] of plainClauses.entries()) {
        const isJoined = words.joining.test(own) && !words.statement.test(own);
        const isOwnDoubt = asked[index] === true || isDoubtful(words, own, kind, isOthers);
        doubts.push(isOwnDoubt || (isJoined && doubts[index - 1] === true));
      }
      return clauses
        .filter((_, index) => {
          const next = plainClauses[index + 1];
          return doubts[index] !== true && (next === undefined || !words.restriction.test(next));
        })
        .join('');
    })
    .join('');
}

/** Keeps a value certain only if it is also read without the clauses that doubt it. */
export function certainBy(words: DoubtWords, kind: ValueKind, text: string, read: (text: string) => Reading): Reading {
  const reading = read(text);
  if (!reading.ok || !reading.certain || reading.value === 0 || kind === 'text' || kind === 'boolean') return reading;
  const kept = undoubted(words, text, kind);
  if (kept === text) return reading;
  const again = read(kept);
  return again.ok && again.value === reading.value ? reading : { ...reading, certain: false };
}

/** Lowers "said" to "near" if a value occurs only in clauses that doubt it. */
export function groundedBy(
  words: DoubtWords,
  kind: ValueKind,
  value: string | number | boolean,
  said: Said,
  ground: (said: Said) => Grounding | null,
): Grounding | null {
  const found = ground(said);
  // A zero is spoken as "none".
  if (value === 0 || kind === 'text') return found;
  const before = said.turns.slice(0, -1);
  if (found !== 'unsaid' && onlyAsks(words, said.turns.at(-1) ?? '')) {
    const earlier =
      before.length > 0 && groundedBy(words, kind, value, { ...said, turns: before, asked: false }, ground);
    return earlier === 'said' ? 'said' : 'unsaid';
  }
  if (found !== 'said' || kind === 'boolean') return found;
  const kept = said.turns.map((turn) => undoubted(words, turn, kind, said.about));
  if (kept.every((turn, index) => turn === said.turns[index])) return found;
  const [last, own] = [said.turns.slice(-1), kept.slice(-1)];
  const isLastDoubted =
    last[0] !== own[0] && ground({ ...said, turns: last }) === 'said' && ground({ ...said, turns: own }) !== 'said';
  return !isLastDoubted && ground({ ...said, turns: kept }) === 'said' ? 'said' : 'near';
}

/**
 * Checks for each clause of a sentence, in its flat form, whether the caller asks a question in it. Clauses before the question belong
 * to it, unless they are statements: "on Friday, are you open?".
 */
function askingClauses(
  { question: { opening, within, request }, statement }: DoubtWords,
  sentence: string,
  plain: string,
  plainClauses: readonly string[],
): readonly boolean[] {
  if (request.test(plain)) return plainClauses.map(() => false);
  const isMarked = /[?？]\s*$/u.test(sentence);
  const clauses = plainClauses.map((clause) => clause.replace(/^[^a-z\d]+/, ''));
  const opened = clauses.findIndex((clause) => opening.test(clause));
  const first = opened < 0 && isMarked ? clauses.findIndex((clause) => within.test(clause)) : opened;
  return clauses.map((clause, index) => first >= 0 && (index >= first || !statement.test(clause)));
}

/** Checks whether the caller only asks questions. */
function onlyAsks(words: DoubtWords, text: string): boolean {
  const sentences = text.split(SENTENCE_END).filter((sentence) => /[\p{L}\d]/u.test(sentence));
  return (
    sentences.length > 0 &&
    sentences.every((sentence) => {
      const plainClauses = clausesOf(words, sentence).map((clause) => plainOf(words, clause));
      return askingClauses(words, sentence, plainOf(words, sentence), plainClauses).every(Boolean);
    })
  );
}

/** Checks whether a clause contains a negation. */
export function isNegated(words: DoubtWords, clause: string): boolean {
  return words.negation.test(plainOf(words, clause));
}

/** Returns the clauses of all sentences in order. */
export function clausesIn(words: DoubtWords, text: string): readonly string[] {
  return text.split(SENTENCE_END).flatMap((sentence) => clausesOf(words, sentence));
}

/** Removes a conjunction at the beginning of a clause: "sondern am Mittwoch". */
export function withoutConjunction(words: DoubtWords, clause: string): string {
  const found = [...flat(` ${clause}`).matchAll(words.conjunction)][0];
  if (found === undefined || /[a-z\d]/.test(flat(clause).slice(0, Math.max(0, found.index - 1)))) return clause;
  return clause.slice(found.index - 1 + found[0].length);
}

function isDoubtful(words: DoubtWords, clause: string, kind: ValueKind, isOthers: boolean): boolean {
  if (words.negation.test(clause) || words.other.test(clause)) return true;
  const isPersonal = kind === 'phone' || kind === 'code' || kind === 'email' || kind === 'name';
  return (isPersonal && words.past.test(clause)) || (isOthers && words.person.test(clause));
}

function clausesOf(words: DoubtWords, sentence: string): readonly string[] {
  const folded = flat(sentence);
  const cuts = [...folded.matchAll(words.conjunction)].map(({ index }) => index);
  const marks = [...folded.matchAll(/[,;:–—](?=\s|$)/g)].map(({ index }) => index + 1);
  const places = [0, ...[...cuts, ...marks].toSorted((one, other) => one - other), sentence.length];
  const clauses = places.slice(1).map((end, index) => sentence.slice(places[index], end));
  return clauses.flatMap((clause, index) => {
    if (clause.trim() === '') return [];
    const before = clauses[index - 1] ?? '';
    return [before.trim() === '' ? before + clause : clause];
  });
}

const SENTENCE_END = /(?<=[.!?;]\s)/;

/** Returns each character in lower case without its accent, so offsets stay the same. */
function flat(text: string): string {
  return text
    .split('')
    .map((unit) => unit.toLowerCase().normalize('NFD').charAt(0))
    .join('')
    .replaceAll(/[’‘]/g, "'");
}

function plainOf(words: DoubtWords, text: string): string {
  return flat(text).replaceAll(words.harmless, ' ').trim();
}
