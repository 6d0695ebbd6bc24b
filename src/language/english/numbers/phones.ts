import { parsePhoneNumberFromString, validatePhoneNumberLength, isSupportedCountry } from 'libphonenumber-js/max';
import { settle, versionsOf, type Mention } from '../answers/corrections.ts';
import type { Reading, ReadOptions } from '../reading.ts';
import { dictatedDigitsAt } from './number-words.ts';
import { wordsOf, type Word, wordSet } from '../words.ts';

const BETWEEN_DIGITS = wordSet('- . ( ) / , – dash hyphen space then');
const EXTENSION = new Set(['extension', 'ext', 'x']);
const CUES = wordSet('phone telephone number cell cellphone mobile call reach text tel line ring whatsapp');
const OTHER_NUMBERS = wordSet(`
  account member membership card id identification policy order reference case ticket confirmation zip tracking booking passport license
  licence social security invoice serial code pin`);
const CUE_REACH = 6;
const SHORTEST = 7;
/** Parsing one takes a tenth of a millisecond; nobody says more. */
const MOST_NUMBERS = 20;

/** Reads a telephone number as E.164; one that the numbering plan of its country does not know is not read. */
export function readPhone(text: string, options: ReadOptions): Reading {
  const region = (options.region ?? 'US').toUpperCase();
  const country = isSupportedCountry(region) ? region : undefined;
  const versions = versionsOf(wordsOf(text));
  const short: string[] = [];
  const { mentions, unsettled } = settle(versions, (words) => {
    const runs = digitRunsIn(words).filter((run) => options.asked === true || isPhone(words, run));
    short.push(...runs.filter((run) => run.value.length < SHORTEST).map((run) => run.value));
    return runs.filter((run) => run.value.length >= SHORTEST);
  });
  const mention = mentions[0];
  const leftover = short.filter((digits) => digits.length > 1);
  if (mention === undefined) {
    const asked = options.asked === true && short.length > 0;
    return asked ? { ok: false, problem: 'incomplete', missing: 'digits' } : { ok: false, problem: 'not-found' };
  }
  const said = [...new Set(mentions.map((each) => each.value))];
  if (said.length > MOST_NUMBERS) return { ok: false, problem: 'ambiguous' };
  const numbers = said.map((digits) => parsePhoneNumberFromString(digits, country));
  const valid = [...new Set(numbers.flatMap((number) => (number?.isValid() === true ? [number.number] : [])))];
  const [value] = valid;
  if (numbers.length > 1 && (valid.length > 1 || numbers.some((number) => number?.isValid() !== true))) {
    return { ok: false, problem: 'ambiguous', candidates: valid };
  }
  if (value === undefined) {
    const isShort = validatePhoneNumberLength(mention.value, country) === 'TOO_SHORT';
    return isShort ? { ok: false, problem: 'incomplete', missing: 'area code' } : { ok: false, problem: 'invalid' };
  }
  // A number begun twice or broken off leaves digits over: which of them count cannot be known.
  const isWhole = mention.value.startsWith('+') || mention.value.length >= 10;
  if (unsettled || (leftover.length > 0 && !(versions.length > 1 && isWhole))) {
    return { ok: false, problem: 'ambiguous', candidates: valid };
  }
  const { start, end } = mention;
  return { ok: true, value, said: text.slice(start, end), start, end, certain: true };
}

/** The runs of digits, with a leading plus where one was said; an extension is left out. */
function digitRunsIn(words: readonly Word[]): Mention<string>[] {
  const runs: Mention<string>[] = [];
  let at = 0;
  while (at < words.length) {
    const plus = words[at]?.text === '+' || words[at]?.text === 'plus' ? 1 : 0;
    if (dictatedDigitsAt(words, at + plus) === undefined || isInsideWord(words, at)) {
      at += 1;
      continue;
    }
    const from = at;
    let digits = plus === 1 ? '+' : '';
    let next = from + plus;
    let end = next;
    for (let piece = dictatedDigitsAt(words, next); piece !== undefined; piece = dictatedDigitsAt(words, next)) {
      digits += piece.digits;
      end = piece.next;
      next = piece.next;
      while (BETWEEN_DIGITS.has(words[next]?.text ?? '') || isAndThen(words, next)) next += 1;
    }
    const isExtension = EXTENSION.has(words[from - 1]?.text ?? '') || EXTENSION.has(words[from - 2]?.text ?? '');
    if (!isExtension) {
      const [first, last] = [words[from], words[end - 1]];
      runs.push({
        value: saidOnce(digits),
        from,
        to: end,
        start: first?.start ?? 0,
        end: last?.end ?? 0,
        certain: true,
      });
    }
    at = end;
  }
  return runs;
}

/** A number said twice without a pause is that number. */
function saidOnce(digits: string): string {
  const half = digits.slice(0, digits.length / 2);
  return half.length >= SHORTEST && half + half === digits ? half : digits;
}

function isAndThen(words: readonly Word[], at: number): boolean {
  return words[at]?.text === 'and' && words[at + 1]?.text === 'then';
}

function isInsideWord(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  return words[at]?.glued === true && before !== undefined && !before.mark && !EXTENSION.has(before.text);
}

/** Whether digits that nobody asked for are a telephone number by their form or the words before them. */
function isPhone(words: readonly Word[], run: Mention<string>): boolean {
  const before = words.slice(Math.max(0, run.from - CUE_REACH), run.from).map((word) => word.text);
  if (before.some((word) => OTHER_NUMBERS.has(word)) && !before.includes('area')) return false;
  const said = words.slice(run.from, run.to);
  const dashes = said.filter((word) => word.mark && word.glued && /^[-.)–]$/.test(word.text)).length;
  const isDate = run.value.length === 8 && said.length === 5;
  return run.value.startsWith('+') || before.some((word) => CUES.has(word)) || (dashes >= 2 && !isDate);
}
