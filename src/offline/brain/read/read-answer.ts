import type { Field } from '../field.ts';
import { onlyOffer, placeInOffer } from '../offered-place.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';

export interface AnswerOptions {
  readonly now: string;
  readonly region: string;
  /** Known values as text, the base of corrections. */
  readonly known: ReadonlyMap<string, string>;
  /** The agent's last words: "We have ten or half past four. Which one?" */
  readonly offer?: string;
  /** The questions for days that belong to a time. */
  readonly days?: string;
  /** The caller's previous answer to the same question. */
  readonly before?: string;
}

/** Reads the answer to a field's question; missing parts may be in the previous answer. */
export function readAnswer(text: string, field: Field, options: AnswerOptions): ParameterReading {
  const { now, region, known, before, offer = '', days = '' } = options;
  const read = (words: string): ParameterReading =>
    readParameter(field, words, { now, region, asked: true, offer, days });
  const isOffered = field.kind === 'time' || field.kind === 'date';
  const offered = isOffered ? (placeInOffer(text, read(offer)) ?? onlyOffer(text, offer, read(offer))) : undefined;
  if (offered !== undefined) return { ok: true, value: offered, start: 0, end: text.length, certain: true };
  const earlier = known.get(field.name);
  const renamed = field.kind === 'name' && earlier !== undefined ? withPartOfName(earlier, text, read) : undefined;
  if (renamed !== undefined) return { ok: true, value: renamed, start: 0, end: text.length, certain: true };
  const isCorrection = earlier !== undefined && ['name', 'date', 'time'].includes(field.kind);
  if (isCorrection) {
    const amended = read(
      `${field.kind === 'date' ? spokenDay(earlier) : earlier}, no, ${text.replace(/^\W*no\b\W*/i, '')}`,
    );
    if (amended.ok && amended.value !== earlier) return { ...amended, start: 0, end: text.length };
  }
  const reading = read(text);
  if (!reading.ok && field.kind === 'time' && REASON.test(text)) {
    const first = read(text.replace(REASON, ''));
    if (first.ok) return first;
  }
  if (reading.ok || before === undefined || !['date', 'time', 'date-time', 'phone'].includes(field.kind))
    return reading;
  const joined = read(`${before.replace(/[\s.!?]+$/, '')}, ${text}`);
  return joined.ok && (field.kind !== 'date' || joined.certain) ? { ...joined, start: 0, end: text.length } : reading;
}

/** The reason for a time: "Quarter to nine, I've got to be at work by half past". */
const REASON =
  /,\s*(?:(?:because|'cause|since|as|cause) (?:i|we|my|he|she|they)\b|(?:i|we)(?:'ve| have|'ll| will)? (?:got to|have to|need to|must|gotta)\s+(?:be|go|leave|catch|pick|get|start|work|head)\b)[^]*$/i;

/** Replaces a part of a known name: "The last name is Reed". */
function withPartOfName(name: string, text: string, read: (words: string) => ParameterReading): string | undefined {
  const match = /\b(last|family|first|given|sur) ?name(?:'s| is| should be| would be)?\s+(.+)$/is.exec(text);
  const parts = name.split(' ');
  const part = match?.[2] === undefined ? undefined : read(match[2]);
  if (match === null || part?.ok !== true || typeof part.value !== 'string' || parts.length < 2) return undefined;
  const isFirst = /^(?:first|given)$/i.test(match[1] ?? '');
  return isFirst ? [part.value, ...parts.slice(1)].join(' ') : [...parts.slice(0, -1), part.value].join(' ');
}

const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function spokenDay(iso: string): string {
  const at = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(at) ? iso : longDate.format(at);
}
