import type { DoubtWords } from '../../doubt.ts';

/** What takes back an English value. */
export const doubts: DoubtWords = {
  harmless:
    /\b(?:no (?:problem|worries|rush|hurry|doubt|thanks|thank you|later|earlier|more|less|fewer)|not (?:a problem|only|later|earlier|more|less|fewer)|why not|don't (?:worry|mind)|can't wait|or (?:so|something|whatever|thereabouts|not)|(?:if|whenever) (?:possible|you (?:can|could|please|don't mind|have (?:it|one|that))|i (?:may|can|could)|(?:that's|that is|it's|it is) (?:ok|okay|all right|alright|possible|fine|available|free)))\b/g,
  negation: /\b(?:not|never|none|nobody|neither|nor|without|cannot)\b|n't\b|(?<=\S\s+)no\b/,
  other: /\b(?:except|other|others|another|either|or|instead of|rather than|apart from|anything but|whether)\b/,
  condition: /\b(?:if|unless|in case|provided|assuming|depends|depending)\b/,
  restriction: /^(?:but(?! not\b)|except|unless|or|although|though)\b/,
  // "Not" behind no auxiliary denies what follows it: "Friday, not Thursday".
  conjunction:
    /(?<=\s)(?:and|but|because|so|then|although|though|except|unless|instead of|rather than|apart from|(?<!\b(?:is|am|are|was|were|do|does|did|will|would|can|could|should|(?<!(?:of|st|nd|rd|th|first|second|third) )may|might|have|has|i'm|but|\w+'s|\w+'re) )not)(?=\s|$|[,.!?;])/g,
  joining: /^(?:and|nor)\b/,
  statement: /\b(?:i|i'm|i'd|we|we're|it|it's|there|there's|you|that|that's|make|let's|please|book|my|our)\b/,
  person:
    /\b(?:his|her|hers|theirs?)\b|\b(?:wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|friend|boss|neighbou?r|colleague|driver|owner|tenant|patient|child|guest|spouse|baby|passenger)(?:'s|s')|\bof (?:the|my|our|a) (?:other )?(?:wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|friend|boss|neighbou?r|colleague|driver|owner|tenant|patient|child|guest|spouse|baby|passenger)\b/,
  aboutPerson:
    /\b(?:his|her|their|he|she|they|wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|friend|boss|neighbou?r|colleague|driver|owner|tenant|patient|child|guest|spouse|baby|passenger|contact|recipient|beneficiary|pet|dog|cat|person|other)\b|_(?:wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|friend|boss|neighbou?r|colleague|driver|owner|tenant|patient|child|guest|spouse|baby|passenger)|(?:wife|husband|partner|son|daughter|mother|father|mom|mum|dad|brother|sister|friend|boss|neighbou?r|colleague|driver|owner|tenant|patient|child|guest|spouse|baby|passenger)_/,
  past: /\b(?:old|former|previous|used to be)\b/,
  question: {
    opening:
      /^(?:(?:and|but|so|oh|um|uh|well|hi|hello|hey|sorry|excuse me|okay|ok|wait|by the way)\W+)*(?:(?:is|are|was|were|does|did|will|would|has|have|can|could) (?:it|you|they|there|your|one|anyone|anybody)|(?:is|are|does|did|will|would|has|can|could) (?:the|that|this|these|those|we)|do (?:you|they|we|i)|(?:what|when|where|which|who|why|how)(?:'s| \w+)? ?(?:is|are|do|does|did|will|would|can|could|much|many|long|time)|what's|where's|how's|who's|when's)\b/,
    within: /\b(?:you|your|they|it|it's|there|there's|open|closed|what|when|where|which|who|why|how)\b/,
    request:
      /\b(?:can|could|may|might|should|shall) (?:i|we|you)\b.*\b(?:have|get|do|make|take|book|come|reserve|choose|pick|change|switch|move|go|order|schedule|put|be|fit|squeeze|give|say|try)\b|\b(?:how|what) about\b|\b(?:free|available|availability|possible|okay|ok|all right|alright|fine|works?|suits?|openings?|slots?|appointments?|too (?:late|early|soon|many|much))\b|\bwould (?:\S+ )+(?:be|do)\b|\b(?:do|would|will) you have (?:\S+ )*(?:table|room|space|place|anything|something|time|left)\b|\b(?:is|are) there (?:\S+ )*(?:table|room|space|place|anything|something|left)\b/,
  },
};
