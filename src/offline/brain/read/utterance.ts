import type { Json } from '../../../model/json.ts';
import { recordFunctionName } from '../../../flow/document/function.ts';
import { isConnecting, takesBack } from '../../../language/english/connecting.ts';
import { isYesNoQuestion, sentencesOf } from '../../../language/english/answers/questions.ts';
import { read } from '../../../language/english/reading.ts';
import { plainAnswer } from '../../../language/english/answers/yes-no.ts';
import { askedFields } from '../asked-fields.ts';
import { type Conversation, lastAgentText, openQuestion } from '../conversation.ts';
import { describe } from '../choose/describe-function.ts';
import { type Field, fieldsInScope, fieldsOf } from '../field.ts';
import { featuresOf, isQuestion } from '../choose/features.ts';
import { hear, type Heard, type Unclear } from './hear.ts';
import type { BrainTool } from '../schema.ts';
import {
  coverageOf,
  enough,
  isRefusal,
  namesRefusal,
  type Score,
  scoreFunctions,
  sideOfWords,
} from '../choose/score-function.ts';

/** The caller's words with everything the rules found in them. */
export interface Utterance {
  /** All functions except `record`. */
  readonly functions: readonly BrainTool[];
  readonly recorder: BrainTool | undefined;
  readonly text: string;
  readonly conversation: Conversation;
  readonly agentText: string;
  readonly question: string;
  /** Whether the caller was asked what they want. */
  readonly isOpen: boolean;
  readonly side: ReturnType<typeof sideOfWords>;
  readonly asked: readonly Field[];
  /** Values that are not known yet. */
  readonly heard: readonly Heard[];
  /** All values, including known ones. */
  readonly told: readonly Heard[];
  readonly unclear: readonly Unclear[];
  readonly scores: readonly Score[];
  /** The arguments of all functions. */
  readonly fields: readonly Field[];
}

/** Reads the caller's words for the functions in scope. */
export function listen(tools: readonly BrainTool[], text: string, conversation: Conversation): Utterance {
  const recorder = tools.find((tool) => tool.name === recordFunctionName);
  const functions = tools.filter((tool) => tool !== recorder);
  const agentText = lastAgentText(conversation.items);
  const question = openQuestion(agentText);
  const isChoice = asksWhichOf(functions, question);
  const answersYesNo = question === '' || (isYesNoQuestion(question) && !isChoice);
  const fields = fieldsInScope(tools, recorder);
  const asked = askedFields(fields, agentText, conversation);
  const side = sideOfWords(text, answersYesNo);
  const wantsValue = asked[0] !== undefined && asked[0].kind !== 'boolean' && !isYesNoQuestion(question);
  // A yes or no that is the value of a field, or asks for more, does not answer for a function.
  const isTaken =
    (asked[0]?.kind === 'boolean' && side !== 'unknown') ||
    (side === 'yes' && (wantsValue || ASKS_FOR_MORE.test(question)));
  const isDone = side === 'no' && ASKS_FOR_MORE.test(question);
  const isOpen = asked.length === 0 && question !== '' && (isChoice || !isYesNoQuestion(question));
  const scoredBy = (
    answer: Utterance['side'],
    words = text,
    news: readonly Heard[] = [],
    values: readonly Heard[] = [],
  ): readonly Score[] =>
    scoreFunctions(
      functions,
      isDone ? `${words}. Nothing else.` : words,
      {
        isOpen,
        side: answer,
        question: featuresOf(question),
        answersYesNo: answersYesNo && question !== '',
        isPlain: plainAnswer(text) !== undefined,
        refuses: isRefusal(text),
        refusesSomething: namesRefusal(text),
      },
      news,
      values,
    );
  const answer = isTaken ? undefined : side;
  const scores = scoredBy(answer);
  const before = sameQuestionBefore(conversation, fields, asked);
  const { heard, unclear } = hear(withoutQuestions(text, scores), fields, {
    now: conversation.now,
    region: conversation.region,
    asked,
    known: conversation.known,
    offer: agentText,
    days: fields.flatMap((field) => (field.kind === 'date' ? [field.question] : [])).join(' '),
    ...(before === undefined ? {} : { before }),
  });
  const fresh = heard.filter(({ field, value }) => conversation.known.get(field.name) !== asText(value));
  const isCorrection = side === 'no' && (correctsOnly(text, fresh, conversation) || namesInstead(text, fields));
  return {
    functions,
    recorder,
    text,
    conversation,
    agentText,
    question,
    side: isCorrection ? undefined : side,
    asked,
    heard: fresh,
    told: heard,
    unclear,
    scores: scoredBy(isCorrection ? undefined : answer, withoutTakingBack(text, fresh, functions), fresh, heard),
    isOpen,
    fields,
  };
}

/** Checks for a choice between functions, which a yes does not answer: "Is it about a fault, a bill or a contract?". */
function asksWhichOf(functions: readonly BrainTool[], question: string): boolean {
  if (!/\bor\b/i.test(question)) return false;
  const named = featuresOf(question);
  const fits = (tool: BrainTool): boolean =>
    describe(tool).meanings.some(
      ({ side, isName, features }) => side === 'wants' && !isName && coverageOf(features, named) >= 0.5,
    );
  return functions.filter(fits).length > 1;
}

/** Checks whether a no only corrects a known value: "No, rather on Monday". */
function correctsOnly(text: string, heard: readonly Heard[], { known }: Conversation): boolean {
  const [first] = heard;
  if (first === undefined || !heard.every(({ field }) => known.has(field.name))) return false;
  return CORRECTS.test(text.slice(0, first.start));
}

/** Checks whether a no only corrects a name: "No, it is Anna Berg". */
function namesInstead(text: string, fields: readonly Field[]): boolean {
  if (!fields.some(({ kind }) => kind === 'name')) return false;
  const found = read('name', text, { now: '', asked: true });
  if (!found.ok || found.corrects !== true || !found.said.includes(' ')) return false;
  return isConnecting(text.slice(found.end), '') && plainAnswer(text) === undefined;
}

/** Blanks out words that correct a slot ("actually, make it three people"), unless a function takes that value. */
function withoutTakingBack(text: string, heard: readonly Heard[], functions: readonly BrainTool[]): string {
  let rest = text;
  for (const { field, start } of heard) {
    if (functions.some((tool) => fieldsOf(tool).some(({ name }) => name === field.name))) continue;
    const from = Math.max(0, ...heard.flatMap(({ end }) => (end <= start ? [end] : [])));
    if (takesBack(text.slice(from, start))) rest = rest.slice(0, from) + ' '.repeat(start - from) + rest.slice(start);
  }
  return rest;
}

/** Words that may stand between a no and the corrected value. */
const CORRECTS =
  /^\W*(?:(?:no|nope|sorry|oh|wait|um|uh|well|actually|rather|make (?:it|that)|let's say|i (?:mean|meant|said)|it(?:'s| is)|on|at|the|for|in|not that)\b\W*)+$/i;

const ASKS_FOR_MORE = /\b(?:anything|something|what) (?:else|more)\b|\bany (?:other|more|further)\b/i;

/** Blanks out all words except codes: a question about AB123456 still names it. */
function blank(text: string): string {
  return text.replaceAll(/\S+/g, (word) =>
    /^[A-Z]*\d{4,}[A-Z\d]*\W*$|^[A-Z]{2,}-?\d{2,}\W*$/.test(word) ? word : ' '.repeat(word.length),
  );
}

/** A question about the state of things, not a wish: "Is there school on Monday?", "are the frames back?". */
const ASKS_HOW_THINGS_STAND =
  /^(?:(?:and|but|so|well|okay|ok|sorry|um|uh|hi|hello)\b[\s,]*)*(?:is|are|was|were|has|have|does|did)\s+(?!(?:it|that|this|there (?:a|an|any|some|something|anything|one|room|space|still))\b)(?![^?]*\b(?:okay|ok|fine|possible|available|free|left|work|alright|all right|good|suits?|convenient|able|take|offer)\b)[^?]*\?$/i;

const ASKS_BACK =
  /^(?:(?:and|but|so|well|okay|ok|sorry|um|uh|hi|hello)\b[\s,]*)*(?:why|who|whose|where|when|which|what(?! (?:about|if))|how(?! about))\b/i;

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the caller's previous answer if the agent asked the same question again. */
function sameQuestionBefore(
  conversation: Conversation,
  fields: readonly Field[],
  asked: readonly Field[],
): string | undefined {
  const { items } = conversation;
  const last = items.findLastIndex((item) => item.type === 'caller');
  const [before, between] = items.slice(Math.max(0, last - 2), Math.max(0, last));
  if (before?.type !== 'caller' || between?.type !== 'agent') return undefined;
  // An answer that rules took alone has no call next to it. The agent has asked another question since.
  const askedThen = askedFields(fields, lastAgentText(items, last - 2), {
    ...conversation,
    known: new Map(),
    unconfirmed: new Set(),
    missing: [],
  });
  const isOther = asked.length > 0 && askedThen.length > 0 && !askedThen.some((field) => asked.includes(field));
  return isOther ? undefined : before.text;
}

/** Removes questions about something else ("are you open on Friday?"), which state no values. */
function withoutQuestions(text: string, scores: readonly Score[]): string {
  const strong = scores.filter((score) => score.byWords >= enough && fieldsOf(score.tool).length === 0);
  const working = scores.filter((score) => score.byWords >= enough && fieldsOf(score.tool).length > 0);
  // "What is the balance of my savings account?" names the value to look up.
  const isWork = (from: number, to: number): boolean =>
    working.some((score) => score.places.some(({ start, end }) => start >= from && end <= to));
  let rest = text.replaceAll(/[^.?!;,]+/g, (clause, at: number) =>
    ASKS_BACK.test(clause.trim()) && !isWork(at, at + clause.length) ? blank(clause) : clause,
  );
  for (const sentence of sentencesOf(text)) {
    const from = text.indexOf(sentence);
    if (ASKS_HOW_THINGS_STAND.test(sentence) && !isWork(from, from + sentence.length))
      rest = rest.replace(sentence, blank(sentence));
    const isAbout = strong.some((score) =>
      score.places.some(({ start, end }) => start >= from && end <= from + sentence.length),
    );
    if (isAbout && isQuestion(sentence)) rest = rest.replace(sentence, blank(sentence));
  }
  return rest;
}
