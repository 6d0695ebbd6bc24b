import type { ConversationDocument } from '../../flow/document/document.ts';
import type { FunctionDocument } from '../../flow/document/function.ts';
import type { Message } from '../../flow/document/message.ts';
import { collectedNames, type NodeDocument } from '../../flow/document/node.ts';
import { snakeCase } from '../../flow/document/problems/schema-shape.ts';
import type { SlotDocument } from '../../flow/document/slot.ts';

/** A flow as static JSON of Pipecat Flows, and notes on what means something else there, or has no counterpart. */
export interface PipecatExport {
  readonly document: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Writes a conversation as static JSON of Pipecat Flows. Parts that it cannot express are reported. */
export function toPipecat(flow: ConversationDocument): PipecatExport {
  const notes: string[] = [];
  const nodes = Array.isArray(flow.nodes)
    ? flow.nodes.map((node) => [node.id ?? '', node] as const)
    : Object.entries(flow.nodes);
  const root = [
    'slots',
    'state',
    'computed',
    'input',
    'ladder',
    'lines',
    'onError',
    'onTrouble',
    'fallback',
    'filler',
    'replyTimeoutMs',
    'policy',
    'language',
    'languages',
    'promptFile',
  ] as const;
  for (const key of root) if (flow[key] !== undefined) notes.push(`"${snakeCase(key)}" of the flow is not in it`);
  for (const { from, to, when } of flow.edges ?? [])
    notes.push(
      `the edge from ${from} to ${to}${when === undefined ? '' : ' with its condition'} is not in it: decide in a function`,
    );
  const written = nodes.map(([id, node]) => [
    id,
    nodeOf(id, node, flow, id === flow.initialNode ? flow.roleMessages : undefined, notes),
  ]);
  const shared = (flow.functions ?? []).map((one) => functionOf('the flow', one, notes));
  return {
    document: {
      initial_node: flow.initialNode,
      ...(shared.length === 0 ? {} : { global_functions: shared }),
      nodes: Object.fromEntries(written),
    },
    notes,
  };
}

function nodeOf(
  id: string,
  node: NodeDocument,
  flow: ConversationDocument,
  persona: readonly Message[] | undefined,
  notes: string[],
): Readonly<Record<string, unknown>> {
  const addNote = (text: string): void => void notes.push(`node ${id}: ${text}`);
  if (node.transfer !== undefined) addNote('a transfer does nothing there: write it as a function');
  if (node.type !== undefined) addNote(`a node of type ${node.type} runs nothing there: write it as a function`);
  for (const key of [
    'ladder',
    'onError',
    'fallback',
    'filler',
    'replyTimeoutMs',
    'listen',
    'prompt',
    'config',
    'body',
    'policy',
    'output',
    'promptFile',
    'forget',
  ] as const)
    if (node[key] !== undefined) addNote(`"${snakeCase(key)}" is not in it`);
  const line = node.say === undefined ? undefined : wordingOf(node.say);
  if (line !== undefined && typeof node.say !== 'string') addNote('of several wordings the first is said');
  const role = node.roleMessages ?? persona;
  const collect = collectedNames(node.collect).flatMap((name) => {
    const slot = flow.slots?.[name];
    return slot === undefined ? [] : [[name, slot] as const];
  });
  if (node.collect?.some((one) => typeof one !== 'string' && one.again === true) === true)
    addNote('"again" of collect is not in it');
  if (collect.some(([, { askWhen }]) => askWhen !== undefined)) addNote('"ask_when" of slots is not in it');
  const functions = (node.functions ?? []).map((one) => functionOf(`node ${id}`, one, notes));
  const told: { readonly role: string; readonly content: string }[] = messagesOf(node.taskMessages, addNote);
  if (collect.length > 0) {
    told.push({
      role: 'system',
      content: `Ask for what is missing, one at a time: ${collect.map(([name, { ask }]) => (ask === undefined ? name : `${name} ("${wordingOf(ask)}")`)).join(', ')}. Then call keep_values.`,
    });
    functions.push(
      openAi({
        name: 'keep_values',
        description: 'Keeps what the caller has told.',
        parameters: slotSchema(collect),
        ...(node.defaultTransition === undefined ? {} : { transition_to: node.defaultTransition }),
      }),
    );
    addNote('the model asks for the slots that it collects, and the function keep_values stores them');
  } else if (node.defaultTransition === '$return') addNote('there is no way back ($return)');
  else if (node.defaultTransition !== undefined) {
    functions.push(
      openAi({
        name: 'go_on',
        description: 'The caller has answered, or nothing else is to be done here.',
        transition_to: node.defaultTransition,
      }),
    );
    addNote('default_transition is the function go_on, which the model calls');
  }
  if (node.call !== undefined) {
    told.push({ role: 'system', content: `Call ${node.call} now.` });
    addNote(`${node.call} is called by the model`);
  }
  const isEnd = node.end !== undefined && node.end !== false;
  const waits =
    node.respondImmediately === false ||
    (line !== undefined && (isEnd || collect.length === 0) && node.call === undefined);
  return {
    ...(role === undefined ? {} : { role_messages: messagesOf(role, addNote) }),
    task_messages: told,
    ...(functions.length === 0 ? {} : { functions }),
    ...(line === undefined && node.preActions === undefined
      ? {}
      : {
          pre_actions: [...(node.preActions ?? []), ...(line === undefined ? [] : [{ type: 'tts_say', text: line }])],
        }),
    ...(isEnd || node.postActions !== undefined
      ? { post_actions: [...(node.postActions ?? []), ...(isEnd ? [{ type: 'end_conversation' }] : [])] }
      : {}),
    ...(node.contextStrategy === undefined ? {} : { context_strategy: strategyOf(node.contextStrategy) }),
    ...(waits ? { respond_immediately: false } : {}),
  };
}

function strategyOf(strategy: NonNullable<NodeDocument['contextStrategy']>): unknown {
  if (typeof strategy === 'string') return { strategy };
  const { strategy: name, summaryPrompt } = strategy;
  return { strategy: name, ...(summaryPrompt === undefined ? {} : { summary_prompt: summaryPrompt }) };
}

function functionOf(where: string, one: FunctionDocument, notes: string[]): Readonly<Record<string, unknown>> {
  for (const key of [
    'run',
    'effect',
    'confirm',
    'onRefuse',
    'answers',
    'saveAs',
    'transitionCallback',
    'digression',
    'timeoutMs',
    'retry',
    'cancelOnInterruption',
  ] as const)
    if (one[key] !== undefined) notes.push(`${where}, function ${one.name}: "${snakeCase(key)}" is not in it`);
  const { name, description = '', parameters, handler, transitionTo } = one;
  if (transitionTo === '$return') notes.push(`${where}, function ${name}: there is no way back ($return)`);
  return openAi({
    name,
    description,
    ...(parameters === undefined ? {} : { parameters }),
    ...(handler === undefined ? {} : { handler }),
    ...(transitionTo === undefined || transitionTo === '$return' ? {} : { transition_to: transitionTo }),
  });
}

function openAi({
  parameters = { type: 'object', properties: {} },
  ...rest
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { type: 'function', function: { ...rest, parameters } };
}

function messagesOf(
  messages: readonly Message[] | undefined,
  addNote: (text: string) => void,
): { role: string; content: string }[] {
  return (messages ?? []).map(({ role, content }) => {
    if (typeof content !== 'string') addNote('of a text in several languages the first is written');
    return { role, content: typeof content === 'string' ? content : (Object.values(content)[0] ?? '') };
  });
}

function wordingOf(text: NonNullable<NodeDocument['say']>): string {
  const own = typeof text === 'string' || Array.isArray(text) ? text : (Object.values(text)[0] ?? '');
  return typeof own === 'string' ? own : (own[0] ?? '');
}

function slotSchema(slots: readonly (readonly [string, SlotDocument])[]): Readonly<Record<string, unknown>> {
  const properties = slots.map(([name, { type, description, values, pattern }]) => {
    const json = type === 'number' || type === 'integer' || type === 'boolean' ? type : 'string';
    const listed = values === undefined ? {} : { enum: Array.isArray(values) ? values : Object.keys(values) };
    return [
      name,
      {
        type: json,
        ...(description === undefined ? {} : { description }),
        ...listed,
        ...(pattern === undefined ? {} : { pattern }),
      },
    ];
  });
  const required = slots.filter(([, { optional }]) => optional !== true).map(([name]) => name);
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }) };
}
