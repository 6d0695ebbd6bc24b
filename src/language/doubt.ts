import type { Grounding, Reading, Said, ValueKind } from '../model/ports/reader.ts';

/** The words that take back a value in whose clause they stand. All of them match flat text: in lower case, without accents. */
export interface DoubtWords {
  /** Phrases with words of the others that take nothing back: "no problem", "if possible". */
  readonly harmless: RegExp;
  readonly negation: RegExp;
  /** Another one, an exception, an alternative, a guess. */
  readonly other: RegExp;
  /** A condition takes back its whole sentence. */
  readonly condition: RegExp;
  /** At the beginning of a clause: it takes back the clause before. */
  readonly restriction: RegExp;
  /** Words between clauses, besides marks. */
  readonly conjunction: RegExp;
  /** At the beginning of a clause: it goes on with the one before. */
  readonly joining: RegExp;
  /** A clause behind "and" has its own statement if one of these stands in it, and else that of the clause before. */
  readonly statement: RegExp;
  /** A thing of another person: "her number". */
  readonly person: RegExp;
  /** In what an author says of a value: it is one of another person than the caller. */
  readonly aboutPerson: RegExp;
  /** What was valid once: "my old number". */
  readonly past: RegExp;
}

/**
 * Returns a text without the clauses in which something takes a value back. The clauses of other persons are left out if the value's
 * author names no other person in `about`.
 */
function undoubted(words: DoubtWords, text: string, kind: ValueKind, about?: string): string {
  const isOthers = about !== undefined && !words.aboutPerson.test(flat(about));
  return text
    .split(/(?<=[.!?;]\s)/)
    .map((sentence) => {
      const plain = plainOf(words, sentence);
      if (words.condition.test(plain)) return '';
      const clauses = clausesOf(words, sentence);
      const doubts: boolean[] = [];
      for (const [index, clause] of clauses.entries()) {
        const own = plainOf(words, clause);
        const isJoined = words.joining.test(own) && !words.statement.test(own);
        doubts.push(isDoubtful(words, own, kind, isOthers) || (isJoined && doubts[index - 1] === true));
      }
      return clauses
        .filter((_, index) => {
          const next = clauses[index + 1];
          return doubts[index] !== true && (next === undefined || !words.restriction.test(plainOf(words, next)));
        })
        .join('');
    })
    .join('');
}

/** Leaves a value certain only if it is still read without the clauses in which something takes it back. */
export function certainBy(words: DoubtWords, kind: ValueKind, text: string, read: (text: string) => Reading): Reading {
  const reading = read(text);
  if (!reading.ok || !reading.certain || reading.value === 0 || kind === 'text' || kind === 'boolean') return reading;
  const kept = undoubted(words, text, kind);
  if (kept === text) return reading;
  const again = read(kept);
  return again.ok && again.value === reading.value ? reading : { ...reading, certain: false };
}

/** Lowers "said" to "near" if a value is found only where something takes it back. */
export function groundedBy(
  words: DoubtWords,
  kind: ValueKind,
  value: string | number | boolean,
  said: Said,
  ground: (said: Said) => Grounding | null,
): Grounding | null {
  const found = ground(said);
  // "None" is how a zero is said.
  if (found !== 'said' || value === 0 || kind === 'text' || kind === 'boolean') return found;
  const kept = said.turns.map((turn) => undoubted(words, turn, kind, said.about));
  if (kept.every((turn, index) => turn === said.turns[index])) return found;
  const [last, own] = [said.turns.slice(-1), kept.slice(-1)];
  const isLastDoubted =
    last[0] !== own[0] && ground({ ...said, turns: last }) === 'said' && ground({ ...said, turns: own }) !== 'said';
  return !isLastDoubted && ground({ ...said, turns: kept }) === 'said' ? 'said' : 'near';
}

function isDoubtful(words: DoubtWords, clause: string, kind: ValueKind, isOthers: boolean): boolean {
  if (words.negation.test(clause) || words.other.test(clause)) return true;
  const isPersonal = kind === 'phone' || kind === 'email' || kind === 'name';
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

/** Each character in lower case and without its accent, so that places stay the same. */
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
