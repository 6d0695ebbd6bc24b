import type { VerbForm } from '../tables/tables.ts';

/** The beginnings that the forms of a verb share: "annul" of "annuler" and of "j'annule". */
export function frenchForms(verb: string): readonly VerbForm[] {
  const stem = verb.replace(/(?:issez|issons|isse|er|ir|re|ez|ons|es|e)$/u, '');
  // "envoyer" and "j'envoie".
  return stem.endsWith('y') ? [{ stem }, { stem: `${stem.slice(0, -1)}i` }] : [{ stem }];
}
