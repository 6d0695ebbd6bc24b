import type { Json } from '../../../model/json.ts';
import { recordFunctionName } from '../../../flow/document/function.ts';
import { scalarText } from '../../../flow/expression/same-value.ts';
import { isConnecting } from '../../../language/english/connecting.ts';
import { isYesNoQuestion } from '../../../language/english/answers/questions.ts';
import { plainAnswer } from '../../../language/english/answers/yes-no.ts';
import { isIndifferent } from './control-words.ts';
import { describe } from './describe-function.ts';
import type { Field } from '../field.ts';
import { bestLikeness, type Feature, featuresOf, isQuestion } from './features.ts';
import type { Heard } from '../read/hear.ts';
import { addKnown } from './known-arguments.ts';
import { readParameter } from '../read/read-parameter.ts';
import { type BrainTool, fits, requiredOf } from '../schema.ts';
import { enough, type Score, tells } from './score-function.ts';
import { segmentsOf } from '../read/segments.ts';
import type { Utterance } from '../read/utterance.ts';

/** A function that may be meant, with the arguments for its call. */
export interface Candidate {
  readonly tool: BrainTool;
  readonly score: number;
  readonly byWords: number;
  readonly given: ReadonlyMap<string, Json>;
  readonly lacks: readonly string[];
  /** How many of the caller's values it uses. */
  readonly takes: number;
}

/** Returns how well a function fits the caller's words and values together. */
export function candidateOf(tool: BrainTool, score: Score | undefined, utterance: Utterance): Candidate {
  const { heard, told, asked, conversation } = utterance;
  const isAskedHere = ({ name }: Field): boolean => asked.some((each) => each.tool === tool.name && each.name === name);
  const fields = utterance.fields.filter((field) => field.tool === tool.name);
  const given = new Map<string, Json>();
  let takes = 0;
  let isAsked = false;
  for (const field of fields) {
    const isSaid = (each: Heard): boolean => each.field.name === field.name && each.field.kind === field.kind;
    // A known value also counts as an answer if it is asked for.
    const said = heard.find(isSaid) ?? told.find((each) => each.asked && isSaid(each) && isAskedHere(field));
    const value = said === undefined ? undefined : suited(field, said.value);
    if (value === undefined) continue;
    given.set(field.name, value);
    takes += 1;
    isAsked ||= said?.asked === true && isAskedHere(field);
  }
  const required = requiredOf(tool);
  const byWords = score?.byWords ?? 0;
  let total = score?.score ?? 0;
  if (goesAhead(tool, utterance)) total = Math.max(total, 0.64);
  addText(utterance, tool, fields, given, total);
  const isComplete = required.length > 0 && required.every((name) => given.has(name));
  if (isComplete || (takes > 0 && required.some((name) => given.has(name)))) {
    const base = isAsked || given.size > takes ? 0.74 : isComplete ? 0.66 : 0.6;
    total = Math.max(total, Math.min(0.97, base + 0.05 * (takes - 1) + 0.2 * byWords));
  }
  if (total >= enough) addKnown(tool, fields, given, conversation);
  const lacks = required.filter((name) => !given.has(name));
  return { tool, score: total, byWords, given, lacks, takes };
}

/** Checks for details that accept an offer: "A table on Friday" to "Would you like to book a table?". */
function goesAhead(tool: BrainTool, { side, question, text, heard }: Utterance): boolean {
  if (side !== undefined || heard.length === 0 || !isYesNoQuestion(question) || isQuestion(text)) return false;
  const said = featuresOf(text);
  if (said.some((feature) => feature.polarity !== 'said')) return false;
  const isFree = ({ start, end }: Feature): boolean => heard.every((each) => end <= each.start || each.end <= start);
  const meanings = describe(tool).meanings.filter((meaning) => !meaning.isName && !meaning.isInquiry);
  const meant = meanings
    .filter(({ side }) => side === 'agrees' || side === 'wants')
    .flatMap(({ features }) => features);
  const isAnswer = meanings.some((meaning) => meaning.side === 'agrees');
  const free = said.filter(isFree);
  const asked = featuresOf(question);
  const isAllTold = free.every(
    (feature) => heard.some((each) => tells(each, feature)) || bestLikeness(asked, feature) >= 0.75,
  );
  const details = heard.filter(({ field }) => field.tool === recordFunctionName && !PERSONAL.has(field.kind));
  const isDetailed = details.length > 1 && details.every(({ field }) => field.direction !== 'past');
  return isAnswer && ((isAllTold && isDetailed) || free.some((feature) => bestLikeness(meant, feature) >= 0.9));
}

/** Kinds that identify the caller and do not depend on the topic. */
const PERSONAL: ReadonlySet<Field['kind']> = new Set(['name', 'phone', 'email', 'code']);

/** Returns a value that was read for a field of the same name in another function, if it fits this field. */
export function suited(field: Field, value: Json): Json | undefined {
  return fits(field.schema, value) ? value : undefined;
}

/** Fills a text argument if it is asked for, or if the chosen function wants the reason in the caller's words. */
function addText(
  utterance: Utterance,
  tool: BrainTool,
  fields: readonly Field[],
  given: Map<string, Json>,
  score: number,
): void {
  const { asked, text, side, scores, told, conversation } = utterance;
  const isElsewhere =
    scores.some((each) => each.tool !== tool && (each.score >= enough || each.byWords >= nearly)) || side === 'unknown';
  for (const field of fields) {
    if (field.kind !== 'text' || given.has(field.name)) continue;
    const isAsked = asked[0]?.name === field.name && asked.some((each) => each.tool === tool.name);
    const explains =
      score >= enough && EXPLAINS.test(`${field.label} ${field.question}`) && featuresOf(text).length > 2;
    const isAnswer =
      isAsked &&
      !isElsewhere &&
      plainAnswer(text) === undefined &&
      !isQuestion(text) &&
      !isIndifferent(text) &&
      saysNews(utterance);
    if (!isAnswer && !explains) continue;
    const reading = readParameter(field, isAnswer ? restOf(text, told) : text, {
      now: conversation.now,
      region: conversation.region,
      asked: true,
    });
    if (reading.ok) given.set(field.name, reading.value);
  }
}

/** Words that match a function this well do not answer an open question. */
export const nearly = 0.45;

/** Returns the part of an answer without other values: "peanuts" of "peanuts, and you can call me at …". */
export function restOf(text: string, heard: readonly Heard[]): string {
  const segments = segmentsOf(text);
  const isTaken = ({ start, text: part }: (typeof segments)[number]): boolean =>
    heard.some((each) => each.start < start + part.length && start < each.end);
  const from = segments.findIndex((segment) => !isTaken(segment));
  const to = segments.findLastIndex((segment) => !isTaken(segment));
  const [first, last] = [segments[from], segments[to]];
  if (first === undefined || last === undefined || segments.slice(from, to).some(isTaken)) return text;
  return text.slice(first.start, last.start + last.text.length);
}

/** Checks whether words say anything besides values that were read or are known: "Actually, 415 555 2671". */
export function saysNews({ text, told, conversation, fields }: Utterance): boolean {
  if (!saysMore(text, told)) return false;
  const { known, now, region } = conversation;
  return !fields.some((field) => {
    if (!known.has(field.name) || field.kind === 'text' || field.kind === 'boolean') return false;
    const found = readParameter(field, text, { now, region, asked: true });
    const isSame = found.ok && scalarText(found.value) === known.get(field.name);
    return isSame && isConnecting(text.slice(0, found.start), '') && isConnecting(text.slice(found.end), '');
  });
}

/** Checks whether words say anything besides the values that were read from them. */
function saysMore(text: string, heard: readonly Heard[]): boolean {
  if (heard.length === 0) return true;
  return [0, ...heard.map(({ end }) => end)].some((from) => {
    if (heard.some(({ start, end }) => start < from && from < end)) return false;
    const next = heard.flatMap(({ start }) => (start >= from ? [start] : []));
    const gap = text.slice(from, Math.min(text.length, ...next));
    if (isConnecting(gap, '')) return false;
    return featuresOf(gap).some((feature) => heard.every(({ field }) => bestLikeness(field.cues, feature) < 0.75));
  });
}

const EXPLAINS =
  /\b(?:reason|why|summary|question|query|request|topic|subject|issue|problem|message|details|description|comment|feedback|what the (?:caller|user|customer) (?:wants|needs|said|asks))\b/i;
