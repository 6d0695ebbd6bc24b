const SMALL: ReadonlyMap<string, number> = new Map([
  ...'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'
    .split(' ')
    .map((word, value): [string, number] => [word, value]),
  ...Object.entries({ ein: 1, eine: 1, zwo: 2, zwanzig: 20, dreissig: 30, vierzig: 40, fünfzig: 50, sechzig: 60 }),
  ...Object.entries({ siebzig: 70, achtzig: 80, neunzig: 90 }),
]);
const ORDINAL_STEMS: ReadonlyMap<string, number> = new Map(Object.entries({ erst: 1, dritt: 3, siebt: 7, acht: 8 }));
const SCALES = [
  ['tausend', 1000],
  ['hundert', 100],
] as const;
/** "Zu dritt" is a party of three. */
const COUNTED = ['zweit', 'dritt', 'viert', 'fünft', 'sechst', 'siebt', 'acht', 'neunt', 'zehnt'];
const TOGETHER = new RegExp(`(?<!\\p{L})zu (${COUNTED.join('|')})(?!\\p{L})`, 'gu');
/** Longer than any number below a million. */
const LONGEST = 80;

/** A German text in lower case with number words as numerals, and ordinals as "3.". One compound word is one number. */
export function germanDigits(folded: string): string {
  return folded
    .replaceAll(TOGETHER, (_all, word: string) => String(COUNTED.indexOf(word) + 2))
    .replaceAll(/\p{L}+/gu, (word) => {
      if (word.length > LONGEST || /^eine?[nmrs]?$/.test(word)) return word === 'eins' ? '1' : word;
      const number = numberOf(word);
      if (number !== undefined) return String(number);
      const ordinal = ordinalOf(word);
      return ordinal === undefined ? word : `${ordinal}.`;
    })
    .replaceAll(/(\d)\. ?\./g, '$1.');
}

function numberOf(word: string): number | undefined {
  const small = SMALL.get(word);
  if (small !== undefined) return small;
  for (const [part, factor] of SCALES) {
    const at = word.indexOf(part);
    if (at < 0) continue;
    const left = at === 0 ? 1 : numberOf(word.slice(0, at));
    const behind = word.slice(at + part.length).replace(/^und/, '');
    const right = behind === '' ? 0 : numberOf(behind);
    return left === undefined || right === undefined || right >= factor ? undefined : left * factor + right;
  }
  const [, unit = '', ten = ''] = /^(.+?)und(.+ss?ig|.+zig)$/.exec(word) ?? [];
  const [ones, tens] = [SMALL.get(unit), SMALL.get(ten)];
  return ones === undefined || tens === undefined || ones > 9 || tens < 20 ? undefined : tens + ones;
}

/** "einundzwanzigsten" is 21. */
function ordinalOf(word: string): number | undefined {
  const [, ending = ''] = /(e[nrsm]?)$/.exec(word) ?? [];
  if (ending === '') return undefined;
  const stem = word.slice(0, -ending.length);
  const irregular = ORDINAL_STEMS.get(stem);
  if (irregular !== undefined) return irregular;
  const compound = /^(.+(?:und|hundert|tausend))(erst|dritt|siebt|acht)$/.exec(stem);
  if (compound !== null)
    return numberOf(
      compound[1] + ({ erst: 'eins', dritt: 'drei', siebt: 'sieben', acht: 'acht' }[compound[2] ?? ''] ?? ''),
    );
  return stem.endsWith('st')
    ? numberOf(stem.slice(0, -2))
    : stem.endsWith('t')
      ? numberOf(stem.slice(0, -1))
      : undefined;
}
