import { read } from '../../reading/english/reading.ts';
import type { Field } from './field.ts';
import type { ParameterReading } from './read-parameter.ts';

/** The caller's own words, less what only opens and closes the answer. "The same as last time" tells nothing that is known here. */
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
/** What leads up to a place: "to the station", "we live at 81 Linden Road". */
const TO_PLACE =
  /^(?:(?:i|we)(?:'m|'re| am| are)? ?(?:live|living|staying|located|based|going|headed|over)?\s+(?:at|in|on|to)\s+|(?:i|we)(?:'d| would) like to go to\s+|(?:to|from)\s+(?=the |my |our |\d|\p{Lu}))/iu;
/** A place is named and does not act: "I'll tell the driver" is none. */
const CLAUSE = /^(?:i|we|you|he|she|they|it)(?:'\p{L}+|\s+\p{L}+)/iu;
