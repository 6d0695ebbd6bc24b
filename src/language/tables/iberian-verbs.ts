import type { VerbForm } from './tables.ts';

/** The beginnings that the forms of a Spanish or Portuguese verb share, pronouns behind it left out: "reserv" of "reservarlo". */
export function iberianForms(verb: string): readonly VerbForm[] {
  const bare = regularIberian(verb).replace(/(?<=[aei]r)(?:me|se|te|nos)?(?:l[oae]s?)?$/u, '');
  const stem = bare.replace(/(?:ar|er|ir|amos|emos|imos|en|an|o|e|a)$/u, '');
  const other = stem.replace(/(?:c|qu|z)$/u, (end) => (end === 'c' ? 'qu' : 'c'));
  return other === stem ? [{ stem }] : [{ stem }, { stem: other }];
}

/** A form whose stressed vowel changes as its stem is written: "apruebe" as "aprobe", "cierro" as "cerro". */
export function regularIberian(word: string): string {
  return word
    .replace(/ue(?=[^aeiou])/u, (vowels, at: number) => (/[gq]/.test(word[at - 1] ?? '') ? vowels : 'o'))
    .replace(/ie(?=[^aeiou])/u, 'e');
}
