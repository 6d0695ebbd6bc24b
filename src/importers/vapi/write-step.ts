import type { Draft } from '../draft.ts';
import type { DraftFunction, DraftNode, DraftSlot } from '../draft-node.ts';
import { keptArguments } from '../kept-arguments.ts';
import { isRecord } from '../pipecat/rewrite.ts';
import { system, type Talk, type Exit, writeRoute, writeTalk } from '../router.ts';
import { argumentsSchema } from '../schema-of-arguments.ts';
import type { Source } from '../source.ts';
import { createUnique, shortly, plainText } from '../words.ts';
import { readTools, writeTransfer } from './assistant-tools.ts';
import { readPersona } from './assistant.ts';
import { codeFunction, liquidText, readCode, readMessages } from './tools.ts';

/** The exits of a node of a workflow. */
export interface StepExits {
  readonly ways: readonly Exit[];
  readonly onward: string | undefined;
  readonly failed: string | undefined;
}

/** Writes one node of a workflow, which may become several nodes. */
export function writeStep(draft: Draft, node: Source, id: string, exits: StepExits): void {
  const type = (node.text('type') ?? 'conversation').toLowerCase();
  const name = JSON.stringify(shortly(plainText(node.at('name').value ?? node.at('id').value ?? id)));
  // Nodes that are reported as lost are not also reported as taken.
  if (counterparts.has(type)) draft.notes.taken(node, `${type} ${name} is node ${id}`);
  if (exits.failed !== undefined && !['tool', 'apirequest'].includes(type))
    draft.notes.lost(node, `an edge of a failure to ${exits.failed}: nothing can fail there`);
  switch (type) {
    case 'conversation':
    case 'start':
      return writeConversation(draft, node, id, exits);
    case 'say':
      return writeSay(draft, node, id, exits);
    case 'gather':
      return writeGather(draft, node, id, exits);
    case 'tool':
      return writeTool(draft, node, node.at('tool'), id, exits);
    case 'apirequest':
      return writeTool(draft, node, node, id, exits);
    case 'transfer':
    case 'transfercall': {
      const destination = isRecord(node.at('destination').value) ? node.at('destination') : node;
      const line = node.text('message');
      return writeTransfer(draft, id, destination, line === undefined ? undefined : liquidText(draft, line, node));
    }
    case 'hangup':
    case 'endcall':
    case 'end': {
      const text =
        node.text('message') ??
        node.at('messagePlan').text('firstMessage') ??
        node.text('exact') ??
        node.text('firstMessage');
      const prompt = node.text('prompt') ?? node.text('systemPrompt');
      const said = text === undefined ? {} : { say: liquidText(draft, text, node) };
      const told = prompt === undefined ? {} : { task_messages: [system(liquidText(draft, prompt, node))] };
      return draft.node(id, { ...said, ...told, end: 'ended' }, node);
    }
    default:
      draft.notes.lost(node, `${name} of type "${type}" is not known: node ${id} only leads on`);
      return writeRoute(draft, id, exits.ways, { onward: exits.onward, place: node });
  }
}

/** Types of nodes that have a close counterpart here. */
const counterparts: ReadonlySet<string> = new Set([
  'conversation',
  'start',
  'say',
  'gather',
  'tool',
  'apirequest',
  'transfer',
  'transfercall',
  'hangup',
  'endcall',
  'end',
]);

function writeConversation(draft: Draft, node: Source, id: string, { ways, onward }: StepExits): void {
  const prompt = node.text('prompt') ?? node.text('systemPrompt');
  const first = node.at('messagePlan').text('firstMessage') ?? node.text('firstMessage');
  const persona = readPersona(draft, node);
  const functions = readTools(draft, node, id, { assistant: () => undefined, goodbye: () => undefined });
  const kept = extractionOf(draft, node);
  const talk: Talk = {
    ...(first === undefined ? {} : { say: liquidText(draft, first, node) }),
    ...(prompt === undefined && persona.length === 0
      ? {}
      : {
          task_messages: [
            ...(prompt === undefined ? [] : [system(liquidText(draft, prompt, node.at('prompt')))]),
            ...persona,
          ],
        }),
  };
  const isEmpty = talk.say === undefined && talk.task_messages === undefined;
  const spoken = isEmpty ? { ...talk, task_messages: [system('Go on with the conversation.')] } : talk;
  if (kept === undefined)
    return writeTalk(draft, id, spoken, ways, { ...(onward === undefined ? {} : { onward }), place: node, functions });
  // Values that are extracted at the end become arguments of the functions that lead away.
  const keeping = ways.map((way): Exit => (way.kind === 'words' ? { ...way, parameters: kept } : way));
  const asked: readonly Exit[] =
    onward === undefined
      ? keeping
      : [
          ...keeping,
          {
            kind: 'words',
            name: 'go_on',
            words: 'The caller has answered what is asked here, or it is clear that they will not.',
            parameters: kept,
            to: onward,
            place: node,
          },
        ];
  draft.notes.changed(node, 'variables are extracted by the functions that lead away, as their arguments');
  const stays: readonly DraftFunction[] =
    asked.length > 0
      ? []
      : [{ name: 'keep_values', description: 'Keeps what the caller has said of these values.', parameters: kept }];
  writeTalk(draft, id, spoken, asked, { place: node, functions: [...functions, ...stays] });
}

/** The values that a conversation extracts, as the arguments that keep them. */
function extractionOf(draft: Draft, node: Source): Readonly<Record<string, unknown>> | undefined {
  const plan = node.at('variableExtractionPlan');
  const properties: Record<string, unknown> = {};
  for (const output of [...plan.items('output'), ...node.items('extractVariables')]) {
    const title = output.text('title') ?? output.text('name') ?? output.text('key');
    const schema = output.take();
    if (title === undefined || !isRecord(schema)) continue;
    const inside = argumentsSchema({ properties: { [title]: schema } });
    const own = inside?.['properties'];
    if (isRecord(own)) properties[title] = own[title];
  }
  const schema = argumentsSchema(plan.at('schema').take());
  if (schema !== undefined && isRecord(schema['properties'])) Object.assign(properties, schema['properties']);
  const required = schema?.['required'];
  const kept =
    Object.keys(properties).length === 0
      ? undefined
      : keptArguments(draft, { type: 'object', properties, ...(Array.isArray(required) ? { required } : {}) });
  for (const alias of plan.items('aliases')) {
    const key = alias.text('key');
    const value = /^\s*\{\{\s*([^{}|]+?)\s*\}\}\s*$/.exec(alias.text('value') ?? '')?.[1];
    if (key !== undefined && value !== undefined) draft.same(key, value);
    else draft.notes.lost(alias, `the value of ${key ?? 'an alias'} is computed: nothing sets it`);
  }
  return kept;
}

/** A node that speaks and continues without the caller. */
function writeSay(draft: Draft, node: Source, id: string, { ways, onward }: StepExits): void {
  const exact = node.text('exact') ?? node.text('text') ?? node.text('message');
  const prompt = node.text('prompt');
  const isDirect = ways.length === 0 && onward !== undefined;
  const hasNext = isDirect || ways.length > 0 || onward !== undefined;
  if (!hasNext) {
    const text = exact === undefined ? {} : { say: liquidText(draft, exact, node) };
    const told = [system(liquidText(draft, prompt ?? 'Answer the caller.', node))];
    return draft.node(id, { ...text, task_messages: told }, node);
  }
  const next = isDirect ? (onward ?? '') : draft.id(`${id}_next`);
  if (!isDirect) writeRoute(draft, next, ways, { onward, place: node });
  if (exact !== undefined)
    return draft.node(id, { say: liquidText(draft, exact, node), listen: false, default_transition: next }, node);
  const goOn = { name: 'go_on', description: 'It has been said.', transition_to: next };
  const told = [
    system(liquidText(draft, prompt ?? 'Go on.', node)),
    system('Say that, ask nothing, and call go_on in the same answer.'),
  ];
  draft.node(id, { task_messages: told, functions: [goOn], default_transition: next }, node);
}

/** A node that asks for values. Each value is a slot. */
function writeGather(draft: Draft, node: Source, id: string, { ways, onward }: StepExits): void {
  const given = node.at('output').take();
  const schema =
    argumentsSchema(typeof given === 'string' ? parsed(given) : given) ??
    argumentsSchema({ properties: isRecord(given) ? given : {} });
  const confirms = node.flag('confirmContent') === true;
  const retries = node.number('maxRetries');
  const template = node.text('literalTemplate') ?? node.text('prompt') ?? node.text('text');
  const properties = schema !== undefined && isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = new Set(Array.isArray(schema?.['required']) ? schema['required'].map(plainText) : []);
  const collect = properties.flatMap(([theirs, property]) => {
    const slot = isRecord(property) ? slotOf(property) : undefined;
    if (slot === undefined) {
      draft.notes.lost(node.at('output'), `"${theirs}" is a list or a map: no slot holds one`);
      return [];
    }
    const name = draft.name(theirs, 'read');
    const isOptional = required.size > 0 && !required.has(theirs);
    draft.slot(name, {
      ...slot,
      ...(properties.length === 1 && template !== undefined ? { ask: liquidText(draft, template, node) } : {}),
      ...(confirms ? { confirm: 'readback' as const } : {}),
      ...(isOptional ? { optional: true } : {}),
      ...(retries === undefined ? {} : { ladder: { attempts: Math.min(10, Math.max(1, Math.round(retries) + 1)) } }),
    });
    return [name];
  });
  if (collect.length === 0) return writeConversation(draft, node, id, { ways, onward, failed: undefined });
  draft.notes.changed(node, `gather asks for slots: ${collect.join(', ')}`);
  const isDirect = ways.length === 0 && onward !== undefined;
  const next = isDirect ? (onward ?? '') : draft.id(`${id}_next`);
  if (!isDirect) writeRoute(draft, next, ways, { onward, place: node });
  const told =
    template === undefined || properties.length === 1
      ? {}
      : { task_messages: [system(liquidText(draft, template, node))] };
  draft.node(id, { ...told, collect, default_transition: next }, node);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A property of a JSON Schema as a slot, or undefined for lists and maps. */
function slotOf(property: Readonly<Record<string, unknown>>): DraftSlot | undefined {
  const description = typeof property['description'] === 'string' ? { description: property['description'] } : {};
  const values = property['enum'];
  if (Array.isArray(values) && values.length > 0) {
    const texts = new Map(values.map((value) => [plainText(value).toLowerCase(), plainText(value)]));
    return { type: 'enum', values: [...texts.values()], ...description };
  }
  const type = property['type'];
  if (type === 'array' || type === 'object') return undefined;
  const format = plainText(property['format'] ?? '');
  if (format === 'date' || format === 'time' || format === 'email') return { type: format, ...description };
  const bounds = {
    ...(typeof property['minimum'] === 'number' ? { minimum: property['minimum'] } : {}),
    ...(typeof property['maximum'] === 'number' ? { maximum: property['maximum'] } : {}),
  };
  if (type === 'number' || type === 'integer') return { type, ...description, ...bounds };
  if (type === 'boolean') return { type, ...description };
  return {
    type: 'text',
    ...description,
    ...(typeof property['pattern'] === 'string' ? { pattern: property['pattern'] } : {}),
  };
}

/** Calls a tool on entry, and decides by its result. */
function writeTool(draft: Draft, node: Source, tool: Source, id: string, { ways, onward, failed }: StepExits): void {
  const outside = node.text('toolId');
  if (outside !== undefined && !isRecord(tool.value))
    draft.notes.lost(node, `the tool ${outside} is not in the file: a function of the name of its node stands for it`);
  const type = (tool === node ? 'apirequest' : (tool.text('type') ?? 'function')).toLowerCase();
  if (type === 'endcall') {
    tool.at('function').take();
    return draft.node(id, { say: readMessages(draft, tool).line ?? 'Goodbye.', end: 'ended' }, node);
  }
  if (type === 'transfercall' || type === 'handoff') {
    const destination = tool.items('destinations')[0] ?? tool;
    for (const other of tool.items('destinations').slice(1))
      draft.notes.lost(other, 'a further destination of a transfer');
    tool.at('function').take();
    return writeTransfer(draft, id, destination, readMessages(draft, tool).line);
  }
  const isDirect = ways.length === 0 && onward !== undefined;
  const next = isDirect ? (onward ?? '') : draft.id(`${id}_next`);
  if (!isDirect) writeRoute(draft, next, ways, { onward, place: node });
  if (tool === node && node.text('mode') === 'background')
    draft.notes.changed(node, 'mode: background is not supported; the flow always waits for the result of a function');
  const code = readCode(draft, named(tool, plainText(node.at('name').value ?? id)), type);
  const functions = [codeFunction(code, createUnique(), next)];
  const calls: DraftNode =
    code.parameters === undefined
      ? { call: code.name, functions, on_error: failed ?? next, default_transition: next }
      : {
          task_messages: [system(`Say nothing. Call ${code.name} now, with what the conversation has shown so far.`)],
          functions,
          on_error: failed ?? next,
        };
  const fallback = code.failure === undefined ? {} : { fallback: code.failure };
  if (code.line === undefined) return draft.node(id, { ...calls, ...fallback }, node);
  if (code.parameters === undefined) return draft.node(id, { say: code.line, ...calls, ...fallback }, node);
  const call = draft.id(`${id}_call`);
  draft.node(id, { say: code.line, listen: false, default_transition: call }, node);
  draft.node(call, { ...calls, ...fallback }, node);
}

/** A tool without a name gets the name of its node. */
function named(tool: Source, name: string): Source {
  return { ...tool, text: (key) => tool.text(key) ?? (key === 'name' ? name : undefined) };
}
