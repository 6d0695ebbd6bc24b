import type { Json } from '../../events/json.ts';
import { longestPhraseAt, phraseTable, wordsOf } from '../../language/words.ts';
import { kindClass, ownCues } from './asked-fields.ts';
import { countWords, type Field } from './field.ts';
import { bestLikeness, type Feature, featuresOf } from './features.ts';
import { type ParameterReading, readParameter } from './read-parameter.ts';

/** A value that the caller has said, and for which field. */
export interface Heard {
  readonly field: Field;
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly asked: boolean;
  /** The field was named or asked for; otherwise only its kind of value was said. */
  readonly sure: boolean;
}

/** Why the value that was asked for could not be taken from an answer that seemed to hold one. */
export interface Unclear {
  readonly field: Field;
  readonly problem: Extract<ParameterReading, { ok: false }>['problem'];
  readonly missing?: string;
  readonly candidates?: readonly (string | number | boolean)[];
}

export interface HearOptions {
  readonly now: string;
  readonly region: string;
  /** Fields that the agent's last words asked for, the likeliest first. */
  readonly asked: readonly Field[];
  /** What is known already, as text, to apply corrections to. */
  readonly known: ReadonlyMap<string, string>;
  /** What the caller said to the same question right before, if it was asked again. */
  readonly before?: string;
}

type Reading = Extract<ParameterReading, { ok: true }>;

/**
 * What a sentence says of the fields in scope. The fields that were asked for may be answered in bare words; any other
 * needs the words by which its value is recognised, and where two fields could take a value, words that tell which.
 */
export function hear(
  given: string,
  fields: readonly Field[],
  options: HearOptions,
): { heard: Heard[]; unclear: Unclear[] } {
  // Words that correct nothing in this sentence would be taken to correct what follows them.
  const opening =
    /^\W*(?:(?:actually|oh|wait|sorry|i mean|i meant|make (?:it|that)|no(?=\s*,|\s+(?:actually|wait|sorry)\b))\b\W*)+/i.exec(
      given,
    )?.[0];
  const text = opening === undefined ? given : ' '.repeat(opening.length) + given.slice(opening.length);
  const topics = topicsOf(fields);
  const asked = topics.filter((topic) =>
    options.asked.some((each) => each.name === topic.name && each.kind === topic.kind),
  );
  const heard = new Map<string, Heard>();
  const unclear: Unclear[] = [];
  const take = (field: Field, reading: Reading, isAsked: boolean, sure: boolean): void => {
    const { value, start } = reading;
    // A yes stands for the question; it takes no words from other values.
    const end = field.kind === 'boolean' ? start : reading.end;
    heard.set(field.name, { field, value, start, end, asked: isAsked, sure });
  };
  const isFree = (reading: Reading, but?: Field): boolean =>
    [...heard.values()].every((each) => each.field === but || reading.end <= each.start || each.end <= reading.start);

  for (const kind of COMPETING) {
    const rivals = topics.filter((topic) => kindClass(topic.kind) === kind);
    if (rivals.length === 0) continue;
    for (const { field, reading } of readByCues(text, rivals, asked, options))
      if (isFree(reading)) take(field, reading, false, true);
  }
  for (const field of asked) {
    if (
      heard.has(field.name) ||
      field.kind === 'text' ||
      (field.kind === 'name' && isChoiceWord(text, topics, options))
    )
      continue;
    const reading = readAsked(field.kind === 'boolean' || field.kind === 'enum' ? given : text, field, options);
    if (reading.ok && isFree(reading)) take(field, reading, true, true);
    else if (!reading.ok && reading.problem !== 'not-found' && !hasKind(heard, field))
      unclear.push({ ...reading, field });
  }
  for (const kind of BY_PRECISION) {
    const rivals = topics.filter((topic) => topic.kind === kind && !heard.has(topic.name) && !asked.includes(topic));
    const isAskedKind = asked.some((field) => kindClass(field.kind) === kindClass(kind) && !isChoice(kind));
    const open = isAskedKind || rivals.length !== 1 ? undefined : rivals[0];
    const doubt =
      open === undefined || isChoice(kind) ? undefined : readParameter(open, text, { ...options, asked: false });
    if (open !== undefined && doubt?.ok === false && doubt.problem === 'ambiguous')
      unclear.push({ ...doubt, field: open });
    const readings = rivals.flatMap((field) => {
      const reading = isAskedKind ? undefined : readUnasked(text, field, options, rivals);
      return reading !== undefined && isFree(reading) ? [{ field, reading }] : [];
    });
    for (const { field, reading } of readings) {
      const overlaps = readings.some(
        (each) => each.field !== field && each.reading.start < reading.end && reading.start < each.reading.end,
      );
      if (!overlaps && isFree(reading))
        take(field, reading, false, isChoice(kind) || kind === 'phone' || kind === 'email');
    }
  }
  const said = [...heard.values()];
  for (const field of said.length === 0 ? [] : asked) {
    if (heard.has(field.name) || field.kind === 'text') continue;
    const reading = readAsked(without(text, said), field, options);
    if (reading.ok) take(field, reading, true, true);
  }
  return { heard: [...heard.values()], unclear: unclear.filter((each) => !heard.has(each.field.name)) };
}

/** Whether bare words name a value of some choice in scope, and thus nobody: "electric, please". */
function isChoiceWord(text: string, topics: readonly Field[], options: HearOptions): boolean {
  if (countWords(text) > 3) return false;
  return topics.some((topic) => isChoice(topic.kind) && readUnasked(text, topic, options, [topic]) !== undefined);
}

/** The text with the places of values blanked. */
function without(text: string, said: readonly Heard[]): string {
  return said.reduce((rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end), text);
}

/** Kinds of which a conversation often wants two, so that words must tell which one is meant. */
const COMPETING = ['date', 'time', 'number', 'code', 'name', 'phone'];
/** From what is hardly ever mistaken to what easily is. */
const BY_PRECISION: readonly Field['kind'][] = [
  'email',
  'phone',
  'code',
  'date-time',
  'date',
  'time',
  'choices',
  'enum',
  'name',
];

function isChoice(kind: Field['kind']): boolean {
  return kind === 'enum' || kind === 'choices';
}

function hasKind(heard: ReadonlyMap<string, Heard>, field: Field): boolean {
  return [...heard.values()].some((each) => kindClass(each.field.kind) === kindClass(field.kind));
}

/** One field for all that have the same name and kind. */
function topicsOf(fields: readonly Field[]): Field[] {
  const topics = new Map<string, Field>();
  for (const field of fields) {
    const key = `${field.name}\n${field.kind}`;
    if (!topics.has(key)) topics.set(key, field);
  }
  return [...topics.values()];
}

/** The answer to a question for this field; what is missing in it may have been said just before. */
function readAsked(text: string, field: Field, options: HearOptions): ParameterReading {
  const { now, region, known, before } = options;
  const read = (words: string): ParameterReading => readParameter(field, words, { now, region, asked: true });
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
  if (reading.ok || before === undefined || !['date', 'time', 'date-time', 'phone'].includes(field.kind))
    return reading;
  const joined = read(`${before.replace(/[\s.!?]+$/, '')}, ${text}`);
  return joined.ok && (field.kind !== 'date' || joined.certain) ? { ...joined, start: 0, end: text.length } : reading;
}

/** "The last name is Reed" changes a part of a name that is known. */
function withPartOfName(name: string, text: string, read: (words: string) => ParameterReading): string | undefined {
  const match = /\b(last|family|first|given|sur) ?name(?:'s| is| should be| would be)?\s+(.+)$/is.exec(text);
  const parts = name.split(' ');
  const part = match?.[2] === undefined ? undefined : read(match[2]);
  if (match === null || part?.ok !== true || typeof part.value !== 'string' || parts.length < 2) return undefined;
  const isFirst = /^(?:first|given)$/i.test(match[1] ?? '');
  return isFirst ? [part.value, ...parts.slice(1)].join(' ') : [...parts.slice(0, -1), part.value].join(' ');
}

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

function spokenDay(iso: string): string {
  const at = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(at) ? iso : days.format(at);
}

/** A value that nobody asked for: only where its own form or words introduce it. */
function readUnasked(text: string, field: Field, options: HearOptions, rivals: readonly Field[]): Reading | undefined {
  const { now, region } = options;
  const reading = readParameter(field, text, { now, region, asked: false });
  if (!reading.ok) return undefined;
  if (isChoice(field.kind)) {
    const said = text.slice(reading.start, reading.end);
    return NO_CHOICE.test(typeof reading.value === 'string' ? reading.value : '') || REFUSAL.test(said)
      ? undefined
      : reading;
  }
  // A code is known by its form only where the form is told.
  if (field.kind === 'code' && (typeof field.schema['pattern'] !== 'string' || asLength(reading.value) < 4))
    return undefined;
  if (rivals.length > 1) {
    if (field.kind === 'name')
      return isAboutCaller(field) && rivals.filter(isAboutCaller).length === 1 ? reading : undefined;
    // Of a past and a coming date only one can be meant.
    const able = rivals.filter((rival) => readParameter(rival, text, { now, region, asked: false }).ok);
    if (able.length > 1) return undefined;
  }
  return reading.certain || field.kind !== 'date' ? reading : undefined;
}

function asLength(value: Json): number {
  return typeof value === 'string' ? value.length : 0;
}

/** Values that anything may be taken for. */
const NO_CHOICE =
  /^(?:other|others|none|yes|no|unknown|unsure|any|all|true|false|na|n\/a|misc|miscellaneous|general|normal|regular)$/i;
const REFUSAL = /\b(?:rather not|prefer not|none of|no|not|don't|nothing)\b/i;

function isAboutCaller({ label, question }: Field): boolean {
  const text = `${label} ${question}`;
  return (
    /\b(?:your|caller|customer|guest|user|full|first|who|my)\b/i.test(text) &&
    !/'s\b(?! full| name| first)|\b(?:pet|dog|cat|child|kid|son|daughter|spouse|partner|emergency)\b/i.test(
      text.replaceAll(/(?:caller|customer|guest|user)'s/gi, 'your'),
    )
  );
}

interface Segment {
  readonly text: string;
  readonly start: number;
  readonly features: readonly Feature[];
}

/** Values whose field is named beside them: "two adults and three kids", "arriving Friday, leaving Sunday". */
function readByCues(
  text: string,
  rivals: readonly Field[],
  asked: readonly Field[],
  options: HearOptions,
): { field: Field; reading: Reading }[] {
  const [only] = rivals;
  if (only === undefined) return [];
  const isNumber = kindClass(only.kind) === 'number' || only.kind === 'code';
  const isDay = only.kind === 'date' || only.kind === 'time';
  if (rivals.length < 2 && !(isNumber || (isDay && !asked.includes(only)))) return [];
  const { now, region } = options;
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
    // A name beside a word like "dog" or "wife" is the dog's only where it is said to be a name.
    const naming =
      field.kind === 'name' ? /^.*\b(?:name(?:'s| is)?|called|named)\s+/is.exec(segment.text)?.[0].length : 0;
    if (naming === undefined) continue;
    const lead =
      naming > 0
        ? naming
        : (/^\W*(?:(?:from|to|until|till|through|and|then)\b\s*)+/i.exec(segment.text)?.[0].length ?? 0);
    const words = segment.text.slice(lead);
    const reading = readParameter(field, words, { now, region, asked: true });
    if (!reading.ok) continue;
    const place = { start: segment.start + lead + reading.start, end: segment.start + lead + reading.end };
    if (
      isNumber &&
      !asked.includes(field) &&
      !isBeside(text, place, cuesFor(field, rivals), kindClass(field.kind) === 'number')
    )
      continue;
    found.push({ field, reading: { ...reading, ...place } });
  }
  return found;
}

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

/** How many words may stand between a number and the word that says what is counted. */
const REACH = 2;
const REACH_OF_CODE = 5;

/** Whether one of the cues stands right before or behind a place: "six people", "a party of six", "policy number 4711". */
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

const CONJUNCTIONS = phraseTable('and, but, then, plus, from, to, until, till, through, as well as');

/** The parts of a text between marks and conjunctions, with their places. */
function segmentsOf(text: string): Segment[] {
  const words = wordsOf(text);
  const segments: Segment[] = [];
  let from = 0;
  const close = (end: number, next: number): void => {
    const part = text.slice(from, end);
    if (/[\p{L}\d]/u.test(part)) segments.push({ text: part, start: from, features: featuresWithEdges(part) });
    from = next;
  };
  for (const [at, word] of words.entries()) {
    if (word.mark && /^[,;.!?]$/.test(word.text) && !(word.glued && words[at + 1]?.glued === true))
      close(word.start, word.end);
    else if (
      longestPhraseAt(words, at, CONJUNCTIONS) > 0 &&
      word.start > from &&
      !isInside(words[at - 1]?.text, word.text, words[at + 1]?.text)
    )
      close(word.start, word.start);
  }
  close(text.length, text.length);
  return segments;
}

/** "quarter to five", "one hundred and four", "going to". */
function isInside(before: string | undefined, word: string, after: string | undefined): boolean {
  if (word === 'and') return before === 'hundred' || before === 'thousand' || after === 'a';
  if (word !== 'to') return false;
  return (
    /^(?:quarter|five|ten|twenty|minutes|going|like|want|need|have|due)$/.test(before ?? '') ||
    !/^(?:the|\d+|\p{L}+day|next|this|january|february|march|april|may|june|july|august|september|october|november|december|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)$/u.test(
      after ?? '',
    )
  );
}

/** The words of a part, and "from … to …" as its beginning and end. */
function featuresWithEdges(part: string): Feature[] {
  const features = countedFeatures(part);
  const edge = /^\W*(?:and |then )*(from|to|until|till|through)\b/i.exec(part)?.[1]?.toLowerCase();
  if (edge === undefined) return features;
  return [
    ...features,
    { stem: '', concepts: [edge === 'from' ? 'start' : 'finish'], polarity: 'said', start: 0, end: 0 },
  ];
}

const PARTY =
  /\b(?:for|we are|we're|it's|there are|there will be)\s+(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)(?=\s*(?:$|[,.;!?]|(?:please|on|at|tomorrow|tonight|this|next|today|in|around|and|of us|with)\b))/gi;

/** The words of a text, and the people that a bare "for four" counts. */
function countedFeatures(text: string): Feature[] {
  const features = featuresOf(text);
  for (const match of text.matchAll(PARTY)) {
    const start = match.index;
    features.push({
      stem: '',
      concepts: ['people'],
      polarity: 'said',
      start,
      end: start + (/^\S+(?: (?:are|will be))*/i.exec(match[0])?.[0].length ?? 0),
    });
  }
  return features;
}
