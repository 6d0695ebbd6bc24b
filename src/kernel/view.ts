import { typeOf } from '../slots/slot-types.ts';
import { scalarText } from '../expression/same-value.ts';
import { renderTemplate } from '../expression/template.ts';
import type { Graph, GraphFunction, GraphNode, GraphSlot, Prompt } from '../graph/graph.ts';
import { openOfKind } from './draft.ts';
import { lookupOf, questionId } from './names.ts';
import { functionsNow, nodeOf } from './offers.ts';
import { isAskedAgain, valueOf } from './slots.ts';
import type { ContextCut, SessionState, SlotValue } from './state.ts';

/** What the model is shown of the flow: the current node's prompt and functions. */
export interface View {
  readonly node: string;
  readonly visit: number;
  /** The language that is spoken. */
  readonly language: string;
  /** Persona and task, as one system prompt: the same as long as the session stays in the node. */
  readonly instructions: string;
  /** What holds at this moment: the time, what is known, what is not. Shown last, so that all before it stays as it was. */
  readonly knowledge: string;
  /** Whether the caller's last words are still to be answered, and not used up by a question of the flow's own. */
  readonly answersWords: boolean;
  /** Prompt messages that are not the system's. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly functions: readonly GraphFunction[];
  /** What of the conversation so far is hidden. */
  readonly context: ContextCut | null;
}

/** All that a view tells in words, for who is shown it in one piece. */
export function wholePrompt({ instructions, knowledge }: Pick<View, 'instructions' | 'knowledge'>): string {
  return paragraphs([instructions, knowledge]);
}

/** The view of the node that a session is in; `civil`, the wall clock of the session, tells the model what day it is. */
export function viewOf(graph: Graph, state: SessionState, civil: string): View {
  const node = nodeOf(graph, state, state.node);
  const lookup = lookupOf(state);
  const rendered = promptsOf(graph, state, node).map(({ role, content }) => ({
    role,
    content: renderTemplate(content, lookup).text.trim(),
  }));
  const system = rendered.filter((one) => one.role === 'system').map((one) => one.content);
  return {
    node: state.node,
    visit: state.visit,
    language: graph.speech.language,
    instructions: paragraphs(system),
    knowledge: paragraphs([
      ...knowledge(graph, state, node, civil),
      spokenLanguage(graph),
      noted(state),
      spentAnswer(state),
    ]),
    // A prompt of an author's own, without a flow around it, tells all that the model is to do.
    answersWords: !isSpent(state) && (graph.nodes.size > 1 || graph.slots.size > 0 || graph.generator !== null),
    messages: rendered.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
    functions: node === null ? [] : functionsNow(graph, state, node),
    context: state.context,
  };
}

/** Nothing for English where there is no other language: it is what a model speaks that nobody tells. */
function spokenLanguage({ speech: { language, languageName }, setLanguage }: Graph): string {
  return /^en\b/.test(language) && setLanguage === null ? '' : `Speak ${languageName}.`;
}

/** The names in the current node's prompts whose values their texts cannot take. */
export function unwrittenIn(graph: Graph, state: SessionState): readonly string[] {
  const lookup = lookupOf(state);
  const prompts = promptsOf(graph, state, nodeOf(graph, state, state.node));
  return prompts.flatMap(({ content }) => renderTemplate(content, lookup).unwritten);
}

function promptsOf(graph: Graph, state: SessionState, node: GraphNode | null): readonly Prompt[] {
  return [...personaOf(graph, state), ...(node?.messages ?? [])];
}

function personaOf(graph: Graph, state: SessionState): readonly Prompt[] {
  const node = state.persona === null ? null : nodeOf(graph, state, state.persona);
  return node?.persona ?? graph.persona;
}

/** What the flow knows and still wants to know, so that the model neither asks twice nor forgets. */
function knowledge(graph: Graph, state: SessionState, node: GraphNode | null, civil: string): readonly string[] {
  const now = (): string => `It is ${weekdayTime(civil)}.`;
  // What an answer to a generator is read into may hold a date, wherever its schema has it.
  if (graph.generator !== null) return [now()];
  if (graph.slots.size === 0) return [];
  const known: string[] = [];
  for (const slot of graph.slots.values()) {
    const value = valueOf(state, slot.name);
    if (value !== undefined) known.push(`- ${slot.name}: ${scalarText(value.value) ?? ''}${doubtOf(value)}`);
  }
  const hasDates = [...graph.slots.values()].some((slot) => typeOf(slot).isMoment === true);
  return [
    hasDates ? now() : '',
    known.length === 0 ? '' : `Known so far:\n${known.join('\n')}`,
    node === null ? '' : missing(graph, state, node),
  ];
}

function doubtOf({ confirmed, proposed }: SlotValue): string {
  if (proposed !== undefined) return ` (or ${scalarText(proposed.value) ?? ''}, which is not confirmed yet)`;
  return confirmed ? '' : ' (not confirmed yet)';
}

/** What a node still has to know, in the order in which it asks, and who asks. What may stay unsaid is not pressed for. */
function missing(graph: Graph, state: SessionState, node: GraphNode): string {
  const slots = node.collect.flatMap((name) => {
    const slot = graph.slots.get(name);
    if (slot === undefined) return [];
    if (isAskedAgain(state, node, name)) return [slot];
    if (valueOf(state, name) !== undefined) return [];
    const isAsked = state.asked === questionId(state, `slot:${name}`);
    return (slot.optional && !isAsked) || state.declined.includes(name) ? [] : [slot];
  });
  if (slots.length === 0) return '';
  const names = (some: readonly GraphSlot[]): string => some.map(({ name }) => name).join(', ');
  const left = slots.filter(({ ask }) => ask === null);
  const who =
    left.length === 0
      ? 'The next question is asked for you.'
      : left.length === slots.length
        ? 'Ask for the first of them.'
        : `Ask for ${names(left)} yourself; the others are asked for you.`;
  const again = slots.filter(({ name }) => valueOf(state, name) !== undefined);
  const open = slots.filter((slot) => !again.includes(slot));
  const parts = [
    open.length === 0 ? '' : `Not known yet: ${names(open)}.`,
    again.length === 0 ? '' : `Asked again: ${names(again)}. If the caller keeps what is known, record it as it is.`,
    who,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** `Saturday, 2026-11-21, 12:00` */
function weekdayTime(civil: string): string {
  const [day = '', time = ''] = civil.split('T');
  return `${weekdays[new Date(`${day}T00:00Z`).getUTCDay()] ?? ''}, ${day}, ${time}`;
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** What a person who has talked to the caller has left for the model to know. */
function noted({ note }: SessionState): string {
  return note === null ? '' : `A colleague has talked to the caller meanwhile and has noted: ${note}`;
}

/** Words that a read-back or a confirmation has used up are the answer to no other question. */
function spentAnswer(state: SessionState): string {
  if (!isSpent(state)) return '';
  return `The caller's last words were the answer to the question about ${state.answered ?? ''}, and to nothing else.`;
}

/** Only while they are being replied to: between turns the view is that of the words to come. */
function isSpent(state: SessionState): boolean {
  return state.answered !== null && openOfKind(state, 'reply') !== undefined;
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
