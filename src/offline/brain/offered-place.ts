import { plainAnswer } from '../../language/english/answers/yes-no.ts';
import type { ParameterReading } from './read/read-parameter.ts';

/** Returns the day or time at a position in the agent's offer: "The first one", "the later time". */
export function placeInOffer(text: string, offer: ParameterReading): string | undefined {
  const place = PLACE.exec(text)?.[1]?.toLowerCase();
  if (place === undefined || offer.ok) return undefined;
  const named = (offer.candidates ?? []).filter((each) => typeof each === 'string');
  if (named.length < 2) return undefined;
  const inTime = named.toSorted((one, other) => (one < other ? -1 : 1));
  if (EARLIEST.has(place)) return inTime[0];
  if (LATEST.has(place)) return inTime.at(-1);
  return place === 'last' || place === 'latter' ? named.at(-1) : named[PLACES.indexOf(place)];
}

/** Returns the only day or time offered, if the caller accepts: "Yes", "that one", "the first one". */
export function onlyOffer(text: string, agentText: string, offer: ParameterReading): string | undefined {
  const isOffer = offer.ok && OFFERS.test(agentText) && !DENIES.test(agentText);
  const isTaken =
    plainAnswer(text) === 'yes' || THAT_ONE.test(text) || PLACE.exec(text)?.[1]?.toLowerCase() === 'first';
  return isOffer && isTaken && typeof offer.value === 'string' ? offer.value : undefined;
}

const OFFERS =
  /\b(?:openings?|available|free|i have|we have|(?:i|we) could|(?:i|we) can|earliest|soonest|how about|what about)\b/i;
const DENIES =
  /\b(?:no|not|nothing|none|only|closed|full|sorry|unfortunately|taken|gone|booked|until|till|from|before|after|or|\p{L}+n't)\b/iu;
const THAT_ONE =
  /^\W*(?:(?:um|uh|well|oh|ok|okay|yes|yeah|sure|then|i'll take|we'll take|let's take|let's do)\W+)*(?:that|that one|that day|that time|this one|that's fine|that works|that suits me|that would be fine)(?: (?:please|is|fine|good|great|works|for|me|then|thanks|thank you))*\W*$/i;
const EARLIEST = new Set(['earliest', 'earlier', 'soonest']);
const LATEST = new Set(['latest', 'later']);
const PLACES = ['first', 'second', 'third', 'fourth', 'fifth'];
const PLACE =
  /^(?:\W*(?:um|uh|well|oh|then|ok|okay|yes|yeah|sure|let's|i'll|we'll|i'd|we'd|i|we|would|take|go|with|for|like|please|say|have|prefer|on|at|the)\b)*\W*\bthe (first|second|third|fourth|fifth|last|latter|earliest|earlier|soonest|latest|later) (?:one|time|day|slot|option|date)(?: (?:please|is|would|be|works|sounds|good|great|fine|best|better|for|me|then|will|do|thanks|thank|you))*\W*$/i;
