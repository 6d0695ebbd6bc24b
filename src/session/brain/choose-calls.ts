import type { Json, JsonObject } from '../../events/json.ts';
import { recordFunctionName } from '../../flow/function.ts';
import { plainAnswer } from '../../language/yes-no.ts';
import { askedFields } from './asked-fields.ts';
import { askAgain, askClearer, askFor, askWhich } from './ask-for.ts';
import { type Conversation, isYesNoQuestion, lastAgentText, openQuestion } from './conversation.ts';
import { describe } from './describe-function.ts';
import { type Field, fieldsInScope, fieldsOf, typedValue } from './field.ts';
import { bestLikeness, featuresOf, isQuestion, sentencesOf } from './features.ts';
import { hear, type Heard, type Unclear } from './hear.ts';
import { readParameter } from './read-parameter.ts';
import { type BrainTool, fits, onlyValueOf, requiredOf } from './schema.ts';
import { enough, isRefusal, namesRefusal, type Score, scoreFunctions, sideOfWords } from './score-function.ts';

export interface BrainCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What the offline brain answers: functions to call, or words to say. */
export interface BrainDecision {
  readonly calls: readonly BrainCall[];
  readonly text: string;
}

/** Two functions that score so much alike are not told apart by guessing. */
const margin = 0.07;

/** What is enough where the caller was asked what it is about. */
const enoughWhenOpen = 0.55;

/**
 * Decides by rules what a caller's words mean for the functions in scope: which values to record, and at most one
 * other function to call. Where that is not clear it asks. It never supplies a value that was not said or agreed to.
 */
export function chooseCalls(tools: readonly BrainTool[], text: string, conversation: Conversation): BrainDecision {
  const utterance = listen(tools, text, conversation);
  const control = answerToControl(utterance);
  if (control !== null) return { calls: [], text: control };
  const choice = chooseFunction(utterance);
  const called = choice.type === 'call' ? choice.call : null;
  const recorded = recordCall(utterance, called, choice);
  const calls = [recorded, called].filter((call) => call !== null);
  if (choice.type === 'ask') return { calls: recorded === null ? [] : [recorded], text: choice.text };
  if (calls.length > 0) return { calls, text: '' };
  const [unclear] = utterance.unclear;
  return { calls: [], text: unclear === undefined ? askAgain(tools, conversation) : askClearer(unclear, conversation) };
}

interface Utterance {
  readonly tools: readonly BrainTool[];
  /** All but `record`. */
  readonly functions: readonly BrainTool[];
  readonly recorder: BrainTool | undefined;
  readonly text: string;
  readonly conversation: Conversation;
  readonly agentText: string;
  readonly question: string;
  readonly side: ReturnType<typeof sideOfWords>;
  readonly asked: readonly Field[];
  readonly heard: readonly Heard[];
  readonly unclear: readonly Unclear[];
  readonly scores: readonly Score[];
  /** The arguments of all functions. */
  readonly fields: readonly Field[];
}

function listen(tools: readonly BrainTool[], text: string, conversation: Conversation): Utterance {
  const recorder = tools.find((tool) => tool.name === recordFunctionName);
  const functions = tools.filter((tool) => tool !== recorder);
  const agentText = lastAgentText(conversation.items);
  const question = openQuestion(agentText);
  const answersYesNo = question === '' || isYesNoQuestion(question);
  const fields = fieldsInScope(tools, recorder);
  const asked = askedFields(fields, agentText, conversation);
  const side = sideOfWords(text, answersYesNo);
  const wantsValue = asked[0] !== undefined && asked[0].kind !== 'boolean' && !isYesNoQuestion(question);
  // A yes or no that answers for a value, or that asks for more, is no answer to what a function stands for.
  const isTaken =
    (asked[0]?.kind === 'boolean' && side !== 'unknown') ||
    (side === 'yes' && (wantsValue || ASKS_FOR_MORE.test(question)));
  const isDone = side === 'no' && ASKS_FOR_MORE.test(question);
  const scores = scoreFunctions(functions, isDone ? `${text}. Nothing else.` : text, {
    side: isTaken ? undefined : side,
    question: featuresOf(question),
    answersYesNo: answersYesNo && question !== '',
    isPlain: plainAnswer(text) !== undefined,
    refuses: isRefusal(text),
    refusesSomething: namesRefusal(text),
  });
  const before = sameQuestionBefore(conversation);
  const { heard, unclear } = hear(withoutQuestions(text, scores), fields, {
    now: conversation.now,
    region: conversation.region,
    asked,
    known: conversation.known,
    ...(before === undefined ? {} : { before }),
  });
  const fresh = heard.filter(({ field, value }) => conversation.known.get(field.name) !== asText(value));
  return {
    tools,
    functions,
    recorder,
    text,
    conversation,
    agentText,
    question,
    side,
    asked,
    heard: fresh,
    unclear,
    scores,
    fields,
  };
}

/** Spaces for all words but codes: whoever asks where AB123456 is has said which one. */
function blank(text: string): string {
  return text.replaceAll(/\S+/g, (word) =>
    /^[A-Z]*\d{4,}[A-Z\d]*\W*$|^[A-Z]{2,}-?\d{2,}\W*$/.test(word) ? word : ' '.repeat(word.length),
  );
}

const ASKS_BACK =
  /^(?:(?:and|but|so|well|okay|ok|sorry|um|uh|hi|hello)\b[\s,]*)*(?:why|who|whose|where|when|which|what(?! (?:about|if))|how(?! about))\b/i;

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the caller answered right before, if the agent then asked about the same again. */
function sameQuestionBefore({ items }: Conversation): string | undefined {
  const last = items.findLastIndex((item) => item.type === 'caller');
  const [before, between] = items.slice(Math.max(0, last - 2), Math.max(0, last));
  return before?.type === 'caller' && between?.type === 'agent' ? before.text : undefined;
}

/** A question about something else ("are you open on Friday?") states no values. */
function withoutQuestions(text: string, scores: readonly Score[]): string {
  const strong = scores.filter((score) => score.byWords >= enough && fieldsOf(score.tool).length === 0);
  let rest = text.replaceAll(/[^.?!;,]+/g, (clause) => (ASKS_BACK.test(clause.trim()) ? blank(clause) : clause));
  for (const sentence of sentencesOf(text)) {
    const from = text.indexOf(sentence);
    const isAbout = strong.some((score) =>
      score.places.some(({ start, end }) => start >= from && end <= from + sentence.length),
    );
    if (isAbout && isQuestion(sentence)) rest = rest.replace(sentence, blank(sentence));
  }
  return rest;
}

/** Words that ask for nothing but patience, or for the last words again. */
function answerToControl({ text, agentText, question, scores }: Utterance): string | null {
  if (scores.some((score) => score.byWords >= enough)) return null;
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (AGAIN.test(words) && agentText !== '') return agentText;
  if (GREETING.test(words)) return ['Hello!', question].filter((line) => line !== '').join(' ');
  return PATIENCE.test(words) ? 'Of course, take your time.' : null;
}

const AGAIN =
  /^(?:(?:i'm|i am|um|uh|oh|excuse me|no) )*(?:sorry|pardon|pardon me|what|huh|excuse me|come again|(?:sorry )?(?:what|pardon)(?: was that| did you say)?|(?:sorry )?(?:can|could|would) you (?:please )?(?:repeat|say)(?: that| it| the question)?(?: again)?(?: please)?|(?:please )?(?:repeat|say)(?: that| it)?(?: again)?(?: please)?|(?:sorry )?i (?:didn't|did not|couldn't) (?:hear|catch|get|understand)(?: that| you| it| what you said)?|say again|one more time|once more)(?: please)?$/;
const ASKS_FOR_MORE = /\b(?:anything|something|what) (?:else|more)\b|\bany (?:other|more|further)\b/i;
const GREETING =
  /^(?:(?:oh|um|uh|well|yes) )*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)(?: there| you)?(?: (?:hi|hello))?$/;
const PATIENCE =
  /^(?:(?:um|uh|ok|okay|well|yes|please|just|can you|could you) )*(?:hold on|hang on|wait|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|(?:give me|wait) (?:a|one) (?:moment|second|sec|minute)|let me (?:see|check|think|look)|bear with me)(?: please| a (?:moment|second|sec|minute)| for a (?:moment|second|minute)| let me (?:see|check|think|look|get it))*$/;

type Choice =
  | { readonly type: 'none' }
  | { readonly type: 'ask'; readonly text: string }
  | { readonly type: 'call'; readonly call: BrainCall; readonly byWords: number };

interface Candidate {
  readonly tool: BrainTool;
  readonly score: number;
  readonly byWords: number;
  readonly given: ReadonlyMap<string, Json>;
  readonly lacks: readonly string[];
  /** How many of the caller's values it takes. */
  readonly takes: number;
}

function chooseFunction(utterance: Utterance): Choice {
  const { functions, scores, conversation } = utterance;
  // After "What can I do for you?" any words are about what the caller wants.
  const isOpen = utterance.asked.length === 0 && utterance.question !== '' && !isYesNoQuestion(utterance.question);
  const candidates = functions
    .map((tool) =>
      candidateOf(
        tool,
        scores.find((score) => score.tool === tool),
        utterance,
      ),
    )
    .filter((each) => each.score >= (isOpen ? enoughWhenOpen : enough) && !answersItself(each, utterance))
    .toSorted((one, other) => other.score - one.score || other.takes - one.takes);
  const [best, second] = candidates;
  if (best === undefined) return { type: 'none' };
  const isByWords = (each: Candidate): boolean => each.byWords >= enough || each.takes > 0;
  const isTie = second !== undefined && best.score - second.score < margin && best.takes === second.takes;
  if (isTie && (best.lacks.length === 0) === (second.lacks.length === 0) && isByWords(best) === isByWords(second))
    return { type: 'ask', text: askWhich([best.tool, second.tool], conversation) };
  // What was said in words goes before a yes or no that only opens the sentence.
  const isWordier = isTie && !isByWords(best) && isByWords(second);
  const chosen = isTie && (best.lacks.length > 0 || isWordier) ? second : best;
  // Half of what was said is no reason to act: "Wednesday at eleven" is not eleven on any day.
  const doubt = utterance.unclear.find((each) => !utterance.asked.some((field) => field.name === each.field.name));
  if (doubt !== undefined && chosen.takes > 0) return { type: 'ask', text: askClearer(doubt, conversation) };
  const [lacking] = chosen.lacks;
  if (lacking === undefined) {
    const call = { name: chosen.tool.name, arguments: Object.fromEntries(chosen.given) };
    return fits(chosen.tool.parameters, call.arguments)
      ? { type: 'call', call, byWords: chosen.byWords }
      : { type: 'none' };
  }
  const field = utterance.fields.find((each) => each.tool === chosen.tool.name && each.name === lacking);
  if (field === undefined || field.kind === 'unreadable') return { type: 'none' };
  const unclear = utterance.unclear.find((each) => each.field.name === field.name);
  return {
    type: 'ask',
    text: unclear === undefined ? askFor(field, conversation) : askClearer(unclear, conversation),
  };
}

/** Whether the words that fit a function are those of the very answer that was asked for. */
function answersItself(candidate: Candidate, { heard, scores, functions, asked }: Utterance): boolean {
  if (candidate.takes > 0 || !functions.includes(candidate.tool)) return false;
  const score = scores.find((each) => each.tool === candidate.tool);
  const answer = heard.find((each) => each.asked && asked.some((field) => field.name === each.field.name));
  if (answer === undefined || score === undefined || score.places.length === 0) return false;
  return score.places.every((place) => place.start < answer.end && answer.start < place.end);
}

function candidateOf(tool: BrainTool, score: Score | undefined, utterance: Utterance): Candidate {
  const { heard, asked, conversation } = utterance;
  const fields = utterance.fields.filter((field) => field.tool === tool.name);
  const given = new Map<string, Json>();
  let takes = 0;
  let isAsked = false;
  for (const field of fields) {
    const said = heard.find((each) => each.field.name === field.name && each.field.kind === field.kind);
    const value = said === undefined ? undefined : suited(field, said.value);
    if (value === undefined) continue;
    given.set(field.name, value);
    takes += 1;
    isAsked ||= said?.asked === true && asked.some((each) => each.tool === tool.name && each.name === field.name);
  }
  const required = requiredOf(tool);
  const byWords = score?.byWords ?? 0;
  let total = score?.score ?? 0;
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

function suited(field: Field, value: Json): Json | undefined {
  return fits(field.schema, value) ? value : undefined;
}

/** Free text is taken where it is asked for, or where a function that was chosen wants to hear why in the caller's words. */
function addText(
  { asked, text, side, scores, heard, conversation }: Utterance,
  tool: BrainTool,
  fields: readonly Field[],
  given: Map<string, Json>,
  score: number,
): void {
  const isElsewhere = scores.some((each) => each.tool !== tool && each.score >= enough) || side === 'unknown';
  for (const field of fields) {
    if (field.kind !== 'text' || given.has(field.name)) continue;
    const isAsked = asked[0]?.name === field.name && asked.some((each) => each.tool === tool.name);
    const explains =
      score >= enough && EXPLAINS.test(`${field.label} ${field.question}`) && featuresOf(text).length > 2;
    const isAnswer =
      isAsked && !isElsewhere && plainAnswer(text) === undefined && !isQuestion(text) && saysMore(text, heard);
    if (!isAnswer && !explains) continue;
    const reading = readParameter(field, text, { now: conversation.now, region: conversation.region, asked: true });
    if (reading.ok) given.set(field.name, reading.value);
  }
}

/** Whether words say anything besides the values that were read out of them. */
function saysMore(text: string, heard: readonly Heard[]): boolean {
  if (heard.length === 0) return true;
  return featuresOf(text).some((feature) =>
    heard.every(
      ({ field, start, end }) =>
        (feature.end <= start || end <= feature.start) && bestLikeness(field.cues, feature) < 0.75,
    ),
  );
}

const EXPLAINS =
  /\b(?:reason|why|summary|question|query|request|topic|subject|issue|problem|message|details|description|comment|feedback|what the (?:caller|user|customer) (?:wants|needs|said|asks))\b/i;

/** A function that does work takes what is known; one that is about the caller's words takes only what they say, now or before. */
function addKnown(
  tool: BrainTool,
  fields: readonly Field[],
  given: Map<string, Json>,
  conversation: Conversation,
): void {
  const { isAboutCaller, meanings } = describe(tool);
  const isNew = meanings.some((meaning) =>
    meaning.features.some(({ concepts }) => concepts.some((concept) => ANEW.has(concept))),
  );
  for (const field of fields) {
    if (given.has(field.name)) continue;
    const known = conversation.known.get(field.name);
    const value = known === undefined || isNew || isAboutCaller ? onlyValueOf(field.schema) : typedValue(field, known);
    if (value !== undefined && fits(field.schema, value)) given.set(field.name, value);
    else if (!isNew && field.required) {
      const said = saidBefore(field, conversation) ?? acceptedOffer(field, conversation);
      if (said !== undefined && fits(field.schema, said)) given.set(field.name, said);
    }
  }
}

const ANEW = new Set(['other', 'change', 'move', 'correct']);

/** A value that the caller gave for this call a few turns ago: nothing but `record` was called since. */
function saidBefore(field: Field, { items, now, region }: Conversation): Json | undefined {
  if (field.kind === 'text' || field.kind === 'boolean') return undefined;
  const last = items.findLastIndex((item) => item.type === 'caller');
  for (let at = last - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item?.type === 'call' && item.name !== recordFunctionName) return undefined;
    if (item?.type !== 'caller') continue;
    const asked = askedFields([field], lastAgentText(items, at), NOTHING_KNOWN(items, now, region));
    const reading = hear(item.text, [field], { now, region, asked, known: new Map() }).heard[0];
    if (reading !== undefined) return reading.value;
  }
  return undefined;
}

function NOTHING_KNOWN(items: Conversation['items'], now: string, region: string): Conversation {
  return { paragraphs: [], now, region, known: new Map(), unconfirmed: new Set(), missing: [], items };
}

/** The one value that the agent has just offered, where the caller says yes to it. */
function acceptedOffer(field: Field, { items, now, region }: Conversation): Json | undefined {
  const last = items.at(-1);
  if (last?.type !== 'caller' || !['date', 'time', 'number', 'integer'].includes(field.kind)) return undefined;
  const side = sideOfWords(last.text, true);
  const offer = lastAgentText(items);
  if (side !== 'yes' || /\bor\b/.test(offer)) return undefined;
  const reading = readParameter({ ...field, direction: field.direction ?? 'future' }, offer, {
    now,
    region,
    asked: field.kind !== 'number' && field.kind !== 'integer',
  });
  return reading.ok && reading.certain ? reading.value : undefined;
}

/** What was said of the slots, less what the called function keeps itself. */
function recordCall(
  { recorder, heard, asked, text, side, conversation }: Utterance,
  called: BrainCall | null,
  choice: Choice,
): BrainCall | null {
  if (recorder === undefined) return null;
  const fields = fieldsOf(recorder);
  const values = new Map<string, Json>();
  // "Cancel my appointment for tomorrow" tells which one, not when the next one shall be.
  const isAboutOld = called !== null && utteranceIsAboutOld(text);
  for (const field of fields) {
    const said = heard.find((each) => each.field.name === field.name && each.field.kind === field.kind);
    const isOld = isAboutOld && said?.asked === false && ['date', 'time'].includes(field.kind);
    const value = said === undefined || isOld ? undefined : suited(field, said.value);
    if (value !== undefined && !(called !== null && Object.hasOwn(called.arguments, field.name)))
      values.set(field.name, value);
  }
  const first = asked[0];
  const wantsText = first?.kind === 'text' && first.tool === recorder.name && !conversation.known.has(first.name);
  if (wantsText && choice.type === 'none' && isStatement(text, side, conversation) && saysMore(text, heard)) {
    const reading = readParameter(first, text, { now: conversation.now, region: conversation.region, asked: true });
    if (reading.ok) values.set(first.name, reading.value);
  }
  return values.size === 0 ? null : { name: recorder.name, arguments: Object.fromEntries(values) };
}

function utteranceIsAboutOld(text: string): boolean {
  return featuresOf(text).some(({ concepts, polarity }) => polarity === 'said' && concepts.includes('cancel'));
}

/** Whether words answer an open question: not a question back, and not a yes where only more than that is an answer. */
function isStatement(text: string, side: Utterance['side'], conversation: Conversation): boolean {
  const plain = plainAnswer(text);
  if (isQuestion(text) || side === 'unknown') return false;
  if (plain === 'yes') return false;
  return plain !== 'no' || isYesNoQuestion(openQuestion(lastAgentText(conversation.items)));
}
