import { read } from '../../../language/english/reading.ts';
import type { Field } from '../field.ts';
import type { ParameterReading } from './read-parameter.ts';

/** Returns the caller's words without opening and closing phrases. "The same as last time" gives no value. */
export function readText(text: string, { label, question }: Field): ParameterReading {
  const isPlace = PLACE.test(`${label} ${question}`);
  const opening = OPENING.exec(text)?.[0].length ?? 0;
  const start = opening + (isPlace ? (TO_PLACE.exec(text.slice(opening))?.[0].length ?? 0) : 0);
  const words = text.slice(start).replace(CLOSING, '');
  if (/^(?:the |my )?same\b/i.test(words) || (isPlace && CLAUSE.test(words)))
    return { ok: false, problem: 'not-found' };
  const reading = read('text', words, { now: '' });
  if (!reading.ok) return reading;
  const { value, certain } = reading;
  return { ok: true, value, start: reading.start + start, end: reading.end + start, certain };
}

const OPENING =
  /^\s*(?:(?:yes|yeah|yep|sure|okay|ok|well|um|uh|so|oh|please)\b[\s,.!]*)*(?:(?:it|that)(?:'s| is| would be|'d be)\s+(?=\d|the |a |an |number ))?/i;
const CLOSING = /(?<=\S)[\s,.]+(?:please|thanks|thank you)(?: very much| so much)?[\s.!]*$/i;

const PLACE = /\bwhere\b|\b(?:address|street|pick-?up|destination)\b/i;
/** Words before a place: "to the station", "we live at 81 Linden Road". */
const TO_PLACE =
  /^(?:(?:i|we)(?:'m|'re| am| are)? ?(?:live|living|staying|located|based|going|headed|over)?\s+(?:at|in|on|to)\s+|(?:i|we)(?:'d| would) like to go to\s+|(?:to|from)\s+(?=the |my |our |\d|\p{Lu}))/iu;
/** A clause such as "I'll tell the driver" is not a place. */
const CLAUSE = /^(?:i|we|you|he|she|they|it)(?:'\p{L}+|\s+\p{L}+)/iu;
