import { isInquiring, partsOf, type Side, sideOf } from '../../reading/english/sides.ts';
import { featuresOf, type Feature } from './features.ts';
import { labelOf } from './field.ts';
import type { BrainTool } from './schema.ts';

/** One of the situations in which a function is meant: "refuses", "has no number", "asks when you are open". */
export interface Meaning {
  readonly side: Side;
  readonly features: readonly Feature[];
  /** What is agreed to is a thing ("agrees to the price"): whoever only names it has not agreed. */
  readonly isThing: boolean;
  /** Asking is meant ("asks about parking"), not telling. */
  readonly isInquiry: boolean;
  /** Taken from the name rather than the description. */
  readonly isName: boolean;
}

/** A function as its description tells when to call it. */
export interface Described {
  readonly tool: BrainTool;
  readonly meanings: readonly Meaning[];
  /** All words of name and description. */
  readonly features: readonly Feature[];
  /** Said about the caller ("The caller agrees"), not about work to be done ("Look up the order"). */
  readonly isAboutCaller: boolean;
}

/** What is read of a description, in letters. */
const longestDescription = 1_500;

const described = new WeakMap<BrainTool, Described>();

/** Takes a function's description apart, once for each function. */
export function describe(tool: BrainTool): Described {
  const known = described.get(tool);
  if (known !== undefined) return known;
  const label = labelOf(tool.name);
  const description = tool.description.slice(0, longestDescription);
  const meanings = meaningsOf(description);
  const named = meaningsOf(label).map((meaning) => ({ ...meaning, isName: true }));
  const result: Described = {
    tool,
    meanings: [...meanings, ...named],
    features: featuresOf(`${label}. ${description}`),
    isAboutCaller: ABOUT_CALLER.test(tool.description),
  };
  described.set(tool, result);
  return result;
}

const ABOUT_CALLER =
  /\b(?:callers?|users?|customers?|guests?|clients?|patients?|members?|parents?|they|someone|somebody|person)\b(?: \w+)? (?:agrees?|accepts?|refuses?|declines?|wants?|asks?|says?|gives?|names?|chooses?|has|have|needs?|would|does|do|is|are|cannot|can|will|corrects?|calls?|leaves?|confirms?|reports?|mentions?|provides?|prefers?|comes?|wishes|likes?|rejects?|picks?|selects?|requests?|states?|tells?|answers?|must|may|might|still)\b/i;

const FLAG_WORDS =
  /\b(?:ha(?:s|ve) (?:an? )?(?:questions?|problems?|issues?|concerns?|trouble)(?: with| about| for| regarding)?|agree[sd]?|accept(?:s|ed)?|confirm(?:s|ed)?|consents?|approves?|says yes|yes|affirms?|refuse[sd]?|declines?|declined|rejects?|disagrees?|says no|denies|would rather not|rather not|prefers? not|unwilling|still|any ?more|after all|at all|is (?:fine|happy|ok|okay) with|ready|interested)\b/gi;

/** A part that only names more objects of the verb before it: "their name or their date of birth". */
const OBJECT =
  /^(?:to |for |about |with |on |by |their|his|her|its|the|a|an|any|another|some|one|other|this|that|no\b(?! longer)|\d|\p{L}+ (?:number|name|date|address)\b)/iu;
const VERB =
  /^(?:(?:then|also|either|still|already|only|just|simply) )*(?:wants?|needs?|asks?|says?|has|have|is|are|does|do|would|will|won't|can|cannot|calls?|gives?|names?|agrees?|refuses?|declines?|accepts?|prefers?|chooses?|changes?|leaves?|comes?|corrects?|no|yes|\p{L}{3,}[^su\W]s)\b/iu;

function meaningsOf(description: string): Meaning[] {
  const meanings: Meaning[] = [];
  let side: Side = 'wants';
  let isInquiry = false;
  for (const sentence of description.split(/[.;:!?]+(?=\s|$)/)) {
    side = 'wants';
    for (const [index, raw] of partsOf(sentence).entries()) {
      const part = raw.trim();
      if (part === '') continue;
      const goesOn = index > 0 && (OBJECT.test(part) || !VERB.test(part));
      const own = sideOf(part);
      if (!goesOn) isInquiry = isInquiring(part);
      if (!goesOn || own !== 'wants') {
        side = own;
      }
      // Whoever is to be spoken to is a person, by whatever trade.
      if (SPEAKS_TO.test(part)) meanings.push({ ...someone, side });
      const words = (isInquiry ? part : part.replaceAll(FLAG_WORDS, ' ')).replaceAll(US, ' ');
      const features = featuresOf(side === 'refuses' ? words.replaceAll(DENIALS, ' ') : words);
      const ofSide = features.map((feature) =>
        side === 'refuses' ? { ...feature, polarity: 'denied' as const } : feature,
      );
      if (features.length > 0 || side !== 'wants')
        meanings.push({ side, features: ofSide, isThing: AGREED_THING.test(part), isInquiry, isName: false });
    }
  }
  return meanings;
}

/** Whom the caller calls: no caller says it, for it is "you". */
const US =
  /\b(?:the|our|this) (?:shop|store|office|clinic|practice|surgery|workshop|garage|restaurant|hotel|museum|school|company|bank|agency|centre|center|branch|library|gym|salon|pharmacy|station|bar|cafe|studio|team|business|place)(?! (?:\p{L}+er|\p{L}+or|number|address|name)\b)(?!'s)\b/giu;
const SPEAKS_TO = /\b(?:speak|talk) (?:to|with) (?:a|an|the|our|some) \p{L}+/iu;
const someone = {
  features: [{ stem: '', concepts: ['human'], polarity: 'said', start: 0, end: 0 }],
  isThing: false,
  isInquiry: false,
  isName: false,
} as const;
const AGREED_THING = /\b(?:to|with) (?:the|a|an|their|his|her|this|that|these|those|it|all|what|our)\b/i;

const DENIALS =
  /\b(?:does not|do not|doesn't|don't|will not|won't|cannot|can not|can't|would rather not|rather not|not|no|none of|none|nothing|never|without|unable)\b/gi;
