/** What words ask for that ask for nothing but the last words once more, or for time; null for all others. */
export function requestIn(text: string): 'repeat' | 'patience' | null {
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (AGAIN.test(words)) return 'repeat';
  return PATIENCE.test(words) ? 'patience' : null;
}

const AGAIN =
  /^(?:(?:i'm|i am|um|uh|oh|excuse me|no) )*(?:sorry|pardon|pardon me|what|huh|excuse me|come again|(?:sorry )?(?:what|pardon)(?: was that| did you say)?|(?:sorry )?(?:can|could|would) you (?:please )?(?:repeat|say)(?: that| it| the question)?(?: again)?(?: please)?|(?:please )?(?:repeat|say)(?: that| it)?(?: again)?(?: please)?|(?:sorry )?i (?:didn't|did not|couldn't) (?:hear|catch|get|understand)(?: that| you| it| what you said)?|what(?:'s| is| was) (?:the|your) question(?: again)?|say again|one more time|once more)(?: please)?$/;
const PATIENCE =
  /^(?:(?:um|uh|ok|okay|well|yes|please|just|can you|could you) )*(?:hold on|hang on|wait|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|(?:give me|wait) (?:a|one) (?:moment|second|sec|minute)|let me (?:see|check|think|look)|bear with me)(?: please| a (?:moment|second|sec|minute)| for a (?:moment|second|minute)| let me (?:see|check|think|look|get it))*$/;
