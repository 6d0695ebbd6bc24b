import { normal, type Grounding, type Said, textsOf } from '../said-words.ts';
import { countPeople } from './count-people.ts';
import { read } from '../reading.ts';
import { quantitiesIn } from './quantities.ts';
import { tokensOf, type Token } from './spoken-numbers.ts';
import { isUnit, isUnitOf } from './units.ts';

/**
 * Checks whether a number occurs in the words and counts nothing else: "for two weeks" is not a number of people, "ten
 * days ago" not a degree of pain, and "at seven" is a time.
 */
export function groundedNumber(value: number, said: Said): Grounding {
  let best: Grounding = 'unsaid';
  for (const [index, text] of textsOf(said.turns).entries()) {
    // An earlier "no" did not answer this question.
    const found = numberIn(value, text, { ...said, asked: said.asked && index === 0 });
    if (found === 'said') return 'said';
    if (found === 'near') best = 'near';
  }
  return best;
}

function numberIn(value: number, text: string, { options, about, asked, unput }: Said): Grounding {
  const isNone = asked && unput !== true && value === 0 && NONE.test(text);
  if (countPeople(text, about) === value || isNone || isLength(value, text, about)) return 'said';
  const reading = read('number', text, { ...options, asked: true });
  const tokens = quantitiesIn(tokensOf(text));
  const mentions = mentionsOf(tokens, options.now);
  const own = mentions.filter((mention) => mention.value === value);
  const isOf = (mention: Mention): boolean => isOfThis(tokens, mention, about);
  if (reading.ok) {
    if (reading.value !== value) return own.some(isOf) && !CORRECTED.test(text) ? 'near' : 'unsaid';
    const at = own.find(({ start, end }) => start < reading.end && end > reading.start);
    if (at === undefined || isOf(at)) return 'said';
    return asked ? 'near' : 'unsaid';
  }
  if (reading.candidates?.includes(value) === true || own.length > 0) return own.some(isOf) ? 'said' : 'unsaid';
  return 'unsaid';
}

const NONE = /\b(?:none|no|without|nobody|nothing)\b/i;

/** A stretch of time in days or nights, where these are what is counted. */
function isLength(value: number, text: string, about: string): boolean {
  if (!/\b(?:days?|nights?)\b/i.test(about)) return false;
  const lengths = [
    [/\bfortnight\b/i, 14],
    [/\b(?:a|one|the whole) week\b/i, 7],
    [/\btwo weeks\b/i, 14],
  ] as const;
  return lengths.some(([pattern, days]) => days === value && pattern.test(text));
}

const CORRECTED = /\b(?:no|not|sorry|wait|actually|rather|instead|i mean|make it)\b/i;

interface Mention {
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

function mentionsOf(tokens: readonly Token[], now: string): readonly Mention[] {
  const mentions: Mention[] = [];
  for (let from = 0; from < tokens.length; from += 1) {
    if (tokens[from]?.number === undefined) continue;
    let to = from + 1;
    while (tokens[to]?.number !== undefined) to += 1;
    const words = tokens.slice(from, to);
    const text = words.map(({ number }) => number?.digits ?? '').join(' ');
    const whole = read('number', text, { now, asked: true });
    const start = words[0]?.start ?? 0;
    const end = words.at(-1)?.end ?? 0;
    if (whole.ok) mentions.push({ value: Number(whole.value), from, to, start, end });
    else
      for (const [index, { number, start: at, end: until }] of words.entries())
        if (number !== undefined)
          mentions.push({ value: number.value, from: from + index, to: from + index + 1, start: at, end: until });
    from = to;
  }
  return mentions;
}

/** Whether what stands around a number does not make it one of something else. */
function isOfThis(tokens: readonly Token[], { from, to }: Mention, about: string): boolean {
  const after = tokens[to]?.text ?? '';
  const before = tokens[from - 1]?.text ?? '';
  const own = ` ${normal(about)} `;
  if (CLOCK.has(after) || (AT.has(before) && !own.includes(` ${before} `) && !isCounted(after))) return false;
  return !isUnit(after) || isUnitOf(after, about);
}

/** "at two people" is none of the clock. */
function isCounted(after: string): boolean {
  return after !== '' && /^[a-z]{3,}s$/.test(after);
}

const AT = new Set(['at', 'around', 'by', 'until', 'till']);
const CLOCK = new Set(["o'clock", 'oclock', 'am', 'pm', 'a.m', 'p.m', 'past']);
