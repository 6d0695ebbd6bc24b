import { leaning } from '../../../language/english/answers/yes-no.ts';
import { wordsOf } from '../../../language/english/words.ts';
import { describe, type Described, type Meaning } from './describe-function.ts';
import { bestLikeness, type Feature, featuresOf, isQuestion, likeness } from './features.ts';
import type { Field } from '../field.ts';
import type { BrainTool } from '../schema.ts';

/** The side that an utterance takes, and the question it answers. */
export interface Stance {
  readonly side: 'yes' | 'no' | 'unknown' | undefined;
  /** The words of the question, which a yes or no implies. */
  readonly question: readonly Feature[];
  readonly answersYesNo: boolean;
  /** Whether nothing else is said. */
  readonly isPlain: boolean;
  /** Whether the caller names what they refuse. */
  readonly refusesSomething: boolean;
  /** Whether the caller declines to do something, not only says no. */
  readonly refuses: boolean;
  /** Whether the caller was asked what they want. */
  readonly isOpen: boolean;
}

/** A value in the text, with its position and the words of its field. */
interface Told {
  readonly start: number;
  readonly end: number;
  readonly field: Pick<Field, 'cues' | 'kind' | 'direction'>;
}

/** A sentence, prepared for comparison with functions. */
interface Speech {
  readonly said: readonly Feature[];
  /** Words implied by values if the caller states a wish: "a double" implies a room. */
  readonly implied: readonly Feature[];
  /** Words explained by a value or the name of its field. */
  readonly told: readonly Feature[];
  /** Words of values, including known ones. */
  readonly values: readonly Feature[];
  readonly isWish: boolean;
  readonly isDesired: boolean;
}

export interface Score {
  readonly tool: BrainTool;
  /** From 0 to 1: how well the words, or the answer to the question, fit the function. */
  readonly score: number;
  /** The score of the words alone. */
  readonly byWords: number;
  /** Positions of the matching words. */
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

/** The minimum score of a call. */
export const enough = 0.6;

/** Scores each function against the text. `news` are new values in it, `values` all values. */
export function scoreFunctions(
  tools: readonly BrainTool[],
  text: string,
  stance: Stance,
  news: readonly Told[] = [],
  values: readonly Told[] = news,
): Score[] {
  const said = featuresOf(text);
  const all = tools.map(describe);
  const isAboutOld = said.some(({ concepts }) => concepts.some((concept) => OF_WHAT_EXISTS.has(concept)));
  const implied = stance.isOpen
    ? news.flatMap(({ field }) => [...field.cues, ...(isAboutOld ? [] : arranged(field))])
    : [];
  const speech: Speech = {
    said,
    implied,
    told: said.filter((feature) => news.some((each) => tells(each, feature))),
    values: said.filter((feature) => values.some(({ start, end }) => feature.start < end && start < feature.end)),
    isDesired: DESIRE.test(text),
    isWish:
      implied.length > 0 ||
      WISH.test(text) ||
      isQuestion(text) ||
      wordsOf(text).filter((word) => !word.mark).length <= 4,
  };
  return all.map((each) => {
    const others = all.filter((other) => other !== each);
    const words = Math.max(0, ...each.meanings.map((meaning) => scoreMeaning(meaning, each, others, speech)));
    const answer = scoreAnswer(each, others, said, stance);
    const places = said
      .filter((feature) => bestLikenessOf(each, feature) >= 0.75)
      .map(({ start, end }) => ({ start, end }));
    return { tool: each.tool, score: Math.max(words, answer), byWords: words, places };
  });
}

/** Actions and events that concern something that already exists. */
const OF_WHAT_EXISTS = new Set('cancel move change correct extend late missing track'.split(' '));

/** A future day or a time implies that the caller wants to arrange something. */
function arranged({ kind, direction }: Told['field']): readonly Feature[] {
  const isToCome = kind === 'time' || (kind === 'date' && direction === 'future');
  return isToCome ? [{ stem: '', concepts: ['reserve'], polarity: 'said', start: 0, end: 0 }] : [];
}

/** Checks whether a word belongs to a value or names its field. */
export function tells({ start, end, field }: Told, feature: Feature): boolean {
  if (feature.start < end && start < feature.end) return true;
  // "From next Friday", "until Monday".
  if (field.kind === 'date' && /^(?:from|until|till|next|com)$/.test(feature.stem)) return true;
  return bestLikeness(field.cues, feature) >= 0.75;
}

/** Returns the side of a sentence: yes, no, unknown to the caller, or none. */
export function sideOfWords(text: string, answersYesNo: boolean): Stance['side'] {
  const side = leaning(text);
  if (side !== undefined) return side;
  const features = featuresOf(text);
  if (features.some(({ concepts }) => concepts.includes('unknown'))) return 'unknown';
  // "I can't find it" and nothing else.
  if (features.length === 1 && features[0]?.concepts.includes('missing') === true) return 'unknown';
  if (NOT_AT_HAND.test(text)) return 'unknown';
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (NO.test(words)) return 'no';
  if (answersYesNo && !isQuestion(text) && !/\b(?:but|not|don't|no|wait|first|before)\b/.test(words)) {
    if (YES.test(words)) return 'yes';
    const opening = /^(?:ok|okay|alright|all right|right|fine|great|good|perfect|cool)\b/.exec(words);
    if (opening !== null) return 'yes';
  }
  return undefined;
}

/** Checks whether the caller declines to answer, rather than denies what is asked. */
export function isRefusal(text: string): boolean {
  return NO.test(
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

/** Checks whether the caller says what they will not do. */
export function namesRefusal(text: string): boolean {
  return /\b(?:rather not|prefer not to|refuse to|not going to|(?:don't|do not|won't|will not) (?:want to|give|tell|say|share))\b/i.test(
    text,
  );
}

const NOT_AT_HAND =
  /\b(?:don't|do not|haven't|have not|didn't|can't|cannot)\b[^,.;!?]*\b(?:in front of me|with me|on me|to hand|at hand|handy)\b/i;
const NO =
  /^(?:(?:um|uh|well|sorry|actually|oh|look|listen|you know what|you know|i mean|thanks but|thank you but) )*(?:i(?:'d| would)? (?:refuse|decline|prefer not)|i(?:'m| am) not (?:interested|ready|comfortable)|not interested|not (?:now|today|yet)|neither|none of|i(?:'d| would) rather (?:not|keep)|i (?:don't|do not) (?:want|wish|agree|like|consent|think so)|forget (?:it|about it)|stop|leave it|nothing|skip|i(?:'ve| have)? changed my mind)\b|\b(?:rather not|not interested|no thanks|no thank you|none of (?:them|those|these|that))\b/;
const YES =
  /^(?:(?:um|uh|well|oh|hi|hello) )*(?:let's|i(?:'m| am) ready|ready|i agree|i accept|i(?:'d| would) (?:like|love) (?:that|to)|that (?:works|would be|sounds|is fine|'s fine)|that'd be|please|continue|go on|proceed|sounds|works for me|by all means|do it|why not|gladly|happy to|with pleasure|yup|mhm|uh huh)\b/;
/** Checks whether the word itself is said, or nearly the same one. */
function isNamed(meant: Feature | undefined, said: readonly Feature[]): boolean {
  return (
    meant !== undefined &&
    said.some(
      (feature) => feature.polarity === 'said' && (feature.stem === meant.stem || likeness(feature, meant) >= 0.9),
    )
  );
}

const DESIRE =
  /\b(?:i|we) (?:(?:would|'d|do|really|just) )*(?:want|like|love|need|wish) to\b|\b(?:i|we)'d (?:like|love) to\b|\blet'?s\b|\b(?:can|could|may) (?:i|we|you)\b|\bplease\b/i;
const WISH =
  /\b(?:i(?:'d| would)? (?:like|want|need|wanna|wish|love)|i'm (?:looking|calling|trying|here)|i am (?:looking|calling|trying)|can (?:i|you|we)|could (?:i|you|we)|may i|please|let me|let's|how (?:do|can|much|about)|what|where|when|do you|is there|are there|give me|put me|i have to|i've got to|i wish|want to|need to|wants to|trying to)\b/i;

function scoreMeaning(
  meaning: Meaning,
  each: Described,
  others: readonly Described[],
  { said, implied, told, values, isWish, isDesired }: Speech,
): number {
  const { features, side } = meaning;
  if (features.length === 0) return 0;
  let total = 0;
  let matched = 0;
  let count = 0;
  let unique = false;
  let alarms = false;
  for (const feature of features) {
    const weight = weightOf(feature, others);
    const fit = Math.max(bestLikeness(said, feature), 0.8 * bestLikeness(implied, feature));
    total += weight;
    matched += weight * fit;
    if (fit >= 0.5) {
      count += 1;
      unique ||= weight >= 1;
      alarms ||= fit >= 0.75 && weight >= 2 && feature.concepts.some((concept) => ALARMS.has(concept));
    }
  }
  if (count === 0) return 0;
  // A thing that several functions are about does not choose between them.
  const coverage = (matched / total) * (unique ? 1 : 0.75);
  const fitting = said.filter((feature) => bestLikenessOf(each, feature) >= 0.5);
  const left = said.filter((feature) => !fitting.includes(feature) && !told.includes(feature));
  const explained = fitting.length + left.length === 0 ? 1 : fitting.length / (fitting.length + left.length);
  let score = coverage * (0.66 + 0.1 * Math.min(2, count)) + 0.14 * explained;
  if (unique && isWish) score = Math.max(score, 0.72 * Math.sqrt(coverage * explained) + 0.06 * count);
  // A single common word in a sentence about something else is not enough to leave a step.
  if (alarms) score += 0.06;
  if (count === 1 && fitting.length + left.length > 4 && !isWish) score *= 0.8;
  if (side === 'agrees' && !(isDesired && !meaning.isThing && isNamed(features[0], said))) return 0;
  if (meaning.isInquiry && !isWish) score *= 0.6;
  // "Pain" as a value matches only half of "chest pain".
  if (coverage < 0.9 && fitting.length > 0 && fitting.every((feature) => values.includes(feature))) score *= 0.8;
  if (!meaning.isName) return score;
  return score * (features.length === 1 && each.tool.description !== '' ? 0.6 : 0.9);
}

/** Returns the weight of a word; words shared by several functions weigh less. */
function weightOf(feature: Feature, others: readonly Described[]): number {
  const sharing = others.filter((other) => bestLikeness(other.features, feature) >= 0.9).length;
  const tells = feature.concepts.some((concept) => !THINGS.has(concept));
  return (tells ? 2 : 1) / (1 + 0.5 * sharing * (tells ? 2 : 1));
}

/** Concepts that name a topic; all others name a wish. */
const THINGS = new Set(
  `people start finish child grownup vehicle pet today house night thanks speak wait other same more less fresh existing buy reserve delivery
   parcel message money late pay bill available taxi upstairs`.split(/\s+/),
);

/** Concepts that are sufficient by themselves. */
const ALARMS = new Set('bleed breath fire unconscious suicide danger stolen accident human complain refund'.split(' '));

function bestLikenessOf(each: Described, said: Feature): number {
  let best = 0;
  for (const meaning of each.meanings)
    for (const feature of meaning.features) best = Math.max(best, likeness(said, feature));
  return best;
}

function scoreAnswer(each: Described, others: readonly Described[], said: readonly Feature[], stance: Stance): number {
  const { side, question, answersYesNo, isPlain, refuses, refusesSomething } = stance;
  // A yes or no with more words may be about something else.
  const alone = isPlain ? 0.88 : 0.68;
  if (side === undefined) return 0;
  let best = 0;
  const context = [...said, ...question];
  const denied = said.filter((feature) => feature.polarity === 'denied');
  const hasOwn = (wanted: Meaning['side']): boolean =>
    others.some((other) => other.meanings.some((meaning) => meaning.side === wanted && !meaning.isName));
  for (const meaning of each.meanings) {
    const fit = coverageOf(meaning.features, context);
    // "I would rather not give my number" refuses only the number.
    const isElsewhere = refusesSomething && denied.length > 0 && coverageOf(denied, meaning.features) === 0;
    const own = (meaning.isName ? 0.85 : 1) * (side === 'no' && isElsewhere ? 0.75 : 1);
    if (side === 'yes' && answersYesNo) {
      if (meaning.side === 'agrees')
        best = Math.max(best, own * (meaning.features.length === 0 ? alone : 0.62 + 0.33 * fit));
      else if (meaning.side === 'wants' && !meaning.isName && !hasOwn('agrees'))
        best = Math.max(best, fit >= 0.6 ? 0.9 * fit : 0);
    } else if (side === 'no') {
      const bare = meaning.features.length === 0;
      if (meaning.side === 'refuses') best = Math.max(best, own * (bare ? alone : 0.62 + 0.33 * fit));
      else if (meaning.side === 'unable' && (isPlain || bare || coverageOf(meaning.features, said) > 0))
        best = Math.max(best, own * (refuses ? 0.5 : bare ? 0.62 : 0.5 + 0.36 * fit));
    } else if (side === 'unknown') {
      if (meaning.side === 'unable')
        best = Math.max(best, own * (meaning.features.length === 0 ? 0.85 : 0.66 + 0.3 * fit));
      else if (meaning.side === 'refuses') best = Math.max(best, own * (fit > 0.5 ? 0.4 : 0.3));
    }
  }
  return best;
}

/** Returns the share of a meaning that the words name, affirmed or denied. */
export function coverageOf(meant: readonly Feature[], said: readonly Feature[]): number {
  if (meant.length === 0) return 0;
  const plain = said.map((feature) => ({ ...feature, polarity: 'said' as const }));
  const sum = meant.reduce((total, feature) => total + bestLikeness(plain, { ...feature, polarity: 'said' }), 0);
  return sum / meant.length;
}
