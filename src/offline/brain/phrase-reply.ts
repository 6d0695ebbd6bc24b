import type { Json } from '../../model/json.ts';
import { isPlainObject } from '../../flow/expression/own-value.ts';
import { recordFunctionName } from '../../flow/document/function.ts';
import { isYesNoQuestion } from '../../language/english/answers/questions.ts';
import { askOn, joined, questionFor } from './ask-for.ts';
import { askedFields } from './asked-fields.ts';
import type { BrainCall, BrainDecision } from './choose/choose-calls.ts';
import { type Conversation, type ConversationItem, lastAgentText, openQuestion } from './conversation.ts';
import { describe } from './choose/describe-function.ts';
import { type Field, fieldsOf, labelOf, typedValue } from './field.ts';
import { bestLikeness, type Feature, featuresOf, likeness } from './choose/features.ts';
import { type BrainTool, fits, onlyValueOf, requiredOf } from './schema.ts';
import { linesOfTask } from './task-lines.ts';

/**
 * Decides the next step if there are no words to answer: after a node was entered or functions returned results. Calls
 * functions that the task orders and whose values are known; otherwise speaks the results and asks the open question.
 */
export function goOn(tools: readonly BrainTool[], conversation: Conversation): BrainDecision {
  const recent = sinceCaller(conversation.items);
  const outputs = recent.filter((item) => item.type === 'output');
  const failed = outputs.some((output) => output.isError);
  const ordered = orderedCall(tools, conversation, recent);
  if (ordered !== null && !failed) return { calls: [ordered], text: '' };
  const results = outputs
    .filter((output) => !output.isError && output.name !== recordFunctionName)
    .map((output) => spokenOutput(output.text));
  const refused = outputs
    .filter((output) => !output.isError && output.name === recordFunctionName)
    .map((output) => refusals(output.text));
  const said = [failed ? 'I am sorry, that did not work.' : '', ...results, ...refused]
    .filter((text) => text !== '')
    .join(' ');
  const next = nextLine(tools, conversation, recent, said !== '');
  return { calls: [], text: [said, next].filter((text) => text !== '').join(' ') };
}

function sinceCaller(items: readonly ConversationItem[]): readonly ConversationItem[] {
  return items.slice(items.findLastIndex((item) => item.type === 'caller') + 1);
}

/** Returns a call that the task orders by the function's name or in its words, if all arguments are known. */
function orderedCall(
  tools: readonly BrainTool[],
  conversation: Conversation,
  recent: readonly ConversationItem[],
): BrainCall | null {
  const sentences = conversation.paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?])\s+|\n/))
    .filter((sentence) => !CONDITIONAL.test(sentence));
  for (const tool of tools) {
    if (tool.name === recordFunctionName || isRepeated(tool, recent)) continue;
    const named = sentences.some((sentence) => names(sentence, tool.name));
    if (!named && !isTask(tool, conversation.paragraphs.at(-1) ?? '')) continue;
    const given = knownArguments(tool, conversation);
    if (given !== null) return { name: tool.name, arguments: given };
  }
  return null;
}

const CONDITIONAL = /\b(?:if|when|whenever|unless|once|until|before|after|as soon as|in case|never|not|don't|only)\b/i;

function isRepeated(tool: BrainTool, recent: readonly ConversationItem[]): boolean {
  return recent.some((item) => item.type === 'call' && item.name === tool.name);
}

function names(sentence: string, name: string): boolean {
  if (sentence.includes(`\`${name}\``)) return true;
  if (!/[_\d]|\p{Ll}\p{Lu}/u.test(name)) return false;
  const at = sentence.indexOf(name);
  return (
    at >= 0 && !/[\p{L}\d_]/u.test(sentence[at - 1] ?? ' ') && !/[\p{L}\d_]/u.test(sentence[at + name.length] ?? ' ')
  );
}

/** Checks whether the task orders the work of a function: "Look up the order", or just "Book it". */
function isTask(tool: BrainTool, task: string): boolean {
  const { isAboutCaller, features } = describe(tool);
  if (isAboutCaller || task.length > 200) return false;
  const sentences = task.split(/(?<=[.!?])\s+/).filter((sentence) => !CONDITIONAL.test(sentence));
  const own = features.filter((feature) => feature.stem !== '');
  const [verb] = own;
  if (verb !== undefined && sentences.some((sentence) => ordersJust(verb, sentence))) return true;
  if (requiredOf(tool).length === 0) return false;
  const words = sentences.flatMap(featuresOf);
  const matched = own.filter((feature) => bestLikeness(words, feature) >= 0.9).length;
  return own.length > 0 && matched >= 2 && matched / own.length >= 0.5;
}

/** Checks whether a sentence consists of only the order: "Book it". */
function ordersJust(verb: Feature, sentence: string): boolean {
  if (!/^(?:(?:please|now|then|first|next) )*\p{L}+ (?:it|that|this|them)[.!]?$/iu.test(sentence.trim())) return false;
  const [ordered, ...more] = featuresOf(sentence);
  return ordered !== undefined && more.length === 0 && likeness(ordered, verb) >= 0.9;
}

function knownArguments(tool: BrainTool, { known, unconfirmed }: Conversation): BrainCall['arguments'] | null {
  const given: Record<string, Json> = {};
  for (const field of fieldsOf(tool)) {
    const text = unconfirmed.has(field.name) ? undefined : known.get(field.name);
    const value = text === undefined ? onlyValueOf(field.schema) : typedValue(field, text);
    if (value !== undefined && fits(field.schema, value))
      Object.defineProperty(given, field.name, { value, enumerable: true });
  }
  return requiredOf(tool).every((name) => Object.hasOwn(given, name)) && fits(tool.parameters, given) ? given : null;
}

/**
 * Returns the next line: the question for a needed value, the line of the task, the open question, or an offer to help.
 */
function nextLine(
  tools: readonly BrainTool[],
  conversation: Conversation,
  recent: readonly ConversationItem[],
  hasResult: boolean,
): string {
  const recorder = tools.find((tool) => tool.name === recordFunctionName);
  const slots = recorder === undefined ? [] : fieldsOf(recorder);
  const needed = conversation.missing.flatMap((name) => slots.filter((field) => field.name === name));
  const [first] = needed;
  const others = tools.filter((tool) => tool !== recorder);
  const hasSpoken = conversation.items.some((item) => item.type === 'agent');
  const task = linesOfTask(conversation.paragraphs).replace(hasSpoken ? /^Hello! / : /^$/, '');
  if (first !== undefined) {
    const [asked] = task.endsWith('?') ? askedFields(slots, task, { ...conversation, missing: [] }) : [];
    if (asked !== undefined && needed.some((field) => field.name === asked.name)) return task;
    return [task.endsWith('?') ? '' : task, questionFor(first)].filter((text) => text !== '').join(' ');
  }
  const open = openQuestion(lastAgentText(conversation.items));
  const isRecordOnly =
    recent.length > 0 &&
    recent.every((item) => (item.type !== 'call' && item.type !== 'output') || item.name === recordFunctionName);
  const [answered] = askedFields(slots, open, { ...conversation, missing: [] });
  const isAnswered =
    recent.length === 0
      ? hasSpoken && conversation.items.at(-1)?.type === 'caller'
      : answered !== undefined &&
        conversation.known.has(answered.name) &&
        // A known value may be asked for again: "Which other number could it be under?"
        recent.some((item) => item.type === 'call' && item.arguments.includes(`"${answered.name}"`)) &&
        // A detail of an offer does not answer whether the offer is accepted.
        !(isYesNoQuestion(open) && answered.kind !== 'boolean' && others.some(isAgreed));
  const isStillOpen = isRecordOnly && open !== '' && !isAnswered && (!task.endsWith('?') || task.endsWith(open));
  if (isStillOpen) return askOn(open, conversation);
  if (task !== '' && !lastAgentText(conversation.items).endsWith(task)) return task;
  if (hasResult)
    return others.some(isAgreed) ? 'What would you like to do?' : 'Is there anything else I can do for you?';
  const [argument] = others.flatMap((tool) => firstMissing(tool, conversation));
  if (argument !== undefined) return questionFor(argument);
  return open === '' || isAnswered ? 'What can I do for you?' : open;
}

function isAgreed(tool: BrainTool): boolean {
  return describe(tool).meanings.some(({ side, isName }) => side === 'agrees' && !isName);
}

function firstMissing(tool: BrainTool, { known }: Conversation): Field[] {
  const required = requiredOf(tool);
  const field = fieldsOf(tool).find(
    (each) => required.includes(each.name) && each.kind !== 'unreadable' && !known.has(each.name),
  );
  return field === undefined ? [] : [field];
}

/** Returns the speakable part of a result: text as it is, members of an object in words, a list as a choice. */
export function spokenOutput(output: string): string {
  const text = output.trim();
  if (text === '' || SAYS_NOTHING.test(text)) return '';
  const value = parsed(text);
  if (value === undefined) return sentence(text);
  return sentence(spokenJson(value));
}

const SAYS_NOTHING = /^(?:ok|okay|done|success|true|false|null|undefined|\{\}|\[\]|"ok"|not done[^]*)\.?$/i;

function parsed(text: string): Json | undefined {
  if (!/^[[{"\d-]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json; // The result of JSON.parse.
  } catch {
    return undefined;
  }
}

function spokenJson(value: Json): string {
  if (typeof value === 'string') return spokenScalar(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value))
    return joined(
      value
        .slice(0, 5)
        .map(spokenJson)
        .filter((text) => text !== ''),
    );
  if (!isPlainObject(value)) return '';
  const members = Object.entries(value).filter(
    ([key]) => !/(?:^|_)(?:id|key|token|uuid|code|url)$|^(?:ok|success|status|type)$/i.test(key),
  );
  const spoken = members.find(
    ([key, member]) => /^(?:spoken|message|text|answer|summary|description)$/i.test(key) && typeof member === 'string',
  );
  if (typeof spoken?.[1] === 'string') return spoken[1];
  return members
    .flatMap(([key, member]) => {
      const said =
        typeof member === 'boolean' ? (member ? 'yes' : 'no') : isPlainObject(member) ? '' : spokenJson(member);
      return said === '' ? [] : [`${labelOf(key)}: ${said}`];
    })
    .slice(0, 5)
    .join(', ');
}

const days = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });

const times = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });

function spokenScalar(text: string): string {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)) return times.format(Date.parse(`1970-01-01T${text}:00Z`));
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return Number.isNaN(at) ? text : days.format(at);
}

function sentence(text: string): string {
  if (text === '') return '';
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** Describes the values that `record` rejected. */
function refusals(output: string): string {
  const value = parsed(output);
  const rejected = isPlainObject(value) ? value['rejected'] : undefined;
  if (!isPlainObject(rejected)) return '';
  return Object.entries(rejected)
    .flatMap(([name, problem]) =>
      typeof problem === 'string' && problem.startsWith('must ')
        ? [`The ${labelOf(name)} ${problem}.`]
        : [`I did not get the ${labelOf(name)}.`],
    )
    .join(' ');
}
