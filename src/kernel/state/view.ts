import { typeOf } from '../../flow/slots/slot-types.ts';
import { isSealed } from '../../flow/expression/sealed.ts';
import { scalarText } from '../../flow/expression/same-value.ts';
import { renderTemplate } from '../../flow/expression/template.ts';
import type { Graph, GraphFunction, GraphNode, GraphSlot, Prompt } from '../../flow/graph/graph.ts';
import { openOfKind } from './draft.ts';
import { lookupOf, questionId } from './names.ts';
import { functionsNow, nodeOf } from '../move/offers.ts';
import { isAskedAgain, valueOf } from './slots.ts';
import { isDue } from '../move/due-slots.ts';
import type { ContextCut } from './position.ts';
import type { SessionState } from './state.ts';
import type { SlotValue } from './knowledge.ts';

/** The flow as the model sees it: the current node's prompt and functions. */
export interface View {
  readonly node: string;
  readonly visit: number;
  /** The spoken language. */
  readonly language: string;
  /** Persona and task as one system prompt; constant while the session stays in the node. */
  readonly instructions: string;
  /** The current facts: time, known and unknown slots. Shown last, so the prefix stays cacheable. */
  readonly knowledge: string;
  /** Whether the caller's last words still need an answer, rather than having answered a question of the flow. */
  readonly answersWords: boolean;
  /** Prompt messages other than the system's. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly functions: readonly GraphFunction[];
  /** The hidden part of the conversation. */
  readonly context: ContextCut | null;
}

/** Returns the whole prompt as one text. */
export function wholePrompt({ instructions, knowledge }: Pick<View, 'instructions' | 'knowledge'>): string {
  return paragraphs([instructions, knowledge]);
}

/** Returns the view of the current node. `civil` is the session's local time, which the model sees. */
export function viewOf(graph: Graph, state: SessionState, civil: string): View {
  const node = nodeOf(graph, state, state.position.node);
  const lookup = lookupOf(graph, state);
  const rendered = promptsOf(graph, state, node).map(({ role, content }) => ({
    role,
    content: renderTemplate(content, lookup).text.trim(),
  }));
  const system = rendered.filter((one) => one.role === 'system').map((one) => one.content);
  return {
    node: state.position.node,
    visit: state.position.visit,
    language: graph.speech.language,
    instructions: paragraphs(system),
    knowledge: paragraphs([
      ...knowledge(graph, state, node, civil),
      spokenLanguage(graph),
      noted(state),
      spentAnswer(state),
    ]),
    // A single prompt without a flow contains the whole task.
    answersWords: !isSpent(state) && (graph.nodes.size > 1 || graph.slots.size > 0 || graph.generator !== null),
    messages: rendered.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
    functions: node === null ? [] : functionsNow(graph, state, node),
    context: state.position.context,
  };
}

/** Returns the language instruction; empty for English-only flows, because models default to English. */
function spokenLanguage({ speech: { language, languageName }, setLanguage }: Graph): string {
  return /^en\b/.test(language) && setLanguage === null ? '' : `Speak ${languageName}.`;
}

/** Returns the names in the current prompts whose values are too long to include. */
export function unwrittenIn(graph: Graph, state: SessionState): readonly string[] {
  const lookup = lookupOf(graph, state);
  const prompts = promptsOf(graph, state, nodeOf(graph, state, state.position.node));
  return prompts.flatMap(({ content }) => renderTemplate(content, lookup).unwritten);
}

function promptsOf(graph: Graph, state: SessionState, node: GraphNode | null): readonly Prompt[] {
  return [...personaOf(graph, state), ...(node?.messages ?? [])];
}

function personaOf(graph: Graph, state: SessionState): readonly Prompt[] {
  const node = state.position.persona === null ? null : nodeOf(graph, state, state.position.persona);
  return node?.persona ?? graph.persona;
}

/** Returns the known and missing slots, so the model neither asks twice nor forgets. */
function knowledge(graph: Graph, state: SessionState, node: GraphNode | null, civil: string): readonly string[] {
  const now = (): string => `It is ${weekdayTime(civil)}.`;
  // An answer to a generator may contain a date anywhere in its schema.
  if (graph.generator !== null) return [now()];
  if (graph.slots.size === 0) return [];
  const known: string[] = [];
  for (const slot of graph.slots.values()) {
    const value = valueOf(state, slot.name);
    if (value !== undefined) known.push(`- ${slot.name}: ${shown(value)}`);
  }
  const hasDates = [...graph.slots.values()].some((slot) => typeOf(slot).isMoment === true);
  return [
    hasDates ? now() : '',
    known.length === 0 ? '' : `Known so far:\n${known.join('\n')}`,
    node === null ? '' : missing(graph, state, node),
  ];
}

/** Sealed digits are known, and the model does not see them. */
function shown(value: SlotValue): string {
  if (isSealed(value.value)) return 'known (entered by keys, not shown)';
  return `${scalarText(value.value) ?? ''}${doubtOf(value)}`;
}

function doubtOf({ confirmed, proposed }: SlotValue): string {
  if (proposed !== undefined) return ` (or ${scalarText(proposed.value) ?? ''}, which is not confirmed yet)`;
  return confirmed ? '' : ' (not confirmed yet)';
}

/** Returns the missing slots of a node in order, and who asks for them. Optional ones are not insisted on. */
function missing(graph: Graph, state: SessionState, node: GraphNode): string {
  const slots = node.collect.flatMap((name) => {
    const slot = graph.slots.get(name);
    if (slot === undefined) return [];
    if (isAskedAgain(graph, state, node, name)) return [slot];
    if (valueOf(state, name) !== undefined || !isDue(graph, state, slot)) return [];
    const isAsked = state.dialogue.asked === questionId(state, `slot:${name}`);
    return (slot.optional && !isAsked) || state.knowledge.declined.includes(name) ? [] : [slot];
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

/** Returns the note of a takeover for the model. */
function noted({ people: { note } }: SessionState): string {
  return note === null ? '' : `A colleague has talked to the caller meanwhile and has noted: ${note}`;
}

/** Returns the note that the caller's last words were used up by a read-back or a confirmation. */
function spentAnswer(state: SessionState): string {
  if (!isSpent(state)) return '';
  return `The caller's last words were the answer to the question about ${state.turn.answered ?? ''}, and to nothing else.`;
}

/** Only during the reply to them: between turns the view is for the next words. */
function isSpent(state: SessionState): boolean {
  return state.turn.answered !== null && openOfKind(state, 'reply') !== undefined;
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
