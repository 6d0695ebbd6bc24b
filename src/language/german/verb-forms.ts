import type { VerbForm } from '../tables/tables.ts';

/** Prefixes that part from their verb: "absagen", "ich sage ab". */
const SEPARABLE = /^(?:ab|an|auf|aus|ein|mit|zu|weg|frei|fest|vor|nach|um|weiter|zurück|durch)(?=\p{L}{3,}$)/u;

/** The beginnings that the forms of a verb share: "absag", and "sag" with "ab", of "absagen". */
export function germanForms(verb: string): readonly VerbForm[] {
  const stem = verb.replace(/(?:en|n|e|st|t)$/u, '');
  const particle = SEPARABLE.exec(stem)?.[0];
  if (particle === undefined) return [{ stem }];
  const parted = stem.slice(particle.length);
  return [{ stem }, { stem: `${particle}zu${parted}` }, { stem: `${particle}ge${parted}` }, { stem: parted, particle }];
}

/** "ist es", "haben sie": each verb with each subject, as one list of phrases. */
export function questionPairs(verbs: string, subjects: string): string {
  return verbs
    .split(' ')
    .flatMap((verb) => subjects.split(' ').map((subject) => `${verb} ${subject}`))
    .join(', ');
}
