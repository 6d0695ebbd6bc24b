/** Checks whether a part of the words is only a farewell. "Say goodbye to my old contract" is not a farewell. */
export function isFarewell(text: string): boolean {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .split(/[.,;:!?]+|\s[–—-]+\s/)
    .some((part) =>
      FAREWELL.test(
        part
          .replaceAll(/[^\p{L}' ]+/gu, ' ')
          .replaceAll(/\s+/g, ' ')
          .trim(),
      ),
    );
}

const opening = [
  '(?:um|uh|oh|ok|okay|well|so|no|yes|yeah|yep|nope|and|then|now|please|sorry|just|right|all ?right|fine|great|perfect|good|nice|cool|lovely|actually|anyway|i think|i guess)',
  '(?:thanks|thank you|cheers|many thanks)(?: (?:a lot|so much|very much|again|for everything|for your help|for your time))?',
  "i (?:really )?(?:have to|need to|must|should|want to|would like to|wanna|gotta|will)|i'(?:d like to|ll|ve got to|m going to|m about to)|we (?:can|should|may)|you (?:can|may)|let's|let us|let me|can we|could we|can you|could you|may i|can i|i can",
  "(?:it's )?time to|say|to say|go ahead and",
].join('|');
const farewell = [
  'good ?byes?|bye(?: ?bye)?|farewell|hang(?:ing)? up(?: (?:the phone|on me))?|(?:end|finish|close|stop|leave) (?:the|this|our) (?:call|conversation|chat|phone call)|end call|end conversation',
  "(?:that's|that is|that was|that will be|that'll be|that would be|that'd be|this is) (?:all|it|everything)|nothing (?:else|more|further)|(?:i'm|i am|we're|we are|all) (?:all )?(?:done|finished|good|set)|no (?:more|further|other) questions",
  'have a (?:nice|good|great|lovely|wonderful|pleasant) (?:day|evening|night|weekend|afternoon|morning|one|time)|(?:talk|speak) to you (?:later|soon)|(?<!\\b(?:can i|i can|may i|can we|could we|we can|can you|to|should|must) )(?:catch|see) you|good night|take care',
].join('|');
const closing =
  "now|then|for (?:now|today|me|us)|from (?:me|us)|today|tonight|here|there|to you|to you all|you too|too|as well|everyone|everybody|again|later|soon|around|tomorrow|next (?:week|time|month|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:that )?(?:i|we) (?:need(?:ed)?|want(?:ed)?|have|had|wanted to (?:say|know|ask))|with (?:the|this|our) (?:call|conversation)|sir|madam|ma'am|dear|my friend|folks";
const FAREWELL = new RegExp(`^(?:(?:${opening}) )*(?:${farewell})(?: (?:${opening}|${farewell}|${closing}))*$`);
