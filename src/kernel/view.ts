import { scalarText } from '../expression/same-value.ts';
import { renderTemplate } from '../expression/template.ts';
import type { Graph, GraphFunction, GraphNode, Prompt } from '../graph/graph.ts';
import { civilTime } from './civil-time.ts';
import { openOfKind } from './draft.ts';
import { lookupOf } from './names.ts';
import { functionsNow, nodeOf } from './offers.ts';
import { valueOf } from './slots.ts';
import type { ContextCut, SessionState } from './state.ts';

/** What the model is shown of the flow: the current node's prompt and functions. */
export interface View {
  readonly node: string;
  readonly visit: number;
  /** Persona, task and what is known, as one system prompt. */
  readonly instructions: string;
  /** Prompt messages that are not the system's. */
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly functions: readonly GraphFunction[];
  /** What of the conversation so far is hidden. */
  readonly context: ContextCut | null;
}

/** The view of the node that a session is in; `at` tells the model what day it is. */
export function viewOf(graph: Graph, state: SessionState, at: number): View {
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
    instructions: [...system, ...knowledge(graph, state, node, at), spentAnswer(state)]
      .filter((text) => text !== '')
      .join('\n\n'),
    messages: rendered.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
    functions: node === null ? [] : functionsNow(graph, state, node),
    context: state.context,
  };
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
function knowledge(graph: Graph, state: SessionState, node: GraphNode | null, at: number): readonly string[] {
  const today = (): string => `Today is ${civilTime(at, state.timeZone).slice(0, 10)}.`;
  // What an answer to a generator is read into may hold a date, wherever its schema has it.
  if (graph.generator !== null) return [today()];
  if (graph.slots.size === 0) return [];
  const known: string[] = [];
  const missing: string[] = [];
  for (const slot of graph.slots.values()) {
    const value = valueOf(state, slot.name);
    if (value !== undefined)
      known.push(`- ${slot.name}: ${scalarText(value.value) ?? ''}${value.confirmed ? '' : ' (not confirmed yet)'}`);
  }
  // In the order in which the node asks.
  for (const name of node?.collect ?? []) {
    const slot = graph.slots.get(name);
    if (slot !== undefined && valueOf(state, name) === undefined)
      missing.push(`- ${name}${slot.optional ? ' (optional)' : ''}`);
  }
  const hasDates = [...graph.slots.values()].some((slot) => slot.type === 'date' || slot.type === 'time');
  return [
    hasDates ? today() : '',
    known.length === 0 ? '' : `Known so far:\n${known.join('\n')}`,
    missing.length === 0 ? '' : `Still to find out here:\n${missing.join('\n')}`,
  ];
}

/** Words that a read-back or a confirmation has used up are the answer to no other question. */
function spentAnswer(state: SessionState): string {
  // Only while they are being replied to: between turns the view is that of the words to come.
  if (state.answered === null || openOfKind(state, 'reply') === undefined) return '';
  return `The caller's last words were the answer to the question about ${state.answered}, and to nothing else.`;
}
