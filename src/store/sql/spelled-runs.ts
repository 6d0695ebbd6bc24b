/**
 * Returns spelled letters and digits in a text as runs: "D, E, double L as in Lima" gives "dell", "four one five" gives
 * "415". `words` are the words without case and accents.
 */
export function spelledRuns(words: readonly string[]): readonly string[] {
  const runs: string[] = [];
  let run = '';
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const times = repeats.get(word) ?? 1;
    const said = signOf(times === 1 ? word : (words[at + 1] ?? ''));
    const example = exampleLength(words, at, run);
    if (said !== undefined) {
      run += said.repeat(times);
      if (times > 1) at += 1;
    } else if (example > 0) at += example - 1;
    else if (!between.has(word) || run === '') {
      if (run.length >= shortest) runs.push(run);
      run = '';
    }
  }
  return run.length >= shortest ? [...runs, run] : runs;
}

const shortest = 2;

/** Returns the letter or digit of a word. */
function signOf(word: string): string | undefined {
  if (word.length === 1 && /[\p{L}\d]/u.test(word)) return word;
  return digits.get(word) ?? letters.get(word);
}

/** Returns the length of an example that begins here: "as in Lima" or "for Lima" after an L. */
function exampleLength(words: readonly string[], at: number, run: string): number {
  const lead = words[at] === 'as' && words[at + 1] === 'in' ? 2 : leads.has(words[at] ?? '') ? 1 : 0;
  const example = words[at + lead];
  return lead > 0 && run !== '' && example?.startsWith(run.at(-1) ?? '') === true ? lead + 1 : 0;
}

const leads: ReadonlySet<string> = new Set('for like wie comme como de'.split(' '));
const between: ReadonlySet<string> = new Set(
  'and then dash hyphen apostrophe space point dot capital minus und et y e'.split(' '),
);
const repeats: ReadonlyMap<string, number> = new Map([
  ...['double', 'doppel', 'doppelt', 'doble', 'duplo', 'dupla'].map((word): [string, number] => [word, 2]),
  ['triple', 3],
]);

const digits: ReadonlyMap<string, string> = new Map(
  [
    'zero oh null cero',
    'one eins ein un uno um',
    'two zwei zwo deux dos dois duas',
    'three drei trois tres',
    'four vier quatre cuatro quatro',
    'five funf cinq cinco',
    'six sechs seis meia',
    'seven sieben sept siete sete',
    'eight acht huit ocho oito',
    'nine neun neuf nueve nove',
  ].flatMap((words, digit) => words.split(' ').map((word): [string, string] => [word, String(digit)])),
);

const letters: ReadonlyMap<string, string> = new Map(
  (
    'alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec ' +
    'romeo sierra tango uniform victor whiskey xray yankee zulu'
  )
    .split(' ')
    .map((word): [string, string] => [word, word.charAt(0)]),
);
