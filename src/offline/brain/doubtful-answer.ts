import { leaning } from '../../reading/english/yes-no.ts';
import { kindClass } from './asked-fields.ts';
import type { Field } from './field.ts';
import type { AnswerOptions } from './read-answer.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';

type Reading = Extract<ParameterReading, { ok: true }>;

/** "Splendid" to "Anna Berg, is that right?" is no other name: an uncertain one replaces what is known behind a no alone. */
export function mayReplaceName(
  given: string,
  { name }: Field,
  { certain }: Reading,
  { known }: Pick<AnswerOptions, 'known'>,
): boolean {
  return certain || !known.has(name) || leaning(given) === 'no' || /^\W*(?:no|sorry)\b/i.test(given);
}

/** "Seven in the evening" is no number, and "March fourth" no fourth choice: words that say more together are read together. */
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

/** Kinds whose values may be a part of what is said for another. */
const PARTIAL: ReadonlySet<string> = new Set(['number', 'enum', 'choices']);
