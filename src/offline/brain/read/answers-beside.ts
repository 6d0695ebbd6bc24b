import { leaning } from '../../../language/english/answers/yes-no.ts';
import type { Field } from '../field.ts';
import { featuresOf, likeness } from '../choose/features.ts';
import type { AnswerOptions } from './read-answer.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';
import { segmentsOf } from './segments.ts';

type Reading = Extract<ParameterReading, { ok: true }>;

/**
 * Reads a yes or no that follows another answer and repeats the words of its question: "Three, and yes, one of us is in
 * a wheelchair".
 */
export function answersBeside(text: string, fields: readonly Field[]): { field: Field; reading: Reading }[] {
  const match = BESIDE.exec(text);
  const clause = match?.[1] ?? '';
  const side = clause === '' ? undefined : leaning(clause);
  if (match === null || side === undefined) return [];
  const words = featuresOf(clause).map((feature) => ({ ...feature, polarity: 'said' as const }));
  const meant = fields.filter(
    (field) => field.kind === 'boolean' && field.cues.some((cue) => words.some((word) => likeness(word, cue) >= 0.9)),
  );
  const [field, other] = meant;
  if (field === undefined || other !== undefined) return [];
  const start = match.index + match[0].length - clause.length;
  return [{ field, reading: { ok: true, value: side === 'yes', start, end: start, certain: false } }];
}

const BESIDE = /\b(?:and|but)[\s,]+((?:yes|no|yeah|nope)\b[^?]*)$/i;

/** Reads the caller's full name from a separate part of the sentence: "Anna Berg, and the first of December". */
export function nameBeside(
  text: string,
  topics: readonly Field[],
  { now, region }: Pick<AnswerOptions, 'now' | 'region'>,
): { field: Field; reading: Reading } | undefined {
  const names = topics.filter((topic) => topic.kind === 'name');
  const [field] = names;
  if (field === undefined || !isAboutCaller(field) || names.some(({ name }) => name !== field.name)) return undefined;
  const found = segmentsOf(text).flatMap((segment): Reading[] => {
    const [, lead = '', full = ''] = FULL_NAME.exec(segment.text) ?? [];
    const reading = full === '' ? undefined : readParameter(field, full, { now, region, asked: true });
    if (reading?.ok !== true || !reading.certain || reading.end - reading.start < full.length) return [];
    const start = segment.start + lead.length;
    return [{ ...reading, start, end: start + full.length }];
  });
  const [reading, other] = found;
  return reading === undefined || other !== undefined ? undefined : { field, reading };
}

const FULL_NAME = /^(\s*(?:[Aa]nd\s+)?)(\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)+)\s*$/u;

/** Checks whether a field is about the caller rather than a relative or pet. */
export function isAboutCaller({ label, question }: Field): boolean {
  const text = `${label} ${question}`;
  return (
    /\b(?:your|caller|customer|guest|user|full|first|who|my)\b/i.test(text) &&
    !/'s\b(?! full| name| first)|\b(?:pet|dog|cat|child|kid|son|daughter|spouse|partner|emergency)\b/i.test(
      text.replaceAll(/(?:caller|customer|guest|user)'s/gi, 'your'),
    )
  );
}
