import { settle, versionsOf, type Mention } from './answers/corrections.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { withoutSpellingAids } from './spelling.ts';
import { dictatedDigitsAt } from './numbers/number-words.ts';
import { longestPhraseAt, phraseTable, wordSet, wordsOf, type Word } from './words.ts';

interface Address {
  local: string;
  /** Words that could be written together or not ("maria delgado at"). */
  loose: boolean;
  /** Absent where only a bare word was said ("at gmail"). */
  domain?: string;
  certain: boolean;
}

const CONNECTORS: ReadonlyMap<string, string> = new Map([
  ['dot', '.'],
  ['period', '.'],
  ['point', '.'],
  ['underscore', '_'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['minus', '-'],
  ['plus', '+'],
]);
const CONNECTOR_MARKS = new Set(['.', '_', '-', '+']);
/** Says that the words before are written together. */
const TOGETHER = phraseTable(
  'all one word, all in one word, as one word, one word, no spaces, without spaces, all together',
);
const LOWER_CASE = phraseTable('all lowercase, all lower case, lowercase, lower case');
/** Words before an address, never the address. */
const OUTSIDE = wordSet(`
  is it's its it email mail address my me at the be am are was to and yes yeah sure okay ok that's that would i i'm use contact reach so
  on or you can send write us in by with for a an as of this here here's look looking arrive meet see call home not no going we we're
  they he she please meeting there be stay will`);
/** Of these, the words that may as well be part of it: "joe the plumber at". */
const WITHIN = wordSet(`
  the and of a an for on in by with me you we be not no or so as he she they this look meet see call home`);
/** A longer address is refused rather than cut. */
const LONGEST_LOCAL = 40;
const MOST_LABELS = 8;

/** Reads an e-mail address, written or dictated ("j o e at example dot com"); one that can be spelled in two ways is not read. */
export function readEmail(text: string, options: ReadOptions): Reading {
  const words = withoutSpellingAids(wordsOf(text));
  const together = words.some((_, at) => longestPhraseAt(words, at, TOGETHER) > 0);
  const versions = versionsOf(withoutPhrases(words));
  const { mentions, unsettled } = settle(versions, addressesIn);
  const mention = mentions.find((each) => each.value.domain !== undefined) ?? mentions[0];
  if (mention === undefined) return { ok: false, problem: 'not-found' };
  const { local, loose, domain } = mention.value;
  if (domain === undefined) {
    return options.asked === true
      ? { ok: false, problem: 'incomplete', missing: 'domain' }
      : { ok: false, problem: 'not-found' };
  }
  const complete = mentions.flatMap((each) =>
    each.value.domain === undefined ? [] : [`${each.value.local}@${each.value.domain}`],
  );
  const candidates = [...new Set(complete)];
  if (candidates.length > 1 || unsettled || isHalfCorrected(versions))
    return { ok: false, problem: 'ambiguous', candidates };
  if (loose && !together) return { ok: false, problem: 'ambiguous', candidates };
  const value = `${local}@${domain}`;
  if (!isAddress(local, domain)) return { ok: false, problem: 'invalid' };
  const { start, end } = mention;
  return { ok: true, value, said: text.slice(start, end), start, end, certain: mention.value.certain };
}

/** A correction in the middle of an address: "maria dot delgado, sorry, delgada at example dot com". */
function isHalfCorrected(versions: ReturnType<typeof versionsOf<Word>>): boolean {
  return versions
    .slice(0, -1)
    .some(
      ({ pieces }) =>
        addressesIn(pieces).length === 0 && pieces.some((word) => connectorOf(word) !== undefined && word.text !== '.'),
    );
}

/** Leaves out what is said about the writing of an address. */
function withoutPhrases(words: readonly Word[]): Word[] {
  const kept: Word[] = [];
  let at = 0;
  while (at < words.length) {
    const length = longestPhraseAt(words, at, TOGETHER) || longestPhraseAt(words, at, LOWER_CASE);
    const word = words[at];
    if (length === 0 && word !== undefined) kept.push(word);
    at += length || 1;
  }
  return kept;
}

function addressesIn(words: readonly Word[]): Mention<Address>[] {
  const mentions: Mention<Address>[] = [];
  for (const [at, word] of words.entries()) {
    if (word.text !== 'at' && word.text !== '@') continue;
    const local = localBefore(words, at);
    const domain = local && domainAt(words, at + 1);
    if (local === undefined || domain === undefined) continue;
    mentions.push({
      value: {
        local: local.text,
        loose: local.loose,
        certain: local.certain,
        ...(domain.text.includes('.') && { domain: domain.text }),
      },
      from: local.from,
      to: domain.next,
      start: words[local.from]?.start ?? 0,
      end: words[domain.next - 1]?.end ?? 0,
      certain: local.certain,
    });
  }
  return mentions;
}

function connectorOf(word: Word | undefined): string | undefined {
  if (word === undefined) return undefined;
  return word.mark ? (CONNECTOR_MARKS.has(word.text) ? word.text : undefined) : CONNECTORS.get(word.text);
}

function localBefore(
  words: readonly Word[],
  at: number,
): { text: string; from: number; loose: boolean; certain: boolean } | undefined {
  let from = at;
  while (from > 0 && at - from < LONGEST_LOCAL && isLocalWord(words, from - 1, at)) from -= 1;
  if (from > 0 && at - from === LONGEST_LOCAL && isLocalWord(words, from - 1, at)) return undefined;
  let text = '';
  let loose = WITHIN.has(words[from - 1]?.text ?? '');
  let certain = true;
  let previous: 'word' | 'letter' | 'digits' | 'connector' = 'connector';
  let next = from;
  while (next < at) {
    const word = words[next];
    if (word === undefined) break;
    const connector = connectorOf(word);
    const digits = connector === undefined ? dictatedDigitsAt(words, next) : undefined;
    const isLetter = word.text.length === 1;
    const kind =
      connector !== undefined
        ? 'connector'
        : isLetter && !/\d/.test(word.text)
          ? 'letter'
          : digits !== undefined
            ? 'digits'
            : 'word';
    // "two thousand five" may be 2005 or 20005.
    if (digits !== undefined && /^(?:hundred|thousand)$/.test(words[digits.next - 1]?.text ?? '')) return undefined;
    if (!word.glued && previous !== 'connector' && kind !== 'connector') {
      if (kind === 'word' || (kind === 'letter' && previous === 'word')) loose = true;
      if (kind !== previous) certain = false;
    }
    text += connector ?? (kind === 'digits' ? digits?.digits : undefined) ?? word.text;
    next = kind === 'digits' ? (digits?.next ?? next + 1) : next + 1;
    previous = kind;
  }
  return text === '' ? undefined : { text, from, loose, certain };
}

function isLocalWord(words: readonly Word[], at: number, end: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.mark) return CONNECTOR_MARKS.has(word.text) && (at + 1 === end || words[at + 1]?.glued === true);
  const isSpelled = (neighbour: Word | undefined): boolean => neighbour?.mark === false && neighbour.text.length === 1;
  if (isSpelled(word) && ((at + 1 < end && isSpelled(words[at + 1])) || isSpelled(words[at - 1]))) return true;
  const isConnected = connectorOf(words[at + 1]) !== undefined && at + 1 < end;
  const isGlued = words[at + 1]?.glued === true;
  return isConnected || isGlued || !OUTSIDE.has(word.text);
}

function domainAt(words: readonly Word[], from: number): { text: string; next: number } | undefined {
  const labels: string[] = [];
  let next = from;
  for (let label = labelAt(words, next); label !== undefined; label = labelAt(words, next)) {
    labels.push(label.text);
    next = label.next;
    const word = words[next];
    const isDot = word?.text === 'dot' || (word?.text === '.' && words[next + 1]?.glued === true);
    if (!isDot) break;
    if (labels.length === MOST_LABELS) return undefined;
    next += 1;
  }
  return labels.length === 0 ? undefined : { text: labels.join('.'), next };
}

/** One label: a word, letters and digits one by one, parts joined by a dash. */
function labelAt(words: readonly Word[], from: number): { text: string; next: number } | undefined {
  let text = '';
  let next = from;
  let canGoOn = true;
  while (canGoOn && text.length < 64) {
    const word = words[next];
    const hyphen = text !== '' && connectorOf(word) === '-' ? 1 : 0;
    const part = words[next + hyphen];
    if (part === undefined || part.mark || part.text === 'dot') break;
    const digits = dictatedDigitsAt(words, next + hyphen);
    const isSingle = part.text.length === 1;
    if (text !== '' && hyphen === 0 && !part.glued && !isSingle && digits === undefined) break;
    text += `${hyphen === 1 ? '-' : ''}${digits !== undefined && part.text !== 'o' ? digits.digits : part.text}`;
    next = digits !== undefined && part.text !== 'o' ? digits.next : next + hyphen + 1;
    const after = words[next];
    canGoOn =
      after !== undefined &&
      (after.glued ||
        connectorOf(after) === '-' ||
        (isSingle && after.text.length === 1) ||
        dictatedDigitsAt(words, next) !== undefined);
  }
  return text === '' ? undefined : { text, next };
}

function isAddress(local: string, domain: string): boolean {
  if (local.length > 64 || domain.length > 200) return false;
  const labels = domain.split('.');
  const isPlain =
    /^[a-z0-9._+-]+$/.test(local) && /^[a-z0-9]/.test(local) && /[a-z0-9]$/.test(local) && !local.includes('..');
  return (
    isPlain &&
    labels.every((label) => /^[a-z0-9-]+$/.test(label) && !/^-|-$/.test(label)) &&
    /^[a-z]{2,24}$/.test(labels.at(-1) ?? '')
  );
}
