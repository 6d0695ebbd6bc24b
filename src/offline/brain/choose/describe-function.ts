import { isInquiring, partsOf, type Side, sideOf } from '../../../language/english/answers/sides.ts';
import { featuresOf, type Feature } from './features.ts';
import { labelOf } from '../field.ts';
import type { BrainTool } from '../schema.ts';

/** A situation for a function: "refuses", "has no number", "asks when you are open". */
export interface Meaning {
  readonly side: Side;
  readonly features: readonly Feature[];
  /** The description names the thing agreed to ("agrees to the price"); naming that thing is not an agreement. */
  readonly isThing: boolean;
  /** The situation is a question ("asks about parking"). */
  readonly isInquiry: boolean;
  /** Derived from the name instead of the description. */
  readonly isName: boolean;
}

/** A parsed function description. */
export interface Described {
  readonly tool: BrainTool;
  readonly meanings: readonly Meaning[];
  /** All words of the name and the description. */
  readonly features: readonly Feature[];
  /** Whether it describes the caller ("The caller agrees") rather than work ("Look up the order"). */
  readonly isAboutCaller: boolean;
}

/** Maximum length of a description that is read, in characters. */
const longestDescription = 1_500;

const described = new WeakMap<BrainTool, Described>();

/** Parses a function's description once per function. */
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

/** A part that only continues the list of objects: "their name or their date of birth". */
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
      // "Speak to a …" means a person of any profession.
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

/** Names of the called business, which callers do not use themselves. */
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
