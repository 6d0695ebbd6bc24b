import { spelledRuns } from './sql/spelled-runs.ts';

/** Finds values in texts in any spelling. */
export interface PersonalForms {
  /** Checks whether a text contains one of the values, or data that is personal by its form. */
  isIn(text: string): boolean;
}

/** Minimum lengths; shorter values would match unrelated texts. */
const shortestWord = 4;
const shortestDigits = 6;
/** Two single letters may be any abbreviation. */
const shortestSpelled = 3;
/** Number of final digits that two spellings of a telephone number share. */
const sharedDigits = 7;
/** A longer value is a sentence, and its single words do not identify it. */
const mostWordsOfAName = 5;

/**
 * Prepares values for the search. Case, accents, blanks and punctuation are ignored. A name is found by each of its
 * longer words, a number by its digits, a telephone number with and without its country code, and a date (`1984-03-04`)
 * in any order of its parts and with the month name. Spelled letters and digits are found as well. Card numbers (by
 * check digit) and IBANs are always found.
 */
export function personalForms(values: Iterable<string>): PersonalForms {
  const phrases = new Set<string>();
  const compacts = new Set<string>();
  const numbers = new Set<string>();
  const spelled = new Set<string>();
  for (const value of values) {
    const words = plainWords(value);
    if (words.length <= mostWordsOfAName)
      for (const word of [...words, words.join('')]) if (word.length >= shortestSpelled) spelled.add(word);
    const phrase = words.join(' ');
    if (phrase.length >= shortestWord) phrases.add(phrase);
    if (words.length > 1 && words.length <= mostWordsOfAName)
      for (const word of words) if (word.length >= shortestWord && /\p{L}/u.test(word)) phrases.add(word);
    const compact = words.join('');
    if (compact.length >= shortestDigits) compacts.add(compact);
    const digits = value.replaceAll(/\D/g, '');
    if (digits.length >= shortestDigits && digits.length >= compact.length / 2) numbers.add(digits);
    for (const form of dateForms(value)) (/\D/.test(form) ? phrases : numbers).add(form);
  }
  const hasPhrase = (text: string): boolean => {
    const padded = ` ${plainWords(text).join(' ')} `;
    return [...phrases].some((phrase) => padded.includes(` ${phrase} `));
  };
  const hasCompact = (text: string): boolean => {
    const compact = plainWords(text).join('');
    return [...compacts].some((one) => compact.includes(one));
  };
  const isNumber = (digits: string): boolean =>
    numbers.has(digits) ||
    [...numbers].some(
      (one) =>
        digits.includes(one) ||
        (digits.length >= sharedDigits && one.endsWith(digits)) ||
        (one.length >= sharedDigits && digits.endsWith(one)) ||
        // 0151… is +49151… in international form.
        (digits.length > sharedDigits && digits.startsWith('0') && one.endsWith(digits.slice(1))),
    );
  // A part that the caller spelled again after a slip also belongs to the value.
  const isSpelled = (run: string): boolean =>
    [...spelled].some((word) => run.includes(word) || (run.length >= shortestSpelled && word.includes(run))) ||
    (/^[\do]+$/.test(run) && run.length >= shortestDigits && isNumber(run.replaceAll('o', '0')));
  return {
    isIn: (text) =>
      hasShape(text) ||
      hasPhrase(text) ||
      hasCompact(text) ||
      digitRuns(text).some((digits) => isNumber(digits)) ||
      spelledRuns(plainWords(text)).some(isSpelled),
  };
}

/** Returns the words of a text without case, accents and punctuation. */
function plainWords(text: string): readonly string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the digits of numbers in a text, with or without grouping. */
function digitRuns(text: string): readonly string[] {
  const runs = text.match(/\d(?:[ ()./\u00a0-]{0,3}\d)*/g) ?? [];
  return runs.map((run) => run.replaceAll(/\D/g, '')).filter(({ length }) => length >= shortestDigits);
}

const months = 'january february march april may june july august september october november december'.split(' ');

function dateForms(value: string): readonly string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  if (year === '') return [];
  const [plainMonth, plainDay] = [String(Number(month)), String(Number(day))];
  const name = months[Number(month) - 1] ?? '';
  const digits = [
    [day, month, year],
    [month, day, year],
    [year, month, day],
    [plainDay, plainMonth, year],
    [plainMonth, plainDay, year],
  ].map((parts) => parts.join(''));
  const named = [`${name} ${plainDay} ${year}`, `${plainDay} ${name} ${year}`, `${plainDay} of ${name} ${year}`];
  const ordinal =
    plainDay + (/1[123]$/.test(plainDay) ? 'th' : (['th', 'st', 'nd', 'rd'][Number(plainDay) % 10] ?? 'th'));
  return [...digits, ...named, ...named.map((one) => one.replace(`${plainDay} `, `${ordinal} `))];
}

/** Checks whether a text contains a card number or an IBAN. */
function hasShape(text: string): boolean {
  const cards = text.match(/(?<![\p{L}\d])[2-6](?:[ -]?\d){12,18}(?![\p{L}\d])/gu) ?? [];
  if (cards.some((card) => isCard(card.replaceAll(/\D/g, '')))) return true;
  const accounts = text.match(/(?<![\p{L}\d])[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}(?![\p{L}\d])/gu) ?? [];
  return accounts.some((account) => isIban(account.replaceAll(' ', '')));
}

/** Checks the Luhn check digit of a card number. */
function isCard(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const doubled = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Checks the check digits of ISO 13616. */
function isIban(account: string): boolean {
  let rest = 0;
  for (const character of account.slice(4) + account.slice(0, 4))
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
