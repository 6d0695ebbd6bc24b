import { isYesNoQuestion, sentencesOf } from '../../language/english/answers/questions.ts';
import { type Conversation, openQuestion } from './conversation.ts';
import type { Field, FieldKind } from './field.ts';
import { type Feature, featuresOf, likeness } from './choose/features.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import { nameWords } from '../../model/ports/name-words.ts';

/**
 * Returns the fields that the agent's last words ask for, the likeliest first. Compares the field's question, the kind
 * of value and the order in the node. Returns several only if the question names several.
 */
export function askedFields(fields: readonly Field[], agentText: string, conversation: Conversation): Field[] {
  const question = openQuestion(agentText) || (sentencesOf(agentText).at(-1) ?? '');
  const asked = {
    text: normal(agentText),
    features: featuresOf(question),
    question,
    isYesNo: isYesNoQuestion(question),
  };
  const distinct = fields.map((field) => ownCues(field, fields));
  const ranked = fields
    .map((field, index) => ({ field, ...strength(field, distinct[index] ?? field.cues, asked, conversation) }))
    .filter((each) => each.score >= ENOUGH)
    .toSorted((one, other) => other.score - one.score);
  const [first] = ranked;
  if (first === undefined) return [];
  const rivals = ranked.filter((each) => each !== first && each.field.name !== first.field.name);
  const named = rivals.filter(
    (each) =>
      each.isNamed &&
      first.isNamed &&
      each.field.kind !== 'text' &&
      each.field.kind !== 'boolean' &&
      // The verbatim question of one field does not ask again for a known field that shares a word.
      !(first.isVerbatim && conversation.known.has(each.field.name)),
  );
  // Two fields match the question equally well, so the meaning is not clear.
  const tied = rivals.some(
    (each) => each.score === first.score && each.field.kind === first.field.kind && !each.isNamed,
  );
  if (tied) return [];
  const names = new Set([first.field.name, ...named.map((each) => each.field.name)]);
  return ranked.filter((each) => names.has(each.field.name)).map((each) => each.field);
}

const ENOUGH = 0.6;

/** A question that a yes does not answer: "Is there anything we should know?" */
const OPEN_ENDED = /\b(?:anything|something|any)\b/i;

interface Asked {
  readonly text: string;
  readonly features: readonly Feature[];
  readonly question: string;
  readonly isYesNo: boolean;
}

interface Strength {
  readonly score: number;
  readonly isNamed: boolean;
  /** Whether the question is the field's own question, word by word. */
  readonly isVerbatim: boolean;
}

const none: Strength = { score: 0, isNamed: false, isVerbatim: false };

function strength(
  field: Field,
  cues: readonly Feature[],
  asked: Asked,
  { missing, known, unconfirmed }: Conversation,
): Strength {
  if (asked.question === '') return none;
  const isSlot = field.tool === recordFunctionName;
  const wording = normal(field.question);
  const isVerbatim = wording.length > 5 && asked.text.endsWith(wording);
  const value = known.get(field.name);
  const isReadBack =
    isSlot && value !== undefined && unconfirmed.has(field.name) && asked.isYesNo && readsBack(asked.text, value);
  const matched = cues.filter((cue) => asked.features.some((feature) => likeness(feature, cue) >= 0.75));
  const coverage = matched.length / Math.max(1, Math.min(cues.length, asked.features.length, 4));
  const isNamed = matched.length > 0 && coverage >= 0.3;
  const place = missing.indexOf(field.name);
  const isFirst = isSlot && place === 0;
  // A slot that is neither needed nor known is not asked for by a single shared word.
  if (isSlot && place < 0 && value === undefined && !isVerbatim && matched.length < 2) return none;
  const fitsKind = wants(field, asked);
  // "Shall I book it?" does not ask for a known booking number.
  if (asked.isYesNo && value !== undefined && !isReadBack && !isVerbatim && fitsKind !== true) return none;
  if (field.kind === 'boolean' && !asked.isYesNo && !isVerbatim) return none;
  if (fitsKind === false && !isVerbatim && !isReadBack && !isFirst) return none;
  // A text field accepts any words, so its question must match clearly.
  if (
    field.kind === 'text' &&
    !isVerbatim &&
    !isFirst &&
    ((asked.isYesNo && !OPEN_ENDED.test(asked.question)) || !isNamed)
  )
    return none;
  // "Shall we bring the car in?" does not ask whether the caller needs a car.
  if (field.kind === 'boolean' && !isVerbatim && !isFirst && !(isNamed && isMostlyNamed(cues, matched))) return none;
  const score =
    (isVerbatim ? 3 : 0) +
    (isReadBack ? 3 : 0) +
    Math.min(1.5, coverage * (isNamed ? 1 : 0.5)) +
    (fitsKind === true ? 0.6 : 0) +
    (isFirst
      ? asked.isYesNo && field.kind !== 'boolean' && matched.length === 0 && fitsKind !== true
        ? 0.61
        : 0.8
      : 0) +
    (isSlot && place >= 0 ? 0.2 : 0);
  return { score, isVerbatim, isNamed: isNamed && (fitsKind === true || matched.length > 1 || coverage >= 0.5) };
}

function isMostlyNamed(cues: readonly Feature[], matched: readonly Feature[]): boolean {
  const stems = new Set(cues.map((cue) => cue.stem));
  return new Set(matched.map((cue) => cue.stem)).size / stems.size > 0.5;
}

/** Returns the words that distinguish a field from the others; all its words if none do. */
export function ownCues(field: Field, fields: readonly Field[]): readonly Feature[] {
  const others = fields.filter((each) => each.name !== field.name && kindClass(each.kind) === kindClass(field.kind));
  const own = field.cues.filter(
    (cue) => !others.some((other) => other.cues.some((each) => each.stem !== '' && each.stem === cue.stem)),
  );
  return own.length > 0 ? own : field.cues;
}

/** Groups kinds whose values are said in the same words. */
export function kindClass(kind: FieldKind): string {
  if (kind === 'integer') return 'number';
  return kind === 'date-time' ? 'date' : kind;
}

const KIND_QUESTIONS: Readonly<Partial<Record<FieldKind, RegExp>>> = {
  date: /\b(?:what|which) (?:\w+ )?(?:day|date)|\bwhen\b|\bdate\b|\bday\b|\bbirthday\b/i,
  'date-time': /\bwhen\b|\bdate\b|\btime\b|\bday\b/i,
  time: /\b(?:what|which) time|\btime\b|\bwhen\b|\bo'clock\b|\bhour\b/i,
  number:
    /\bhow (?:many|much|old|often|bad|long|far|big|large|tall)|\bnumber of\b|\bfrom (?:zero|one|0|1) to\b|\bscale\b|\bamount\b|\bage\b/i,
  integer:
    /\bhow (?:many|much|old|often|bad|long|far|big|large|tall)|\bnumber of\b|\bfrom (?:zero|one|0|1) to\b|\bscale\b|\bamount\b|\bage\b/i,
  phone: /\b(?:phone|telephone|mobile|cell|number|reach you|call you)\b/i,
  email: /\be-?mail\b/i,
  name: /\bname\b|\bwho(?:m|se)?\b|\bspeaking with\b|\bspeaking to\b/i,
  code: /\b(?:number|code|id|pin|zip|postcode|plate|registration|reference|serial|digits)\b/i,
};
/** A question that certainly wants a value of one of these kinds. */
const SURE =
  /\bhow many\b|\bwhat time\b|\b(?:which|what) (?:day|date)\b|\bdate of birth\b|\bphone number\b|\be-?mail\b/i;

/** Returns true if the question wants this kind of value, false if it wants another, undefined if unknown. */
function wants(field: Field, { question, isYesNo }: Asked): boolean | undefined {
  if (field.kind === 'boolean') return isYesNo ? true : undefined;
  const pattern = KIND_QUESTIONS[field.kind];
  if (pattern?.test(question) === true) return true;
  if (field.kind === 'enum' || field.kind === 'choices') {
    const words = question.toLowerCase();
    const named = [...field.values.keys()].filter((key) => words.includes(nameWords(key).toLowerCase()));
    if (named.length > 1) return true;
    return SURE.test(question) ? false : undefined;
  }
  if (field.kind === 'text') return SURE.test(question) ? false : undefined;
  return Object.entries(KIND_QUESTIONS).some(([kind, other]) => kind !== field.kind && other?.test(question)) &&
    SURE.test(question)
    ? false
    : undefined;
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim();
}

/**
 * Checks whether a text names a value in any notation: "+14155550123" as "5 5 5, 0 1 2 3", "1984-03-04" as "March 4,
 * 1984".
 */
export function readsBack(text: string, value: string): boolean {
  const letters = text.toLowerCase().replaceAll(/[^\p{L}\d]+/gu, '');
  return value
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .some((part) => part.length > 1 && letters.includes(part.slice(-4)));
}
