/** Returns whether words only ask to repeat the last line, or a value in it, or only ask for time; null otherwise. */
export function requestIn(text: string): 'repeat' | 'value' | 'patience' | null {
  const words = plainWords(text);
  if (AGAIN.test(words)) return 'repeat';
  if (AGAIN_VALUE.test(words)) return 'value';
  return PATIENCE.test(words) ? 'patience' : null;
}

/** Checks whether words only keep the value as it is. */
export function keepsIn(text: string): boolean {
  return !text.includes('?') && KEEPS.test(plainWords(text));
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const KEEPS =
  /^(?:(?:um|uh|oh|ok|okay|well|yes|no|just|please|actually|let's|i'll|i will|we'll|we will|you can|i'd like to|i want to|it's|it is|that's) )*(?:(?:the )?(?:very )?same(?: (?:as (?:before|it (?:is|was)|last time|always)|one|thing|day|date|time|number|name|address|again))?|(?:keep|leave|leave it at|stay with|stick (?:with|to)) (?:it|that|this|them|what (?:i said|you have|we have))(?: (?:(?:as|like|how|the way) (?:it|that|this|they) (?:is|was|are)|as is|unchanged|the same|that way|like that|as before|there))?|as (?:it (?:is|was)|before|is)|unchanged|no changes?|(?:it|that) (?:stays|remains)(?: (?:the same|as it is|like that|that way))?|(?:don't|do not) change (?:it|that|anything)|nothing (?:changes|has changed|changed))(?: (?:please|then|thanks|thank you))*$/;
const AGAIN =
  /^(?:(?:i'm|i am|um|uh|oh|excuse me|no) )*(?:sorry|pardon|pardon me|what|huh|excuse me|come again|(?:sorry )?(?:what|pardon)(?: was that| did you say)?|(?:sorry )?(?:can|could|would) you (?:please )?(?:repeat|say)(?: that| it| the question)?(?: again)?(?: please)?|(?:please )?(?:repeat|say)(?: that| it)?(?: again)?(?: please)?|(?:sorry )?i (?:didn't|did not|couldn't) (?:hear|catch|get|understand)(?: that| you| it| what you said)?|(?:sorry )?i (?:can't|cannot|can not|can hardly) hear(?: that| you| it| anything)?(?: (?:very )?well| properly)?|what(?:'s| is| was) (?:the|your) question(?: again)?|say again|one more time|once more)(?: please)?$/;
/** "How much again?", "when was that again?", "repeat the price". */
const AGAIN_VALUE =
  /^(?:(?:sorry|wait|and|so|uh|um|oh) )*(?:(?:how much|how many|how long|when|where|which (?:one|day|time)|what (?:time|day))(?: (?:(?:is|was|were) (?:it|that|this|they)|did you say))? again|(?:how much|when|what (?:time|day)) did you say|what (?:is|was) the (?:price|amount|total|day|date|time|number|address) again|(?:(?:can|could|would) you )?(?:please )?(?:repeat|say) the (?:price|amount|total|day|date|time|number|address|options|offer)(?: again)?)(?: please)?$/;
const PATIENCE =
  /^(?:(?:um|uh|ok|okay|well|yes|please|just|can you|could you) )*(?:hold on|hang on|wait|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|(?:give me|wait) (?:a|one) (?:moment|second|sec|minute)|let me (?:see|check|think|look)|bear with me)(?: please| a (?:moment|second|sec|minute)| for a (?:moment|second|minute)| let me (?:see|check|think|look|get it))*$/;
