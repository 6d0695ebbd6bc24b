import { leaning } from '../../reading/english/yes-no.ts';
import type { Field } from './field.ts';
import { featuresOf, likeness } from './features.ts';
import type { ParameterReading } from './read-parameter.ts';

type Reading = Extract<ParameterReading, { ok: true }>;

/** "Three, and yes, one of us is in a wheelchair": a yes or no behind another answer, to the question whose words it repeats. */
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
