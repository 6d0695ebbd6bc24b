import { leaning } from '../../../language/english/answers/yes-no.ts';
import { kindClass } from '../asked-fields.ts';
import type { Field } from '../field.ts';
import type { AnswerOptions } from './read-answer.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';

type Reading = Extract<ParameterReading, { ok: true }>;

/**
 * Checks whether a name may replace a known one: an uncertain name does so only after a no. "Splendid" to "Anna Berg,
 * is that right?" is not a name.
 */
export function mayReplaceName(
  given: string,
  { name }: Field,
  { certain }: Reading,
  { known }: Pick<AnswerOptions, 'known'>,
): boolean {
  return certain || !known.has(name) || leaning(given) === 'no' || /^\W*(?:no|sorry)\b/i.test(given);
}

/** Checks whether a value is part of a longer one: "Seven in the evening" is a time, not a number. */
export function isPartOfAnother(
  field: Field,
  { start, end }: Reading,
  text: string,
  topics: readonly Field[],
  options: AnswerOptions,
): boolean {
  if (!PARTIAL.has(kindClass(field.kind))) return false;
  return topics.some((topic) => {
    if (topic.kind !== 'date' && topic.kind !== 'time' && topic.kind !== 'phone') return false;
    const whole = readParameter(topic, text, { ...options, asked: false });
    const isWider = whole.ok && whole.certain && whole.start <= start && end <= whole.end;
    return isWider && whole.end - whole.start > end - start;
  });
}

/** Kinds whose values may be part of another value. */
const PARTIAL: ReadonlySet<string> = new Set(['number', 'enum', 'choices']);
