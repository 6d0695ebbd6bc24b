import { answerByDenial } from '../../denied-pair.ts';

/** The answer of the caller that a function stands for. */
export type Side = 'agrees' | 'refuses' | 'unable' | 'wants';

/** Splits a sentence into parts that may each describe a different situation: "refuses", "or has no number to give". */
export function partsOf(sentence: string): readonly string[] {
  return sentence.split(/\s*,\s*(?:or\s+|and\s+)?|\s+or\s+|\s*\/\s*|\s+and\s+(?=(?:wants?|needs?|asks?|would)\b)/);
}

/**
 * The plain answer that calls a function, if its description mentions agreeing or refusing: "The caller agrees to
 * start." If it mentions neither or both, the answer is derived from another description that negates it.
 */
export function answerMeant(description: string, others: readonly string[] = []): 'yes' | 'no' | null {
  return answerByWords(description) ?? answerByDenial(description, others, { words: statedWords, isNegation });
}

function isNegation(word: string): boolean {
  return word === 'not' || word === 'no';
}

/**
 * The words of a statement, with negations spelled out ("don't" is "not") and verbs without the ending that a negation
 * removes.
 */
function statedWords(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/n't\b|\bcannot\b/g, (denied) => (denied === 'cannot' ? 'can not' : ' not'))
    .match(/[\p{L}\d]+/gu);
  return (words ?? [])
    .filter((word) => !/^(?:do|does|did)$/.test(word))
    .map((word) => (word === 'has' ? 'have' : word.replace(/(?<=[a-z]{2}[^s])s$/, '')));
}

function answerByWords(description: string): 'yes' | 'no' | null {
  const sides = new Set<Side>();
  for (const sentence of description.split(/[.;:!?]+(?=\s|$)/))
    for (const part of partsOf(sentence)) if (part.trim() !== '') sides.add(sideOf(part.trim()));
  if (sides.has('agrees') === sides.has('refuses')) return null;
  return sides.has('agrees') ? 'yes' : 'no';
}

/** Whether a part describes a question of the caller: "asks about parking". */
export function isInquiring(part: string): boolean {
  return ASKS.test(part);
}

/** Classifies one part of a description. */
export function sideOf(part: string): Side {
  if (isInquiring(part)) return 'wants';
  if (UNABLE.test(part) && !OF_A_THING.test(part) && !/\b(?:would rather|prefers?|refuses?)\b/i.test(part))
    return 'unable';
  if (REFUSES.test(part)) return 'refuses';
  return AGREES.test(part) ? 'agrees' : 'wants';
}

/** "The water cannot be stopped" describes a thing; "I don't know" does not. */
const OF_A_THING = /\b(?:cannot|can not|can't) be\b/i;

const AGREES =
  /\b(?:agree[sd]?|accept(?:s|ed)?|confirm(?:s|ed)?|consents?|approves?|says yes|yes|affirms?|is (?:fine|happy|ok|okay) with|(?:wants?|would like|wishes|is ready|ready) to (?:go on|continue|proceed|start|begin|carry on)(?= *(?:[,.;]|$|now|after))|is ready|(?:is|are) (?:correct|right)|looks? (?:right|good))\b/i;
const REFUSES =
  /\b(?:refuse[sd]?|declines?|declined|rejects?|disagrees?|says no|no|denies|turns? (?:it|this|them) down|opts? out|not interested|(?:does|do) ?n[o']t (?:want|wish|like|agree|accept|confirm|consent)|would (?:rather|prefer) not|prefers? not|wants? to stop|is not ready|unwilling|will not|won't|(?:wants? )?none of|wants? (?:nothing|none)|(?:is|are|was|were) (?:wrong|incorrect|not right|not correct))\b/i;
const UNABLE =
  /\b(?:cannot|can not|can't|unable|(?:does|do) ?n[o']t (?:know|have|remember|recall|recognize|understand)|(?:does|do) not (?:know|have|remember|recall)|has no|have no|without|not sure|is unsure|forgot|has forgotten|has lost)\b/i;
const ASKS =
  /\b(?:asks?|wants? to know|would like to know|inquires?|enquires?) (?:about|when|what|whether|if|how|where|which|who|why|for the)\b|\bwants? to know\b/i;
