import type { Json, JsonObject } from '../../../model/json.ts';
import { answerFunctionName } from '../../../flow/document/function.ts';
import { scalarText } from '../../../flow/expression/same-value.ts';
import { isYesNoQuestion } from '../../../language/english/answers/questions.ts';
import { plainAnswer } from '../../../language/english/answers/yes-no.ts';
import { askClearer, askFor } from '../ask-for.ts';
import { type Candidate, candidateOf, nearly, restOf, saysNews, suited } from './candidate.ts';
import { answerToControl, isIndifferent } from './control-words.ts';
import type { Conversation } from '../conversation.ts';
import { describe } from './describe-function.ts';
import { isFarewell } from '../farewell.ts';
import { fieldsOf } from '../field.ts';
import { bestLikeness, featuresOf, isQuestion } from './features.ts';
import type { Heard } from '../read/hear.ts';
import { readParameter } from '../read/read-parameter.ts';
import { type BrainTool, fits, requiredOf } from '../schema.ts';
import { enough } from './score-function.ts';
import { listen, type Utterance } from '../read/utterance.ts';

export interface BrainCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The reply of the offline brain: function calls or words. */
export interface BrainDecision {
  readonly calls: readonly BrainCall[];
  readonly text: string;
}

/** If two scores are closer than this, the choice is not guessed. */
const margin = 0.07;

/** The minimum score if the caller was asked what they want. */
const enoughWhenOpen = 0.55;

/**
 * Decides by rules which values to record and which function, at most one, to call. Asks about a value that is only
 * partly understood. If nothing was understood, it says nothing and the question stays open. It never supplies a value
 * that was not said or agreed to.
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
  return { calls: [], text: unclear === undefined ? '' : askClearer(unclear, conversation) };
}

type Choice =
  | { readonly type: 'none' }
  | { readonly type: 'ask'; readonly text: string }
  | { readonly type: 'call'; readonly call: BrainCall };

function chooseFunction(utterance: Utterance): Choice {
  const { functions, scores, conversation, isOpen } = utterance;
  const candidates = functions
    .map((tool) =>
      candidateOf(
        tool,
        scores.find((score) => score.tool === tool),
        utterance,
      ),
    )
    .filter(
      (each) =>
        each.score >= (isOpen ? enoughWhenOpen : enough) &&
        !answersItself(each, utterance) &&
        !isOnlyNews(each, utterance) &&
        !isNoFarewell(each, utterance),
    )
    .toSorted((one, other) => other.score - one.score || other.takes - one.takes);
  const [best, second] = candidates;
  if (best === undefined) return { type: 'none' };
  const isByWords = (each: Candidate): boolean => each.byWords >= enough || each.takes > 0;
  const isTie = second !== undefined && best.score - second.score < margin && best.takes === second.takes;
  const changing = isTie ? theOneThatChanges([best, second], conversation) : null;
  if (
    changing === null &&
    isTie &&
    (best.lacks.length === 0) === (second.lacks.length === 0) &&
    isByWords(best) === isByWords(second)
  )
    return { type: 'none' };
  // Words about a function take precedence over a yes or no at the start.
  const isWordier = isTie && !isByWords(best) && isByWords(second);
  const chosen = changing ?? (isTie && (best.lacks.length > 0 || isWordier) ? second : best);
  // A partly understood value is not enough to act: "Wednesday at eleven" is not eleven on any day.
  const doubt = utterance.unclear.find((each) => !utterance.asked.some((field) => field.name === each.field.name));
  if (doubt !== undefined && chosen.takes > 0) return { type: 'ask', text: askClearer(doubt, conversation) };
  const [lacking] = chosen.lacks;
  // The flow asks this question itself.
  if (lacking !== undefined && chosen.tool.name === answerFunctionName) return { type: 'none' };
  if (lacking === undefined) {
    const call = { name: chosen.tool.name, arguments: Object.fromEntries(chosen.given) };
    return fits(chosen.tool.parameters, call.arguments) ? { type: 'call', call } : { type: 'none' };
  }
  const field = utterance.fields.find((each) => each.tool === chosen.tool.name && each.name === lacking);
  if (field === undefined || field.kind === 'unreadable') return { type: 'none' };
  const unclear = utterance.unclear.find((each) => each.field.name === field.name);
  return {
    type: 'ask',
    text: unclear === undefined ? askFor(field, conversation) : askClearer(unclear, conversation),
  };
}

/** Checks whether the words that match a function are the answer that was asked for. */
function answersItself(candidate: Candidate, { heard, scores, functions, asked }: Utterance): boolean {
  if (candidate.takes > 0 || !functions.includes(candidate.tool)) return false;
  const score = scores.find((each) => each.tool === candidate.tool);
  const answer = heard.find((each) => each.asked && asked.some((field) => field.name === each.field.name));
  if (answer === undefined || score === undefined || score.places.length === 0) return false;
  return score.places.every((place) => place.start < answer.end && answer.start < place.end);
}

/** Checks for farewell words without a farewell: "say goodbye to my old contract". */
function isNoFarewell({ tool, byWords, takes }: Candidate, { text, scores }: Utterance): boolean {
  const places = scores.find((score) => score.tool === tool)?.places ?? [];
  if (takes > 0 || byWords < enough || places.length === 0 || isFarewell(text)) return false;
  const said = featuresOf(text);
  return places.every(({ start }) => said.some((one) => one.start === start && one.concepts.includes('end')));
}

/** All required values were known before, so a new value does not request the function. It is only recorded. */
function isOnlyNews({ tool, byWords, takes }: Candidate, { recorder, heard, conversation }: Utterance): boolean {
  const required = requiredOf(tool);
  if (recorder === undefined || takes === 0 || byWords >= enough || describe(tool).isAboutCaller) return false;
  if (required.length === 0 || !required.every((name) => conversation.known.has(name))) return false;
  const kept = fieldsOf(recorder);
  const taken = fieldsOf(tool).filter(({ name }) => heard.some(({ field }) => field.name === name));
  return taken.every(({ name }) => kept.some((field) => field.name === name));
}

/** Returns the function that changes a known value: "Monday" to "Shall I book Thursday?". */
function theOneThatChanges(candidates: readonly Candidate[], { known }: Conversation): Candidate | null {
  const changing = candidates.filter(
    ({ tool, given, takes }) =>
      takes > 0 &&
      CHANGES.test(tool.description) &&
      [...given].some(([name, value]) => known.has(name) && known.get(name) !== scalarText(value)),
  );
  return changing.length === 1 ? (changing[0] ?? null) : null;
}

const CHANGES = /\b(?:another|different|other|chang\w+|corrects?|correction|instead|rather)\b/i;

/** Returns the call that records slots, without values that the called function takes itself. */
function recordCall(utterance: Utterance, called: BrainCall | null, choice: Choice): BrainCall | null {
  const { recorder, heard, told, asked, text, conversation } = utterance;
  if (recorder === undefined) return null;
  const fields = fieldsOf(recorder);
  const values = new Map<string, Json>();
  // "Cancel my appointment for tomorrow" names the old date, not a new one.
  const isAboutOld = called !== null && isAboutOldOne(text);
  for (const field of fields) {
    const said = heard.find((each) => each.field.name === field.name && each.field.kind === field.kind);
    const isOld = isAboutOld && said?.asked === false && ['date', 'time'].includes(field.kind);
    const isOfFunction =
      called !== null && said?.asked === false && field.kind === 'enum' && isNamedBy(called.name, said, utterance);
    const isTaken = called !== null && said !== undefined && heard.some((each) => takesWordsOf(called, each, said));
    const value = said === undefined || isOld || isOfFunction || isTaken ? undefined : suited(field, said.value);
    if (value !== undefined && !(called !== null && Object.hasOwn(called.arguments, field.name)))
      values.set(field.name, value);
  }
  const first = asked[0];
  const wantsText = first?.kind === 'text' && first.tool === recorder.name && !conversation.known.has(first.name);
  if (wantsText && choice.type === 'none' && isStatement(utterance) && saysNews(utterance)) {
    const reading = readParameter(first, restOf(text, told), {
      now: conversation.now,
      region: conversation.region,
      asked: true,
    });
    if (reading.ok) values.set(first.name, reading.value);
  }
  return values.size === 0 ? null : { name: recorder.name, arguments: Object.fromEntries(values) };
}

/** Checks whether a value uses words that the called function took for another argument. */
function takesWordsOf(called: BrainCall, taken: Heard, said: Heard): boolean {
  return (
    taken.field.tool === called.name &&
    taken.field.name !== said.field.name &&
    Object.hasOwn(called.arguments, taken.field.name) &&
    taken.start < said.end &&
    said.start < taken.end
  );
}

/** Checks whether the words of a choice name the function: "My glasses are broken" does not choose glasses. */
function isNamedBy(name: string, { start, end }: Heard, { functions, text }: Utterance): boolean {
  const tool = functions.find((each) => each.name === name);
  const stems = tool === undefined ? [] : describe(tool).features.map((feature) => feature.stem);
  return featuresOf(text.slice(start, end)).some((feature) => feature.stem !== '' && stems.includes(feature.stem));
}

/** Checks whether the caller wants to cancel something. */
function isAboutOldOne(text: string): boolean {
  return featuresOf(text).some(({ concepts, polarity }) => polarity === 'said' && concepts.includes('cancel'));
}

/** Checks whether the caller denies the topic of the question: "I have no insurance" does not say which one it is. */
function deniesQuestion(text: string, question: string): boolean {
  if (isYesNoQuestion(question)) return false;
  const asked = featuresOf(question).map((feature) => ({ ...feature, polarity: 'denied' as const }));
  return featuresOf(text).some((feature) => feature.polarity !== 'said' && bestLikeness(asked, feature) >= 0.9);
}

/** Checks whether words answer an open question: not a question, and not a yes if more than yes is needed. */
function isStatement({ text, side, question, scores }: Utterance): boolean {
  if (scores.some((score) => score.byWords >= nearly) || deniesQuestion(text, question)) return false;
  const plain = plainAnswer(text);
  if (isQuestion(text) || side === 'unknown' || isIndifferent(text)) return false;
  if (plain === 'yes') return false;
  return plain !== 'no' || isYesNoQuestion(question);
}
