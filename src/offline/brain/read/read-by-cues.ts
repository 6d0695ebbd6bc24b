import { wordsOf } from '../../../language/english/words.ts';
import { kindClass, ownCues } from '../asked-fields.ts';
import type { Field } from '../field.ts';
import { bestLikeness, type Feature, featuresOf } from '../choose/features.ts';
import { type AnswerOptions, readAnswer } from './read-answer.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';
import { countedFeatures, segmentsOf } from './segments.ts';

type Reading = Extract<ParameterReading, { ok: true }>;

/** A part of a sentence that names a field and so has no value of another field. */
export interface Claim {
  readonly field: Field;
  readonly start: number;
  readonly end: number;
}

/** Reads values whose field is named next to them: "two adults and three kids", "arriving Friday, leaving Sunday". */
export function readByCues(
  text: string,
  rivals: readonly Field[],
  asked: readonly Field[],
  options: AnswerOptions,
): { found: { field: Field; reading: Reading }[]; claimed: Claim[] } {
  const [only] = rivals;
  const claimed: Claim[] = [];
  if (only === undefined) return { found: [], claimed };
  const isNumber = kindClass(only.kind) === 'number' || only.kind === 'code';
  const isDay = only.kind === 'date' || only.kind === 'time';
  if (rivals.length < 2 && !(isNumber || (isDay && !asked.includes(only)))) return { found: [], claimed };
  const found: { field: Field; reading: Reading }[] = [];
  for (const segment of segmentsOf(text)) {
    const ranked = rivals
      .map((field) => ({ field, likeness: cueLikeness(segment.features, field, rivals) }))
      .filter((each) => each.likeness > 0.7)
      .toSorted((one, other) => other.likeness - one.likeness);
    const [best, second] = ranked;
    if (best === undefined || (second !== undefined && second.likeness === best.likeness)) continue;
    if (found.some((each) => each.field.name === best.field.name)) continue;
    const { field } = best;
    // A name next to a word like "dog" or "wife" belongs to it only if it is called a name.
    const naming =
      field.kind === 'name' ? /^.*\b(?:name(?:'s| is)?|called|named)\s+/is.exec(segment.text)?.[0].length : 0;
    if (naming === undefined) continue;
    const lead =
      naming > 0
        ? naming
        : (/^\W*(?:(?:from|to|until|till|through|and|then)\b\s*)+/i.exec(segment.text)?.[0].length ?? 0);
    const words = segment.text.slice(lead);
    const half = field.kind === 'time' && !HALF.test(words) ? HALF.exec(text.slice(segment.start))?.[0] : undefined;
    // In "From seven to eleven pm" both times are pm.
    const whole = half === undefined ? words : `${words.trimEnd()} ${half}`;
    const isKnown = isDay && options.known.has(field.name);
    const read = (part: string): ReturnType<typeof readParameter> =>
      isKnown ? readAnswer(part, field, options) : readParameter(field, part, { ...options, asked: true });
    const reading = isNumber ? nearCue(whole, cuesFor(field, rivals), read) : read(whole);
    if (!reading.ok) {
      if (isDay) claimed.push({ field, start: segment.start, end: segment.start + segment.text.length });
      continue;
    }
    const place = { start: segment.start + lead + reading.start, end: segment.start + lead + reading.end };
    if (
      isNumber &&
      !asked.includes(field) &&
      !isBeside(text, place, cuesFor(field, rivals), kindClass(field.kind) === 'number')
    )
      continue;
    found.push({ field, reading: { ...reading, ...place } });
  }
  return { found, claimed };
}

/** Of several numbers, returns the one before the counted word: "Seven for four people". */
function nearCue(
  text: string,
  cues: readonly Feature[],
  read: (part: string) => ReturnType<typeof readParameter>,
): ReturnType<typeof readParameter> {
  const reading = read(text);
  if (reading.ok || reading.problem !== 'ambiguous') return reading;
  const counted = featuresOf(text).find((feature) => cues.some((cue) => bestLikeness([feature], cue) > 0.7));
  const before = counted === undefined ? null : /\S+\s+\S+\s+$/.exec(text.slice(0, counted.start));
  if (before === null) return reading;
  const near = read(before[0]);
  return near.ok ? { ...near, start: near.start + before.index, end: near.end + before.index } : reading;
}

const HALF = /\b[ap]\.?m\b\.?|\bin the (?:morning|afternoon|evening)\b/i;

function cuesFor(field: Field, rivals: readonly Field[]): readonly Feature[] {
  return ownCues(field, rivals).filter((cue) => !VAGUE_CUES.has(cue.stem));
}

const VAGUE_CUES = new Set([
  'number',
  'numb',
  'cod',
  'nam',
  'dat',
  'tim',
  'day',
  'full',
  'your',
  'valu',
  'id',
  'long',
  'year',
]);

function cueLikeness(said: readonly Feature[], field: Field, rivals: readonly Field[]): number {
  let best = 0;
  for (const cue of cuesFor(field, rivals)) best = Math.max(best, bestLikeness(said, { ...cue, polarity: 'said' }));
  return best;
}

/** Maximum number of words between a number and the counted word. */
const REACH = 2;
const REACH_OF_CODE = 5;

/** Checks whether a cue is next to a position: "six people", "a party of six", "policy number 4711". */
function isBeside(
  text: string,
  place: { start: number; end: number },
  cues: readonly Feature[],
  isCount: boolean,
): boolean {
  const reach = isCount ? REACH : REACH_OF_CODE;
  return countedFeatures(text).some((feature) => {
    if (!cues.some((cue) => bestLikeness([feature], cue) > 0.7)) return false;
    const between =
      feature.end <= place.start
        ? text.slice(feature.end, place.start)
        : feature.start >= place.end
          ? text.slice(place.end, feature.start)
          : '';
    const isOver = /[.;!?]/.test(between);
    return (
      !isOver &&
      wordsOf(between).filter((word) => !word.mark).length <= (feature.start >= place.end && isCount ? 1 : reach)
    );
  });
}
